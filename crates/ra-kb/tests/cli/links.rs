//! `ra links`: links between documents, in both directions.

use crate::sandbox::Sandbox;

fn project() -> Sandbox {
    Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        (
            "docs/a.md",
            "# A\n\nSee [the setup](b.md#setup), [[Bee]] and [gone](no.md).\n\n## Own\n\n[up](#a)\n",
        ),
        ("docs/b.md", "---\naliases: Bee\n---\n# B\n\n## Setup\n\nBack to [A](a.md).\n"),
        ("docs/c.rst", "C\n=\n\n`Setup <b.md#setup>`_\n"),
        ("docs/d.md", "# D\n\nalone\n"),
    ])
}

/// Returns the links of a list as `from:line to`.
fn listed(links: &serde_json::Value) -> Vec<String> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().trim_start_matches("docs:").to_owned();
    let link =
        |link: &serde_json::Value| format!("{}:{} {}", text(&link["from"]), link["line"], text(&link["to"]));
    links.as_array().unwrap().iter().map(link).collect()
}

#[test]
fn links_are_shown_in_both_directions() {
    let sandbox = project();
    let answer = sandbox.json(&["links", "docs:b.md", "docs:b.md#setup", "a.md"]);
    let [page, section, a] = answer["documents"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!(listed(&page["outgoing"]), ["b.md#setup:8 a.md"]);
    assert_eq!(listed(&page["backlinks"]), ["a.md#a:3 b.md#setup", "a.md#a:3 b.md", "c.rst#c:4 b.md#setup"]);
    assert_eq!(listed(&section["backlinks"]), ["a.md#a:3 b.md#setup", "c.rst#c:4 b.md#setup"]);
    assert_eq!(listed(&a["outgoing"]), ["a.md#a:3 b.md#setup", "a.md#a:3 b.md", "a.md#own:7 a.md#a"]);
    assert_eq!(a["broken"][0]["target"], "no.md");
    assert_eq!(a["outgoing"][0]["text"], "the setup");
}

#[test]
fn the_id_that_a_heading_sets_comes_before_the_name_of_another_heading() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        (
            "docs/a.md",
            "# A\n\n## Restarts {#policy}\n\na\n\n## Problems {#restarts}\n\nb\n\n[why](#restarts)\n",
        ),
    ]);
    let answer = sandbox.json(&["links", "docs:a.md"]);
    assert_eq!(listed(&answer["documents"][0]["outgoing"]), ["a.md#problems:11 a.md#problems"]);
}

#[test]
fn links_from_the_root_of_a_site_are_missing_only_with_a_note() {
    let sandbox = project();
    let note = "note: 1 link from the root of a site isn't counted\nhint: `link_root` of a tree";
    assert!(!sandbox.run(&["links", "a.md"]).contains(note));
    sandbox.write("docs/e.md", "# E\n\n[A](/en/a)\n");
    assert!(sandbox.run(&["links", "a.md"]).contains(note));
    assert_eq!(sandbox.json(&["links", "a.md"])["rootless"], 1);
}

#[test]
fn documents_without_a_link_to_them_are_listed() {
    let sandbox = project();
    let answer = sandbox.json(&["links", "--orphans"]);
    assert_eq!(answer["orphans"], serde_json::json!(["docs:c.rst", "docs:d.md"]));
    let shown = sandbox.run(&["links", "--orphans"]);
    assert!(
        shown.contains("no other document links to 2 documents:\n  docs:c.rst\n  docs:d.md\n"),
        "{shown}"
    );
}

#[test]
fn wiki_links_lead_where_obsidian_leads_them() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/long folder/Same.md", "# Same\n\none\n"),
        ("docs/b/deep/Same.md", "# Same\n\ntwo\n"),
        ("docs/b/from.md", "# From\n\n[[same]]\n"),
        ("docs/from.md", "# From\n\n[[Same]] %% [[from]] %%\n\n%%\n[[b/from]]\n\n%%\n"),
        (
            "docs/Parts.md",
            "# One\n\n## Steps\n\na\n\n# Two\n\n## Steps\n\nb\n\n# C# and F#\n\nc\n\n[[#Two#Steps]] [[Parts#C# and F#]] [[#Two#C]]\n",
        ),
    ]);
    let answer = sandbox.json(&["links", "docs:b/from.md", "docs:from.md", "Parts"]);
    let outgoing = |nr: usize| listed(&answer["documents"][nr]["outgoing"]);
    assert_eq!(outgoing(0), ["b/from.md#from:3 b/deep/Same.md"]);
    assert_eq!(outgoing(1), ["from.md#from:3 b/deep/Same.md"]);
    assert_eq!(outgoing(2), ["Parts.md#c-and-f:17 Parts.md#steps-1", "Parts.md#c-and-f:17 Parts.md#c-and-f"]);
    assert_eq!(answer["documents"][2]["broken"][0]["target"], "#Two#C");
    for (name, id) in [
        ("[[Parts#Two#Steps]]", "docs:Parts.md#steps-1"),
        ("[[Parts#One#Steps|shown]]", "docs:Parts.md#steps"),
        ("[[parts#C# and F#]]", "docs:Parts.md#c-and-f"),
    ] {
        assert_eq!(sandbox.json(&["get", name])["documents"][0]["id"], id, "{name}");
    }
    let failed = sandbox.run(&["get", "[[Parts^steps]]"]);
    assert!(failed.contains("exit code 2") && failed.contains("hint: "), "{failed}");
}

