//! Property tests of the token budget, with generated documents.

use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use ra_core::config::{Config, Override, SystemDirs, Value};
use ra_core::index::{FacetMode, Scope};
use ra_core::kb::{Answer, KnowledgeBase, NoProgress, QueryCombination, QuerySyntax, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};
use ra_core::text::escape::MARK;
use tempfile::TempDir;

use super::*;

const WORDS: &[&str] = &[
    "heron",
    "stork",
    "crane",
    "the",
    "of",
    "nest",
    "nests",
    "getBird",
    "wing_span",
    "Größe",
    "鳥類",
    "e.g.",
    "`code`",
    "x.",
];

fn line(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), words).prop_map(|words| words.join(" "))
}

/// Generates a document with blocks of every kind, some of them broken, and lines that look like markers.
fn document() -> impl Strategy<Value = String> {
    let fence =
        prop::sample::select(&["```", "```rust", "~~~", "> ```", "- ```sh", "````", "─── lines 1-2 ───"]);
    let part = prop_oneof![
        4 => line(1..9).prop_map(|line| format!("{line}\n")),
        4 => line(1..60).prop_map(|line| format!("{line}.\n\n")),
        2 => (1usize..4, line(1..3)).prop_map(|(level, title)| format!("\n{} {title}\n\n", "#".repeat(level))),
        2 => fence.prop_map(|fence| format!("{fence}\n")),
        1 => prop::collection::vec(line(1..20), 1..9)
            .prop_map(|items| items.iter().map(|item| format!("- {item}\n")).collect()),
        1 => prop::collection::vec(line(1..4), 1..40).prop_map(|rows| {
            let rows: String = rows.iter().map(|row| format!("| {row} |\n")).collect();
            format!("\n| head |\n|---|\n{rows}\n")
        }),
        1 => "[ \t\u{a0}\u{3000}\n]{1,60}",
        1 => line(100..300).prop_map(|line| format!("{line}\n")),
    ];
    prop::collection::vec(part, 1..60).prop_map(|parts| parts.concat())
}

/// A knowledge base of some documents.
struct TestKb {
    kb: KnowledgeBase,
    _folder: TempDir,
}

fn kb_with(texts: &[String], flags: &[Override]) -> TestKb {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("p/docs")).expect("a folder");
    fs::write(at("p/.ra.toml"), "root = true\n[trees]\ndocs = \"docs\"\n").expect("a file");
    for (nr, text) in texts.iter().enumerate() {
        fs::write(at(&format!("p/docs/{nr}.md")), text).expect("a file");
    }
    let places = SystemDirs { cwd: at("p"), home: None, cache: at("cache"), temp: at("temp") };
    let kb = KnowledgeBase::open(Config::load(&places, flags).expect("a configuration"));
    TestKb { kb, _folder: folder }
}

impl TestKb {
    fn answer(&self, query: &str) -> Answer {
        let ask = SearchRequest {
            queries: vec![query.to_owned()],
            topics: QueryCombination::Joined,
            syntax: QuerySyntax::Query,
            scope: Scope::default(),
            aggregation: Aggregation::Sections,
            order: Order::Score,
            facets: FacetMode::None,
        };
        self.kb.search(&ask, &NoProgress).expect("an answer").answers.remove(0)
    }
}

#[test]
fn text_is_repeated_only_if_every_word_of_it_is_shown() {
    let filler = "Nothing of interest is said here. ".repeat(60);
    let kb = kb_with(&[format!("# Birds\n\nThe heron waits. {filler}The stork clatters.\n")], &[]);
    let result = |query: &str, detail: Detail| {
        let passage = kb.answer(query).passages.remove(0);
        let mut result = ResultText::new(passage, "docs/x.md".to_owned(), Detail::Full);
        result.show(detail);
        vec![result]
    };
    let stork = || result("stork", Detail::Steps(1));
    assert_eq!(repeated_texts(&[result("heron", Detail::Steps(1)), stork()]), []);
    assert_eq!(repeated_texts(&[result("heron", Detail::Full), stork()]), [(1, 0)]);
}

fn omitted_line(number: usize) -> String {
    format!("{MARK}+{number} more\n")
}

/// Fits results into a budget; returns them and the printed text.
fn fitted(answer: &Answer, detail: Detail, budget: usize) -> (Vec<ResultText>, String) {
    let text = |passage: &Passage| ResultText::new(passage.clone(), "docs/x.md".to_owned(), detail);
    let mut results = vec![answer.passages.iter().map(text).collect::<Vec<_>>()];
    let (out, _) = fit_all(&mut results, &["q"], budget, &omitted_line);
    let results = results.remove(0);
    assert_eq!(results.len() + out.results, answer.passages.len());
    let printed: String = results.iter().map(ResultText::text).chain([out.line]).collect();
    (results, printed)
}

/// True if no result is left out because of a long heading. A smaller budget can then show text of a result after it.
fn all_heads_fit(answer: &Answer, detail: Detail, budget: usize) -> bool {
    answer.passages.iter().all(|passage| {
        let result = ResultText::new(passage.clone(), "docs/x.md".to_owned(), detail);
        budget::has_room_for_head(&result, budget)
    })
}

