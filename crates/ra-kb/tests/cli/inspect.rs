//! `ra inspect`: how a file is read, and whether it is indexed.

use crate::sandbox::Sandbox;

const GUIDE: &str = "---
title: Getting Started
tags: [intro, setup]
aliases: Start
author: { name: Ann, since: 2020 }
---

Welcome. See [the setup](#installation) or [[Reference|the reference]]. #howto

# Installation

Run it.

### On Linux

Use `apt` and read [this](https://example.org/apt \"title\").

## On macOS

![Picture](img/mac.png)

# Installation

Twice.

# Empty
";

#[test]
fn markdown_is_shown_with_its_metadata_outline_and_links() {
    let sandbox = Sandbox::with(&[(".ra.toml", "[trees]\ndocs = \"docs\"\n"), ("docs/guide.md", GUIDE)]);
    insta::assert_snapshot!(sandbox.run(&["inspect", "docs/guide.md"]), @r#"
    exit code 0
    --- stdout
    File: docs/guide.md
    Type: markdown
    Indexed: yes, as docs:guide.md
    Title: "Getting Started" (from front matter)
    Language: english (en)
    Frontmatter:
      title: "Getting Started"
      tags: [intro, setup]
      aliases: "Start"
      author: {"name":"Ann","since":2020}
    Tags: intro, setup, howto
    Aliases: Start

    Chunks:
      1. docs:guide.md
         Title: "Getting Started"
         Lines 1-26, size: 191 chars, 55 tokens
        2. docs:guide.md#installation
           Title: "Installation"
           Lines 10-21, size: 10 chars, 4 tokens
          3. docs:guide.md#on-linux
             Title: "On Linux"
             Lines 14-17, size: 62 chars, 18 tokens
          4. docs:guide.md#on-macos
             Title: "On macOS"
             Lines 18-21, size: 26 chars, 8 tokens
        5. docs:guide.md#installation-1
           Title: "Installation"
           Lines 22-25, size: 9 chars, 4 tokens

    Links:
      line 8: markdown #installation "the setup"
      line 8: wiki Reference "the reference"
      line 16: markdown https://example.org/apt "this"
      line 20: image img/mac.png "Picture"
    "#);
}

#[test]
fn plain_text_is_one_chunk() {
    let sandbox = Sandbox::with(&[("log.txt", "# not a heading\nline two\n")]);
    insta::assert_snapshot!(sandbox.run(&["inspect", "log.txt"]), @r#"
    exit code 0
    --- stdout
    File: log.txt
    Type: plain
    Indexed: yes, as local:log.txt
    Title: "log" (from file name)
    Language: unknown

    Chunks:
      1. local:log.txt
         Title: "log"
         Lines 1-2, size: 25 chars, 8 tokens
    "#);
}

#[test]
fn a_file_outside_any_tree_is_read_all_the_same() {
    let sandbox =
        Sandbox::with(&[(".ra.toml", "[trees]\ndocs = \"docs\"\n"), ("other.md", "# Other\n\nText.\n")]);
    insta::assert_snapshot!(sandbox.run(&["inspect", "./other.md"]), @r#"
    exit code 0
    --- stdout
    File: ./other.md
    Type: markdown
    Indexed: no, it isn't in any tree
    Title: "Other" (from first heading)
    Language: unknown

    Chunks:
      1. ./other.md
         Title: "Other"
         Lines 1-3, size: no text of its own
        2. ./other.md#other
           Title: "Other"
           Lines 1-3, size: 7 chars, 3 tokens
    "#);
}

#[test]
fn the_limits_of_a_tree_outside_the_project_are_given_as_the_reason() {
    let configuration =
        "root = true\n[trees]\nfar = { path = \"../far\", include = [\"*.tex\", \".hid/**\"] }\n";
    let sandbox = Sandbox::with(&[("p/.ra.toml", configuration), ("far/a.tex", "A"), ("far/.hid/b.md", "B")]);
    for (path, reason) in
        [("../far/a.tex", "its type is not taken from outside"), ("../far/.hid/b.md", "nothing hidden")]
    {
        let answer = sandbox.run(&["-C", "p", "inspect", path]);
        assert!(answer.contains(reason) && answer.contains("outside the project"), "{answer}");
    }
}

#[test]
fn ids_are_those_of_the_tree_that_has_the_file() {
    let config = "[trees]\nall = { path = \".\", exclude = [\"docs/\"] }\ndocs = \"docs\"\n";
    let sandbox = Sandbox::with(&[(".ra.toml", config), ("docs/a.md", "# A\n\nalpha\n")]);
    let shown = sandbox.run(&["inspect", "docs/a.md"]);
    assert!(shown.contains("docs:a.md#a") && !shown.contains("all:docs/a.md#a"), "{shown}");
}

#[test]
fn the_reason_why_a_file_is_not_indexed_is_given() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "[trees]\nt = { path = \".\", exclude = [\"old/\"] }\n"),
        (".git/HEAD", ""),
        (".gitignore", "secret*\n"),
    ]);
    for (path, reason) in [
        ("a.md", "Indexed: yes, as t:a.md"),
        ("secret.md", "Indexed: no (tree t): it is ignored by `secret*` in [base]/project/.gitignore"),
        ("old/a.md", "Indexed: no (tree t): the exclude pattern `old/` matches"),
        ("a.tex", "Indexed: no (tree t): its type is not indexed unless a pattern names it"),
        (".hidden.md", "Indexed: no (tree t): it is hidden, and no include pattern names it"),
        ("node_modules/a.md", "Indexed: no (tree t): .git, .ra and node_modules are never indexed"),
        ("~/elsewhere.md", "Indexed: no, it isn't in any tree"),
    ] {
        sandbox.write(path, "text\n");
        let shown = sandbox.run(&["inspect", sandbox.path(path).to_str().unwrap()]);
        assert!(shown.contains(&format!("\n{reason}\n")), "{path}: {shown}");
    }
}

#[cfg(unix)]
#[test]
fn links_say_where_they_lead() {
    let sandbox = Sandbox::with(&[(".ra.toml", "[trees]\nt = \".\"\n"), ("real/a.md", "text\n")]);
    std::os::unix::fs::symlink("real", sandbox.path("linked")).unwrap();
    std::os::unix::fs::symlink("real/a.md", sandbox.path("b.md")).unwrap();
    assert!(
        sandbox
            .run(&["inspect", "linked/a.md"])
            .contains("no (tree t): it lies behind a link to a directory")
    );
    assert!(sandbox.run(&["inspect", "b.md"]).contains("yes, as t:b.md"));
}

#[test]
fn a_path_may_be_written_in_any_way() {
    let sandbox = Sandbox::with(&[(".ra.toml", "[trees]\nt = \"docs\"\n"), ("docs/sub/a.md", "text\n")]);
    for path in [
        "docs/sub/a.md",
        "./docs/./sub/a.md",
        "docs/sub/../sub/a.md",
        "../project/docs/sub/a.md",
        "docs//sub/a.md",
    ] {
        let shown = sandbox.run(&["inspect", path]);
        assert!(shown.contains("Indexed: yes, as t:sub/a.md\n"), "{path}: {shown}");
    }
    let from_below = sandbox.run(&["-C", "docs/sub", "inspect", "../sub/a.md"]);
    assert!(from_below.contains("Indexed: yes, as t:sub/a.md\n"), "{from_below}");
}

#[test]
fn ids_of_unusual_names_can_be_read_back() {
    let sandbox =
        Sandbox::with(&[(".ra.toml", "[trees]\nt = { path = \".\", include = [\"C#basics\", \"*.md\"] }\n")]);
    for (path, ids) in [
        ("C#basics", &["t:C#basics#"][..]),
        ("a b & [c].md", &["t:a b & [c].md", "t:a b & [c].md#head"]),
        ("#1.md", &["t:#1.md", "t:#1.md#head"]),
        ("x:y.md", &["t:x:y.md", "t:x:y.md#head"]),
    ] {
        sandbox.write(path, "# Head\n\ntext\n");
        let found = sandbox.json(&["inspect", path]);
        let chunks = found["chunks"].as_array().unwrap();
        let shown: Vec<&str> = chunks.iter().map(|chunk| chunk["id"].as_str().unwrap()).collect();
        assert_eq!(shown, ids);
    }
}

#[test]
fn what_is_not_text_is_said_to_be_so() {
    let sandbox = Sandbox::new();
    sandbox.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    sandbox.write("fake.md", [0; 100]);
    insta::assert_snapshot!(sandbox.run(&["inspect", "logo.png"]), @"
    exit code 0
    --- stdout
    File: logo.png
    Type: binary
    Indexed: no, it is not text
    ");
    insta::assert_snapshot!(sandbox.run(&["inspect", "fake.md"]), @"
    exit code 0
    --- stdout
    File: fake.md
    Type: binary
    Indexed: no, it is not text
    ");
}

#[test]
fn an_empty_file_has_no_text() {
    let sandbox = Sandbox::with(&[("empty.md", "")]);
    insta::assert_snapshot!(sandbox.run(&["inspect", "empty.md"]), @r#"
    exit code 0
    --- stdout
    File: empty.md
    Type: markdown
    Indexed: no, it has no text
    Title: "empty" (from file name)
    Language: unknown

    Chunks:
      1. local:empty.md
         Title: "empty"
         Lines 1-1, size: no text of its own
    "#);
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(sandbox.run(&["inspect", "gone.md"]), @"
    exit code 2
    --- stderr
    error: could not read [base]/project/gone.md: No such file or directory (os error 2)
    hint: check the path above
    ");
}

#[test]
fn a_directory_is_an_error_with_a_way_out() {
    let sandbox = Sandbox::with(&[("docs/a.md", "")]);
    insta::assert_snapshot!(sandbox.run(&["inspect", "docs"]), @"
    exit code 2
    --- stderr
    error: docs is a directory
    hint: `ra inspect` reads one file; `ra status` lists the trees
    ");
}

#[test]
fn warnings_name_their_lines() {
    let sandbox = Sandbox::with(&[(".ra.toml", "[trees]\nt = \".\"\n[settings]\nmax_chunk_size = 10\n")]);
    sandbox.write("bad.md", b"---\ntitle: Kept\ntags: [a, b\n---\n# Caf\xe9\n\nlonger than ten characters\n");
    insta::assert_snapshot!(sandbox.run(&["inspect", "bad.md"]), @r#"
    exit code 0
    --- stdout
    File: bad.md
    Type: markdown
    Indexed: yes, as t:bad.md
    Title: "Kept" (from front matter)
    Language: unknown
    Frontmatter:
      title: "Kept"
      tags: [a, b]
    Tags: a, b

    Chunks:
      1. t:bad.md
         Title: "Kept"
         Lines 1-7, size: 32 chars, 14 tokens, over max_chunk_size
        2. t:bad.md#caf
           Title: "Caf�"
           Lines 5-7, size: 28 chars, 7 tokens, over max_chunk_size

    Warnings:
      line 3: the front matter is not valid YAML: unclosed bracket '['
      line 5: not valid UTF-8 from here on
    "#);
}

#[test]
fn programs_get_the_same_as_json() {
    let text = "---\ntitle: T\n---\n# A\n\nSee [b](b.md).\n\n## B\n\nb #tag\n";
    let sandbox = Sandbox::with(&[(".ra.toml", "[trees]\nt = \".\"\n"), ("a.md", text)]);
    insta::assert_snapshot!(sandbox.run(&["inspect", "a.md", "--json"]), @r#"
    exit code 0
    --- stdout
    {
      "version": 1,
      "file": "a.md",
      "type": "markdown",
      "indexed": true,
      "trees": [
        {
          "tree": "t",
          "id": "t:a.md",
          "indexed": true,
          "reason": null
        }
      ],
      "language": null,
      "title": "T",
      "title_source": "front matter",
      "front_matter": {
        "title": "T"
      },
      "tags": [
        "tag"
      ],
      "aliases": [],
      "description": null,
      "chunks": [
        {
          "id": "t:a.md",
          "title": "T",
          "breadcrumb": "T",
          "depth": 0,
          "parent": null,
          "position": 0,
          "lines": [
            1,
            10
          ],
          "bytes": [
            0,
            51
          ],
          "chars": 17,
          "tokens": 6,
          "indexed": true,
          "oversized": false
        },
        {
          "id": "t:a.md#a",
          "title": "A",
          "breadcrumb": "T › A",
          "depth": 1,
          "parent": 0,
          "position": 1,
          "lines": [
            4,
            10
          ],
          "bytes": [
            21,
            51
          ],
          "chars": 17,
          "tokens": 8,
          "indexed": true,
          "oversized": false
        },
        {
          "id": "t:a.md#b",
          "title": "B",
          "breadcrumb": "T › A › B",
          "depth": 2,
          "parent": 1,
          "position": 2,
          "lines": [
            8,
            10
          ],
          "bytes": [
            43,
            51
          ],
          "chars": 8,
          "tokens": 5,
          "indexed": true,
          "oversized": false
        }
      ],
      "links": [
        {
          "kind": "markdown",
          "target": "b.md",
          "text": "b",
          "line": 6
        }
      ],
      "warnings": []
    }
    "#);
}