#[test]
fn blocks_are_fetched_and_checked_by_their_ids() {
    let sandbox = project();
    sandbox.write("docs/note.md", "# Note\n\nFirst.\n\nHerons wade. ^wade\n\n- a\n- b ^two\n");
    sandbox.write("docs/e.md", "# E\n\n[[note#^wade]] and [[note#^none]]\n");
    for (name, text) in [
        ("[[note#^wade]]", "Herons wade. ^wade\n"),
        ("docs:note.md#^two", "- b ^two\n"),
        ("docs/note.md#^two", "- b ^two\n"),
    ] {
        assert!(sandbox.run(&["get", name]).ends_with(&format!("--- stdout\n{text}")), "{name}");
    }
    let shown = sandbox.run(&["get", "[[note#^none]]"]);
    assert!(shown.contains("error: docs:note.md has no block `^none`"), "{shown}");
    let broken = &sandbox.json(&["links", "e.md"])["documents"][0]["broken"];
    assert_eq!(broken[0]["target"], "note#^none");
    assert_eq!((broken.as_array().unwrap().len(), &broken[0]["missing"]), (1, &"no such block".into()));
}

#[test]
fn links_are_followed_as_their_formats_mean_them() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        (
            "docs/api/index.rst",
            "Index\n=====\n\n:doc:`usage` :doc:`/api/usage` :ref:`use-label` :ref:`of-others`\n",
        ),
        ("docs/api/usage.rst", ".. _use-label:\n\nUsage\n=====\n\ntext\n"),
        (
            "docs/a/note.md",
            "# Note\n\n[[b/note]] [[note]] [g](../guide/) [p](../ref/page) [r](../api/usage.html)\n",
        ),
        ("docs/b/note.md", "# Note\n\nother\n"),
        ("docs/guide/index.html", "<h1>Guide</h1><p>text"),
        ("docs/ref/page.html", "<h1>Page</h1><p>text"),
    ]);
    let answer = sandbox.json(&["links", "docs:api/index.rst", "docs:a/note.md"]);
    let [index, note] = answer["documents"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    let targets = |links: &serde_json::Value| -> Vec<String> {
        listed(links).iter().map(|link| link.split_once(' ').unwrap().1.to_owned()).collect()
    };
    assert_eq!(targets(&index["outgoing"]), ["api/usage.rst", "api/usage.rst", "api/usage.rst#usage"]);
    assert_eq!(
        targets(&note["outgoing"]),
        ["b/note.md", "a/note.md", "guide/index.html", "ref/page.html", "api/usage.rst"]
    );
    assert_eq!((&index["broken"], &note["broken"]), (&serde_json::json!([]), &serde_json::json!([])));
}

/// Returns the documents that a query finds, in order.
fn found(sandbox: &Sandbox, query: &str) -> std::collections::BTreeSet<String> {
    let answer = sandbox.json(&["search", query, "--limit", "100"]);
    let results = answer["queries"][0]["results"].as_array().unwrap().iter();
    let id = |id: &serde_json::Value| id.as_str().unwrap().split('#').next().unwrap().to_owned();
    results.map(|result| id(&result["id"])).collect()
}

/// Returns the other documents that `ra links` lists for an id.
fn linked(sandbox: &Sandbox, id: &str) -> std::collections::BTreeSet<String> {
    let answer = sandbox.json(&["links", id]);
    let document = &answer["documents"][0];
    let ends = |links: &str, end: &str| -> Vec<String> {
        let links = document[links].as_array().unwrap().iter();
        links.map(|link| link[end].as_str().unwrap().split('#').next().unwrap().to_owned()).collect()
    };
    let own = document["id"].as_str().unwrap().split('#').next().unwrap().to_owned();
    let all = ends("outgoing", "to").into_iter().chain(ends("backlinks", "from"));
    all.filter(|doc| *doc != own).collect()
}

