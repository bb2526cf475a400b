//! Sections replace the matches in them, from the query to the shown result.

use std::collections::BTreeSet;

use ra_core::config::Value;
use ra_core::kb::SearchRequest;
use ra_core::retrieval::{Aggregation, Passage};

use crate::kb_helpers::{answer, content, everything, kb_with, search_request, set, short};

/// A guide whose chapter on errors has two of three sections about them.
const GUIDE: &str = "\
# Guide

How to use it.

# Error handling

## Results

Return an error as a value.

## Options

An error without a reason.

## Style

Be brief.

# Logging

Write everything down.
";

fn shown(passages: &[Passage]) -> Vec<String> {
    let part = |passage: &Passage| {
        let parts: Vec<String> = passage.parts.iter().map(|part| short(&part.id)).collect();
        format!("{} {:?} [{}]", short(&passage.id), passage.lines, parts.join(" "))
    };
    passages.iter().map(part).collect()
}

#[test]
fn a_section_stands_for_its_matching_children() {
    let kb = kb_with(&[("guide.md", GUIDE)], &everything());
    let aggregated = SearchRequest { aggregation: Aggregation::Sections, ..search_request("body:error") };
    let passages = answer(&kb, &aggregated).passages;
    assert_eq!(shown(&passages), ["guide.md#error-handling (5, 18) [guide.md#results guide.md#options]"]);
    let text = content(&passages[0]);
    assert!(text.starts_with("# Error handling\n\n## Results\n"));
    assert!(text.contains("Be brief."), "the section is shown whole");
    let best = passages[0].parts.iter().map(|part| part.score).fold(0.0, f32::max);
    let sum: f32 = passages[0].parts.iter().map(|part| part.score).sum();
    assert!(
        (passages[0].score - sum.min(kb.config().search.score_cap_multiplier as f32 * best)).abs() < 1e-5
    );
    assert_eq!(answer(&kb, &search_request("body:error")).passages.len(), 2);
}

#[test]
fn the_threshold_decides_when_a_section_stands() {
    for (threshold, results) in [(0.5, 1), (0.6, 1), (0.7, 2), (1.0, 2)] {
        let mut flags = everything();
        flags.push(set("search", "aggregation_threshold", Value::Float(threshold)));
        let kb = kb_with(&[("guide.md", GUIDE)], &flags);
        let passages = answer(
            &kb,
            &SearchRequest { aggregation: Aggregation::Sections, ..search_request("body:error") },
        )
        .passages;
        let sections = passages.iter().map(|passage| 1 + passage.companions.len()).sum::<usize>();
        assert_eq!(sections, results, "{threshold}");
    }
}

/// Returns the ids of a result and its companions.
fn sections(passage: &Passage) -> Vec<String> {
    std::iter::once(&passage.id).chain(passage.companions.iter().map(|part| &part.id)).map(short).collect()
}

#[test]
fn the_best_sections_of_a_document_are_shown_together() {
    let section = |title: &str, words: &str| {
        format!("## {title}\n\nA {words} is a bird of the marsh. {}\n\n", "It wades and waits. ".repeat(30))
    };
    let text = format!(
        "# Page\n\nThis page is about birds.\n\n{}{}{}{}{}{}",
        section("One", "heron that hunts"),
        section("Two", "stork"),
        section("Three", "heron that hunts"),
        section("Four", "crane"),
        section("Five", "rail"),
        section("Six", "heron that sleeps")
    );
    let kb = kb_with(&[("a.md", &text), ("b.md", "# Other\n\nHerons hunt, too.\n")], &everything());
    let ask = SearchRequest { aggregation: Aggregation::Sections, ..search_request("heron hunts marsh") };
    let found = answer(&kb, &ask).passages;
    let shown = found.iter().map(sections).find(|ids| ids[0].starts_with("a.md")).unwrap();
    assert_eq!(shown, ["a.md#one", "a.md#three"], "the last section lacks a word and scores less");
    let passage = found.iter().find(|passage| short(&passage.id) == "a.md#one").unwrap();
    assert_eq!(passage.lines, (5, 8), "those of the section itself");
    assert_eq!((passage.companions[0].lines, passage.companions[0].title.as_str()), ((13, 16), "Three"));
    // Each section gets a part of a small room.
    let runs = |tokens: usize| {
        let steps = (1..=passage.steps()).rev().find(|steps| passage.tokens_after(*steps) <= tokens).unwrap();
        passage.runs_after(steps).iter().map(|run| run.section).collect::<BTreeSet<usize>>().len()
    };
    assert_eq!((runs(100), runs(800)), (1, 2));
    let expanded = kb_with(
        &[("a.md", &text)],
        &[everything(), vec![set("search", "expand", Value::Bool(true))]].concat(),
    );
    let found = answer(&expanded, &ask).passages;
    assert_eq!(
        found.iter().map(sections).collect::<Vec<_>>(),
        [["a.md#page"]],
        "with context they are one result anyway"
    );
}

