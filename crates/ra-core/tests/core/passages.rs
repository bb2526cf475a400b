//! The text shown around a match, and the order in which the text of a long result is shown.

use std::collections::BTreeSet;

use proptest::prelude::*;
use ra_core::config::{Override, Value};
use ra_core::document::{Block, BlockKind};
use ra_core::retrieval::{Passage, TextRun};

use crate::generated::{cases, line};
use crate::kb_helpers::{TestKb, answer, content, everything, kb_with, search_request, set, shown_lines};

fn with(mut flags: Vec<Override>, name: &'static str, value: Value) -> Vec<Override> {
    flags.push(set("search", name, value));
    flags
}

/// A document with blocks of every kind, some of them broken.
fn document() -> impl Strategy<Value = String> {
    let fence = prop::sample::select(&["```", "```rust", "~~~", "> ```", "- ```sh", "````"]);
    let part = prop_oneof![
        4 => line(1..9).prop_map(|line| format!("{line}\n")),
        3 => line(1..30).prop_map(|line| format!("{line}.\n\n")),
        2 => (1usize..4, line(1..3)).prop_map(|(level, title)| format!("\n{} {title}\n\n", "#".repeat(level))),
        2 => fence.prop_map(|fence| format!("{fence}\n")),
        1 => prop::collection::vec(line(1..9), 1..9).prop_map(|items| items.iter().map(|item| format!("- {item}\n")).collect()),
        1 => prop::collection::vec(line(1..4), 1..20).prop_map(|rows| {
            let rows: String = rows.iter().map(|row| format!("| {row} |\n")).collect();
            format!("\n| head |\n|---|\n{rows}\n")
        }),
        1 => Just("\n".to_owned()),
        1 => "[ \t\u{a0}\u{2003}\u{3000}\n]{1,60}",
        1 => line(100..300).prop_map(|line| format!("{line}\n")),
    ];
    prop::collection::vec(part, 1..60).prop_map(|parts| parts.concat())
}

/// Returns the bytes that runs show, by section.
fn bytes(runs: &[TextRun]) -> BTreeSet<(usize, usize)> {
    runs.iter().flat_map(|run| (run.span.start..run.span.end).map(|at| (run.section, at))).collect()
}

/// True if a run consists of whole blocks of its section, or only of the heading.
fn is_whole_blocks(passage: &Passage, run: &TextRun) -> bool {
    let section = &passage.sections()[run.section];
    let blocks = section.blocks();
    let is_start = |block: &Block| block.span.start == run.span.start;
    let is_end = |block: &Block| block.span.end == run.span.end;
    (run.span.start == 0 || blocks.iter().any(is_start))
        && (run.span.end == section.heading
            || run.span.end == section.text.len()
            || blocks.iter().any(is_end))
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_step_adds_whole_blocks_to_the_one_before(
        texts in prop::collection::vec(document(), 1..3),
        query in line(1..4),
        max_tokens in 20i64..400,
        expand: bool,
    ) {
        let files: Vec<(&str, &str)> = ["a.md", "b.md"].into_iter().zip(texts.iter().map(String::as_str)).collect();
        let flags = with(everything(), "expand", Value::Bool(expand));
        let kb = kb_with(&files, &with(flags, "max_result_tokens", Value::Int(max_tokens)));
        for passage in answer(&kb, &search_request(&query)).passages {
            let mut before = BTreeSet::new();
            for steps in 1..=passage.steps() {
                let runs = passage.runs_after(steps);
                let now = bytes(&runs);
                prop_assert!(before.is_subset(&now) && before.len() < now.len(), "{} of {}", steps, passage.id);
                for run in &runs {
                    let is_cut = run.cut.is_some_and(|block| {
                        let from = if run.span.start == 0 { 0 } else { block.span.start };
                        from <= run.span.start && run.span.end < block.span.end
                            || block.span.start < run.span.start && run.span.end <= block.span.end
                    });
                    prop_assert!(is_cut || is_whole_blocks(&passage, run), "{:?} of {}", run, passage.id);
                }
                prop_assert!(passage.tokens_after(steps) >= passage.tokens_after(steps - 1));
                before = now;
            }
            prop_assert_eq!(bytes(&passage.all_runs()), before, "{} {}", passage.id, passage.tokens);
        }
    }

    #[test]
    fn expansion_never_repeats_a_line(text in document(), query in line(1..3)) {
        let kb = kb_with(&[("a.md", &text)], &with(everything(), "expand", Value::Bool(true)));
        let passages = answer(&kb, &search_request(&query)).passages;
        prop_assert!(passages.len() <= 1, "one result for a document");
        for passage in &passages {
            prop_assert!(passage.sections().is_sorted_by(|a, b| a.span.end <= b.span.start));
        }
    }
}

