//! `ra get`: chunks, documents and lines by name.

use crate::fixture_project::fixture_project;

#[test]
fn a_section_comes_with_all_below_it() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(sandbox.run(&["get", "docs:guide.md#error-handling"]), @"
    exit code 0
    --- stdout
    # Error handling

    Errors are values.

    ## The Result type

    Return an error with `?` to the caller.

    ## The Option type

    An error without a reason.
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "docs:guide.md#the-option-type"]), @"
    exit code 0
    --- stdout
    ## The Option type

    An error without a reason.
    ");
}

#[test]
fn a_document_is_printed_as_it_is() {
    let sandbox = fixture_project();
    let text = sandbox.read("docs/guide.md");
    for name in ["docs:guide.md", "docs:guide.md#"] {
        assert_eq!(sandbox.run(&["get", name]), format!("exit code 0\n--- stdout\n{text}"), "{name}");
    }
    assert_eq!(
        sandbox.run(&["get", "docs:guide.md#installation", "--full-document"]),
        format!("exit code 0\n--- stdout\n{text}")
    );
}

#[test]
fn what_is_not_there_is_said_to_be_missing() {
    let sandbox = fixture_project();
    for (name, said) in [
        ("errors.md#preamble", "error: docs:api/errors.md has no section `preamble`"),
        ("ERRORS.MD", "did you mean docs:api/errors.md?"),
    ] {
        let answer = sandbox.run(&["get", name]);
        assert!(answer.contains(said), "{name}: {answer}");
    }
    std::fs::rename(sandbox.path("docs"), sandbox.path("elsewhere")).unwrap();
    let answer = sandbox.run(&["get", "errors.md"]);
    assert!(answer.contains("is indexed, but [base]/project/docs is not there"), "{answer}");
}

#[test]
fn the_preamble_is_what_stands_before_the_first_heading() {
    insta::assert_snapshot!(fixture_project().run(&["get", "docs:guide.md#preamble"]), @"
    exit code 0
    --- stdout
    ---
    title: The Guide
    tags: [rust, net/http]
    ---
    Everything that a beginner needs.
    ");
}

#[test]
fn the_end_of_a_path_is_enough_when_only_one_document_has_it() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(sandbox.run(&["get", "errors.md#limits"]), @"
    exit code 0
    --- stdout
    # Limits

    Ten requests a second.
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "todo.txt"]), @"
    exit code 0
    --- stdout
    Write about error codes.
    Ask about getUserName.
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "api/guide.md"]), @"
    exit code 0
    --- stdout
    # API guide

    How to call it.
    ");
}

#[test]
fn the_path_of_a_file_is_a_name() {
    let sandbox = fixture_project();
    let absolute = sandbox.path("docs/api/errors.md").display().to_string();
    for path in ["docs/api/errors.md", "./docs/api/errors.md", &absolute] {
        let section = sandbox.run(&["get", &format!("{path}#limits")]);
        assert!(section.contains("# Limits\n\nTen requests"), "{path}: {section}");
        assert!(sandbox.run(&["get", path]).contains("# Error codes"), "{path}");
    }
    // A path relative to the working directory takes precedence over the end of a path, unless the file is not
    // a document.
    let output =
        sandbox.command().current_dir(sandbox.path("docs")).args(["get", "guide.md"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("The Guide"), "{output:?}");
    sandbox.write("errors.md", "# No document\n");
    assert!(sandbox.run(&["get", "errors.md"]).contains("# Error codes"));
    sandbox.write("docs/api/empty.md", "");
    assert_eq!(sandbox.run(&["get", "empty.md"]), sandbox.run(&["get", "docs:api/empty.md"]));
}

#[test]
fn a_name_that_could_be_several_lists_them() {
    insta::assert_snapshot!(fixture_project().run(&["get", "guide.md"]), @"
    exit code 2
    --- stderr
    error: `guide.md` could be any of 2 documents
    hint: did you mean docs:api/guide.md, docs:guide.md?
    ");
}

#[test]
fn an_unknown_name_gets_the_nearest_ones() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(sandbox.run(&["get", "docs:giude.md"]), @"
    exit code 2
    --- stderr
    error: no document or section is called `docs:giude.md`
    hint: did you mean docs:guide.md, docs:api/guide.md?
    ");
    // The name of the file says more than that of its directory.
    sandbox.write("docs/errs/e.md", "# E\n\nx\n");
    let nearest = "hint: did you mean docs:api/errors.md?\n";
    assert!(sandbox.run(&["get", "docs:errs/erors.md"]).ends_with(nearest));
    insta::assert_snapshot!(sandbox.run(&["get", "errors.md#limit"]), @"
    exit code 2
    --- stderr
    error: docs:api/errors.md has no section `limit` (asked for as `errors.md#limit`)
    hint: did you mean docs:api/errors.md#limits?
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "zzz"]), @"
    exit code 2
    --- stderr
    error: no document or section is called `zzz`
    hint: `ra ls docs` lists every document
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "../../etc/passwd"]), @"
    exit code 2
    --- stderr
    error: no document or section is called `../../etc/passwd`
    hint: `ra ls docs` lists every document
    ");
}

