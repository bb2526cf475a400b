//! Relations between the answers to related queries, for random documents and queries: an exclusion never adds a
//! match, an alternative never removes one, and a phrase finds no more than its words.
//!
//! All of this holds with the default settings, including fuzzy matches, synonyms and relaxation. A query that finds
//! too little gets a fallback: most of its words, or related ones. A fallback replaces the query, so relations that
//! compare a query with a wider one hold only for queries without a fallback. An exclusion never triggers a fallback.
//! Function words are omitted from these queries: they are required only if a query has nothing else.

use std::collections::BTreeSet;

use proptest::prelude::*;
use ra_core::kb::{Answer, KnowledgeBase};

use crate::generated::{WORDS, cases, tree};
use crate::kb_helpers::{
    answer, env_with, everything, exactly, kb_with, open, search_request, short, sorted_ids,
};

fn found(answer: &Answer) -> BTreeSet<String> {
    answer.passages.iter().map(|passage| short(&passage.id)).collect()
}

/// Returns the results of a query.
fn set(kb: &KnowledgeBase, query: &str) -> BTreeSet<String> {
    found(&answer(kb, &search_request(query)))
}

/// Returns the results of a query, unless it was answered by a fallback.
fn as_asked(kb: &KnowledgeBase, query: &str) -> Option<BTreeSet<String>> {
    let answer = answer(kb, &search_request(query));
    let is_fallback = |message: &str| message.contains("nearly the same") || message.contains("plain words");
    let has_fallback = answer.summary.notices.iter().any(|notice| is_fallback(&notice.message));
    (answer.summary.relaxed.is_none() && !has_fallback).then(|| found(&answer))
}

/// A word that is always parsed as one.
fn word() -> impl Strategy<Value = String> {
    // A word without letters and digits, or with more than 40 characters, is skipped with a notice.
    let is_read = |word: &&str| word.contains(char::is_alphanumeric) && word.chars().count() <= 40;
    let words: Vec<&str> = WORDS.iter().copied().filter(is_read).collect();
    prop::sample::select(words).prop_map(|word| format!("\"{word}\""))
}

/// A word as people write it, or in quotes.
fn term() -> impl Strategy<Value = String> {
    let plain =
        prop::sample::select(&["handle", "errors", "trust", "user", "zebra", "Größe", "getUserName", "rust"]);
    prop_oneof![plain.prop_map(str::to_owned), word()]
}

/// A query of a few terms.
fn query() -> impl Strategy<Value = String> {
    let separator = prop::sample::select(&[" ", " OR "]);
    (prop::collection::vec(term(), 1..4), separator).prop_map(|(terms, separator)| terms.join(separator))
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn related_queries_have_related_answers(
        files in tree(),
        queries in prop::collection::vec((query(), term(), word(), word()), 8),
        is_exact: bool,
    ) {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let env = env_with(&files);
        let kb = open(&env, &if is_exact { exactly() } else { everything() });
        for (a, b, x, y) in &queries {
            let whole = set(&kb, &format!("({a})"));
            let excluding = set(&kb, &format!("({a}) -{x}"));
            prop_assert!(excluding.is_subset(&whole), "{a} -{x}: {excluding:?} ⊄ {whole:?}");
            let twice = set(&kb, &format!("({a}) -{x} -{y}"));
            prop_assert!(twice.is_subset(&excluding), "{a} -{x} -{y}: {twice:?} ⊄ {excluding:?}");
            if let Some(asked) = as_asked(&kb, a) {
                let wider = set(&kb, &format!("({a}) OR {b}"));
                prop_assert!(asked.is_subset(&wider), "{a} ⊆ ({a}) OR {b}: {asked:?} ⊄ {wider:?}");
            }
            for narrower in [format!("({a}) {b}"), format!("({a}) path:sub/"), format!("({a}) tags:draft")] {
                if let Some(narrowed) = as_asked(&kb, &narrower) {
                    prop_assert!(narrowed.is_subset(&whole), "{narrower}: {narrowed:?} ⊄ {whole:?}");
                }
            }
            prop_assert_eq!(set(&kb, &format!("({a}) {b}")), set(&kb, &format!("{b} ({a})")), "{} {}", a, b);
            prop_assert_eq!(set(&kb, &format!("({a}) OR {b}")), set(&kb, &format!("{b} OR ({a})")), "{} {}", a, b);
            if let (Some(twice), Some(asked)) = (as_asked(&kb, &format!("({a}) OR ({a})")), as_asked(&kb, a)) {
                prop_assert_eq!(twice, asked, "{}", a);
            }
            let (x, y) = (x.trim_matches('"'), y.trim_matches('"'));
            if let Some(phrase) = as_asked(&kb, &format!("\"{x} {y}\"")) {
                let words = set(&kb, &format!("\"{x}\" \"{y}\""));
                prop_assert!(phrase.is_subset(&words), "\"{x} {y}\": {phrase:?} ⊄ {words:?}");
            }
        }
    }
}

#[test]
fn a_phrase_keeps_its_order_in_paths_and_tags() {
    let files = [
        ("alpha/beta/gamma.md", "plain words\n"),
        ("tagged.md", "---\ntags: [delta/kappa, sigma]\n---\n\n# Tagged\n\nother words\n"),
    ];
    let kb = kb_with(&files, &exactly());
    for (query, expected) in [
        ("\"alpha beta\"", &["alpha/beta/gamma.md"][..]),
        ("\"beta alpha\"", &[]),
        ("\"alpha gamma\"", &[]),
        ("path:\"beta gamma\"", &["alpha/beta/gamma.md"]),
        ("path:\"gamma beta\"", &[]),
        ("plain -\"beta alpha\"", &["alpha/beta/gamma.md"]),
        ("plain -\"alpha beta\"", &[]),
        ("tags:\"delta kappa\" other", &["tagged.md#tagged"]),
        ("tags:\"kappa delta\" other", &[]),
        ("tags:\"kappa sigma\" other", &[]),
    ] {
        assert_eq!(sorted_ids(&kb, query), expected, "{query}");
    }
}

#[test]
fn an_exclusion_never_triggers_a_fallback() {
    let files = [
        ("a.md", "He viewed the page.\n"),
        ("b.md", "A look at it: she saw the screen.\n"),
        ("c.md", "zebra lion draft\n"),
        ("d.md", "zebra alone\n"),
        ("e.md", "We look at the view and see the display.\n"),
    ];
    let kb = kb_with(&files, &everything());
    assert_eq!(sorted_ids(&kb, "viewed -qqqqqqq"), sorted_ids(&kb, "viewed"));
    // The only section with both words is excluded. Sections with one of them don't answer the query.
    assert_eq!(sorted_ids(&kb, "zebra lion -draft"), [""; 0]);
    // The function words of a question don't depend on what it excludes.
    assert_eq!(sorted_ids(&kb, "how does zebra work -lion"), ["d.md"]);
    let notices = answer(&kb, &search_request("zebra lion -draft")).summary.notices;
    assert_eq!(notices[0].message, "what `-` excludes leaves out 1 of 1 sections");
}
