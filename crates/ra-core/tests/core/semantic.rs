//! Questions in other words than those of the page.

use std::collections::BTreeSet;

use ra_core::config::Value;
use ra_core::kb::{KnowledgeBase, NoProgress, PageCounts};

use crate::kb_helpers::{answer, env_with, exact, ids, kb_with, open, search_request, set};
use crate::test_env::TestEnv;

/// Pages of a cluster's manual. None of them has a word of the question below except `container` and `give`.
const PAGES: &[(&str, &str)] = &[
    (
        "resources.md",
        "# Resource limits\n\nRaise the RAM that a pod may use: edit `limits` in its specification, and \
         the kernel stops killing the process when its heap grows.\n",
    ),
    (
        "logging.md",
        "# Logging\n\nA container writes its log to standard output. Give the log a rotation policy and \
         a directory; a container that writes more is throttled.\n",
    ),
    (
        "shipping.md",
        "# Shipping\n\nHow do I give a container to the port? A container ship carries more of them than a \
         train, and the harbour gives each container a berth.\n",
    ),
    ("colours.md", "# Colours\n\nThe palette of the dashboard can be changed to a dark one.\n"),
];

const QUESTION: &str = "how do I give a container more memory";

/// Computes the vectors of all pages.
fn encode(kb: &KnowledgeBase) -> usize {
    let (snapshot, _) = kb.refresh(&NoProgress).unwrap();
    kb.encode_pages(&snapshot, &|| true, &NoProgress).unwrap()
}

fn counts(kb: &KnowledgeBase) -> Option<PageCounts> {
    kb.status().unwrap().index.pages
}

fn documents(kb: &KnowledgeBase, query: &str) -> Vec<String> {
    ids(kb, query).iter().map(|id| id.split('#').next().unwrap_or(id).to_owned()).collect()
}

#[test]
fn a_page_that_says_it_in_other_words_is_found() {
    let kb = kb_with(PAGES, &[]);
    assert!(!documents(&kb, QUESTION).contains(&"resources.md".to_owned()), "no word leads to it");
    assert_eq!(encode(&kb), PAGES.len());
    assert!(documents(&kb, QUESTION).contains(&"resources.md".to_owned()));
    let words = kb_with(PAGES, &[set("search", "semantic", Value::Bool(false))]);
    assert_eq!((encode(&words), counts(&words)), (0, None));
    assert!(!documents(&words, QUESTION).contains(&"resources.md".to_owned()));
}

#[test]
fn scopes_hold_for_pages_that_no_word_led_to() {
    let kb = kb_with(PAGES, &[]);
    encode(&kb);
    let mut ask = search_request(QUESTION);
    ask.scope.paths = vec!["logging.md".to_owned(), "shipping.md".to_owned()];
    let found = answer(&kb, &ask);
    assert!(found.passages.iter().all(|passage| passage.id.doc.path != "resources.md"));
    assert_eq!(found.passages.len(), 2);
}

#[test]
fn words_that_ask_for_an_exact_match_get_one() {
    let (kb, words) = (kb_with(PAGES, &[]), kb_with(PAGES, &[set("search", "semantic", Value::Bool(false))]));
    encode(&kb);
    for query in [
        "\"container writes\"",
        "container -log",
        "container OR palette",
        "title:logging log",
        "log_level container",
        "container",
    ] {
        let shown = |kb: &KnowledgeBase| exact(&answer(kb, &search_request(query)).passages);
        assert_eq!(shown(&kb), shown(&words), "{query}");
    }
    assert_eq!(documents(&kb, "resource limits")[0], "resources.md", "a heading that was asked for is first");
}

#[test]
fn vectors_belong_to_the_content_of_a_page() {
    let env: TestEnv = env_with(PAGES);
    let kb = open(&env, &[]);
    let all = PageCounts { encoded: PAGES.len(), missing: 0 };
    encode(&kb);
    let before = exact(&answer(&kb, &search_request(QUESTION)).passages);
    kb.rebuild(&NoProgress).unwrap();
    assert_eq!((counts(&kb), encode(&kb)), (Some(all), 0), "a rebuild keeps them");
    assert_eq!(exact(&answer(&open(&env, &[]), &search_request(QUESTION)).passages), before);
    env.write("p/docs/colours.md", "# Colours\n\nGreen is not an option.\n");
    kb.update(&NoProgress).unwrap();
    assert_eq!(counts(&kb), Some(PageCounts { encoded: PAGES.len() - 1, missing: 1 }));
    assert_eq!(encode(&kb), 1, "only what has changed");
    env.write("p/docs/colours.md", PAGES[3].1);
    assert_eq!((encode(&kb), counts(&kb)), (0, Some(all)), "what was known before is known again");
    assert_eq!(exact(&answer(&kb, &search_request(QUESTION)).passages), before);
}

#[test]
fn a_section_is_one_result_whether_words_or_meaning_led_to_it() {
    let mut pages: Vec<(String, String)> =
        PAGES.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
    // Pages that are about containers only by their words. The best page mentions one, and isn't among the 50 best
    // hits.
    pages.extend(
        (0..60).map(|nr| (format!("port{nr}.md"), "# Container\n\nA container on a ship.\n".to_owned())),
    );
    pages[0].1.push_str("\nA container is a process.\n");
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let kb = kb_with(
        &pages,
        &[set("search", "limit", Value::Int(100)), set("search", "cutoff_ratio", Value::Float(0.0))],
    );
    encode(&kb);
    let found = ids(&kb, QUESTION);
    let distinct: BTreeSet<&String> = found.iter().collect();
    assert_eq!(distinct.len(), found.len(), "{found:?}");
    assert!(found.len() > 60);
}