#[test]
fn a_name_that_says_what_is_wrong_with_it_gets_the_way_out() {
    let sandbox = fixture_project();
    sandbox.write("docs/page.tex", "Page\n");
    insta::assert_snapshot!(sandbox.run(&["get", "docs/page.tex"]), @"
    exit code 2
    --- stderr
    error: docs/page.tex is not a document
    hint: `ra inspect docs/page.tex` says why it is not indexed
    ");
}

#[test]
fn lines_may_follow_a_name() {
    let sandbox = fixture_project();
    let lines = sandbox.run(&["get", "docs:guide.md", "--lines", "7-9"]);
    for name in ["docs:guide.md:7-9", "docs/guide.md:7-9", "The Guide:7-9"] {
        assert_eq!(sandbox.run(&["get", name]), lines, "{name}");
    }
    // A single line says little, so the section around it is returned.
    let section = sandbox.run(&["get", "docs:guide.md#the-result-type"]);
    for name in ["docs:guide.md:15", "docs/guide.md:17", "docs:guide.md#installation:17"] {
        assert_eq!(sandbox.run(&["get", name]), section, "{name}");
    }
    insta::assert_snapshot!(sandbox.run(&["get", "docs/guide.md:12"]), @"
    exit code 0
    --- stdout
    # Error handling

    Errors are values.
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "docs/guide.md:700"]), @"
    exit code 2
    --- stderr
    error: docs:guide.md has 25 lines; line 700 is not among them
    hint: ask for lines from 1 to 25
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "docs/guide.md:7", "--lines", "8"]), @"
    exit code 2
    --- stderr
    error: `docs:guide.md:7` says which lines are wanted, and so does the request
    hint: say it in one place
    ");
    assert!(sandbox.run(&["get", "docs/guide.md:17", "--full-document"]).contains("# Installation"));
    // An existing file wins, because a file may have such a name.
    sandbox.write("docs/odd.md:7", "x\n");
    sandbox.write("docs/odd.md", "# Odd\n\ny\n");
    sandbox.write(".ra.toml", "[trees]\ndocs = { path = \"docs\", include = [\"*\", \"*.md:7\"] }\n");
    assert_eq!(sandbox.run(&["get", "docs:odd.md:7"]), "exit code 0\n--- stdout\nx\n");
}