const GUIDE: &str = "\
# Guide

## Installation

Installation overview

### Prerequisites

Some tools

### Steps

The quokka steps

#### Step 1

Details

### Configuration

Then configure

## Elsewhere

Other things
";

fn expanded(files: &[(&str, &str)]) -> TestKb {
    kb_with(files, &with(everything(), "expand", Value::Bool(true)))
}

#[test]
fn a_match_brings_its_parent_siblings_and_children_in_document_order() {
    let passage = answer(&expanded(&[("guide.md", GUIDE)]), &search_request("quokka")).passages.remove(0);
    assert_eq!(passage.id.to_string(), "docs:guide.md#installation");
    let from = GUIDE.find("## Installation").unwrap();
    let to = GUIDE.find("## Elsewhere").unwrap();
    assert_eq!(content(&passage), GUIDE[from..to]);
    let parts: Vec<String> = passage.parts.iter().map(|part| part.id.to_string()).collect();
    assert_eq!(parts, ["docs:guide.md#steps"]);
    assert!(passage.is_expanded());
}

#[test]
fn matches_of_one_document_are_one_result_with_the_highest_score() {
    let filler = |name: &str| format!("## {name}\n\nfiller\n\n");
    let sections: String = ["One", "Two", "Three", "Four", "Five", "Six"].into_iter().map(filler).collect();
    let text = format!(
        "# API\n\n## Authentication\n\nquokka quokka\n\n{sections}## Errors\n\nHandling a quokka sometimes\n"
    );
    let kb = expanded(&[("api.md", &text)]);
    let plain = kb_with(&[("api.md", &text)], &everything());
    let alone = answer(&plain, &search_request("quokka")).passages;
    assert_eq!(alone.len(), 2);
    let together = answer(&kb, &search_request("quokka")).passages;
    assert_eq!(together.len(), 1);
    assert_eq!(together[0].score, alone[0].score, "the highest of the two");
    assert_eq!(together[0].parts.len(), 2);
    let text = content(&together[0]);
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let near = ["# API", "## Authentication", "## One", "## Two", "## Five", "## Six", "## Errors"];
    assert_eq!(headings, near, "two siblings on each side, in the order of the document");
}

