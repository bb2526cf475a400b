//! Filters on the front matter, lists of tags and fields, and facets.

use serde_json::json;

use crate::mcp::{Client, text};
use crate::sandbox::Sandbox;

fn project() -> Sandbox {
    Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/a.md", "---\nstatus: active\ndate: 2025-03-02\ntags: [net/http]\n---\n\n# A\n\nzebra\n"),
        ("docs/b.md", "---\nstatus: draft\ndate: 2024-12-31\ntags: net\n---\n\n# B\n\nzebra\n"),
        ("docs/c.md", "---\nstatus: active\nauthor: { name: Jane Doe }\n---\n\n# C\n\nlion\n"),
    ])
}

#[test]
fn a_field_is_a_filter_on_the_command_line_and_over_mcp() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for (fields, expected) in [
        (&["status:active"][..], Some("docs:a.md")),
        (&["status:draft", "date<2025"], Some("docs:b.md")),
        (&["status:draft", "date>2025"], None),
    ] {
        let flags: Vec<&str> = fields.iter().flat_map(|field| ["--field", field]).collect();
        let found = sandbox.json(&[&["search", "zebra"], flags.as_slice()].concat());
        let ids: Vec<&str> = found["queries"][0]["results"]
            .as_array()
            .expect("results")
            .iter()
            .filter_map(|result| result["id"].as_str())
            .collect();
        assert_eq!(ids.first().map(|id| id.split('#').next()), expected.map(Some), "{fields:?}");
        let answer = client.tool("search", json!({ "queries": "zebra", "fields": fields }));
        assert_eq!(text(&answer).contains("docs:"), expected.is_some(), "{fields:?}: {answer}");
    }
    insta::assert_snapshot!(sandbox.run(&["search", "zebra", "--field", "status=active"]), @r"
    exit code 2
    --- stderr
    error: --field: `status=active` is not a condition on a field
    hint: write a key and a value, such as `status:active` or `date>=2025-01-01`
    ");
    let answer = client.tool("search", json!({ "queries": "zebra", "fields": ["status"] }));
    assert!(text(&answer).contains("`fields`: `status` is not a condition on a field"), "{answer}");
}

#[test]
fn arguments_that_are_conditions_apply_to_the_others() {
    let sandbox = project();
    let ids = |args: &[&str]| {
        let found = sandbox.json(&[&["search"], args].concat());
        let results = found["queries"][0]["results"].as_array().expect("results").clone();
        results.iter().filter_map(|result| result["path"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(ids(&["zebra", "status:draft"]), ["b.md"]);
    assert_eq!(ids(&["zebra", "tree:docs", "date>=2025"]), ["a.md"]);
    assert_eq!(ids(&["zebra", "date>2025"]), [""; 0]);
    let shown = sandbox.run(&["search", "--list", "--", "zebra", "-status:draft"]);
    assert!(shown.contains("docs:a.md") && !shown.contains("docs:b.md"), "{shown}");
    let shown = sandbox.run(&["search", "zebra", "--field", "title:A"]);
    assert!(shown.contains("error: --field: `title` is a field of the query"), "{shown}");
}

#[test]
fn tags_and_fields_are_listed_with_their_documents() {
    let sandbox = project();
    insta::assert_snapshot!(sandbox.run(&["ls", "tags"]), @r"
    exit code 0
    --- stdout
      tag       documents
      net               2
      net/http          1
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "fields"]), @r"
    exit code 0
    --- stdout
      field        values  most frequent
      author.name       1  Jane Doe (1)
      date              2  2024-12-31 (1), 2025-03-02 (1)
      status            2  active (2), draft (1)
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "fields", "Status"]), @r"
    exit code 0
    --- stdout
      field   value   documents
      status  active          2
      status  draft           1
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "fields", "stauts"]), @r"
    exit code 0
    --- stderr
    note: no document has this key in its front matter
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "tags", "net"]), @r"
    exit code 2
    --- stderr
    error: `ra ls tags` takes no globs
    hint: search for the documents with a tag with `ra search tags:TAG`
    ");
}

#[test]
fn facets_count_the_documents_that_match() {
    let sandbox = project();
    let found = sandbox.json(&["search", "--facets", "zebra"]);
    assert_eq!(
        found["queries"][0]["facets"],
        json!({
            "trees": [{ "value": "docs", "documents": 2 }],
            "languages": [{ "value": "und", "documents": 2 }],
            "tags": [{ "value": "net", "documents": 2 }, { "value": "net/http", "documents": 1 }],
            "paths": [],
            "types": [{ "value": "markdown", "documents": 2 }],
            "fields": [
                { "key": "date", "values": [
                    { "value": "2024-12-31", "documents": 1 }, { "value": "2025-03-02", "documents": 1 },
                ] },
                { "key": "status", "values": [
                    { "value": "active", "documents": 1 }, { "value": "draft", "documents": 1 },
                ] },
            ],
        })
    );
    assert!(sandbox.json(&["search", "zebra"])["queries"][0].get("facets").is_none());
    insta::assert_snapshot!(sandbox.run(&["search", "--facets", "--list", "zebra"]), @r"
    exit code 0
    --- stdout
    docs:b.md#b (lines 7-9, 4 tokens) 0.69
        B
        zebra
    docs:a.md#a (lines 7-9, 4 tokens) 0.69
        A
        zebra

    Facets:
      tree: docs (2)
      tag: net (2), net/http (1)
      lang: und (2)
      type: markdown (2)
      date: 2024-12-31 (1), 2025-03-02 (1)
      status: active (1), draft (1)
    ");
}

#[test]
fn a_type_narrows_a_search_and_facets_count_types_languages_and_directories() {
    let english = "The zebra sleeps in the night, and it eats the grass of the meadow when the sun is up.";
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/guide/a.md", &format!("# A\n\n{english}\n")),
        ("docs/guide/b.txt", &format!("{english} It is plain.\n")),
        ("docs/c.rst", "C\n=\n\nzebra\n"),
    ]);
    let paths = |args: &[&str]| {
        let found = sandbox.json(&[&["search", "zebra", "--sort", "path"], args].concat());
        let results = found["queries"][0]["results"].as_array().expect("results").clone();
        results.iter().map(|result| result["path"].as_str().expect("a path").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(&[]), ["c.rst", "guide/a.md", "guide/b.txt"]);
    assert_eq!(paths(&["--type", "plain"]), ["guide/b.txt"]);
    assert_eq!(paths(&["--type", "rst", "--type", "markdown"]), ["c.rst", "guide/a.md"]);
    assert!(paths(&["--type", "pdf"]).is_empty());
    let empty = sandbox.run(&["search", "zebra", "--type", "pdf"]);
    assert!(empty.contains("no document is of the type `pdf`"), "{empty}");
    let facets = &sandbox.json(&["search", "zebra", "--facets"])["queries"][0]["facets"];
    assert_eq!(facets["paths"], json!([{ "value": "docs:guide", "documents": 2 }]));
    assert_eq!(
        facets["languages"],
        json!([
            { "value": "en", "documents": 2 },
            { "value": "und", "documents": 1 },
        ])
    );
    let types: Vec<&str> =
        facets["types"].as_array().expect("types").iter().filter_map(|it| it["value"].as_str()).collect();
    assert_eq!(types, ["markdown", "plain", "rst"]);
}
