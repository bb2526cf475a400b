//! Absurd input gets a clear error or a bounded answer.

use ra_core::Error;
use ra_core::kb::{FindingKind, KnowledgeBase, NoProgress, QueryCombination, QuerySyntax, SearchRequest};

use crate::kb_helpers::{answer, everything, kb_with, search_request, sorted_ids};
use crate::test_env::TestEnv;

fn refusal(kb: &KnowledgeBase, ask: &SearchRequest) -> (String, String) {
    match kb.search(ask, &NoProgress) {
        Err(Error::Query(problem)) => (problem.message, problem.hint),
        other => panic!("not refused: {other:?}"),
    }
}

fn numbered(count: usize, prefix: &str) -> String {
    (0..count).map(|nr| format!("{prefix}w{nr}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_query_with_too_many_terms_is_refused() {
    let kb = kb_with(&[("a.md", "zebra\n")], &everything());
    let (message, hint) = refusal(&kb, &search_request(&format!("zebra {}", numbered(8000, "-"))));
    assert_eq!(message, "the query has 8001 words, phrases and exclusions; at most 128 are searched for");
    assert_eq!(hint, "leave out what matters least, or ask in several queries");
    let queries: Vec<String> = (0..200).map(|nr| format!("zebra w{nr}")).collect();
    let joined = SearchRequest { queries: queries.clone(), ..search_request("") };
    assert!(refusal(&kb, &joined).0.contains("400 words"));
    let apart = SearchRequest { queries, topics: QueryCombination::Apart, ..search_request("") };
    assert_eq!(kb.search(&apart, &NoProgress).unwrap().answers.len(), 200);
    assert!(
        refusal(&kb, &search_request(&"long ".repeat(300_000))).0.contains("1500000 bytes; at most 1048576")
    );
}

#[test]
fn a_long_pasted_text_is_found_by_its_first_words() {
    let text = format!("It begins with zebra. {}", numbered(1300, "word"));
    let kb = kb_with(&[("a.md", &text), ("b.md", "other\n")], &everything());
    for pasted in [text.clone(), text.replace(' ', "\n")] {
        let answer = answer(&kb, &search_request(&pasted));
        assert_eq!(answer.passages[0].id.to_string(), "docs:a.md");
        assert!(answer.diagnostics[0].message.contains("first 128 different words"));
    }
}

#[test]
fn a_raw_query_that_nests_too_deeply_is_refused() {
    let kb = kb_with(&[("a.md", "zebra\n")], &everything());
    let raw = |text: String| SearchRequest { syntax: QuerySyntax::Raw, ..search_request(&text) };
    let nested = |depth: usize| raw(format!("{}zebra{}", "(".repeat(depth), ")".repeat(depth)));
    assert_eq!(answer(&kb, &nested(64)).passages.len(), 1);
    assert!(refusal(&kb, &nested(65)).0.contains("65 parentheses inside each other; at most 64"));
    assert!(refusal(&kb, &nested(10_000)).0.contains("20005 bytes; at most 8192"));
    let (message, _) = refusal(&kb, &raw("(".repeat(4000)));
    assert!(message.contains("4000 parentheses"), "{message}");
}

#[test]
fn tags_without_end_cost_no_more_than_their_text() {
    let levels = vec!["a"; 50_000].join("/");
    let front_matter = format!("---\ntags: [ok, {}]\n---\n\nbody\n", vec!["b"; 300_000].join("/"));
    let kb =
        kb_with(&[("inline.md", &format!("zebra #{levels}\n")), ("front.md", &front_matter)], &everything());
    assert_eq!(sorted_ids(&kb, "zebra"), ["inline.md"]);
    assert_eq!(sorted_ids(&kb, "tags:ok"), ["front.md"]);
    let findings = kb.check().findings;
    let about_tags: Vec<(&str, &str)> = findings
        .iter()
        .filter(|finding| finding.kind == FindingKind::Tags)
        .map(|finding| (finding.place.as_str(), finding.message.as_str()))
        .collect();
    let message =
        format!("the tag `{}…` is not read: a tag has at most 256 characters and 32 levels", "b/".repeat(20));
    assert_eq!(about_tags, [("docs:front.md", message.as_str())]);
}

#[test]
fn a_long_title_is_not_indexed_again_with_every_section_below() {
    let long = "long ".repeat(400);
    let text = format!("# {long} end\n\nbody\n\n## Below\n\nbody\n");
    let kb = kb_with(&[("a.md", &text)], &everything());
    let found = sorted_ids(&kb, "title:end");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(sorted_ids(&kb, "title:long").len(), 2);
}

#[test]
fn lists_of_a_configuration_have_a_limit() {
    let globs = |count: usize| (0..count).map(|nr| format!("\"d{nr}/**\"")).collect::<Vec<_>>().join(", ");
    let tree = |count: usize| {
        format!("root = true\n[trees]\ndocs = {{ path = \".\", exclude = [{}] }}\n", globs(count))
    };
    assert!(TestEnv::with(&[("p/.ra.toml", &tree(1000))]).problems("p").is_empty());
    let many = |key: &str| (0..1001).map(|nr| format!("x{nr} = {key}\n")).collect::<String>();
    for (text, message) in [
        (tree(50_000), "`trees.docs.exclude` has 50000 entries; at most 1000 are read"),
        (format!("[trees]\n{}", many("\"d\"")), "`trees` has 1001 entries; at most 1000 are read"),
        (
            format!("[search.synonyms]\n{}", many("[\"y\"]")),
            "`search.synonyms` has 1001 entries; at most 1000 are read",
        ),
        (
            format!("[context.patterns]\n{}", many("[\"y\"]")),
            "`context.patterns` has 1001 entries; at most 1000 are read",
        ),
        (
            "[[context.rules]]\nmatch = \"x\"\n".repeat(1001),
            "`context.rules` has 1001 entries; at most 1000 are read",
        ),
    ] {
        let problems = TestEnv::with(&[("p/.ra.toml", &text)]).problems("p");
        assert_eq!(problems[0].message, message);
        assert!(problems[0].hint.is_some());
    }
}

#[test]
fn an_error_lists_some_of_many_problems_and_counts_the_others() {
    let text = format!("[search]\n{}", (0..500).map(|nr| format!("key{nr} = 1\n")).collect::<String>());
    let problems = TestEnv::with(&[("p/.ra.toml", &text)]).problems("p");
    assert_eq!(problems.len(), 50);
    assert_eq!(problems[49].hint.as_deref(), Some("450 more problems are not listed"));
}
