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
    let lines: Vec<&str> = text.lines().take_while(|line| *line != "Index:").collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    exit code 0
    --- stdout
    Trees:
      name    documents  size  scope                       path
      global          1   5 B  global                      [base]/home/docs
      gone            0   0 B  local, outside the project  [base]/gone
      local           2   3 B  local                       [base]/project
    error: gone: No such file or directory (os error 2)
    ");
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
    assert_eq!(found["index"]["path"], sandbox.path(".ra/index").to_str().unwrap());
    assert!(found["configuration"]["values"].is_array());
}
