//! `ra status`: the trees, their documents and the configuration.

use crate::sandbox::Sandbox;

#[test]
fn the_trees_are_listed_with_what_they_hold() {
    let sandbox = Sandbox::with(&[
        ("~/.ra.toml", "[trees]\nglobal = \"~/docs\"\n"),
        (".ra.toml", "[trees]\nlocal = \".\"\ngone = \"../gone\"\n"),
        ("~/docs/a.md", "12345"),
        ("a.md", "1"),
        ("b/c.txt", "12"),
    ]);
    let text = sandbox.run(&["status"]);
    // Only the first two cells and the end of each row are checked; the columns between them may grow.
    let row = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
    for (name, documents, end) in [
        ("global", "1", " 5 B  global                      [base]/home/docs"),
        ("gone", "0", " 0 B  local, outside the project  [base]/gone"),
        ("local", "2", " 3 B  local                       [base]/project"),
    ] {
        let cells: Vec<&str> = row(name).split_whitespace().collect();
        assert_eq!(cells.get(..2), Some(&[name, documents][..]), "{text}");
        assert!(row(name).ends_with(end), "{text}");
    }
    assert!(text.starts_with("exit code 0\n--- stdout\nTrees:\n  name    documents "), "{text}");
    assert!(text.contains("\nerror: gone: No such file or directory"), "{text}");
    assert!(text.contains("\nConfiguration:\n[base]/project/.ra.toml\n[base]/home/.ra.toml\n"), "{text}");
    let found = sandbox.json(&["status"]);
    let counts: Vec<_> = found["trees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tree| (&tree["name"], &tree["documents"], &tree["bytes"]))
        .collect();
    assert_eq!(
        format!("{counts:?}"),
        r#"[(String("global"), Number(1), Number(5)), (String("gone"), Number(0), Number(0)), (String("local"), Number(2), Number(3))]"#
    );
    assert_eq!(found["index"]["path"], sandbox.index("").to_str().unwrap());
    assert!(found["configuration"]["values"].is_array());
}

#[test]
fn only_what_is_set_is_shown_unless_all_is_asked_for() {
    let sandbox =
        Sandbox::with(&[(".ra.toml", "[search]\nlimit = 3\n[trees]\ndocs = \"docs\"\n"), ("docs/a.md", "x")]);
    let keys = |args: &[&str]| -> Vec<String> {
        let found = sandbox.json(args);
        let values = found["configuration"]["values"].as_array().expect("values").iter();
        values.filter_map(|set| set["key"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(keys(&["status"]), ["search.limit"]);
    assert!(keys(&["status", "--all"]).contains(&"search.fuzzy".to_owned()));
    let shown = sandbox.run(&["status"]);
    assert!(shown.contains("search.limit") && !shown.contains("*.rs"), "{shown}");
    assert!(sandbox.run(&["status", "--all"]).contains("*.rs"));
}

#[test]
fn markdown_of_every_ending_is_indexed_and_other_types_are_counted() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = { path = \"docs\", exclude = [\"old/\"] }\n"),
        ("docs/a.mdx", "import X from 'x'\n\n# Heron\n\nStands in water.\n"),
        ("docs/b.markdown", "# Stork\n\nStands on roofs.\n"),
        ("docs/c.PNG", "1"),
        ("docs/img/d.png", "1"),
        ("docs/e.tex", "1"),
        ("docs/LICENSE", "1"),
        ("docs/old/f.png", "1"),
    ]);
    let found = sandbox.json(&["search", "stands"]);
    let mut ids: Vec<&str> = found["queries"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["id"].as_str())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, ["docs:a.mdx#heron", "docs:b.markdown#stork"]);
    let shown = sandbox.run(&["status"]);
    let said = "\nNot indexed because of their type:\n  docs: 2 .png, 1 without extension, 1 .tex\n";
    assert!(shown.contains(said), "{shown}");
    let types = &sandbox.json(&["status"])["trees"][0]["skipped_types"];
    assert_eq!(*types, serde_json::json!({ "": 1, "png": 2, "tex": 1 }));
}

#[test]
fn documents_and_refused_files_are_counted_by_type() {
    let sandbox = Sandbox::with(&[
        (
            ".ra.toml",
            "root = true\n[settings]\nmax_binary_size = 100\n[trees]\n\
             docs = { path = \"docs\", types = [\"markdown\", \"docx\", \"epub\", \".tex\"] }\n",
        ),
        ("docs/a.md", "# Heron\n\nwades\n"),
        ("docs/b.MD", "# Stork\n\nwades\n"),
        ("docs/c.tex", "wades\n"),
        ("docs/empty.md", ""),
        ("docs/broken.docx", "no zip"),
        ("docs/d.txt", "wades\n"),
    ]);
    sandbox.write("docs/large.epub", "x".repeat(101));
    let ids = |sandbox: &Sandbox| {
        let found = sandbox.json(&["search", "wades"]);
        let results = found["queries"][0]["results"].as_array().unwrap().clone();
        let mut ids: Vec<String> =
            results.iter().map(|result| result["id"].as_str().unwrap().to_owned()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&sandbox), ["docs:a.md#heron", "docs:b.MD#stork", "docs:c.tex"]);
    let tree = &sandbox.json(&["status"])["trees"][0];
    assert_eq!(tree["types"], serde_json::json!({ "md": 2, "tex": 1 }));
    let refused = serde_json::json!({
        "conversion failed": { "docx": 1 },
        "no text": { "md": 1 },
        "too large": { "epub": 1 },
    });
    assert_eq!(tree["refused"], refused);
    assert_eq!(tree["skipped_types"], serde_json::json!({ "txt": 1 }));
    let shown = sandbox.run(&["status"]);
    let said = "\nTypes:\n  docs: 2 .md, 1 .tex\n\nRefused:\n  docs: 1 .docx (conversion failed)\n  \
                docs: 1 .md (no text)\n  docs: 1 .epub (too large)\n\n\
                Not indexed because of their type:\n  docs: 1 .txt\n";
    assert!(shown.contains(said), "{shown}");
    let shown = sandbox.run(&["check"]);
    assert!(
        shown.contains("docs:large.epub: is larger than 100 bytes, which is `max_binary_size`,"),
        "{shown}"
    );
    // The setting takes effect at once, in an index that exists.
    sandbox.write(".ra.toml", "root = true\n[trees]\ndocs = { path = \"docs\", types = \"plain\" }\n");
    assert_eq!(ids(&sandbox), ["docs:d.txt"]);
    let shown = {
        sandbox.write(".ra.toml", "root = true\n[trees]\ndocs = { path = \"docs\", types = [\"word\"] }\n");
        sandbox.run(&["status"])
    };
    assert!(
        shown.contains("`trees.docs.types`: `word` is not a type; types are markdown, plain,"),
        "{shown}"
    );
}
