//! Short queries: sections with every word come first, and sections that lack one fill up the answer.

use ra_core::config::Value;
use ra_core::index::{RelaxReason, Scope};
use ra_core::kb::{Answer, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};

use crate::kb_helpers::{answer, everything, ids, kb_with, open, search_request, set, short};
use crate::test_env::TestEnv;

/// Two sections with both words, one with each alone, and others.
const FILES: &[(&str, &str)] = &[
    ("both.md", "# Zebra migration\n\nHow zebras begin their migration.\n"),
    ("mention.md", "# Notes\n\nA zebra on a page about other animals, and a migration of birds.\n"),
    ("zebra.md", "# Zebra\n\nThe zebra has stripes. A zebra eats grass.\n"),
    ("migration.md", "# Migration\n\nA migration of swallows, and another migration.\n"),
    ("lion.md", "# Lion\n\nThe lion sleeps.\n"),
];

fn shown(answer: &Answer) -> Vec<String> {
    answer.passages.iter().map(|passage| short(&passage.id)).collect()
}

/// Returns how many results come before those that lack a word, and the missing words.
fn filling(answer: &Answer) -> Option<(usize, Vec<&str>)> {
    let filling = answer.filling.as_ref()?;
    Some((filling.after, filling.missing.iter().map(String::as_str).collect()))
}

#[test]
fn sections_that_lack_a_word_follow_those_with_all() {
    let kb = kb_with(FILES, &[]);
    let found = answer(&kb, &search_request("zebra migration"));
    let shown = shown(&found);
    assert_eq!(shown[..2], ["both.md#zebra-migration", "mention.md#notes"]);
    let mut rest = shown[2..].to_vec();
    rest.sort();
    assert_eq!(rest, ["migration.md#migration", "zebra.md#zebra"]);
    assert_eq!(filling(&found), Some((2, vec!["zebra", "migration"])));
    assert_eq!((found.summary.total, found.summary.relaxed), (4, Some(RelaxReason::FewHaveAll)));
    // A heading with one of the words is worth more than a mention of both. It still comes after it, with no higher
    // score.
    let score = |id: &str| found.passages.iter().find(|passage| short(&passage.id) == id).unwrap().score;
    assert!(score("zebra.md#zebra") <= score("mention.md#notes"));
}

#[test]
fn nothing_is_filled_up_where_enough_has_every_word() {
    let limit = |limit| [set("search", "limit", Value::Int(limit))];
    let kb = kb_with(FILES, &limit(2));
    let found = answer(&kb, &search_request("zebra migration"));
    assert_eq!((found.passages.len(), found.summary.total, found.summary.relaxed), (2, 2, None));
    assert_eq!(filling(&found), None);
    let kb = kb_with(FILES, &limit(3));
    assert_eq!(answer(&kb, &search_request("zebra migration")).passages.len(), 3);
}

#[test]
fn what_is_not_a_plain_word_stays_required() {
    let kb = kb_with(FILES, &everything());
    for (query, after, rest) in [
        ("zebra \"migration of birds\"", 1, &[][..]),
        ("\"zebra eats\" grass stripes", 1, &[]),
        ("title:zebra migration", 1, &[]),
        ("title:migration swallows zebra", 0, &["both.md#zebra-migration", "migration.md#migration"]),
        ("path:zebra.md zebra stripes", 1, &[]),
        ("tree:docs zebra", 3, &[]),
        ("zebra migration (path:both.md OR path:lion.md)", 1, &[]),
        ("zebra OR lion", 4, &[]),
        ("the zebra", 3, &[]),
        ("zebra migration -stripes", 2, &["migration.md#migration"]),
    ] {
        let found = answer(&kb, &search_request(query));
        let mut partial = shown(&found).split_off(after);
        partial.sort();
        assert_eq!(partial, rest, "{query}");
    }
}

#[test]
fn only_a_ranking_is_filled_up() {
    let kb = kb_with(FILES, &everything());
    for order in [Order::Date, Order::Path] {
        let found = answer(&kb, &SearchRequest { order, ..search_request("zebra migration") });
        assert_eq!((found.passages.len(), found.summary.relaxed), (2, None), "{order:?}");
    }
    let kb = kb_with(FILES, &[set("search", "relax", Value::Bool(false))]);
    assert_eq!(ids(&kb, "zebra migration").len(), 2);
}

