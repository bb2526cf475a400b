//! Search results: the examples of the query language, and words as people write them.

use ra_core::config::Value;
use ra_core::index::Scope;
use ra_core::kb::{FetchExtent, KnowledgeBase, NoProgress, QueryCombination, QuerySyntax, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};

use crate::kb_helpers::{
    answer, answers, content, env_with, everything, exactly, ids, kb_with, open, search_request, set, short,
    shown_lines, sorted_ids,
};
use crate::test_env::TestEnv;

/// Two trees with a document for every example of the query language.
fn examples() -> TestEnv {
    let env = TestEnv::new();
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nlocal = \"local\"\n");
    for (path, text) in [
        ("docs/rust.md", "# Concurrency\n\nFutures make rust programs async.\n"),
        ("docs/old.md", "# Threads\n\nPlain rust threads, now deprecated.\n"),
        ("docs/go.md", "# Channels\n\nIn golang and in go a goroutine is cheap.\n"),
        ("docs/errors.md", "# Failure\n\nGood error handling returns a value.\n"),
        ("docs/legacy.md", "# Panics\n\nThe legacy error handling unwinds.\n"),
        ("docs/loose.md", "# Loose\n\nWhen handling input, an error is shown.\n"),
        ("docs/user.md", "# User guide\n\nEverything about rust for beginners.\n"),
        ("docs/api/users.md", "# Users\n\nThe endpoint of accounts.\n"),
        ("docs/apis.md", "# Shapes\n\nThe endpoint of nothing.\n"),
        ("local/login.md", "# Login\n\nHow authentication works here.\n"),
        ("docs/login.md", "# Sessions\n\nHow authentication works elsewhere.\n"),
        ("docs/fox.md", "# Animals\n\nThe quick fox.\n"),
        ("docs/handle.md", "# Doors\n\nTurn the handle.\n"),
        ("docs/receive.md", "# Mail\n\nWe receive letters.\n"),
        ("docs/exception.md", "# Raise\n\nOn exception handling in other places.\n"),
    ] {
        env.write(&format!("p/{path}"), text);
    }
    env
}

fn found(kb: &KnowledgeBase, query: &str) -> Vec<String> {
    let passages = answer(kb, &search_request(query)).passages;
    let mut docs: Vec<String> = passages
        .iter()
        .map(|passage| format!("{}/{}", passage.id.doc.tree, passage.id.doc.path.replace(".md", "")))
        .collect();
    docs.sort();
    docs
}

#[test]
fn every_example_of_the_query_language_finds_what_it_says() {
    let env = examples();
    let kb = open(&env, &exactly());
    for (query, expected) in [
        ("rust async", &["docs/rust"][..]),
        ("rust", &["docs/old", "docs/rust", "docs/user"]),
        ("\"error handling\"", &["docs/errors", "docs/legacy"]),
        ("error handling", &["docs/errors", "docs/legacy", "docs/loose"]),
        ("rust -deprecated", &["docs/rust", "docs/user"]),
        ("rust OR golang", &["docs/go", "docs/old", "docs/rust", "docs/user"]),
        ("\"error handling\" -legacy", &["docs/errors"]),
        ("title:guide", &["docs/user"]),
        ("title:guide rust", &["docs/user"]),
        ("title:rust", &[]),
        ("tree:local", &["local/login"]),
        ("tree:local authentication", &["local/login"]),
        ("authentication", &["docs/login", "local/login"]),
        ("path:api/", &["docs/api/users"]),
        ("path:api/ endpoint", &["docs/api/users"]),
        ("endpoint", &["docs/api/users", "docs/apis"]),
        ("endpoint -path:api/", &["docs/apis"]),
        ("(rust async) OR (go goroutine)", &["docs/go", "docs/rust"]),
        // OR binds tighter than adjacent words.
        ("rust async OR deprecated", &["docs/old", "docs/rust"]),
        ("(rust async) OR deprecated", &["docs/old", "docs/rust"]),
        ("async OR deprecated threads", &["docs/old"]),
        ("async OR (deprecated threads)", &["docs/old", "docs/rust"]),
        ("endpoint OR letters accounts OR letters", &["docs/api/users", "docs/receive"]),
        ("rust -(async OR deprecated)", &["docs/user"]),
        ("rust -\"programs async\"", &["docs/old", "docs/user"]),
        // Phrases are stemmed too.
        ("\"errors handled\"", &["docs/errors", "docs/legacy"]),
    ] {
        assert_eq!(found(&kb, query), expected, "{query}");
    }
}

#[test]
fn a_typo_finds_the_word_that_was_meant() {
    let env = examples();
    let kb = open(&env, &everything());
    let off = open(&env, &exactly());
    for (query, expected) in [
        ("foz", "docs/fox"),
        ("hadle", "docs/handle"),
        ("recieve", "docs/receive"),
        ("handlng", "docs/handle"),
        ("eror", "docs/errors"),
        ("teh", "docs/fox"),
    ] {
        let docs = found(&kb, query);
        assert!(docs.iter().any(|doc| doc == expected), "{query}: {docs:?}");
        assert_eq!(found(&off, query), [""; 0], "{query}");
    }
    assert_eq!(found(&kb, "recieve"), ["docs/receive"]);
    // Phrases are exact.
    assert_eq!(found(&kb, "\"quick foz\""), [""; 0]);
}

#[test]
fn a_typo_is_not_taken_for_another_word() {
    let kb = kb_with(
        &[
            ("types.md", "# Types\n\nAn annotation names the type.\n"),
            ("other.md", "# Other\n\nAnother page.\n"),
            ("not.md", "# Page\n\nNot the right one.\n"),
            ("numbers.md", "# Numbers\n\nVersions 01 and v110, and 10000 lines.\n"),
            ("any.md", "# Deck\n\nTake any card.\n"),
            ("ankle.md", "# Ankle\n\nIt hurts.\n"),
        ],
        &everything(),
    );
    // `not` and `any` are function words, and the stem of `any` is `ani`.
    assert_eq!(sorted_ids(&kb, "anki"), ["ankle.md#ankle"]);
    assert_eq!(sorted_ids(&kb, "anot"), ["other.md#other", "types.md#types"]);
    // No document has this word, but it is one, so `right` counts for little.
    let forms = |word: &str| answer(&kb, &search_request(word)).trace.words[0].forms.clone();
    assert_eq!(forms("night"), [("night".to_owned(), 1.0), ("right".to_owned(), 0.1)]);
    assert_eq!(forms("night?"), [("night".to_owned(), 1.0), ("right".to_owned(), 0.1)]);
    assert_eq!(forms("rigth"), [("rigth".to_owned(), 1.0), ("right".to_owned(), 0.7)]);
    // A number isn't another one without its point.
    assert_eq!(ids(&kb, "0.1"), [""; 0]);
    assert_eq!(ids(&kb, "v1.10"), [""; 0]);
    assert_eq!(ids(&kb, "v110"), ["numbers.md#numbers"]);
    assert_eq!(ids(&kb, "10_000"), ["numbers.md#numbers"]);
}

