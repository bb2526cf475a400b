//! Problems of a configuration: all reported at once, each with its file, its line and a remedy.

use crate::generated::cases;
use crate::test_env::TestEnv;

/// Returns the problems as `line: message | hint`, and the text that each underlines.
fn problems(env: &TestEnv, cwd: &str) -> (Vec<String>, Vec<String>) {
    let found = env.problems(cwd);
    let lines = found.iter().map(|problem| {
        let hint = problem.hint.as_ref().map(|hint| format!(" | {hint}")).unwrap_or_default();
        format!("{}: {}{hint}", problem.line(), problem.message)
    });
    let marked = found.iter().map(|problem| problem.span.of(&problem.source).to_owned());
    (lines.collect(), marked.collect())
}

/// A file and its problems: line and message, then the underlined text.
type ProblemCase<'a> = (&'a str, &'a [(&'a str, &'a str)]);

#[test]
fn every_sort_of_problem_is_named_with_its_place_and_a_way_out() {
    let cases: &[ProblemCase<'_>] = &[
        ("[search]\nfuzy = true", &[("2: unknown key `fuzy` in [search] | did you mean `fuzzy`?", "fuzy")]),
        (
            "[serch]\nlimit = 3",
            &[("1: unknown key `serch` at the top level | did you mean `search`?", "serch")],
        ),
        (
            "[[includes]]\ntree = \"a\"",
            &[("1: unknown key `includes` at the top level | did you mean `include`?", "includes")],
        ),
        ("limit = 3", &[("1: unknown key `limit` at the top level | `limit` belongs in [search]", "limit")]),
        (
            "[settings]\nroot = true",
            &[(
                "2: unknown key `root` in [settings] | `root` belongs at the top level, before any table",
                "root",
            )],
        ),
        (
            "[boosts]\npath = 2.0",
            &[("1: unknown key `boosts` at the top level | `boosts` belongs in [search]", "boosts")],
        ),
        (
            "[patterns]\n\"*.rs\" = [\"x\"]",
            &[("1: unknown key `patterns` at the top level | `patterns` belongs in [context]", "patterns")],
        ),
        (
            "[search.trees]\na = \".\"",
            &[(
                "1: unknown key `trees` in [search] | `trees` belongs at the top level, before any table",
                "trees",
            )],
        ),
        ("[search]\nzebra = 1", &[("2: unknown key `zebra` in [search]", "zebra")]),
        (
            "[search]\nlimit = \"ten\"",
            &[("2: `search.limit`: expected a whole number from 1 to 1000, found \"ten\"", "\"ten\"")],
        ),
        (
            "[search]\nlimit = 2.5",
            &[("2: `search.limit`: expected a whole number from 1 to 1000, found 2.5", "2.5")],
        ),
        (
            "[search]\nlimit = 0",
            &[("2: `search.limit`: expected a whole number from 1 to 1000, found 0", "0")],
        ),
        (
            "[search]\nlimit = 99999999999999999999",
            &[("2: `search.limit`: 99999999999999999999 does not fit into 64 bits", "99999999999999999999")],
        ),
        (
            "[search]\nfuzzy_distance = 3",
            &[("2: `search.fuzzy_distance`: expected a whole number from 0 to 2, found 3", "3")],
        ),
        (
            "[search]\nfuzzy = \"yes\"",
            &[("2: `search.fuzzy`: expected true or false, found \"yes\"", "\"yes\"")],
        ),
        (
            "[search]\ncutoff_ratio = 1.5",
            &[("2: `search.cutoff_ratio`: expected a number from 0 to 1, found 1.5", "1.5")],
        ),
        (
            "[search]\ncutoff_ratio = nan",
            &[("2: `search.cutoff_ratio`: expected a number from 0 to 1, found NaN", "nan")],
        ),
        (
            "[settings]\nlocal_boost = inf",
            &[("2: `settings.local_boost`: expected a number from 0.01 to 100, found inf", "inf")],
        ),
        (
            "[settings]\nmax_chunk_size = -1",
            &[("2: `settings.max_chunk_size`: expected a whole number of at least 1, found -1", "-1")],
        ),
        (
            "[search]\nlimit = [1]",
            &[("2: `search.limit`: expected a whole number from 1 to 1000, found array", "[1]")],
        ),
        ("search = 3", &[("1: `search`: expected a table, found integer", "3")]),
        ("trees = \"docs\"", &[("1: `trees`: expected a table, found string", "\"docs\"")]),
        ("[trees]\na = 3", &[("2: `trees.a`: expected a path or a table with `path`, found integer", "3")]),
        ("[trees]\na = \"\"", &[("2: the tree `a` has no path | a = \"./docs\"", "\"\"")]),
        (
            "[trees]\na = { include = [\"x\"] }",
            &[("2: the tree `a` has no path | a = \"./docs\"", "{ include = [\"x\"] }")],
        ),
        ("[trees]\na = { path = 1 }", &[("2: `trees.a.path`: expected a text, found integer", "1")]),
        (
            "[trees]\na = { path = \".\", exlude = [] }",
            &[("2: unknown key `exlude` in the tree `a` | did you mean `exclude`?", "exlude")],
        ),
        (
            "[trees]\na = { path = \".\", include = [1, \"x\", 2] }",
            &[
                ("2: `trees.a.include`: expected a text, found integer", "1"),
                ("2: `trees.a.include`: expected a text, found integer", "2"),
            ],
        ),
        (
            "[trees]\na = { path = \".\", ignore = 1 }",
            &[("2: `trees.a.ignore`: expected true or false, found integer", "1")],
        ),
        (
            "[trees]\n\"a b\" = \".\"",
            &[(
                "2: `a b` is not a tree name: it must have 1 to 200 characters, and none of `:`, `#`, `/`, spaces and control characters",
                "\"a b\"",
            )],
        ),
        (
            "[trees]\na = { path = \".\", include = [\"a[\"] }",
            &[("2: not a valid glob: unclosed character class; missing ']'", "\"a[\"")],
        ),
        (
            "[trees]\na = { path = \".\", exclude = [\"{a\"] }",
            &[(
                "2: not a valid glob: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
                "\"{a\"",
            )],
        ),
        (
            "[context.patterns]\n\"x[\" = [\"a\"]",
            &[("2: not a valid glob: unclosed character class; missing ']'", "\"x[\"")],
        ),
        (
            "[context.patterns]\n\"*.x\" = 3",
            &[("2: `context.patterns.\"*.x\"`: expected a list of texts, found integer", "3")],
        ),
        ("include = 3", &[("1: `include`: expected an array of tables, [[include]], found integer", "3")]),
        (
            "[include]\ntree = \"a\"",
            &[("1: `include`: expected an array of tables, [[include]], found table", "[include]")],
        ),
        (
            "[trees]\ndocs = \".\"\n[[include]]\ntree = \"dosc\"\npattern = \"*\"",
            &[("4: there is no tree `dosc` | did you mean `docs`?", "\"dosc\"")],
        ),
        (
            "[[include]]\ntree = \"a\"\npattern = \"*\"",
            &[("2: there is no tree `a` | define it under [trees]: a = \"./docs\"", "\"a\"")],
        ),
        (
            "[trees]\na = \".\"\n[[include]]\ntree = \"a\"\npattern = 3",
            &[("5: `include.pattern`: expected a text, found integer", "3")],
        ),
        (
            "[trees]\na = \".\"\n[[include]]\ntree = \"a\"\npatern = \"x\"",
            &[
                ("3: [[include]] needs `tree` and `pattern`", "[[include]]"),
                ("5: unknown key `patern` in [[include]] | did you mean `pattern`?", "patern"),
            ],
        ),
        ("[search]\nlimit = 3\nlimit = 4", &[("3: duplicate key", "limit")]),
    ];
    for (text, expected) in cases {
        let env = TestEnv::with(&[("work/.ra.toml", text)]);
        let (lines, marked) = problems(&env, "work");
        let wanted: Vec<&str> = expected.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, wanted, "{text}");
        let underlined: Vec<&str> = expected.iter().map(|(_, mark)| *mark).collect();
        assert_eq!(marked, underlined, "{text}");
    }
}