#[test]
fn a_section_with_the_commonest_word_alone_is_no_filling() {
    let mut files: Vec<(String, String)> = (0..60)
        .map(|nr| (format!("page{nr}.md"), format!("# Page {nr}\n\nThe cluster of number {nr}.\n")))
        .collect();
    files.push(("both.md".to_owned(), "# Ingress\n\nAn ingress of the cluster.\n".to_owned()));
    files.push(("one.md".to_owned(), "# Controllers\n\nEvery ingress needs one.\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let kb = kb_with(&files, &everything());
    let found = answer(&kb, &search_request("cluster ingress"));
    assert_eq!(shown(&found), ["both.md#ingress", "one.md#controllers"]);
    assert_eq!(filling(&found), Some((1, vec!["cluster"])));
}

#[test]
fn a_result_with_a_full_match_in_it_comes_first_after_aggregation() {
    let weak = "# Weak\n\n## One\n\nIn a long text about many other things, a zebra and its migration are named \
                once, beside all that is said of rivers and mountains.\n\n## Two\n\nRivers.\n\n## Three\n\nHills.\n";
    let strong = "# Zebra\n\n## Zebra food\n\nzebra zebra\n\n## Zebra stripes\n\nzebra zebra\n";
    let birds = "# Birds\n\n## Swallows\n\nTheir migration.\n\n## Storks\n\nTheir migration.\n";
    let kb = kb_with(&[("birds.md", birds), ("strong.md", strong), ("weak.md", weak)], &everything());
    let found = answer(
        &kb,
        &SearchRequest { aggregation: Aggregation::Sections, ..search_request("zebra migration") },
    );
    assert_eq!(short(&found.passages[0].id), "weak.md#one");
    assert!(found.passages[1..].iter().all(|passage| passage.score <= found.passages[0].score));
    assert_eq!(filling(&found), Some((1, vec!["zebra", "migration"])));
}

#[test]
fn the_note_counts_what_is_shown_around_matches_too() {
    let expand = [set("search", "expand", Value::Bool(true))];
    let kb = kb_with(FILES, &expand);
    let found = answer(&kb, &search_request("zebra migration"));
    assert_eq!(filling(&found).map(|(after, _)| after), Some(2));
    assert_eq!(found.passages.len(), 4);
}

#[test]
fn a_long_question_is_ranked_by_most_of_its_words() {
    let kb = kb_with(FILES, &everything());
    let found = answer(&kb, &search_request("how does the zebra migration across rivers begin"));
    assert_eq!(found.summary.relaxed, Some(RelaxReason::LongQuery));
    assert_eq!(filling(&found), None);
    assert_eq!(short(&found.passages[0].id), "both.md#zebra-migration");
}

#[test]
fn all_trees_are_ranked_on_one_scale() {
    let cooking =
        "# Cooking\n\nBoil the water, then add salt. A migration of birds, and a zebra in a footnote.\n";
    let zebras = "# Zebra migration\n\nEvery year the zebra migration follows the rain.\n";
    for (first, second) in [("a", "b"), ("b", "a"), ("x", "k")] {
        for order in [[first, second], [second, first]] {
            let env = TestEnv::new();
            let trees = order.map(|name| format!("{name} = \"{name}\"\n")).concat();
            env.write("p/.ra.toml", format!("root = true\n[trees]\n{trees}"));
            env.write(&format!("p/{first}/c.md"), cooking);
            env.write(&format!("p/{second}/z.md"), zebras);
            let kb = open(&env, &everything());
            let found = answer(&kb, &search_request("zebra migration"));
            let ids: Vec<String> = found.passages.iter().map(|passage| passage.id.to_string()).collect();
            assert_eq!(ids, [format!("{second}:z.md#zebra-migration"), format!("{first}:c.md#cooking")]);
            // The best possible score of a query doesn't depend on its scope.
            let scope = Scope { trees: vec![first.parse().unwrap()], ..Scope::default() };
            let alone = answer(&kb, &SearchRequest { scope, ..search_request("zebra migration") });
            assert_eq!(alone.passages[0].score, found.passages[1].score);
        }
    }
}

#[test]
fn no_score_is_above_what_a_query_could_score_at_best() {
    let text = "# Zebra migration\n\nzebra migration zebra migration zebra migration\n";
    let files = [("zebra-migration.md", text), ("other.md", "# Other\n\nzebra\n")];
    let kb = kb_with(&files, &[set("settings", "local_boost", Value::Float(1.0))]);
    for query in
        ["zebra migration", "zebra", "\"zebra migration\" zebra", "zebra-migration", "zebra^3 OR migration"]
    {
        let score = answer(&kb, &search_request(query)).passages[0].score;
        assert!(score > 0.5 && score <= 1.0, "{query}: {score}");
    }
    for filter in ["tree:docs", "path:zebra-migration.md", "tree:docs OR path:other.md"] {
        assert_eq!(answer(&kb, &search_request(filter)).passages[0].score, 1.0, "{filter}");
    }
}