#[test]
fn a_path_that_no_document_has_is_explained() {
    let kb = kb_with(
        &[("docs/concepts/storage/a.md", "# A\n\nheron\n"), ("docs/empty/storage.md", "")],
        &everything(),
    );
    let hint = |path: &str| {
        let scope = Scope { paths: vec![path.to_owned()], ..Scope::default() };
        let found = answer(&kb, &SearchRequest { scope, ..search_request("heron") });
        found.summary.notices.into_iter().find_map(|notice| notice.hint)
    };
    for path in ["concepts/storage", "./concepts/storage", "storage/", "docs/concepts/storag"] {
        assert_eq!(hint(path).as_deref(), Some("did you mean `docs/concepts/storage`?"), "{path}");
    }
    assert!(hint("unheard").is_some_and(|hint| hint.starts_with("a path is ")));
}

#[test]
fn an_exact_word_beats_a_near_one() {
    let kb = kb_with(
        &[
            ("a.md", "# One\n\nThe candle is here.\n"),
            ("b.md", "# Two\n\nThe handle is here.\n"),
            ("c.md", "# Three\n\nThe candles are here.\n"),
        ],
        &everything(),
    );
    assert_eq!(ids(&kb, "handle")[0], "b.md#two");
    assert_eq!(ids(&kb, "candle").first().map(String::as_str), Some("a.md#one"));
}

#[test]
fn a_near_word_of_a_known_one_fulfills_nothing_that_is_required() {
    let kb = kb_with(
        &[
            ("cookies.md", "# Cookies\n\nA cookie cannot be read by scripts.\n"),
            ("annotations.md", "# Annotations\n\nAn annotation is metadata.\n"),
        ],
        &everything(),
    );
    assert!(answer(&kb, &search_request("annotation cookie")).summary.relaxed.is_some());
    let both = ["annotations.md#annotations", "cookies.md#cookies"];
    assert_eq!(sorted_ids(&kb, "annotation cookie"), both);
    assert_eq!(sorted_ids(&kb, "cookie body:annotation"), [""; 0]);
    assert_eq!(sorted_ids(&kb, "\"cookie\" \"read\" \"scripts\" annotation"), [""; 0]);
    // A function word isn't a likely typo.
    let alone = answer(&kb, &search_request("annotation"));
    assert_eq!((alone.summary.total, alone.trace.words[0].matches), (1, 1));
    // Another similar word is found, but doesn't count as the word.
    let kb = kb_with(&[("a.md", "# One\n\nA candle.\n"), ("b.md", "# Two\n\nA handle.\n")], &everything());
    let alone = answer(&kb, &search_request("candle"));
    assert_eq!((alone.summary.total, alone.trace.words[0].matches), (2, 1));
}

#[test]
fn an_exclusion_leaves_near_words_alone() {
    let kb = kb_with(
        &[("a.md", "# One\n\nThe door has a candle.\n"), ("b.md", "# Two\n\nThe door has a handle.\n")],
        &everything(),
    );
    assert_eq!(ids(&kb, "door -handle"), ["a.md#one"]);
    assert_eq!(ids(&kb, "door -candle"), ["b.md#two"]);
    assert_eq!(sorted_ids(&kb, "door -hindle"), ["a.md#one", "b.md#two"]);
}

#[test]
fn what_is_excluded_is_not_shown_with_what_is_found() {
    let text = "# Top\n\n## One\n\nheron here\n\n## Two\n\nheron again\n\n## Three\n\nheron deprecated\n";
    let around = set("search", "expand", Value::Bool(true));
    let aggregated =
        |query: &str| SearchRequest { aggregation: Aggregation::Sections, ..search_request(query) };
    for settings in [everything(), [everything(), vec![around]].concat()] {
        let kb = kb_with(&[("a.md", text)], &settings);
        let all = answer(&kb, &aggregated("heron")).passages;
        assert!(all.len() == 1 && content(&all[0]).contains("deprecated"), "{all:?}");
        let joined = "(heron -deprecated) OR (here -deprecated)";
        for query in ["heron -deprecated", "(heron -deprecated)^2", joined] {
            let some = answer(&kb, &aggregated(query)).passages;
            let shown: String = some.iter().map(content).collect();
            assert!(shown.contains("here") && shown.contains("again"), "{query}: {shown}");
            assert!(!shown.contains("deprecated"), "{query}: {shown}");
        }
        let apart = answer(&kb, &aggregated("(heron -deprecated) OR (again -nothing)")).passages;
        assert!(!apart.iter().any(|passage| content(passage).contains("deprecated")), "{apart:?}");
        let other = answer(&kb, &aggregated("(heron -deprecated) OR three")).passages;
        assert!(other.iter().any(|passage| content(passage).contains("deprecated")), "{other:?}");
    }
    let bare = "# Top\n\n## Modern\n\nheron\n\n## Legacy\n\n### One\n\nheron\n\n### Two\n\nheron\n";
    let kb = kb_with(
        &[("a.md", bare)],
        &[everything(), vec![set("search", "expand", Value::Bool(true))]].concat(),
    );
    let shown: String = answer(&kb, &aggregated("heron -legacy")).passages.iter().map(content).collect();
    assert!(shown.contains("## Modern") && !shown.contains("Legacy"), "{shown}");
    let kb = kb_with(&[("a.md", "heron\n"), ("b.md", "# heron\n\nheron\n")], &everything());
    assert!(answer(&kb, &search_request("heron -title:heron")).dropped_words().is_empty());
}

