//! A configuration with mistakes: each is shown with its location, and nothing is done.

use crate::sandbox::Sandbox;

#[test]
fn every_mistake_is_underlined_with_a_hint() {
    let sandbox = Sandbox::with(&[
        ("~/.ra.toml", "[search]\nmerge_bonus = 0.1\n"),
        (
            ".ra.toml",
            "# A comment.\n[trees]\ndocs = { path = \"./docs\", exlude = [\"old/\"] }\n\n[search]\nfuzy = true\nlimit = 5000 # too many\nstemmer = \"english\n",
        ),
    ]);
    insta::assert_snapshot!(sandbox.run(&["status"]), @r#"
    exit code 2
    --- stderr
    error: `merge_bonus` belongs to an older design and is no longer read
     --> [base]/home/.ra.toml:2:1
      |
    2 | merge_bonus = 0.1
      | ^^^^^^^^^^^
    hint: an aggregated score is the sum of its parts' up to `score_cap_multiplier`

    error: unknown key `exlude` in the tree `docs`
     --> [base]/project/.ra.toml:3:27
      |
    3 | docs = { path = "./docs", exlude = ["old/"] }
      |                           ^^^^^^
    hint: did you mean `exclude`?

    error: unknown key `fuzy` in [search]
     --> [base]/project/.ra.toml:6:1
      |
    6 | fuzy = true
      | ^^^^
    hint: did you mean `fuzzy`?

    error: `search.limit`: expected a whole number from 1 to 1000, found 5000
     --> [base]/project/.ra.toml:7:9
      |
    7 | limit = 5000 # too many
      |         ^^^^

    error: invalid basic string, expected `"`
     --> [base]/project/.ra.toml:8:19
      |
    8 | stemmer = "english
      |                   ^

    error: the configuration has 5 problems; nothing was done
    "#);
}

#[test]
fn mistakes_behind_wide_letters_are_underlined_in_their_place() {
    let sandbox = Sandbox::with(&[(
        ".ra.toml",
        "[trees]\nüber = \"a[\"\ndocs = { path = \".\", include = [\"ä[\"] }\n",
    )]);
    insta::assert_snapshot!(sandbox.run(&["check"]), @r#"
    exit code 2
    --- stderr
    error: invalid unquoted key, expected letters, numbers, `-`, `_`
     --> [base]/project/.ra.toml:2:1
      |
    2 | über = "a["
      | ^

    error: not a valid glob: unclosed character class; missing ']'
     --> [base]/project/.ra.toml:3:33
      |
    3 | docs = { path = ".", include = ["ä["] }
      |                                 ^^^^

    error: the configuration has 2 problems; nothing was done
    "#);
}

#[test]
fn mistakes_of_any_size_are_named_in_few_words() {
    let keys: String = (0..30).map(|nr| format!("wrong{nr} = 1\n")).collect();
    for (config, expected) in [
        (
            format!("[search]\n{keys}"),
            "error: the configuration has 30 problems, of which 20 are shown; nothing was done",
        ),
        (format!("[trees]\n\"{}:\" = \".\"\n", "d".repeat(1 << 19)), "--> [base]/project/.ra.toml:2"),
        (format!("[search]\n{} = 1\n", "w".repeat(1 << 19)), "--> [base]/project/.ra.toml:2"),
    ] {
        let sandbox = Sandbox::with(&[(".ra.toml", &config)]);
        let shown = sandbox.run(&["status"]);
        assert!(shown.contains(expected) && shown.len() < 8000, "{shown}");
    }
}

#[test]
fn every_command_that_needs_it_refuses_it() {
    let sandbox = Sandbox::with(&[(".ra.toml", "limit = 3\n"), ("a.md", "a\n")]);
    for args in [&["check"][..], &["status"], &["config"], &["inspect", "a.md"], &["check", "--json"]] {
        let shown = sandbox.run(args);
        assert!(shown.starts_with("exit code 2\n--- stderr\n"), "{args:?}: {shown}");
        assert!(shown.ends_with("error: the configuration has 1 problem; nothing was done\n"), "{shown}");
    }
    for args in [&["config", "--defaults"][..], &["man"], &["completions", "bash"], &["init", "--global"]] {
        assert!(sandbox.run(args).starts_with("exit code 0\n"), "{args:?}");
    }
}

#[test]
fn colors_are_only_for_terminals_and_on_demand() {
    let sandbox = Sandbox::with(&[(".ra.toml", "limit = 3\n")]);
    let escape = '\u{1b}';
    assert!(!sandbox.run(&["check"]).contains(escape));
    assert!(!sandbox.run(&["check", "--color", "never"]).contains(escape));
    assert!(sandbox.run(&["check", "--color", "always"]).contains(escape));
}