#[test]
fn a_section_is_merged_only_if_it_can_be_shown() {
    let long = |words: &str| format!("{words} {}\n\n", "and much more of the same kind of text ".repeat(12));
    let text = format!(
        "# Page\n\n## Herons\n\n### Grey\n\n{}### White\n\n{}### Blue\n\nNothing.\n",
        long("A grey heron."),
        long("A white heron.")
    );
    for (max_tokens, expected) in
        [(1000, &["a.md#herons"][..]), (230, &["a.md#herons"]), (150, &["a.md#grey", "a.md#white"])]
    {
        let kb = kb_with(
            &[("a.md", &text)],
            &[everything(), vec![set("search", "max_result_tokens", Value::Int(max_tokens))]].concat(),
        );
        let found = answer(
            &kb,
            &SearchRequest { aggregation: Aggregation::Sections, ..search_request("body:heron") },
        )
        .passages;
        let mut ids: Vec<String> = found.iter().flat_map(sections).collect();
        ids.sort();
        assert_eq!(ids, expected, "{max_tokens}");
    }
}

#[test]
fn a_section_whose_heading_is_asked_for_is_a_result_of_its_own() {
    let text = "# Borrowing\n\nWhat borrows, the borrow checker checks.\n\n## Rules\n\nThe checker has rules for every borrow.\n\n\
        ## The borrow checker\n\nIt compares scopes.\n\n## Errors\n\nThe borrow checker has errors.\n";
    let kb = kb_with(&[("a.md", text)], &everything());
    let found = answer(
        &kb,
        &SearchRequest { aggregation: Aggregation::Sections, ..search_request("borrow checker") },
    )
    .passages;
    assert_eq!(short(&found[0].id), "a.md#the-borrow-checker");
}

#[test]
fn one_document_does_not_fill_the_page() {
    let sections: String = (0..60).map(|nr| format!("## Part {nr}\n\nzebra in part {nr}\n\n")).collect();
    let big = format!("# Zebras\n\n{sections}");
    let kb =
        kb_with(&[("big.md", &big), ("small.md", "# Other\n\nOne zebra among many other things.\n")], &[]);
    let passages =
        answer(&kb, &SearchRequest { aggregation: Aggregation::Sections, ..search_request("zebra") })
            .passages;
    let documents: Vec<&str> = passages.iter().map(|passage| passage.id.doc.path.as_str()).collect();
    assert!(documents.len() <= 2, "{documents:?}");
    assert_eq!(documents[0], "big.md");
}

#[test]
fn a_mention_in_one_tree_does_not_tie_with_the_best_page_of_another() {
    let env = crate::test_env::TestEnv::new();
    env.write("p/.ra.toml", "root = true\n[trees]\ndense = \"dense\"\nsparse = \"sparse\"\n");
    for nr in 0..8 {
        env.write(&format!("p/dense/zebra{nr}.md"), "# Zebra\n\nzebra zebra zebra\n");
    }
    let filler = "many words about all kinds of things ".repeat(30);
    env.write("p/sparse/notes.md", format!("# Notes\n\n{filler} zebra {filler}\n"));
    let kb = crate::kb_helpers::open(&env, &everything());
    let passages = answer(&kb, &search_request("zebra")).passages;
    let trees: Vec<&str> = passages.iter().map(|passage| passage.id.doc.tree.as_str()).collect();
    assert_eq!(trees[8..], ["sparse"]);
    assert!(passages[8].score < 0.5 * passages[7].score);
    let alone = answer(&kb, &SearchRequest { scope: one("sparse"), ..search_request("zebra") });
    assert_eq!(alone.passages[0].score, passages[8].score);
}

fn one(tree: &str) -> ra_core::index::Scope {
    ra_core::index::Scope { trees: vec![tree.parse().unwrap()], ..Default::default() }
}

#[test]
fn local_trees_come_before_global_ones() {
    let env = crate::test_env::TestEnv::new();
    env.write("home/.ra.toml", "[trees]\nglobal = \"~/docs\"\n");
    env.write("home/docs/a.md", "# Zebra\n\nzebra\n");
    env.write("p/.ra.toml", "[trees]\nlocal = \"docs\"\n");
    env.write("p/docs/b.md", "# Zebra\n\nzebra\n");
    let kb = crate::kb_helpers::open(&env, &everything());
    let passages = answer(&kb, &search_request("zebra")).passages;
    let ids: Vec<String> = passages.iter().map(|passage| passage.id.to_string()).collect();
    assert_eq!(ids, ["local:b.md#zebra", "global:a.md#zebra"]);
    assert!((passages[0].score / passages[1].score - 1.5).abs() < 1e-6);
}
