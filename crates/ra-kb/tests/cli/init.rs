//! `ra init`: writes a starter configuration, and keeps the index out of git.

use crate::sandbox::Sandbox;

#[test]
fn a_fresh_project_gets_a_commented_file_that_works() {
    let sandbox = Sandbox::with(&[("notes.md", "# Notes\n\nText.\n")]);
    insta::assert_snapshot!(sandbox.run(&["init"]), @"
    exit code 0
    --- stdout
    wrote [base]/project/.ra.toml
    next: name your trees in it, then run `ra check`
    ");
    insta::assert_snapshot!(sandbox.read(".ra.toml"), @r#"
    # What ra indexes, and how. Every key is optional; `ra config --defaults` lists them all.

    [trees]
    local = "."                   # a name and a directory, relative to this file

    # [[include]]                 # take only some of a tree's files (default: all document types)
    # tree = "docs"
    # pattern = "**/guides/**"

    # [settings]
    # local_boost = 1.5           # how much this project's trees outweigh those of ~/.ra.toml

    # [search]
    # limit = 10                  # results per query
    # stemmer = "german"          # one language for all documents (default: that of each document)
    "#);
    insta::assert_snapshot!(sandbox.run(&["config", "--changed"]), @"
    exit code 0
    --- stdout
    [base]/project/.ra.toml

    Trees:
      local = [base]/project (local)
        [base]/project/.ra.toml:4
    ");
    assert!(!sandbox.path(".gitignore").exists(), "there is no git here");
}

#[test]
fn every_line_that_is_commented_out_would_work() {
    let sandbox = Sandbox::with(&[("docs/guides/a.md", "# A\n\nText.\n")]);
    sandbox.run(&["init"]);
    let is_key = |line: &str| line.contains(" = ") || line.starts_with('[');
    let lines: Vec<String> = sandbox
        .read(".ra.toml")
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(inner) if is_key(inner) => inner.to_owned(),
            _ => line.to_owned(),
        })
        .collect();
    sandbox.write(".ra.toml", lines.join("\n"));
    insta::assert_snapshot!(sandbox.run(&["config", "--changed"]), @r#"
    exit code 0
    --- stdout
    [base]/project/.ra.toml

    Values:
      key                   value     set by
      settings.local_boost  1.5       [base]/project/.ra.toml:11
      search.limit          10        [base]/project/.ra.toml:14
      search.stemmer        "german"  [base]/project/.ra.toml:15

    Trees:
      docs = [base]/project/docs (local)
        [base]/project/.ra.toml:4
        include "**/guides/**"  [base]/project/.ra.toml:8
    "#);
    assert!(sandbox.run(&["check"]).contains("no problems"));
}

#[test]
fn a_directory_for_documentation_becomes_the_tree() {
    let sandbox = Sandbox::with(&[("docs/a.md", "# A\n\nText.\n")]);
    sandbox.run(&["init"]);
    let lines: Vec<String> = sandbox.read(".ra.toml").lines().map(str::to_owned).collect();
    assert!(lines.iter().any(|line| line.starts_with("docs = \"./docs\"")), "{lines:?}");
}

#[test]
fn a_second_time_nothing_is_overwritten() {
    let sandbox = Sandbox::with(&[(".ra.toml", "# mine\n")]);
    insta::assert_snapshot!(sandbox.run(&["init"]), @"
    exit code 2
    --- stderr
    error: [base]/project/.ra.toml is there already
    hint: edit it, or move it away and run `ra init` again
    ");
    assert_eq!(sandbox.read(".ra.toml"), "# mine\n");
}

#[test]
fn the_global_file_is_written_to_the_home() {
    let sandbox = Sandbox::with(&[(".git/HEAD", "")]);
    insta::assert_snapshot!(sandbox.run(&["init", "--global"]), @"
    exit code 0
    --- stdout
    wrote [base]/home/.ra.toml
    next: name your trees in it, then run `ra check`
    ");
    assert!(!sandbox.path(".ra.toml").exists() && !sandbox.path(".gitignore").exists());
    assert!(sandbox.run(&["config"]).starts_with("exit code 0"));
    insta::assert_snapshot!(sandbox.run(&["init", "--global"]), @"
    exit code 2
    --- stderr
    error: [base]/home/.ra.toml is there already
    hint: edit it, or move it away and run `ra init` again
    ");
}

#[test]
fn the_home_does_not_become_a_tree_of_every_project() {
    let sandbox = Sandbox::new();
    let output = sandbox.command().current_dir(sandbox.home()).arg("init").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ra init --global"), "{output:?}");
    assert!(!sandbox.home().join(".ra.toml").exists());
}

#[test]
fn without_a_home_the_global_file_has_no_place() {
    let sandbox = Sandbox::new();
    let output = sandbox.command().env("HOME", "relative").args(["init", "--global"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error, "error: the home directory is not known\nhint: set HOME\n");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let sandbox = Sandbox::with(&[("~/precious", "mine"), (".git/HEAD", "")]);
    std::os::unix::fs::symlink(sandbox.path("~/precious"), sandbox.path(".gitignore")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("~/missing"), sandbox.path(".ra.toml")).unwrap();
    insta::assert_snapshot!(sandbox.run(&["init"]), @"
    exit code 2
    --- stderr
    error: [base]/project/.ra.toml is there already
    hint: edit it, or move it away and run `ra init` again
    ");
    assert_eq!(sandbox.read("~/precious"), "mine");
    assert!(!sandbox.path("~/missing").exists());
}

#[test]
fn what_was_done_can_be_read_by_programs() {
    let sandbox = Sandbox::with(&[(".git/HEAD", "")]);
    insta::assert_snapshot!(sandbox.run(&["init", "--json"]), @r#"
    exit code 0
    --- stdout
    {
      "version": 1,
      "created": "[base]/project/.ra.toml"
    }
    "#);
}
