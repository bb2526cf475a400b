//! What an answer costs, what is shown around a match, and what is shown of a long section.

use std::collections::BTreeSet;

use proptest::prelude::*;
use ra_core::config::{Override, Value};
use ra_core::kb::{Answers, KnowledgeBase, Silent};
use ra_core::search::{Budget, LIST, Look, Passage, Shown, TEXTS};
use ra_core::tokens;

use crate::asking::{Stocked, answer, ask, everything, library, open, set, stocked};
use crate::invented::{cases, line};

fn rest(number: usize) -> String {
    format!("+{number} more\n")
}

fn fitted(kb: &KnowledgeBase, query: &str, budget: usize, levels: &[Shown]) -> Answers {
    let mut answers = kb.search(&ask(query), &Silent).unwrap();
    let passages = answers.answers.iter_mut().flat_map(|answer| &mut answer.passages);
    if levels == LIST {
        passages.for_each(|passage| passage.show(Shown::Entry));
    }
    answers.fit(&Budget { tokens: budget, levels, look: Look::Text, rest: &rest });
    answers
}

fn printed(answers: &Answers) -> String {
    let passages = answers.answers.iter().flat_map(|answer| &answer.passages);
    passages.map(Passage::text).chain([answers.rest.line.clone()]).collect()
}

fn with(mut flags: Vec<Override>, name: &'static str, value: Value) -> Vec<Override> {
    flags.push(set("search", name, value));
    flags
}

/// A document with code, some of which is never closed.
fn document() -> impl Strategy<Value = String> {
    let fence = prop::sample::select(&["```", "```rust", "~~~", "> ```", "- ```sh", "````"]);
    let part = prop_oneof![
        4 => line(1..9).prop_map(|line| format!("{line}\n")),
        2 => (1usize..4, line(1..3)).prop_map(|(level, title)| format!("\n{} {title}\n\n", "#".repeat(level))),
        2 => fence.prop_map(|fence| format!("{fence}\n")),
        1 => Just("\n".to_owned()),
        1 => "[ \t\u{a0}\u{2003}\u{3000}\n]{1,60}",
        1 => (2usize..90).prop_map(|number| "\n".repeat(number)),
        1 => line(20..40).prop_map(|line| format!("{line}\n")),
    ];
    prop::collection::vec(part, 1..40).prop_map(|parts| parts.concat())
}

/// Whether every code block that a text opens is closed in it.
fn balanced(text: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '\t', '>', '-']);
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = line.chars().take_while(|c| Some(*c) == mark).count();
        match (open, mark) {
            (None, Some(mark)) if length >= 3 && !line[length..].contains('`') => open = Some((mark, length)),
            (Some((known, at_least)), Some(mark))
                if known == mark && length >= at_least && line[length..].trim().is_empty() =>
            {
                open = None;
            }
            _ => {}
        }
    }
    open.is_none()
}