/// Returns the source lines that are shown, by result. Those of a cut block are compared by their bytes
/// elsewhere.
fn shown_lines(results: &[ResultText]) -> BTreeSet<(String, usize)> {
    let mut lines = BTreeSet::new();
    for result in results {
        for source in &result.body.sources {
            let text = source.span.of(&result.body.text);
            lines.extend(
                (source.line..)
                    .zip(text.split_inclusive('\n'))
                    .map(|(nr, _)| (result.passage.id.to_string(), nr)),
            );
        }
    }
    lines
}

/// True if every code block that a text opens is also closed in it.
fn has_balanced_fences(text: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        let bare = line.trim_start_matches([' ', '\t', '>', '-']);
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = bare.chars().take_while(|c| Some(*c) == mark).count();
        match (open, mark) {
            (None, Some(mark)) if length >= 3 && !bare[length..].contains('`') => {
                open = Some((mark, length));
            }
            (Some((known, at_least)), Some(mark))
                if known == mark && length >= at_least && bare[length..].trim().is_empty() =>
            {
                open = None;
            }
            _ => {}
        }
    }
    open.is_none()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_budget_is_kept_and_a_larger_one_shows_more(
        texts in prop::collection::vec(document(), 1..4),
        query in line(1..4),
        mut budgets in prop::collection::vec(0usize..2500, 8),
        max_result_tokens in 30i64..1200,
        expand: bool,
    ) {
        let set = |name, value| Override { table: "search", name, flag: "--flag", value };
        let flags = [set("max_result_tokens", Value::Int(max_result_tokens)), set("expand", Value::Bool(expand)), set("cutoff_ratio", Value::Float(0.0))];
        let library = kb_with(&texts, &flags);
        budgets.sort();
        for query in [query.as_str(), "tree:docs"] {
            let answer = library.answer(query);
            for detail in [Detail::Full, Detail::Entry, Detail::Lines(usize::MAX)] {
                let mut before = BTreeSet::new();
                for &budget in &budgets {
                    let (results, printed) = fitted(&answer, detail, budget);
                    let counted = tiktoken::get_encoding("cl100k_base").expect("an encoding").count(&printed);
                    prop_assert!(counted <= budget, "{} of {}: {}", counted, budget, printed);
                    let lines = shown_lines(&results);
                    for result in &results {
                        check_text(result, &texts)?;
                    }
                    if all_heads_fit(&answer, detail, budget) {
                        prop_assert!(lines.is_superset(&before), "{}: {:?}", budget, before.difference(&lines).collect::<Vec<_>>());
                        before = lines;
                    }
                }
            }
        }
    }
}

/// Checks that the text of a result matches the lines of its file, and that its code blocks are closed.
fn check_text(result: &ResultText, texts: &[String]) -> Result<(), TestCaseError> {
    let body = &result.body;
    prop_assert!(has_balanced_fences(&body.text), "{}", body.text);
    let path = &result.passage.id.doc.path;
    let nr: usize = path.trim_end_matches(".md").parse().expect("a number");
    let file: Vec<&str> = texts[nr].split_inclusive('\n').collect();
    for source in &body.sources {
        let text = source.span.of(&body.text);
        for (line, shown) in (source.line..).zip(text.split_inclusive('\n')) {
            let whole = file.get(line - 1).copied().unwrap_or_default();
            let is_whole = whole.trim_end_matches('\n') == shown.trim_end_matches('\n');
            prop_assert!(
                is_whole || whole.contains(shown.trim_end_matches('\n')),
                "{} is not {:?}",
                line,
                shown
            );
        }
    }
    for found in &body.matches {
        prop_assert!(!found.of(&body.text).trim().is_empty());
    }
    Ok(())
}

#[test]
fn the_best_result_gets_most_and_the_others_one_line() {
    let body = |words: &str| {
        format!("# Page\n\n{words}\n\n{}", "A paragraph with some more of the text in it.\n\n".repeat(40))
    };
    let library = kb_with(&[body("heron heron heron heron"), body("heron heron"), body("heron")], &[]);
    let answer = library.answer("heron");
    let shown = |budget: usize| {
        let (results, _) = fitted(&answer, Detail::Full, budget);
        let tokens = |result: &ResultText| match result.detail {
            Detail::Line => "line".to_owned(),
            _ => (result.cost() / 50 * 50).to_string(),
        };
        results.iter().map(tokens).collect::<Vec<_>>().join(" ")
    };
    for (budget, expected) in [
        (4000, "450 450 450"),
        (1000, "450 300 150"),
        (500, "450 line line"),
        (200, "150"),
        (60, "50"),
        (20, ""),
        (0, ""),
    ] {
        assert_eq!(shown(budget), expected, "{budget}");
    }
}

#[test]
fn a_tiny_budget_shows_the_best_passage_and_no_list() {
    let section = "The heron stands still for hours. It waits for fish, frogs and anything else that moves. \
                   Then it strikes faster than the eye can follow.\n\n";
    let text =
        format!("# A guide to wading birds\n\n## How a heron hunts its prey\n\n{}", section.repeat(20));
    let library = kb_with(&[text.clone(), text], &[]);
    let answer = library.answer("heron fish");
    for budget in [100, 150, 200, 300, 500] {
        let (results, printed) = fitted(&answer, Detail::Full, budget);
        assert!(results[0].has_text() && printed.contains("heron stands still"), "{budget}: {printed}");
    }
}