#[test]
fn documents_stay_apart_and_orphans_are_results() {
    let kb = expanded(&[("a.md", "# API reference\n\nquokka\n"), ("b.txt", "a quokka in plain text\n")]);
    let mut found: Vec<(String, String)> = answer(&kb, &search_request("quokka"))
        .passages
        .iter()
        .map(|passage| (passage.id.to_string(), content(passage)))
        .collect();
    found.sort();
    let expected = [("docs:a.md", "# API reference\n\nquokka\n"), ("docs:b.txt", "a quokka in plain text\n")];
    assert_eq!(found, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
}

#[test]
fn what_matches_is_shown_before_what_is_around_it() {
    let flags = with(with(everything(), "expand", Value::Bool(true)), "max_result_tokens", Value::Int(12));
    let passage =
        answer(&kb_with(&[("guide.md", GUIDE)], &flags), &search_request("quokka")).passages.remove(0);
    assert_eq!(content(&passage), "### Steps\n\nThe quokka steps\n\n");
}

/// Returns a long section of paragraphs, in which a code block and its introduction matter.
fn long(filler: usize) -> String {
    let filler = "Nothing of interest is on this line, nor on the next.\n\n".repeat(filler);
    format!("# Long\n\n{filler}This is how:\n\n```rust\nlet first = 1;\n\nlet quokka = 2;\n```\n\n{filler}")
}

fn limited(text: &str, max_tokens: i64) -> Passage {
    let kb = kb_with(&[("long.md", text)], &with(everything(), "max_result_tokens", Value::Int(max_tokens)));
    answer(&kb, &search_request("quokka")).passages.remove(0)
}

#[test]
fn a_long_section_is_cut_to_its_best_blocks() {
    let passage = limited(&long(300), 60);
    let code = "```rust\nlet first = 1;\n\nlet quokka = 2;\n```\n\n";
    let line = "Nothing of interest is on this line, nor on the next.\n\n";
    assert_eq!(content(&passage), format!("# Long\nThis is how:\n\n{code}{line}{line}"));
    assert_eq!(passage.lines, (1, 1210));
    let lines = shown_lines(&passage);
    assert_eq!((lines[0], lines[1], lines.last()), (1, 603, Some(&614)));
}

#[test]
fn a_block_that_is_too_large_is_cut_and_says_so() {
    let rows: String = (0..200).map(|nr| format!("| key{nr} | value |\n")).collect();
    let text = format!("# T\n\n| key | value |\n|---|---|\n{rows}| quokka | here |\n{rows}");
    let passage = limited(&text, 60);
    let runs = passage.all_runs();
    let cut = runs.last().unwrap();
    let block = cut.cut.expect("a part of a block");
    let section = &passage.sections()[cut.section];
    assert_eq!(block.kind, BlockKind::Table);
    assert_eq!(block.header(&section.text).unwrap().of(&section.text), "| key | value |\n|---|---|\n");
    let shown = cut.span.of(&section.text);
    assert!(shown.contains("| quokka | here |\n") && shown.lines().all(|row| row.ends_with(" |")), "{shown}");
}

#[test]
fn a_table_that_is_too_large_for_the_rest_of_a_result_is_cut_below_its_announcement() {
    let rows: String = (0..400).map(|nr| format!("| key{nr} | value |\n")).collect();
    let text =
        format!("# T\n\nThe quokka has these keys.\n\nAll of them:\n\n| key | value |\n|---|---|\n{rows}");
    let passage = limited(&text, 300);
    let runs = passage.all_runs();
    let [whole, part] = runs.as_slice() else { panic!("{runs:?}") };
    let text = &passage.sections()[0].text;
    assert!(whole.cut.is_none() && whole.span.of(text).ends_with("All of them:\n\n"), "{whole:?}");
    assert_eq!(part.cut.map(|block| block.kind), Some(BlockKind::Table));
    assert!(part.span.of(text).starts_with("| key | value |\n|---|---|\n| key0 | value |\n"), "{part:?}");
}

#[test]
fn a_short_best_section_is_completed_before_others_begin() {
    let part = |name: &str, words: &str| format!("## {name}\n\n{}\n", format!("{words}\n\n").repeat(60));
    let text = format!(
        "# Page\n\n{}{}",
        part("Quokka", "A quokka sits there."),
        part("Others", "A quokka and others.")
    );
    let passage = limited(&text, 500);
    let [first, ..] = passage.sections() else { panic!("no section") };
    assert_eq!(first.id.slug.as_deref(), Some("quokka"));
    let last = passage.tokens_after(passage.steps());
    assert!((300..=500).contains(&last), "{last}");
    assert!(content(&passage).starts_with(&first.text), "{}", content(&passage));
}

#[test]
fn one_enormous_line_is_cut_between_words() {
    let text =
        format!("# L\n\n{} The quokka is here. {}\n", "and so on ".repeat(3000), "and more ".repeat(3000));
    let shown = content(&limited(&text, 100));
    assert!(shown.contains("The quokka is here. ") && shown.len() < 700, "{shown}");
}

#[test]
fn a_part_of_a_list_item_follows_the_sentence_that_names_the_item() {
    let filler = "Something else is said here. ".repeat(100);
    let passage =
        limited(&format!("# L\n\n- **Marsupials**. {filler}The quokka is one. {filler}\n- Birds.\n"), 60);
    let cut = passage.all_runs().into_iter().find_map(|run| run.cut).expect("a part of a block");
    let text = &passage.sections()[0].text;
    assert_eq!(cut.header(text).unwrap().of(text), "- **Marsupials**. ");
}

#[test]
fn an_announcement_is_completed_before_anything_else_is_added() {
    let text = "# Page\n\nNothing.\n\nOne quokka sat on the hill for a long while, and nobody saw it there.\n\n\
                To call a quokka, a far quokka, run this:\n\n```sh\ncall --now\n```\n\n";
    assert_eq!(shown_lines(&limited(text, 32)), [1, 7, 8, 9, 10, 11, 12]);
}

#[test]
fn the_first_paragraph_defines_what_the_heading_names() {
    let text = "A quokka is a small marsupial that lives on an island off the coast.\n\n\
                Some people keep a quokka. A quokka that is kept needs much care, as every quokka does.\n\n";
    assert_eq!(shown_lines(&limited(&format!("# Quokka\n\n{text}"), 20)), [1, 2, 3, 4]);
    // A macro defines nothing.
    let passage = limited(&format!("# Quokka\n\n{{{{< since \"v1\" >}}}}\n\n{text}"), 40);
    assert_eq!(shown_lines(&passage), [1, 2, 3, 4, 5, 6]);
}