#[test]
fn a_filter_keeps_the_documents_that_are_linked_with_one() {
    let sandbox = Sandbox::with(&[
        (
            ".ra.toml",
            "root = true\n[trees]\ndocs = { path = \"docs\", link_root = \"/site\" }\nwiki = \"wiki\"\n",
        ),
        ("docs/index.md", "# Start\n\nzebra [install](guide/install.md) [guide](guide/)\n"),
        (
            "docs/guide/index.md",
            "# Guide\n\nzebra [up](..) [steps](install.md#steps) [w](../../wiki/Note.md)\n",
        ),
        (
            "docs/guide/install.md",
            "---\naliases: [Setup, /old/place]\n---\n# Install\n\nzebra\n\n## Steps\n\nzebra\n",
        ),
        ("docs/a/install.md", "# Another\n\nzebra [](../guide/./install) [root](/site)\n"),
        ("docs/b c.md", "# Space\n\nzebra [s](/site/Guide/Install#steps) [o](/old/place/)\n"),
        ("docs/c.md", "# C\n\nzebra [s](b%20c.md) [no](none.md) [heading](a/install.md#none)\n"),
        ("docs/api.rst", "API\n===\n\nzebra :ref:`use-label` :doc:`guide/install`\n"),
        ("docs/use.rst", ".. _use-label:\n\nUse\n===\n\nzebra\n"),
        ("wiki/Note.md", "# Note\n\nzebra [[Setup#Steps]] [[folder/other|text]] ![[Other]]\n"),
        ("wiki/folder/other.md", "# Other\n\nzebra\n"),
        ("wiki/other.md", "# Other\n\nzebra [[Note]]\n"),
        ("wiki/alone.md", "# Alone\n\nzebra\n"),
    ]);
    for id in [
        "docs:index.md",
        "docs:guide/index.md",
        "docs:guide/install.md",
        "docs:guide/install.md#steps",
        "docs:b c.md",
        "docs:api.rst",
        "docs:use.rst",
        "wiki:Note.md",
        "wiki:folder/other.md",
        "wiki:other.md",
        "wiki:alone.md",
    ] {
        assert_eq!(found(&sandbox, &format!("zebra linked:\"{id}\"")), linked(&sandbox, id), "{id}");
    }
    let steps = ["docs:b c.md", "docs:guide/index.md", "wiki:Note.md"].map(str::to_owned);
    assert_eq!(found(&sandbox, "linked:docs:guide/install.md#steps"), steps.into());
    // A link to a heading that doesn't exist leads to its document all the same.
    assert!(found(&sandbox, "linked:docs:a/install.md").contains("docs:c.md"));
    // It is a filter like any other.
    assert_eq!(
        found(&sandbox, "zebra linked:(\"docs:use.rst\" OR \"docs:c.md\") -linked:docs:c.md"),
        ["docs:api.rst".to_owned()].into()
    );
}

#[test]
fn a_filter_by_links_sees_every_change_of_names() {
    let sandbox = project();
    let is_linked = |expected: &[&str]| {
        let expected: std::collections::BTreeSet<String> =
            expected.iter().map(|doc| format!("docs:{doc}")).collect();
        assert_eq!(found(&sandbox, "linked:docs:d.md"), expected);
        assert_eq!(linked(&sandbox, "docs:d.md"), expected);
    };
    is_linked(&[]);
    // Only the linked document changes: it gets the name that others already use.
    sandbox.write("docs/d.md", "---\naliases: Bee\n---\n# D\n\nalone\n");
    sandbox.write("docs/b.md", "# B\n\n## Setup\n\nBack to [A](a.md).\n");
    is_linked(&["a.md"]);
    sandbox.write("docs/d.md", "# D\n\nno more, but [see](c.rst)\n");
    is_linked(&["c.rst"]);
}

#[test]
fn a_filter_by_links_says_which_name_names_nothing() {
    let sandbox = project();
    let shown = sandbox.run(&["search", "setup linked:docs:bb.md"]);
    assert!(shown.contains("linked: no document or section is called `docs:bb.md`"), "{shown}");
    assert!(shown.contains("did you mean `docs:b.md`"), "{shown}");
    let shown = sandbox.run(&["search", "setup linked:b.md#nothing"]);
    assert!(shown.contains("docs:b.md has no section `nothing`"), "{shown}");
}