#[test]
fn a_copied_heading_finds_its_section_whatever_id_it_gives_itself() {
    let text = "# Doc\n\n## Widget API {#widget-zorble}\n\nA pelican.\n\n## Other\n\nA widget and api mention zorble.\n";
    let kb = kb_with(&[("b.md", text)], &everything());
    assert_eq!(ids(&kb, "## Widget API {#widget-zorble}")[0], "b.md#widget-api");
}

#[test]
fn fewer_results_than_asked_for_are_explained() {
    let sections: String = (0..25).map(|nr| format!("## Part {nr}\n\nheron here\n\n")).collect();
    let names: Vec<String> = (0..12).map(|nr| format!("d{nr}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), sections.as_str())).collect();
    let notes = |settings: &[_]| {
        let found = answer(
            &kb_with(&files, settings),
            &SearchRequest { aggregation: Aggregation::Sections, ..search_request("heron") },
        );
        (
            found.passages.len(),
            found.summary.notices.into_iter().map(|notice| notice.message).collect::<Vec<_>>(),
        )
    };
    let few = "the results are made of the best 200 of 300 matches (`max_candidates`)".to_owned();
    assert_eq!(notes(&[]), (8, vec![few]));
    assert_eq!(notes(&[set("search", "max_candidates", Value::Int(300))]), (10, vec![]));
}

#[test]
fn max_candidates_is_a_cap_whatever_the_limit() {
    let names: Vec<String> = (0..40).map(|nr| format!("d{nr}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "heron here\n")).collect();
    for (cap, limit, results) in [(7, 10, 7), (7, 30, 7), (20, 30, 20), (40, 30, 30)] {
        let settings =
            [set("search", "max_candidates", Value::Int(cap)), set("search", "limit", Value::Int(limit))];
        let found = answer(&kb_with(&files, &settings), &search_request("heron"));
        assert_eq!(found.passages.len(), results, "{cap} {limit}");
    }
}

#[test]
fn a_word_of_more_than_forty_characters_is_said_to_be_passed_over() {
    let (kept, dropped) = ("x".repeat(40), "y".repeat(41));
    let text = format!("heron {kept} {dropped} stork\n");
    let kb = kb_with(&[("a.md", text.as_str()), ("b.md", "heron stork\n")], &[]);
    let found = answer(&kb, &search_request(&kept));
    assert_eq!((found.passages.len(), found.summary.notices), (1, vec![]));
    let said = "`yyyyyyyyyyyyyyyyyyyy…` has more than 40 characters and was passed over";
    let together =
        "`yyyyyyyyyyyyyyyyyyyy…` and 2 more words have more than 40 characters and were passed over";
    let several = format!("heron {dropped} {dropped} {dropped}a {dropped}b");
    for (query, results, said) in
        [(dropped.clone(), 0, said), (format!("heron {dropped}"), 2, said), (several, 2, together)]
    {
        let found = answer(&kb, &search_request(&query));
        let messages: Vec<&str> =
            found.summary.notices.iter().map(|notice| notice.message.as_str()).collect();
        assert_eq!((found.passages.len(), messages), (results, vec![said]), "{query}");
    }
}

#[test]
fn more_results_are_found_where_more_are_asked_for() {
    let sections: String = (0..25).map(|nr| format!("## Part {nr}\n\nheron here\n\n")).collect();
    let names: Vec<String> = (0..12).map(|nr| format!("d{nr}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), sections.as_str())).collect();
    let found = |limit| {
        let kb = kb_with(&files, &[set("search", "limit", Value::Int(limit))]);
        answer(&kb, &SearchRequest { aggregation: Aggregation::Sections, ..search_request("heron") })
            .passages
            .len()
    };
    assert_eq!([1, 10, 40, 60, 100].map(found), [1, 8, 8, 12, 12]);
}

#[test]
fn the_first_results_do_not_depend_on_how_many_are_asked_for() {
    let names: Vec<String> = (0..60).map(|nr| format!("d{nr}.md")).collect();
    let texts: Vec<String> = (0..60)
        .map(|nr| {
            let section = |part: usize| {
                let birds = "heron ".repeat(1 + (nr * 7 + part * 5) % 4);
                format!("## Part {part}\n\n{birds}{}\n\n", "reeds ".repeat((nr + part) % 6))
            };
            (0..1 + nr % 5).map(section).collect()
        })
        .collect();
    let files: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(name, text)| (&**name, &**text)).collect();
    for query in ["heron", "heron reeds", "where do herons live in the reeds"] {
        let found = |limit| {
            let kb = kb_with(&files, &[set("search", "limit", Value::Int(limit))]);
            let found =
                answer(&kb, &SearchRequest { aggregation: Aggregation::Sections, ..search_request(query) })
                    .passages;
            found.into_iter().map(|passage| (passage.id.to_string(), passage.score)).collect::<Vec<_>>()
        };
        let many = found(40);
        assert!(many.len() > 20, "{query}: {}", many.len());
        for limit in [1, 5, 10, 20, 30] {
            assert_eq!(found(limit), many[..usize::try_from(limit).unwrap()], "{query}: {limit}");
        }
    }
}

#[test]
fn places_and_tags_that_no_document_has_are_named() {
    let kb = kb_with(&[("guide/a.md", "---\ntags: [urgent]\n---\n# A\n\nheron\n")], &everything());
    let notes = |paths: &[&str], tags: &[&str]| {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let scope = Scope { paths: texts(paths), tags: texts(tags), ..Scope::default() };
        let found = answer(&kb, &SearchRequest { scope, ..search_request("heron") });
        found.summary.notices.into_iter().map(|notice| notice.message).collect::<Vec<_>>()
    };
    assert_eq!(notes(&["guide"], &["urgent"]), Vec::<String>::new());
    assert_eq!(notes(&["guides"], &[]), ["no document is, or lies below, `guides`"]);
    assert_eq!(notes(&["guide/*.md"], &[]), ["no document is, or lies below, `guide/*.md`"]);
    assert_eq!(notes(&[], &["urgen"]), ["no document has the tag `urgen`"]);
    let found = answer(&kb, &search_request("tags:nope heron"));
    assert!(found.instead.iter().all(|offer| !offer.query.contains("nope")), "{:?}", found.instead);
}

#[test]
fn several_queries_are_joined_or_kept_apart() {
    let env = examples();
    let kb = open(&env, &exactly());
    let queries = vec!["\"error handling\"".to_owned(), "\"exception handling\"".to_owned()];
    let joined = SearchRequest { queries: queries.clone(), ..search_request("") };
    let one = answer(&kb, &joined);
    assert_eq!(one.passages.len(), 3);
    assert_eq!(one.read_as, "\"error handling\" OR \"exception handling\"");
    let apart =
        answers(&kb, &SearchRequest { queries, topics: QueryCombination::Apart, ..search_request("") });
    let sizes: Vec<usize> = apart.answers.iter().map(|answer| answer.passages.len()).collect();
    assert_eq!(sizes, [2, 1]);
    let merged = kb
        .search_multi(
            &SearchRequest {
                queries: vec!["rust".into(), "async".into(), "rust".into()],
                ..search_request("")
            },
            &NoProgress,
        )
        .unwrap();
    let mut ids: Vec<String> = merged.iter().map(|passage| short(&passage.id)).collect();
    assert_eq!(ids.len(), 3, "each section once: {ids:?}");
    assert!(merged.windows(2).all(|pair| pair[0].score >= pair[1].score));
    ids.sort();
    assert_eq!(ids, ["old.md#threads", "rust.md#concurrency", "user.md#user-guide"]);
}

#[test]
fn each_of_several_queries_requires_its_own_words() {
    let kb = kb_with(
        &[("a.md", "# A\n\nred pandas\n"), ("b.md", "# B\n\nblue whales\n"), ("c.md", "# C\n\nred whales\n")],
        &everything(),
    );
    let queries = vec!["red panda".to_owned(), "blue whale".to_owned()];
    let joined = answer(&kb, &SearchRequest { queries, ..search_request("") });
    // A section with words of several queries lacks a word of each.
    let filling = joined.filling.as_ref().map(|filling| (filling.after, filling.missing.len()));
    assert_eq!((joined.summary.total, filling), (3, Some((2, 0))));
    assert_eq!(short(&joined.passages[2].id), "c.md#c");
}

#[test]
fn a_word_is_found_where_it_is_written_as_two() {
    let kb = kb_with(
        &[
            ("loop.md", "# A\n\nThe event loop turns.\n"),
            ("apart.md", "# B\n\nAn event, and later a loop.\n"),
            ("other.md", "# C\n\nSomething else.\n"),
        ],
        &everything(),
    );
    for (query, expected) in [
        ("eventloop", &["loop.md#a"][..]),
        ("EventLoop", &["loop.md#a"]),
        ("laterevent", &[]),
        ("laterloop", &[]),
    ] {
        let found = answer(&kb, &search_request(query));
        let ids_of: Vec<String> = found.passages.iter().map(|passage| short(&passage.id)).collect();
        assert_eq!(ids_of, expected, "{query}");
        assert_eq!(found.unknown_words().is_empty(), !expected.is_empty(), "{query}");
    }
}

#[test]
fn what_a_message_quotes_is_not_required_when_nothing_has_it() {
    let kb = kb_with(
        &[
            ("a.md", "# A\n\nThe error: cannot find a package that was imported.\n"),
            ("b.md", "# B\n\nchalk\n"),
        ],
        &everything(),
    );
    let message = "Error: cannot find package \"chalk-next\" imported from here";
    let found = answer(&kb, &search_request(message));
    assert_eq!(short(&found.passages[0].id), "a.md#a");
    assert!(
        found.summary.notices.iter().any(|notice| notice.message.contains("quoted phrase")),
        "{:?}",
        found.summary.notices
    );
    // A query that is little more than a phrase requires it.
    assert_eq!(ids(&kb, "package \"chalk-next\""), [""; 0]);
    let exactly =
        kb_with(&[("a.md", "# A\n\nThe error: cannot find a package that was imported.\n")], &exactly());
    assert_eq!(ids(&exactly, message), [""; 0]);
}

#[test]
fn a_word_that_only_its_field_lacks_is_not_called_unknown() {
    let kb = kb_with(&[("a.md", "# Heading\n\nThe lifetimes of things.\n")], &everything());
    for (query, said) in [
        ("title:lifetimes", "no heading has: lifetimes"),
        ("tags:lifetimes", "no tag has: lifetimes"),
        ("body:heading", "no text has: heading"),
    ] {
        let found = answer(&kb, &search_request(query));
        let notices: Vec<&str> = found.summary.notices.iter().map(|notice| notice.message.as_str()).collect();
        assert_eq!((found.summary.total, notices, found.unknown.len()), (0, vec![said], 0), "{query}");
    }
    let found = answer(&kb, &search_request("title:lifetmes"));
    assert_eq!(found.unknown_words().into_iter().collect::<Vec<_>>(), ["lifetmes"]);
    // If a phrase isn't found, only its words that don't exist at all get suggestions.
    let found = answer(&kb, &search_request("\"things headng\""));
    assert_eq!(found.unknown[0].nearest, ["heading"]);
}

#[test]
fn what_only_compares_is_not_looked_for() {
    let kb = kb_with(
        &[
            ("a.md", "# A\n\nReadiness is not liveness.\n"),
            ("b.md", "# B\n\nThe difference of two versions, one versus the other.\n"),
        ],
        &exactly(),
    );
    for query in
        ["readiness vs liveness", "readiness versus liveness", "difference between readiness and liveness"]
    {
        assert_eq!(ids(&kb, query), ["a.md#a"], "{query}");
    }
    assert_eq!(ids(&kb, "versus"), ["b.md#b"]);
}

#[test]
fn fewer_results_are_the_first_of_more() {
    let texts: Vec<(String, String)> = (0..60)
        .map(|nr| {
            let title = if nr % 7 == 0 { "Panda" } else { "Bear" };
            let filler = "other words ".repeat(nr % 13);
            (format!("{nr}.md"), format!("# {title} {nr}\n\n{}{filler}\n", "panda ".repeat(1 + nr % 5)))
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let env = env_with(&files);
    let limited = |limit| ids(&open(&env, &[set("search", "limit", Value::Int(limit))]), "panda");
    let ten = limited(10);
    assert_eq!(ten.len(), 10);
    for limit in 1..10 {
        assert_eq!(limited(limit), ten[..limit as usize]);
    }
}

#[test]
fn raw_queries_go_to_tantivys_own_parser() {
    let env = examples();
    let kb = open(&env, &everything());
    let raw = |text: &str| {
        let ask = SearchRequest { syntax: QuerySyntax::Raw, ..search_request(text) };
        kb.search(&ask, &NoProgress).map(|answers| {
            let mut ids: Vec<String> =
                answers.answers[0].passages.iter().map(|passage| short(&passage.id)).collect();
            ids.sort();
            ids
        })
    };
    assert_eq!(raw("+rust +async").unwrap(), ["rust.md#concurrency"]);
    assert_eq!(raw("title:guide").unwrap(), ["user.md#user-guide"]);
    assert_eq!(raw("body:\"error handling\" AND -body:legacy").unwrap(), ["errors.md#failure"]);
    let error = raw("title:(").unwrap_err();
    assert!(error.to_string().starts_with("the raw query cannot be parsed: "), "{error}");
    assert!(format!("{:?}", error.hint()).contains("query language of ra"));
    // Such fields are resolved when the query is executed. The error isn't due to the index.
    let built = answers(&kb, &search_request("rust")).freshness.generation;
    for text in ["titlE:*", "title:*", "nowhere:* OR rust"] {
        let error = raw(text).unwrap_err();
        assert!(error.to_string().starts_with("the raw query cannot be answered: "), "{text}: {error}");
    }
    assert_eq!(answers(&kb, &search_request("rust")).freshness.generation, built);
}

#[test]
fn inner_punctuation_means_the_parts_as_a_phrase() {
    let env = env_with(&[
        ("hyphen.md", "# H1\n\nAll about error-handling here.\n"),
        ("snake.md", "# H2\n\nSet max_open_files in the file.\n"),
        ("version.md", "# H3\n\nSince v1.2.3 this works.\n"),
        ("colons.md", "# H4\n\nUse std::fs for that.\n"),
        ("slash.md", "# H5\n\nEither tcp/udp will do.\n"),
        ("at.md", "# H6\n\nMail root@localhost about it.\n"),
        ("decision.md", "# H7\n\nSee DEC-0054 for why.\n"),
        (
            "other.md",
            "# H8\n\nDEC 0055, v1.2.4, files open max, udp or tcp, fs of std, handling the error.\n",
        ),
        ("call.md", "# H9\n\nThen call push(x).len() twice.\n"),
        ("dollar.md", "# H10\n\nSet $HOME/.config/ra.toml today.\n"),
        ("address.md", "# H11\n\nOpen http://example.org:8080/a?b=c now.\n"),
    ]);
    let kb = open(&env, &exactly());
    for (query, expected) in [
        ("error-handling", "hyphen.md#h1"),
        ("\"error-handling\"", "hyphen.md#h1"),
        ("\"error handling\"", "hyphen.md#h1"),
        ("Error-Handling", "hyphen.md#h1"),
        ("max_open_files", "snake.md#h2"),
        ("v1.2.3", "version.md#h3"),
        ("1.2.3", ""),
        ("std::fs", "colons.md#h4"),
        ("tcp/udp", "slash.md#h5"),
        ("root@localhost", "at.md#h6"),
        ("DEC-0054", "decision.md#h7"),
        ("dec-0054", "decision.md#h7"),
        ("\"DEC-0054\"", "decision.md#h7"),
        ("push(x).len()", "call.md#h9"),
        ("$HOME/.config/ra.toml", "dollar.md#h10"),
        ("http://example.org:8080/a?b=c", "address.md#h11"),
        ("example.org", "address.md#h11"),
    ] {
        let expected: Vec<&str> = if expected.is_empty() { vec![] } else { vec![expected] };
        assert_eq!(ids(&kb, query), expected, "{query}");
    }
    // A number never matches a similar one, even with fuzzy matching.
    let near = open(&env, &everything());
    assert_eq!(ids(&near, "DEC-0054"), ["decision.md#h7"]);
    assert_eq!(ids(&near, "DEC-0056"), [""; 0]);
}

#[test]
fn a_compound_is_taken_apart_when_no_section_has_it_as_it_is_written() {
    let env = env_with(&[
        ("whole.md", "# W1\n\nThe call is element.classList.add here.\n"),
        ("apart.md", "# W2\n\nThe classList of an element, to which you add.\n"),
        ("part.md", "# W3\n\nA classList alone.\n"),
        ("budget.md", "# W4\n\nThe minAvailable of a PodDisruptionBudget.\n"),
        ("color.md", "# W5\n\nThe background has its color.\n"),
        ("version.md", "# W6\n\nIn v2 there are 3 of 1.\n"),
        ("zh.md", "# W7\n\n在集群中配置探针，以检查容器的存活。\n"),
        ("ko.md", "# W8\n\n파드가 삭제된 다음에.\n"),
    ]);
    let kb = open(&env, &everything());
    for (query, expected) in [
        ("element.classList.add", &["whole.md#w1"][..]),
        ("classList.element.add", &["whole.md#w1", "apart.md#w2", "part.md#w3"]),
        ("PodDisruptionBudget.minAvailable", &["budget.md#w4"]),
        ("\"classList.element.add\"", &[]),
        ("classList -element.classList", &["part.md#w3", "apart.md#w2"]),
        // A typo in one part is forgiven.
        ("backgroud-color", &["color.md#w5"]),
        // Numbers and single letters mean nothing by themselves.
        ("v2.3.1", &[]),
        ("1.3", &[]),
        // Scripts without spaces: most of the bigrams are enough.
        ("如何配置存活探针", &["zh.md#w7"]),
        ("파드를", &["ko.md#w8"]),
    ] {
        assert_eq!(ids(&kb, query), expected, "{query}");
    }
    assert_eq!(answer(&kb, &search_request("PodDisruptionBudget.minAvailable")).unknown_words().len(), 1);
    assert!(answer(&kb, &search_request("PodDisruptionBudget.minAvailable")).summary.relaxed.is_some());
    // In a long question the parts count in addition to the whole.
    let long = ids(&kb, "what does element.classList.add do with a budget of color");
    assert_eq!(long.first().map(String::as_str), Some("whole.md#w1"));
    assert!(long.contains(&"part.md#w3".to_owned()), "{long:?}");
    assert_eq!(ids(&open(&env, &exactly()), "classList.element.add"), [""; 0]);
}

#[test]
fn a_typo_that_keeps_an_ending_from_being_taken_off_is_forgiven() {
    let kb = kb_with(
        &[
            ("caching.md", "# C1\n\nCaching of pages.\n"),
            ("annotation.md", "# C2\n\nAnnotations of objects.\n"),
            ("ru.md", "# C3\n\nРазвёртывание приложения.\n"),
            ("animals.md", "# C4\n\nThe elephant and the horse.\n"),
        ],
        &everything(),
    );
    for (query, expected) in [
        ("cachng", "caching.md#c1"),
        ("cachign", "caching.md#c1"),
        ("cachinng", "caching.md#c1"),
        ("annotatons", "annotation.md#c2"),
        ("annotaiton", "annotation.md#c2"),
        ("lephant", "animals.md#c4"),
        ("leephant", "animals.md#c4"),
        ("qlephant", "animals.md#c4"),
        ("hose", "animals.md#c4"),
        ("hrose", "animals.md#c4"),
    ] {
        assert_eq!(ids(&kb, query), [expected], "{query}");
    }
    assert_eq!(ids(&kb, "cachxyz"), [""; 0]);
}

#[test]
fn what_a_query_excludes_or_filters_by_gives_no_score() {
    let kb = kb_with(
        &[
            ("a.md", "# Brackets\n\nThe okapi.\n"),
            ("b.md", "# Space\n\nThe okapi.\n"),
            ("c.md", "# Zebra\n\nThe okapi.\n"),
        ],
        &exactly(),
    );
    let scores = |query: &str| {
        let passages = answer(&kb, &search_request(query)).passages;
        passages.iter().map(|passage| (short(&passage.id), passage.score)).collect::<Vec<_>>()
    };
    let plain = scores("okapi");
    for query in ["okapi -body:space", "okapi -tree:zebra", "okapi (tree:docs OR tree:zebra)"] {
        assert_eq!(scores(query), plain, "{query}");
    }
    // As an alternative to words, a filter adds everything that it accepts.
    assert_eq!(sorted_ids(&kb, "title:space OR tree:docs"), ["a.md#brackets", "b.md#space", "c.md#zebra"]);
}

#[test]
fn camel_case_is_found_whole_and_by_its_parts() {
    let kb = kb_with(
        &[
            ("camel.md", "# C1\n\nCall getUserName first.\n"),
            ("snake.md", "# C2\n\nCall get_user_name first.\n"),
            ("words.md", "# C3\n\nWe get the user a name.\n"),
            ("acronym.md", "# C4\n\nStart the HTTPServer with IPv4.\n"),
        ],
        &exactly(),
    );
    for (query, expected) in [
        ("getUserName", &["camel.md#c1", "snake.md#c2"][..]),
        ("getusername", &["camel.md#c1"]),
        ("get_user_name", &["camel.md#c1", "snake.md#c2"]),
        ("\"getUserName\"", &["camel.md#c1"]),
        ("user", &["camel.md#c1", "snake.md#c2", "words.md#c3"]),
        ("user name", &["camel.md#c1", "snake.md#c2", "words.md#c3"]),
        ("HTTPServer", &["acronym.md#c4"]),
        ("httpserver", &["acronym.md#c4"]),
        ("http server", &["acronym.md#c4"]),
        ("IPv4", &["acronym.md#c4"]),
        ("ipv4", &["acronym.md#c4"]),
    ] {
        assert_eq!(sorted_ids(&kb, query), expected, "{query}");
    }
}

#[test]
fn a_question_in_prose_is_relaxed_and_says_so() {
    let env = env_with(&[
        ("a.md", "# Backups\n\nSnapshots of the database are taken nightly.\n"),
        ("b.md", "# Network\n\nThe proxy forwards requests.\n"),
    ]);
    let kb = open(&env, &everything());
    let relaxed = answer(&kb, &search_request("how do I restore the database snapshots quickly"));
    assert!(relaxed.summary.relaxed.is_some());
    assert_eq!(short(&relaxed.passages[0].id), "a.md#backups");
    let unknown = relaxed.unknown_words();
    assert_eq!(unknown.into_iter().collect::<Vec<_>>(), ["quickly", "restore"]);
    // Function words are never required, but they count if they are alone.
    assert!(answer(&kb, &search_request("how does the proxy")).summary.relaxed.is_none());
    assert_eq!(ids(&kb, "how does the proxy"), ["b.md#network"]);
    assert_eq!(sorted_ids(&kb, "the"), ["a.md#backups", "b.md#network"]);
    assert_eq!(sorted_ids(&kb, "the * -zebra"), ["a.md#backups", "b.md#network"]);
    // Anything more than a word stays required.
    for query in [
        "\"restore the database\" snapshots nightly",
        "title:zebra database snapshots nightly taken",
        "tree:gone database snapshots",
        "path:gone/ database snapshots",
    ] {
        assert_eq!(ids(&kb, query), [""; 0], "{query}");
    }
    assert_eq!(ids(&kb, "database proxy -nightly"), ["b.md#network"]);
    let strict = open(&env, &exactly());
    assert_eq!(ids(&strict, "restore database snapshots"), [""; 0]);
    // Question words need not occur in the answer.
    assert_eq!(ids(&kb, "what does proxy mean"), ["b.md#network"]);
    assert_eq!(ids(&kb, "why doesn’t the proxy work"), ["b.md#network"]);
    assert_eq!(ids(&kb, "nightly snapshots not working"), ["a.md#backups"]);
}

#[test]
fn pasted_text_is_no_query() {
    let text = "---\ntitle: \"Frobnication\"\nstate: draft\n---\n\n# Frobnication\n\n\
                Call `frob(\"now\")` - or `frob --later` - when body:ready is set, and wait (at most ten seconds) for it. \
                Nothing else frobnicates as thoroughly as that, whatever \"other tools\" may say of -themselves.\n";
    let kb =
        kb_with(&[("a.md", text), ("b.md", "# Network\n\nThe proxy forwards requests.\n")], &everything());
    let pasted = answer(&kb, &search_request(text));
    assert_eq!(short(&pasted.passages[0].id), "a.md#frobnication");
    assert!(
        pasted.summary.notices[0].message.contains("searched for its words"),
        "{:?}",
        pasted.summary.notices
    );
    // However long it is, text on one line is a query, and the parts that it requires stay required.
    let written =
        answer(&kb, &search_request(&format!("tree:gone {}", "proxy forwards requests ".repeat(9))));
    assert_eq!((written.summary.total, written.instead.len()), (0, 1), "{:?}", written.instead);
}

#[test]
fn headings_count_for_more_than_text_and_boosts_are_obeyed() {
    let env = env_with(&[
        ("a.md", "# Other\n\nThe walrus is an animal of some size.\n"),
        ("b.md", "# Walrus\n\nThe animal is of some size.\n"),
    ]);
    assert_eq!(ids(&open(&env, &exactly()), "walrus"), ["b.md#walrus", "a.md#other"]);
    let mut flags = exactly();
    flags.push(set("search.boosts", "hierarchy", Value::Float(0.0)));
    assert_eq!(ids(&open(&env, &flags), "walrus"), ["a.md#other"]);
    assert_eq!(ids(&open(&env, &flags), "title:walrus"), ["b.md#walrus"]);
    let kb = open(&env, &exactly());
    assert_eq!(ids(&kb, "body:walrus^50 OR title:walrus"), ["a.md#other", "b.md#walrus"]);
}

#[test]
fn front_matter_is_searched() {
    let kb = kb_with(
        &[
            (
                "a.md",
                "---\ntitle: The Manual\ntags: [net/http, draft]\naliases: [Handbook]\ndescription: About pelicans\n---\n\nText.\n",
            ),
            ("b.md", "# B\n\nA note with an #inline-tag in it.\n"),
        ],
        &exactly(),
    );
    for query in ["manual", "handbook", "pelicans", "tags:draft", "tags:http", "tags:net", "title:manual"] {
        assert_eq!(ids(&kb, query), ["a.md"], "{query}");
    }
    let tagged = |tags: &[&str]| {
        let scope = Scope { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..Scope::default() };
        let passages = answer(&kb, &SearchRequest { scope, ..search_request("text OR note") }).passages;
        passages.iter().map(|passage| short(&passage.id)).collect::<Vec<_>>()
    };
    assert_eq!(tagged(&["net"]), ["a.md"]);
    assert_eq!(tagged(&["net/http"]), ["a.md"]);
    assert_eq!(tagged(&["#Net/HTTP", "draft"]), ["a.md"]);
    assert_eq!(tagged(&["http"]), [""; 0]);
    assert_eq!(tagged(&["inline-tag"]), ["b.md#b"]);
    assert_eq!(tagged(&["draft", "inline-tag"]), [""; 0]);
}

#[test]
fn filters_choose_before_the_best_are_taken() {
    let env = TestEnv::new();
    env.write("p/.ra.toml", "root = true\n[trees]\nbig = \"big\"\nsmall = \"small\"\n");
    for nr in 0..40 {
        env.write(&format!("p/big/{nr}.md"), "# Zebra\n\nzebra zebra zebra\n");
    }
    env.write("p/small/one.md", "# Other\n\nA long text that speaks of many things and then of a zebra.\n");
    let kb = open(&env, &[set("search", "limit", Value::Int(1))]);
    let scope = Scope { trees: vec!["small".parse().unwrap()], ..Scope::default() };
    for ask in [
        SearchRequest { scope, ..search_request("zebra") },
        search_request("zebra tree:small"),
        SearchRequest {
            scope: Scope { paths: vec!["one.md".into()], ..Scope::default() },
            ..search_request("zebra")
        },
    ] {
        let passages = answer(&kb, &ask).passages;
        assert_eq!(passages.len(), 1);
        assert_eq!(passages[0].id.to_string(), "small:one.md#other");
    }
}

#[test]
fn results_can_be_ordered_by_date_and_path() {
    let env = env_with(&[
        ("c.md", "# C\n\nzebra zebra\n\n## D\n\nzebra\n"),
        ("a.md", "# A\n\nzebra\n"),
        ("b.md", "# Zebra\n\nzebra\n"),
    ]);
    for (path, seconds) in [("a.md", 2000), ("b.md", 1000), ("c.md", 3000)] {
        let file = std::fs::File::options().write(true).open(env.path(&format!("p/docs/{path}"))).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
    }
    let kb = open(&env, &exactly());
    let ordered = |order: Order| {
        let passages = answer(&kb, &SearchRequest { order, ..search_request("zebra") }).passages;
        passages.iter().map(|passage| short(&passage.id)).collect::<Vec<_>>()
    };
    assert_eq!(ordered(Order::Path), ["a.md#a", "b.md#zebra", "c.md#c", "c.md#d"]);
    let by_date = ordered(Order::Date);
    assert!(by_date[..2].iter().all(|id| id.starts_with("c.md")), "{by_date:?}");
    assert_eq!(by_date[2..], ["a.md#a", "b.md#zebra"]);
    assert_eq!(ordered(Order::Score)[0], "b.md#zebra");
}

#[test]
fn the_last_word_of_a_large_document_is_found() {
    let filler = "lorem ipsum dolor sit amet ".repeat(40_000);
    let kb = kb_with(&[("big.txt", &format!("{filler}\nxylophone\n"))], &everything());
    let found = answer(&kb, &search_request("xylophone")).passages;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].matched_texts().collect::<Vec<_>>(), ["xylophone"]);
    let shown = content(&found[0]);
    assert!(shown.len() < 10_000 && shown.ends_with("xylophone\n"), "{shown}");
}

#[test]
fn paths_are_taken_verbatim() {
    let names =
        ["a b.md", "A B.md", "c#d.md", "e & f.md", "[g].md", "h%20i.md", "C#basics.txt", "ü.md", "x:y.md"];
    let files: Vec<(&str, String)> =
        names.iter().enumerate().map(|(nr, name)| (*name, format!("zebra number{nr}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let env = env_with(&files);
    let kb = open(&env, &exactly());
    for (nr, name) in names.iter().enumerate() {
        let passages = answer(&kb, &search_request(&format!("number{nr}"))).passages;
        assert_eq!(passages.len(), 1, "{name}");
        assert_eq!(passages[0].id.doc.path, *name);
        let id = passages[0].id.to_string();
        let (fetched, _) = kb.get(&[id], ra_core::kb::FetchExtent::Named, &NoProgress).unwrap();
        let content = fetched.into_iter().next().unwrap().unwrap().content;
        assert_eq!(content.as_deref(), Some(format!("zebra number{nr}\n").as_str()), "{name}");
    }
}

#[test]
fn text_in_other_encodings_is_found_and_shown() {
    let env = env_with(&[]);
    let utf16: Vec<u8> =
        "\u{feff}# Wide\n\nzebra größe\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    env.write("p/docs/utf16.md", utf16);
    env.write("p/docs/latin.md", b"# Latin\n\nzebra caf\xe9 au lait\n");
    env.write("p/docs/nul.md", b"# Nul\n\nzebra one\0two\n");
    env.write("p/docs/bom.md", "\u{feff}# Bom\r\n\r\nzebra\r\n");
    let kb = open(&env, &exactly());
    assert_eq!(sorted_ids(&kb, "zebra"), ["bom.md#bom", "latin.md#latin", "nul.md#nul", "utf16.md#wide"]);
    for (query, expected) in [
        ("title:wide", "# Wide\n\nzebra größe\n"),
        ("title:latin", "# Latin\n\nzebra caf\u{fffd} au lait\n"),
        ("title:nul", "# Nul\n\nzebra one\0two\n"),
        ("title:bom", "# Bom\r\n\r\nzebra\r\n"),
    ] {
        let passage = answer(&kb, &search_request(query)).passages.remove(0);
        assert_eq!(content(&passage).trim_start_matches('\u{feff}'), expected, "{query}");
        assert_eq!(passage.lines, (1, 3), "{query}");
    }
    assert_eq!(ids(&kb, "lait"), ["latin.md#latin"]);
    assert_eq!(ids(&kb, "größe"), ["utf16.md#wide"]);
}

#[test]
fn code_and_comments_are_text_and_no_headings() {
    let text = "# Real\n\n```sh\n# not a heading\nzebra\n```\n\n<!--\n# nor this\nlion\n-->\n\nSetext\n======\n\npuma\n";
    let kb = kb_with(&[("a.md", text)], &exactly());
    assert_eq!(ids(&kb, "zebra"), ["a.md#real"]);
    assert_eq!(ids(&kb, "lion"), ["a.md#real"]);
    assert_eq!(ids(&kb, "puma"), ["a.md#setext"]);
    assert_eq!(ids(&kb, "\"not a heading\""), ["a.md#real"]);
}

#[test]
fn a_heading_without_text_is_found_in_its_parent_at_its_own_line() {
    let text = "# Top\n\nintro\n\n## First\n\nzebra\n\n## Wombat\n";
    let kb = kb_with(&[("a.md", text)], &exactly());
    let passage = answer(&kb, &search_request("wombat")).passages.remove(0);
    assert_eq!(short(&passage.id), "a.md#top");
    assert_eq!(content(&passage), "# Top\n\nintro\n\n## Wombat\n");
    assert_eq!(passage.lines, (1, 9));
    assert_eq!(shown_lines(&passage), [1, 2, 3, 4, 9]);
}

#[test]
fn a_misspelling_in_one_document_does_not_hide_the_right_word_in_another() {
    let files = [
        ("typo.md", "We recieve the message.\n"),
        ("right.md", "You receive the message.\n"),
        ("other.md", "A message to nobody.\n"),
    ];
    // Here the defaults decide what is shown, including the cutoff.
    let kb = kb_with(&files, &[]);
    for (query, expected) in [
        ("recieve", ["typo.md", "right.md"]),
        ("receive", ["right.md", "typo.md"]),
        ("receive message", ["right.md", "typo.md"]),
    ] {
        assert_eq!(ids(&kb, query), expected, "{query}");
    }
    // Meaning decides between two documents that differ in nothing else.
    assert_eq!(sorted_ids(&kb, "recieve message"), ["right.md", "typo.md"]);
    assert_eq!(sorted_ids(&kb, "message -recieve"), ["other.md", "right.md"]);
}

#[test]
fn a_word_is_found_with_an_ending_that_the_stemmer_does_not_know() {
    let files = [("plural.md", "Die Straßenbahnen fahren.\n"), ("single.md", "Eine Haltestelle.\n")];
    let kb = kb_with(&files, &[]);
    for (query, expected) in [
        ("Straßenbahn", &["plural.md"][..]),
        ("strassenbahn", &["plural.md"]),
        ("Haltestellen", &["single.md"]),
        ("Haltestelleninsel", &[]),
        ("Straße", &[]),
    ] {
        assert_eq!(ids(&kb, query), expected, "{query}");
    }
    let exact = kb_with(&files, &exactly());
    assert_eq!(ids(&exact, "Straßenbahn"), [""; 0]);
}

#[test]
fn what_only_looks_like_html_in_a_heading_is_text() {
    let files = [(
        "a.md",
        "# Async\n\n## Promise<void>\n\nIt resolves to nothing.\n\n## The <kbd>Esc</kbd> key\n\nx\n",
    )];
    let kb = kb_with(&files, &exactly());
    assert_eq!(ids(&kb, "void"), ["a.md#promisevoid"]);
    assert_eq!(ids(&kb, "\"Promise<void>\""), ["a.md#promisevoid"]);
    assert_eq!(ids(&kb, "title:kbd"), [""; 0]);
    for name in ["a.md#promisevoid", "a.md#promise", "a.md#the-esc-key"] {
        assert!(
            kb.get(&[name.into()], FetchExtent::Named, &NoProgress).unwrap().0.remove(0).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn headings_of_every_script_have_ids_of_their_own() {
    let text = "# Один\n\nпервый\n\n# Два\n\nвторой\n\n# Café & Größe\n\ntroisième\n";
    let kb = kb_with(&[("a.md", text)], &exactly());
    assert_eq!(ids(&kb, "второй"), ["a.md#два"]);
    for (name, id) in [
        ("a.md#два", "a.md#два"),
        ("a.md#ДВА", "a.md#два"),
        // The ids of earlier versions, and GitHub's.
        ("a.md#heading", "a.md#один"),
        ("a.md#heading-1", "a.md#два"),
        ("a.md#caf-gre", "a.md#café-größe"),
        ("a.md#café--größe", "a.md#café-größe"),
        ("a.md#cafe\u{301}-größe", "a.md#café-größe"),
    ] {
        let fetched = kb.get(&[name.into()], FetchExtent::Named, &NoProgress).unwrap().0.remove(0);
        assert_eq!(short(&fetched.unwrap().id), id, "{name}");
    }
}
