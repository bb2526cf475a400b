//! An index updated step by step gives exactly the same answers as one built at once.

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;
use ra_core::config::Value;
use ra_core::index::Scope;
use ra_core::kb::{KnowledgeBase, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};

use crate::generated::{PATHS, cases, document};
use crate::kb_helpers::{answer, env_with, everything, exact, open, search_request, set};
use crate::test_env::TestEnv;

/// A change to a tree.
#[derive(Clone, Debug)]
enum TreeChange {
    Write(usize, String),
    Rename(usize, usize),
    Delete(usize),
    Touch(usize, u64),
}

fn change() -> impl Strategy<Value = TreeChange> {
    let path = 0..PATHS.len();
    prop_oneof![
        4 => (path.clone(), document()).prop_map(|(path, text)| TreeChange::Write(path, text)),
        2 => (path.clone(), path.clone()).prop_map(|(from, to)| TreeChange::Rename(from, to)),
        2 => path.clone().prop_map(TreeChange::Delete),
        1 => (path, 1_u64..2_000_000_000).prop_map(|(path, time)| TreeChange::Touch(path, time)),
    ]
}

impl TreeChange {
    fn apply(&self, env: &TestEnv) {
        let place = |nr: &usize| format!("p/docs/{}", PATHS[*nr]);
        match self {
            TreeChange::Write(path, text) => env.write(&place(path), text),
            TreeChange::Rename(from, to) => {
                let to = env.path(&place(to));
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                // If there is nothing to rename, nothing happens.
                let _ = fs::rename(env.path(&place(from)), to);
            }
            TreeChange::Delete(path) => {
                let _ = fs::remove_file(env.path(&place(path)));
            }
            TreeChange::Touch(path, time) => {
                if let Ok(file) = fs::File::options().write(true).open(env.path(&place(path))) {
                    file.set_modified(UNIX_EPOCH + Duration::from_secs(*time)).unwrap();
                }
            }
        }
    }
}

/// Words that are known, similar, unknown, required, excluded, in phrases, in fields and in filters.
const QUERIES: &[&str] = &[
    "handle",
    "hadle",
    "errr",
    "errors rust",
    "\"error handling\"",
    "error-handling",
    "rust -candle",
    "rust OR zebra",
    "title:user OR title:handle",
    "path:sub/",
    "path:handle",
    "tags:draft",
    "tree:docs",
    "getUserName",
    "user zebra rust trust handle of the error",
    "容器 OR контейнер",
];

fn questions() -> Vec<SearchRequest> {
    let mut asks = Vec::new();
    for query in QUERIES {
        asks.push(SearchRequest { aggregation: Aggregation::Sections, ..search_request(query) });
        asks.push(search_request(query));
    }
    let tagged = Scope { tags: vec!["net".into()], ..Scope::default() };
    asks.push(SearchRequest { scope: tagged, ..search_request("tree:docs") });
    let below = Scope { paths: vec!["sub/".into()], ..Scope::default() };
    asks.push(SearchRequest { scope: below, ..search_request("handle OR error") });
    asks.push(SearchRequest { order: Order::Path, ..search_request("tree:docs") });
    asks.push(SearchRequest { order: Order::Date, ..search_request("tree:docs") });
    asks
}

/// Returns everything that the queries find.
fn report(kb: &KnowledgeBase) -> Vec<String> {
    let shown = |ask: &SearchRequest| {
        let answer = answer(kb, ask);
        let head =
            format!("{:?} total {} relaxed {:?}", ask.queries, answer.summary.total, answer.summary.relaxed);
        format!("{head}\n{}", exact(&answer.passages).join("\n"))
    };
    questions().iter().map(shown).collect()
}

/// Returns a knowledge base over the same files with a new index.
fn fresh(env: &TestEnv, nr: usize) -> KnowledgeBase {
    let mut config = env.config_with("p", &everything()).unwrap();
    config.index_dir = env.path(&format!("fresh-{nr}"));
    KnowledgeBase::open(config)
}

proptest! {
    #![proptest_config(cases(10))]

    #[test]
    fn updating_step_by_step_equals_building_anew(changes in prop::collection::vec(change(), 1..14)) {
        let env = env_with(&[]);
        let kb = open(&env, &everything());
        for (nr, change) in changes.iter().enumerate() {
            change.apply(&env);
            let updated = report(&kb);
            let anew = report(&fresh(&env, nr));
            for (updated, anew) in updated.iter().zip(&anew) {
                prop_assert_eq!(updated, anew, "after {:?}", changes[..=nr].to_vec());
            }
        }
    }
}

#[test]
fn many_small_updates_end_where_one_build_does() {
    // More updates than an index keeps segments for, so segments are merged along the way.
    let env = env_with(&[]);
    let kb = open(&env, &everything());
    for nr in 0..30 {
        let text = format!("# Number {nr}\n\nhandle error rust {}\n", "zebra ".repeat(nr % 7));
        env.write(&format!("p/docs/{}.md", nr % 13), text);
        if nr % 5 == 4 {
            fs::remove_file(env.path(&format!("p/docs/{}.md", (nr - 2) % 13))).unwrap();
        }
        kb.update(&ra_core::kb::NoProgress).unwrap();
    }
    assert_eq!(report(&kb), report(&fresh(&env, 0)));
}

#[test]
fn how_documents_are_spread_over_segments_does_not_show() {
    // Fewer candidates than matches, which differ only in the proximity of the words.
    let few = [set("search", "limit", Value::Int(1))];
    let env = env_with(&[]);
    let kb = open(&env, &few);
    for nr in 0..12 {
        let words = if nr < 8 { "handle by all means an error" } else { "by all means handle an error" };
        env.write(&format!("p/docs/{nr:02}.md"), format!("# Page\n\n{words}\n"));
        kb.update(&ra_core::kb::NoProgress).unwrap();
    }
    let mut config = env.config_with("p", &few).unwrap();
    config.index_dir = env.path("fresh");
    let found = |kb: &KnowledgeBase| exact(&answer(kb, &search_request("handle error")).passages);
    assert_eq!(found(&kb), found(&KnowledgeBase::open(config)));
}