#[test]
fn a_document_has_other_names_than_its_id() {
    let sandbox = fixture_project();
    sandbox.write(
        "docs/team/Meeting Notes.md",
        "---\naliases: [Protocol, weekly]\n---\n# Monday: Goals\n\nx\n\n## To Do\n\ny\n",
    );
    let note = sandbox.run(&["get", "docs:team/Meeting Notes.md"]);
    assert!(note.contains("# Monday: Goals"), "{note}");
    for name in [
        "Meeting Notes",
        "meeting notes",
        "team/Meeting Notes",
        "docs:Meeting Notes",
        "[[Meeting Notes]]",
        "![[team/Meeting Notes|shown]]",
        "Monday: Goals",
        "docs:monday: goals",
        "Protocol",
        "[[WEEKLY]]",
    ] {
        assert_eq!(sandbox.run(&["get", name]), note, "{name}");
    }
    let section = sandbox.run(&["get", "docs:team/Meeting Notes.md#to-do"]);
    for name in ["Meeting Notes#To Do", "[[Meeting Notes#To Do]]", "[[Protocol#Monday: Goals#To Do|shown]]"] {
        assert_eq!(sandbox.run(&["get", name]), section, "{name}");
    }
    let similar = sandbox.run(&["similar", "--list", "[[Protocol]]"]);
    assert!(similar.starts_with("exit code 0\n"), "{similar}");
    // A file name takes precedence over a title, and an ambiguous name is an error.
    sandbox.write("docs/Protocol.md", "# Other\n\nz\n");
    assert!(sandbox.run(&["get", "protocol"]).contains("# Other"));
    sandbox.write("docs/old/meeting notes.md", "# Old\n\nz\n");
    insta::assert_snapshot!(sandbox.run(&["get", "Meeting Notes"]), @"
    exit code 2
    --- stderr
    error: `Meeting Notes` could be any of 2 documents
    hint: did you mean docs:old/meeting notes.md, docs:team/Meeting Notes.md?
    ");
    let suggested = "hint: did you mean docs:old/meeting notes.md#To Do, docs:team/Meeting Notes.md#To Do?\n";
    assert!(sandbox.run(&["get", "Meeting Notes#To Do"]).ends_with(suggested));
    // A folder is called by its index, unless a page has its name.
    sandbox.write("docs/window/fetch/index.md", "# Fetch\n\nz\n");
    assert!(sandbox.run(&["get", "Window/fetch"]).contains("# Fetch"));
    sandbox.write("docs/window/fetch.md", "# Retrieve\n\nz\n");
    assert!(sandbox.run(&["get", "window/fetch"]).contains("# Retrieve"));
    sandbox.write("docs/empty.md", "");
    assert_eq!(sandbox.run(&["get", "empty.md"]), "exit code 0\n--- stderr\nnote: docs:empty.md is empty\n");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_document_is_a_document_of_its_own() {
    let sandbox = fixture_project();
    std::os::unix::fs::symlink("guide.md", sandbox.path("docs/zlink.md")).expect("a link");
    let shown = sandbox.run(&["get", "docs/zlink.md", "--outline"]);
    assert!(shown.contains("docs:zlink.md") && !shown.contains("docs:guide.md"), "{shown}");
    let shown = sandbox.run(&["search", "--list", "--path", "docs/zlink.md", "installation"]);
    assert!(shown.contains("docs:zlink.md#") && !shown.contains("docs:guide.md#"), "{shown}");
}

#[test]
fn names_are_compared_by_their_letters_and_whole_paths() {
    let sandbox = fixture_project();
    sandbox.write("docs/u\u{308}ber.md", "# A\n\nx\n");
    assert!(sandbox.run(&["get", "\u{fc}ber.md"]).contains("# A"));
    for place in ["a", "b", "c", "d", "e", "pods"] {
        sandbox.write(&format!("docs/{place}/_index.md"), "# Index\n\nx\n");
    }
    let shown = sandbox.run(&["get", "docs:pod/_index.md"]);
    assert!(shown.contains("hint: did you mean docs:pods/_index.md,"), "{shown}");
}

#[test]
fn one_missing_name_does_not_keep_the_others_away() {
    insta::assert_snapshot!(fixture_project().run(&["get", "errors.md#limits", "docs:gone.md", "todo.txt"]), @"
    exit code 2
    --- stdout
    ─── docs:api/errors.md#limits (lines 5-7) ───
    # Limits

    Ten requests a second.

    ─── notes:todo.txt (lines 1-2) ───
    Write about error codes.
    Ask about getUserName.

    --- stderr
    error: no document or section is called `docs:gone.md`
    hint: `ra ls docs` lists every document
    ");
}

#[test]
fn lines_are_those_of_the_file() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(sandbox.run(&["get", "docs:guide.md", "--lines", "7-9"]), @"
    exit code 0
    --- stdout
    # Installation

    Download it, then run `setup`.
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "docs:guide.md#installation", "--lines", "1"]), @"
    exit code 0
    --- stdout
    ---
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "errors.md", "--lines", "6-"]), @"
    exit code 0
    --- stdout

    Ten requests a second.
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "errors.md", "--lines", "700-"]), @"
    exit code 2
    --- stderr
    error: docs:api/errors.md has 7 lines; line 700 is not among them
    hint: ask for lines from 1 to 7
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "errors.md", "--lines", "9-2"]), @"
    exit code 2
    --- stderr
    error: invalid value '9-2' for '--lines <A-B>': expected lines such as 10-20, 10 or 10-, counted from 1

    For more information, try '--help'.
    ");
}