#[test]
fn a_language_that_is_not_known_gets_the_list_of_those_that_are() {
    let env = TestEnv::with(&[("work/.ra.toml", "[search]\nstemmer = \"klingon\"\n")]);
    let (lines, _) = problems(&env, "work");
    assert!(lines[0].starts_with("2: `search.stemmer`: expected one of auto, arabic, danish, "), "{lines:?}");
    assert!(lines[0].ends_with("turkish, none, found \"klingon\""), "{lines:?}");
}

#[test]
fn keys_of_the_older_design_say_what_replaced_them() {
    let text = include_str!("fixtures/superseded.toml");
    let env = TestEnv::with(&[("work/.ra.toml", text)]);
    let old = "belongs to an older design and is no longer read";
    assert_eq!(
        problems(&env, "work").0,
        [
            format!("2: `merge_threshold` {old} | use `min_aggregation_matches` and `aggregation_threshold`"),
            format!(
                "3: `merge_bonus` {old} | an aggregated score is the sum of its parts' up to `score_cap_multiplier`"
            ),
            format!(
                "4: `max_merge_depth` {old} | a document replaces its sections only when it matches itself or all of them do"
            ),
        ]
    );
    let sizes = "[settings]\nmax_leaf_chars = 1\nmin_leaf_chars = 1\nmin_document_chars = 1\n";
    env.write("work/.ra.toml", sizes);
    let found = env.problems("work");
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|problem| problem.message.ends_with(old) && problem.hint.is_some()));
}