/// Whether a line that is shown is the one of the source, or a part of it where that is long.
fn is_of(shown: &str, source: &str) -> bool {
    let part = shown.strip_suffix("...").or(shown.strip_prefix("..."));
    shown == source || part.is_some_and(|part| source.contains(part.trim_start_matches("...")))
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_budget_is_never_exceeded(
        texts in prop::collection::vec(document(), 1..4),
        query in line(1..4),
        budgets in prop::collection::vec(0usize..900, 6),
        expand: bool,
    ) {
        let names = ["a.md", "b.md", "c.md"];
        let files: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
        let kb = stocked(&files, &with(everything(), "expand", Value::Bool(expand)));
        for query in [query.as_str(), "tree:docs"] {
            for budget in &budgets {
                for levels in [TEXTS, LIST] {
                    let answers = fitted(&kb, query, *budget, levels);
                    let text = printed(&answers);
                    prop_assert!(tokens::count(&text) <= *budget, "{} of {budget}: {text}", tokens::count(&text));
                    let all = answer(&kb, &ask(query)).passages.len();
                    let shown: usize = answers.answers.iter().map(|answer| answer.passages.len()).sum();
                    prop_assert_eq!(shown + answers.rest.left_out, all);
                    for passage in answers.answers.iter().flat_map(|answer| &answer.passages) {
                        prop_assert!(balanced(&passage.content), "{}", passage.content);
                        let source: Vec<&str> = files
                            .iter()
                            .find(|(path, _)| *path == passage.id.doc.path)
                            .map(|(_, text)| text.lines().collect())
                            .unwrap();
                        let numbers = passage.line_numbers();
                        for (line, number) in passage.content.lines().zip(numbers) {
                            let source = number.map(|number| source[number - 1]);
                            prop_assert!(source.is_none_or(|source| is_of(line, source)), "{line:?} is not {source:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn expansion_never_repeats_a_line(text in document(), query in line(1..3)) {
        let kb = stocked(&[("a.md", &text)], &with(everything(), "expand", Value::Bool(true)));
        let passages = answer(&kb, &ask(&query)).passages;
        prop_assert!(passages.len() <= 1, "one result for a document");
        for passage in &passages {
            let numbers: Vec<usize> = passage.line_numbers().into_iter().flatten().collect();
            let unique: BTreeSet<usize> = numbers.iter().copied().collect();
            prop_assert_eq!(unique.len(), numbers.len());
            prop_assert!(numbers.is_sorted());
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

fn expanded(files: &[(&str, &str)]) -> Stocked {
    stocked(files, &with(everything(), "expand", Value::Bool(true)))
}

#[test]
fn a_match_brings_its_parent_siblings_and_children_in_document_order() {
    let passage = answer(&expanded(&[("guide.md", GUIDE)]), &ask("quokka")).passages.remove(0);
    assert_eq!(passage.id.to_string(), "docs:guide.md#installation");
    let from = GUIDE.find("## Installation").unwrap();
    let to = GUIDE.find("## Elsewhere").unwrap();
    assert_eq!(passage.content, GUIDE[from..to]);
    let parts: Vec<String> = passage.parts.iter().map(|part| part.id.to_string()).collect();
    assert_eq!(parts, ["docs:guide.md#steps"]);
    assert!(passage.head()[0].ends_with("[expanded: 1 match] ───"), "{:?}", passage.head());
}

#[test]
fn matches_of_one_document_are_one_result_with_the_highest_score() {
    let filler = |name: &str| format!("## {name}\n\nfiller\n\n");
    let sections: String = ["One", "Two", "Three", "Four", "Five", "Six"].into_iter().map(filler).collect();
    let text = format!(
        "# API\n\n## Authentication\n\nquokka quokka\n\n{sections}## Errors\n\nHandling a quokka sometimes\n"
    );
    let kb = expanded(&[("api.md", &text)]);
    let plain = stocked(&[("api.md", &text)], &everything());
    let alone = answer(&plain, &ask("quokka")).passages;
    assert_eq!(alone.len(), 2);
    let together = answer(&kb, &ask("quokka")).passages;
    assert_eq!(together.len(), 1);
    assert_eq!(together[0].score, alone[0].score, "the highest of the two");
    assert_eq!(together[0].parts.len(), 2);
    let headings: Vec<&str> = together[0].content.lines().filter(|line| line.starts_with('#')).collect();
    let near = ["# API", "## Authentication", "## One", "## Two", "## Five", "## Six", "## Errors"];
    assert_eq!(headings, near, "two siblings on each side, in the order of the document");
}

#[test]
fn documents_stay_apart_and_orphans_are_results() {
    let kb = expanded(&[("a.md", "# API reference\n\nquokka\n"), ("b.txt", "a quokka in plain text\n")]);
    let mut found: Vec<(String, String)> = answer(&kb, &ask("quokka"))
        .passages
        .into_iter()
        .map(|passage| (passage.id.to_string(), passage.content))
        .collect();
    found.sort();
    let expected = [("docs:a.md", "# API reference\n\nquokka\n"), ("docs:b.txt", "a quokka in plain text\n")];
    assert_eq!(found, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
}

#[test]
fn what_stands_around_goes_before_what_matches() {
    let kb = expanded(&[("guide.md", GUIDE)]);
    let all = tokens::count(&answer(&kb, &ask("quokka")).passages[0].text());
    let tight = fitted(&kb, "quokka", all - 1, TEXTS);
    let passage = &tight.answers[0].passages[0];
    assert_eq!(passage.shown, Shown::Matching);
    assert!(!passage.snippet.text.contains("───"), "{}", passage.snippet.text);
    let rest = "─── surrounding sections omitted ───\n";
    let steps = format!("─── lines 11-14 ───\n### Steps\n\nThe quokka steps\n\n{rest}");
    assert_eq!(passage.content, steps);
    // A result that is too long for what stands around still has the sections that match.
    let short = with(with(everything(), "expand", Value::Bool(true)), "max_result_tokens", Value::Int(12));
    let kb = stocked(&[("guide.md", GUIDE)], &short);
    assert_eq!(answer(&kb, &ask("quokka")).passages[0].content, steps);
}

#[test]
fn a_long_section_is_shown_around_its_matches() {
    let filler = "Nothing of interest stands on this line, nor on the next.\n\n".repeat(300);
    let text = format!("# Long\n\n{filler}```rust\nlet first = 1;\n\nlet quokka = 2;\n```\n\n{filler}");
    let kb = stocked(&[("long.md", &text)], &everything());
    let passage = answer(&kb, &ask("quokka")).passages.remove(0);
    let lines = "─── lines 606-607 ───\n```rust\nlet quokka = 2;\n```\n";
    let tail = "─── 3 of 1208 lines; get shows all ───\n";
    assert_eq!(passage.content, format!("# Long\n{lines}{tail}"));
    assert_eq!(passage.lines, (1, 1208));
}

#[test]
fn the_best_results_lose_their_text_last() {
    let body = |words: &str| format!("# Page\n\n{words}\n\n{}", "Some more of the text.\n".repeat(20));
    let (best, middle, last) = (body("quokka ".repeat(9).trim()), body("quokka quokka"), body("quokka"));
    let machine = library(&[("a.md", &best), ("b.md", &middle), ("c.md", &last)]);
    let kb = open(&machine, &everything());
    let shown = |budget: usize| {
        let answers = fitted(&kb, "quokka", budget, TEXTS);
        let levels = answers.answers[0].passages.iter().map(|passage| match passage.shown {
            Shown::Whole | Shown::Matching => "whole",
            Shown::Windows(_) => "windows",
            Shown::Entry => "entry",
            Shown::Name => "name",
            Shown::Nothing => "nothing",
        });
        (levels.collect::<Vec<_>>().join(" "), answers.rest.left_out)
    };
    for (budget, levels, left_out) in [
        (2000, "whole whole whole", 0),
        (400, "whole whole windows", 0),
        (250, "windows windows windows", 0),
        (140, "windows windows name", 0),
        (60, "name name name", 0),
        (30, "name name name", 0),
        (12, "name", 2),
        (3, "", 3),
        (0, "", 3),
    ] {
        assert_eq!(shown(budget), (levels.to_owned(), left_out), "{budget}");
    }
}
