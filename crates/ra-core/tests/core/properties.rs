//! Filters on the front matter, and the lists of its keys and of the tags.

use std::fs;

use ra_core::index::{Scope, ValueCounts};
use ra_core::kb::{KnowledgeBase, NoProgress, SearchRequest};

use crate::kb_helpers::{
    answer, env_with, everything, exactly, kb_with, open, search_request, short, sorted_ids,
};

const FILES: &[(&str, &str)] = &[
    (
        "a.md",
        "---\nstatus: Active\ndate: 2025-03-02\nowners: [ann, bob]\nweight: 5\ntags: [net/http]\n---\n\n# A\n\nzebra\n\n## Deep\n\nzebra below\n",
    ),
    (
        "b.md",
        "---\nstatus: draft\ndate: 2024-12-31\nowners: bob\nweight: 12\ntags: net\n---\n\n# B\n\nzebra\n",
    ),
    ("c.md", "+++\ndate = 2025-03-20\ndraft = true\n[author]\nname = \"Jane Doe\"\n+++\n\n# C\n\nzebra\n"),
    ("d.md", "# D\n\nzebra status:unknown and localhost:8080, see Vec<String>\n"),
];

#[test]
fn the_front_matter_is_a_filter() {
    let kb = kb_with(FILES, &exactly());
    for (query, expected) in [
        ("zebra status:active", &["a.md#a", "a.md#deep"][..]),
        ("zebra STATUS:ACTIVE", &["a.md#a", "a.md#deep"]),
        ("status:draft -body:status", &["b.md#b"]),
        ("zebra status:*", &["a.md#a", "a.md#deep", "b.md#b"]),
        ("zebra -status:*", &["c.md#c", "d.md#d"]),
        ("zebra owners:bob", &["a.md#a", "a.md#deep", "b.md#b"]),
        ("zebra owners:ann -title:deep", &["a.md#a"]),
        ("zebra author.name:\"jane doe\"", &["c.md#c"]),
        ("zebra draft:true", &["c.md#c"]),
        ("zebra date>=2025-01-01", &["a.md#a", "a.md#deep", "c.md#c"]),
        ("zebra date<2025", &["b.md#b"]),
        ("zebra date:2025-03 date>2025-03-02", &["c.md#c"]),
        ("zebra weight<10", &["a.md#a", "a.md#deep"]),
        ("zebra (status:draft OR draft:true)", &["b.md#b", "c.md#c"]),
        ("zebra status:(active OR \"draft\") -title:deep", &["a.md#a", "b.md#b"]),
        ("zebra -status:(active OR draft)", &["c.md#c", "d.md#d"]),
        ("zebra status:nothing", &[]),
        // No document has this value in its front matter, so it is text.
        ("zebra status:unknown", &["d.md#d"]),
        // No document has these keys, so they are text.
        ("localhost:8080", &["d.md#d"]),
        ("Vec<String>", &["d.md#d"]),
    ] {
        assert_eq!(sorted_ids(&kb, query), expected, "{query}");
    }
}

#[test]
fn a_key_that_exists_is_not_called_unknown_and_a_value_that_does_not_is() {
    let kb = kb_with(FILES, &everything());
    let known = answer(&kb, &search_request("zebra status:active"));
    assert_eq!((known.diagnostics, known.summary.notices.len()), (Vec::new(), 0));
    let unknown = answer(&kb, &search_request("zebra stauts:active"));
    assert_eq!(unknown.diagnostics[0].message, "`stauts` is not a field, so `stauts:` is read as text");
    assert_eq!(unknown.diagnostics[0].hint, "did you mean `status:`?");
    let inner = answer(&kb, &search_request("zebra name:jane"));
    assert_eq!(inner.diagnostics[0].hint, "did you mean `author.name:`?");
    let near = answer(&kb, &search_request("zebra status:drfat"));
    assert_eq!(
        near.summary.notices[0].message,
        "no document has `status:drfat` in its front matter; searched for the text instead"
    );
    assert_eq!(near.summary.notices[0].hint.as_deref(), Some("did you mean `status:draft`?"));
}

#[test]
fn a_scope_can_require_properties() {
    let kb = kb_with(FILES, &exactly());
    let properties = vec!["status:draft".parse().unwrap(), "weight>10".parse().unwrap()];
    let ask = SearchRequest { scope: Scope { properties, ..Scope::default() }, ..search_request("zebra") };
    let found: Vec<String> = answer(&kb, &ask).passages.iter().map(|passage| short(&passage.id)).collect();
    assert_eq!(found, ["b.md#b"]);
    let properties = vec!["status:gone".parse().unwrap()];
    let ask = SearchRequest { scope: Scope { properties, ..Scope::default() }, ..search_request("zebra") };
    let found = answer(&kb, &ask);
    assert_eq!(found.summary.notices[0].message, "no document has `status:gone` in its front matter");
}

/// Returns the tags and properties, each with its number of documents.
fn listed(kb: &KnowledgeBase) -> Vec<String> {
    let counts = |key: &str, values: &ValueCounts| -> Vec<String> {
        values.iter().map(|(value, number)| format!("{key}={value} {number}")).collect()
    };
    let mut all = counts("#", &kb.tags(&NoProgress).unwrap().0);
    let (properties, _) = kb.properties(&NoProgress).unwrap();
    all.extend(properties.iter().flat_map(|(key, values)| counts(key, values)));
    all
}

#[test]
fn values_are_counted_by_document_and_follow_every_change() {
    let env = env_with(FILES);
    let kb = open(&env, &exactly());
    let before = [
        "#=net 2",
        "#=net/http 1",
        "author.name=Jane Doe 1",
        "date=2024-12-31 1",
        "date=2025-03-02 1",
        "date=2025-03-20 1",
        "draft=true 1",
        "owners=ann 1",
        "owners=bob 2",
        "status=Active 1",
        "status=draft 1",
        "weight=12 1",
        "weight=5 1",
    ];
    assert_eq!(listed(&kb), before);
    env.write("p/docs/b.md", "---\nstatus: done\n---\n\n# B\n\nzebra\n");
    fs::remove_file(env.path("p/docs/c.md")).unwrap();
    let after = [
        "#=net 1",
        "#=net/http 1",
        "date=2025-03-02 1",
        "owners=ann 1",
        "owners=bob 1",
        "status=Active 1",
        "status=done 1",
        "weight=5 1",
    ];
    assert_eq!(listed(&kb), after);
    kb.rebuild(&NoProgress).unwrap();
    assert_eq!(listed(&kb), after);
    assert_eq!(sorted_ids(&kb, "zebra status:done"), ["b.md#b"]);
    assert_eq!(sorted_ids(&kb, "zebra status:draft"), [""; 0]);
}