#[test]
fn all_problems_of_all_files_come_at_once_in_the_order_of_the_lines() {
    let env = TestEnv::with(&[
        ("home/.ra.toml", "[trees]\nx = 1\n"),
        ("a/.ra.toml", "zebra = 1\n[settings]\nlocal_boost = 0\n"),
        (
            "a/b/.ra.toml",
            "[trees]\ndocs = { path = \"docs\", include = [\"a[\"] }\n\n[[include]]\ntree = \"nothing\"\npattern = \"*\"\n\n\
             [search]\nlimit = 0\nfuzy = true\n\n[context]\nlimit = \"x\"\n",
        ),
    ]);
    let found: Vec<String> = env
        .problems("a/b")
        .iter()
        .map(|problem| format!("{}:{}", env.name(&problem.file), problem.line()))
        .collect();
    let expected = [
        "home/.ra.toml:2",
        "a/.ra.toml:1",
        "a/.ra.toml:3",
        "a/b/.ra.toml:2",
        "a/b/.ra.toml:5",
        "a/b/.ra.toml:9",
        "a/b/.ra.toml:10",
        "a/b/.ra.toml:13",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_syntax_error_does_not_hide_the_rest_of_the_file() {
    for (text, lines) in [
        ("[search\nlimit = 0\n", &[1][..]),
        ("[search]\nlimit =\nfuzy = true\n", &[2, 3]),
        ("[search]\nlimit = \"open\nfuzy = true\n", &[2, 3]),
        ("[search]\nlimit 3\nfuzy = true\n", &[2]),
        ("= 3\n[search]\nlimit = 0\n", &[1, 3]),
        ("{{{{", &[1]),
        ("[search]\nlimit = 3\n[search]\nfuzzy = 3\n", &[3]),
    ] {
        let env = TestEnv::with(&[("work/.ra.toml", text)]);
        let found = env.problems("work");
        let mut at: Vec<usize> = found.iter().map(|problem| problem.line()).collect();
        at.dedup();
        assert!(lines.iter().all(|line| at.contains(line)), "{text:?}: {found:?}");
        assert!(found.iter().all(|problem| !problem.message.is_empty()));
    }
}

#[test]
fn a_file_that_is_not_text_is_an_error_that_names_it() {
    let env = TestEnv::new();
    env.write("work/.ra.toml", b"[search]\nlimit = \xff\n");
    let error = env.config_with("work", &[]).unwrap_err();
    assert!(error.to_string().starts_with("could not read the configuration "), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn any_text_is_either_a_configuration_or_a_list_of_problems() {
    use proptest::prelude::*;
    let pieces = [
        "[",
        "]",
        "[[",
        "]]",
        "=",
        "\n",
        "\n",
        "\n",
        "\"",
        "'",
        "{",
        "}",
        ",",
        ".",
        "#",
        "trees",
        "include",
        "search",
        "limit",
        "context.patterns",
        "path",
        "a",
        "3",
        "-1",
        "true",
        "1e9",
        "\u{e9}",
        "\0",
        " ",
        "\"x\" = ",
        "pattern",
        "tree",
        "\\u",
        "1979-05-27",
    ];
    let strategy = proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..24);
    let env = TestEnv::new();
    proptest!(ProptestConfig { failure_persistence: None, ..cases(400) }, |(parts in strategy)| {
        let text = parts.concat();
        env.write("work/.ra.toml", &text);
        for problem in env.problems("work") {
            prop_assert!(problem.span.end <= text.len() && text.is_char_boundary(problem.span.start));
            prop_assert!(!problem.message.is_empty() && problem.line() >= 1);
        }
    });
}
