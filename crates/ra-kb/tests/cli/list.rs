//! `ra ls` and `ra update`, and the help for queries.

use crate::fixture_project::fixture_project;
use crate::sandbox::Sandbox;

#[test]
fn trees_documents_and_chunks_are_listed() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(sandbox.run(&["ls", "docs"]), @"
    exit code 0
    --- stdout
      id                  chunks  tokens   size  modified              title
      docs:api/errors.md       2      13   73 B  2024-01-03T00:00:00Z  Error codes
      docs:api/guide.md        1       6   29 B  2024-01-04T00:00:00Z  API guide
      docs:guide.md            6      61  310 B  2024-01-02T00:00:00Z  The Guide
      notes:todo.txt           1      10   48 B  2024-01-05T00:00:00Z  todo
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "chunks"]), @"
    exit code 0
    --- stdout
      id                              lines  tokens  section
      docs:api/errors.md#error-codes    1-4       7  Error codes
      docs:api/errors.md#limits         5-7       6  Error codes › Limits
      docs:api/guide.md#api-guide       1-3       6  API guide
      docs:guide.md                     1-6      21  The Guide
      docs:guide.md#installation       7-10       9  The Guide › Installation
      docs:guide.md#error-handling    11-14       5  The Guide › Error handling
      docs:guide.md#the-result-type   15-18      12  The Guide › Error handling › The Result type
      docs:guide.md#the-option-type   19-22       7  The Guide › Error handling › The Option type
      docs:guide.md#überblick         23-25       7  The Guide › Überblick
      notes:todo.txt                    1-2      10  todo
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "trees"]), @"
    exit code 0
    --- stdout
      name   documents  chunks   size  scope  path
      docs           3       9  412 B  local  [base]/project/docs
      notes          1       1   48 B  local  [base]/project/notes
    ");
}

#[test]
fn globs_choose_among_them() {
    let sandbox = fixture_project();
    let below = sandbox.run(&["ls", "docs", "api/**"]);
    for directory in ["api", "api/", "./api/*", "docs:api", "docs:api/"] {
        assert_eq!(sandbox.run(&["ls", "docs", directory]), below, "{directory}");
    }
    insta::assert_snapshot!(sandbox.run(&["ls", "docs", "api/**"]), @"
    exit code 0
    --- stdout
      id                  chunks  tokens  size  modified              title
      docs:api/errors.md       2      13  73 B  2024-01-03T00:00:00Z  Error codes
      docs:api/guide.md        1       6  29 B  2024-01-04T00:00:00Z  API guide
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "docs", "*.txt", "errors.md"]), @"
    exit code 0
    --- stdout
      id                  chunks  tokens  size  modified              title
      docs:api/errors.md       2      13  73 B  2024-01-03T00:00:00Z  Error codes
      notes:todo.txt           1      10  48 B  2024-01-05T00:00:00Z  todo
    ");
    for (glob, expected) in [("docs:**", 3), ("*:**/guide.md", 2), ("docs:**/guide.md", 2), ("notes:**", 1)] {
        let listed = sandbox.json(&["ls", "docs", glob]);
        assert_eq!(listed["documents"].as_array().map(Vec::len), Some(expected), "{glob}: {listed}");
    }
    insta::assert_snapshot!(sandbox.run(&["ls", "docs", "docs:*.md"]), @"
    exit code 0
    --- stdout
      id             chunks  tokens   size  modified              title
      docs:guide.md       6      61  310 B  2024-01-02T00:00:00Z  The Guide
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "chunks", "errors.md"]), @"
    exit code 0
    --- stdout
      id                              lines  tokens  section
      docs:api/errors.md#error-codes    1-4       7  Error codes
      docs:api/errors.md#limits         5-7       6  Error codes › Limits
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "docs", "zebra*"]), @"
    exit code 0
    --- stderr
    note: no document matches
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "docs", "[a"]), @"
    exit code 2
    --- stderr
    error: GLOB: `[a` is not a valid glob: unclosed character class; missing ']'
    ");
    insta::assert_snapshot!(sandbox.run(&["ls", "trees", "x"]), @"
    exit code 2
    --- stderr
    error: `ra ls trees` takes no globs
    hint: list documents with `ra ls docs GLOB`
    ");
}

#[test]
fn json_lists_are_whole() {
    let sandbox = fixture_project();
    let documents = sandbox.json(&["ls", "docs"]);
    assert_eq!(documents["documents"].as_array().map(Vec::len), Some(4), "{documents}");
    let chunks = sandbox.json(&["ls", "chunks", "docs:guide.md"]);
    assert_eq!(chunks["chunks"].as_array().map(Vec::len), Some(6), "{chunks}");
}

#[test]
fn an_update_says_what_it_did() {
    let sandbox = fixture_project();
    let masked = |args: &[&str]| {
        let shown = sandbox.run(args);
        let line = shown.lines().map(|line| match line.find(" in ") {
            Some(at) if line.contains(" ms: ") => format!("{} in …", &line[..at]),
            _ => line.to_owned(),
        });
        line.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(masked(&["update"]), @"
    exit code 0
    --- stdout
    index rebuilt in …
    meaning encoded in …
    ");
    insta::assert_snapshot!(masked(&["update"]), @"
    exit code 0
    --- stdout
    index rebuilt in …
    ");
    let updated = sandbox.json(&["update"]);
    assert_eq!((&updated["documents"], &updated["chunks"]), (&4.into(), &10.into()), "{updated}");
}

#[test]
fn the_help_for_queries_is_the_reference() {
    let shown = fixture_project().run(&["help", "query"]);
    assert!(shown.starts_with("exit code 0\n--- stdout\n"), "{shown}");
    for part in
        ["The query language", "title:guide", "rust -deprecated", "Precedence", "When nothing matches"]
    {
        assert!(shown.contains(part), "{part}");
    }
    assert!(fixture_project().run(&["help", "search"]).contains("--no-aggregation"));
    insta::assert_snapshot!(fixture_project().run(&["help", "qeury"]), @"
    exit code 2
    --- stderr
    error: there is no help for `qeury`
    hint: did you mean `query`?
    ");
}

#[test]
fn an_update_warns_about_chunks_that_are_too_large() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[settings]\nmax_chunk_size = 100\n[trees]\ndocs = \"docs\"\n"),
        ("docs/a.md", "# A\n\nshort\n"),
    ]);
    for nr in 10..22 {
        sandbox.write(&format!("docs/{nr}.md"), format!("# {nr}\n\n## Long\n\n{}\n", "word ".repeat(30)));
    }
    let said =
        String::from_utf8(sandbox.command().arg("update").output().expect("a process").stderr).expect("text");
    let first = "warning: docs:10.md#long has 152 characters; `max_chunk_size` is 100\n";
    assert!(said.starts_with(first), "{said}");
    assert!(
        said.ends_with("warning: 2 more chunks are larger than `max_chunk_size`; `ra check` lists them\n"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 11, "{said}");
}
