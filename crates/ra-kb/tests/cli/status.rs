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
    // The columns between a tree's name and its path may grow; what stands at the ends may not.
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