#[test]
fn the_outline_has_ids_and_sizes() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(sandbox.run(&["get", "docs:guide.md", "--outline"]), @"
    exit code 0
    --- stdout
    ─── docs:guide.md (lines 1-25) ───
      section              id                lines  tokens
      The Guide                               1-25      61
        Installation       #installation      7-10       9
        Error handling     #error-handling   11-22      24
          The Result type  #the-result-type  15-18      12
          The Option type  #the-option-type  19-22       7
        Überblick          #überblick        23-25       7
    ");
    insta::assert_snapshot!(sandbox.run(&["get", "docs:guide.md#error-handling", "--outline"]), @"
    exit code 0
    --- stdout
    ─── docs:guide.md#error-handling (lines 11-22) ───
      section            id                lines  tokens
      Error handling     #error-handling   11-22      24
        The Result type  #the-result-type  15-18      12
        The Option type  #the-option-type  19-22       7
    ");
}

#[test]
fn an_anchor_is_found_as_github_would_write_it() {
    let sandbox = fixture_project();
    let shown = sandbox.run(&["get", "docs:guide.md#überblick"]);
    insta::assert_snapshot!(shown, @"
    exit code 0
    --- stdout
    # Überblick

    Größere Fragen.
    ");
    assert_eq!(sandbox.run(&["get", "docs:guide.md#berblick"]), shown);
}

#[test]
fn json_carries_text_and_place() {
    let sandbox = fixture_project();
    let mut got = sandbox.json(&["get", "errors.md#limits"]);
    got["index"].take();
    let file = got["documents"][0]["file"].take();
    assert!(file.as_str().is_some_and(|file| file.ends_with("docs/api/errors.md")), "{file}");
    insta::assert_snapshot!(serde_json::to_string_pretty(&got).unwrap(), @r##"
    {
      "version": 1,
      "documents": [
        {
          "id": "docs:api/errors.md#limits",
          "tree": "docs",
          "path": "api/errors.md",
          "file": null,
          "title": "Limits",
          "breadcrumb": "Error codes › Limits",
          "lines": [
            5,
            7
          ],
          "citation": "docs:api/errors.md#limits@5d4c61896bf79b:5-7",
          "tokens": 6,
          "content": "# Limits\n\nTen requests a second.\n"
        }
      ],
      "index": null
    }
    "##);
}

#[test]
fn what_is_not_indexed_is_not_served() {
    let sandbox = fixture_project();
    sandbox.write("secret.md", "hidden\n");
    // Git's ignore files only apply inside a work tree.
    sandbox.write(".git/HEAD", "ref: refs/heads/main\n");
    sandbox.write("docs/.gitignore", "private.md\n");
    sandbox.write("docs/private.md", "hidden\n");
    for name in
        ["docs:../secret.md", "../secret.md", "secret.md", "docs:private.md", "docs:api/../../secret.md"]
    {
        let shown = sandbox.run(&["get", name]);
        assert!(shown.starts_with("exit code 2\n--- stderr\nerror: "), "{name}: {shown}");
        assert!(!shown.contains("hidden"), "{name}: {shown}");
    }
}
