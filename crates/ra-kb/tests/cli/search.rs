//! `ra search`: the output and its formats.

use crate::fixture_project::{fixture_project, run};
use crate::sandbox::Sandbox;

#[test]
fn results_are_printed_with_their_text() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(run(&sandbox, &["search", "body:error -codes", "-t", "docs"]), @r"
    exit code 0
    --- stdout
    ─── docs:guide.md#error-handling (lines 11-22) [aggregated: 3 matches] ───
    > The Guide › Error handling

    # Error handling

    Errors are values.

    ## The Result type

    Return an error with `?` to the caller.

    ## The Option type

    An error without a reason.

    --- stderr
    note: what `-` excludes leaves out 1 of 4 sections
    hint: `\-codes` looks for an option of this name
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "installation"]), @"
    exit code 0
    --- stdout
    ─── docs:guide.md#installation (lines 7-10) ───
    > The Guide › Installation

    # Installation

    Download it, then run `setup`.
    ");
}

#[test]
fn a_list_has_ids_and_snippets() {
    insta::assert_snapshot!(run(&fixture_project(), &["search", "error codes", "--list"]), @"
    exit code 0
    --- stdout
    docs:api/errors.md (lines 1-7, 13 tokens) [aggregated: 2 matches] #
        Error codes
        best: docs:api/errors.md#error-codes (lines 1-4)
        Every error has a code.
    notes:todo.txt (lines 1-2, 10 tokens) #
        todo
        Write about error codes. Ask about getUserName.
    docs:guide.md#error-handling (lines 11-22, 24 tokens) [aggregated: 3 matches] #
        The Guide › Error handling
        Errors are values.
    --- stderr
    note: from result 3 on, sections lack: codes
    ");
}

#[test]
fn near_words_in_the_place_of_an_unknown_one_are_named() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(run(&sandbox, &["search", "reqests", "--list"]), @"
    exit code 0
    --- stdout
    docs:api/errors.md#limits (lines 5-7, 6 tokens) #
        Error codes › Limits
        Ten requests a second.
    --- stderr
    note: no section has: reqests
    note: instead of `reqests`, similar words were looked for: requests
    ");
    let answer = sandbox.json(&["search", "reqests"]);
    assert_eq!(answer["queries"][0]["unknown_words"], serde_json::json!(["reqests"]));
    let nearest = &answer["queries"][0]["nearest_words"][0];
    assert_eq!(nearest["nearest"], serde_json::json!(["requests"]));
    assert_eq!(nearest["looked_for"], true);
}

#[test]
fn a_path_is_one_of_the_disk_or_of_a_tree() {
    let sandbox = fixture_project();
    let found = |path: &str| {
        let answer = sandbox.json(&["search", "error", "--path", path]);
        let results = answer["queries"][0]["results"].as_array().cloned().unwrap_or_default();
        results
            .iter()
            .map(|result| result["path"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let absolute = sandbox.path("docs/api").display().to_string();
    for path in [
        "api",
        "api/",
        "./api/",
        "docs/api",
        "./docs/api/",
        "notes/../docs/api",
        "docs/./api",
        "docs:api",
        "docs/api/errors.md",
        &absolute,
    ] {
        assert_eq!(found(path), ["api/errors.md"], "{path}");
    }
    assert_eq!(found("docs"), found("docs:"));
    assert!(found("docs").len() > 1 && !found("docs").contains(&"todo.txt".to_owned()));
    assert_eq!(found("notes/api"), [""; 0]);
    assert!(found(".").contains(&"todo.txt".to_owned()), "all trees lie below");
    // From within a tree, and in a nested tree.
    sandbox.write(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nzapi = \"docs/api\"\n");
    let inner = sandbox.json(&["-C", "docs/api", "search", "error", "--path", "./errors.md", "-t", "zapi"]);
    assert_eq!(inner["queries"][0]["results"][0]["id"], "zapi:errors.md", "{inner}");
}

#[test]
fn a_budget_is_kept_whatever_the_results_look_like() {
    let sandbox = fixture_project();
    let deep = "a-directory-with-a-long-name/".repeat(6);
    let blanks: String =
        (0..300).map(|nr| [" \t", "\u{2003}", "\u{a0} ", "\u{3000}"][nr % 4].repeat(3) + "\n").collect();
    let title = (0..20u64)
        .map(|nr| format!("{:x}", (nr + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect::<Vec<_>>();
    sandbox.write(&format!("docs/{deep}short-lines.md"), format!("# T\n\n{}", "zebra\n".repeat(200)));
    sandbox.write("docs/blanks.md", format!("{blanks}# A\n\nzebra\n\n# B\n\nzebra\n\n# C\n\nzebra\n"));
    sandbox.write("docs/end.md", format!("# {}\n\nzebra here\n{}", title.join(" "), "\n".repeat(3000)));
    let long = "x".repeat(3000);
    for view in [
        &[][..],
        &["--matches"],
        &["--list"],
        &["--expand"],
        &["--group", "error", "unheard"],
        &["--group", &long],
    ] {
        for budget in [1, 10, 20, 150, 400, 700, 1000, 2500] {
            let tokens = budget.to_string();
            let args = [&["search", "zebra", "--max-tokens", &tokens][..], view].concat();
            let output = sandbox.command().args(&args).output().unwrap();
            let shown = ra_core::tokens::count(&String::from_utf8_lossy(&output.stdout));
            assert!(shown <= budget, "{args:?}: {shown}");
        }
    }
}

#[test]
fn what_cannot_fit_does_not_take_the_others_with_it() {
    let sandbox = fixture_project();
    sandbox.write("docs/long.md", format!("# {}\n\nzebra\n", "zebra heading ".repeat(1000)));
    sandbox.write("docs/short.md", "# Zebra\n\nA zebra has stripes.\n");
    for view in [&[][..], &["--matches"], &["--list"]] {
        let args = [&["search", "zebra", "--max-tokens", "1000"][..], view].concat();
        let shown = sandbox.run(&args);
        assert!(shown.contains("short.md"), "{args:?}: {shown}");
    }
}

#[test]
fn as_many_matching_lines_are_shown_as_fit() {
    let sandbox = fixture_project();
    let lines: String = (1..=30).map(|nr| format!("line {nr} about zebra stripes\n")).collect();
    sandbox.write("docs/stripes.md", format!("# Stripes\n\n{lines}"));
    let shown = sandbox.run(&["search", "--matches", "--max-tokens", "300", "zebra"]);
    let found = shown.lines().filter(|line| line.starts_with("docs/stripes.md:")).count();
    assert!((5..30).contains(&found), "{shown}");
    assert!(shown.contains(&format!("+{} more lines in docs/stripes.md", 30 - found)), "{shown}");
}

#[test]
fn what_a_budget_leaves_out_is_not_called_missing() {
    for tokens in ["1", "12"] {
        let answer = run(&fixture_project(), &["search", "error", "--list", "--max-tokens", tokens]);
        assert!(!answer.contains("nothing matches"), "{answer}");
    }
}

#[test]
fn matching_lines_look_like_those_of_grep() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(run(&sandbox, &["search", "--matches", "error"]), @"
    exit code 0
    --- stdout
    docs/api/errors.md:1:# Error codes
    docs/api/errors.md:3:Every error has a code.
    docs/guide.md:11:# Error handling
    docs/guide.md:13:Errors are values.
    docs/guide.md:17:Return an error with `?` to the caller.
    docs/guide.md:21:An error without a reason.
    notes/todo.txt:1:Write about error codes.
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--matches", "\"error codes\""]), @"
    exit code 0
    --- stdout
    docs/api/errors.md:1:# Error codes
    notes/todo.txt:1:Write about error codes.
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--matches", "username"]), @r#"
    exit code 0
    --- stderr
    note: no section has: username
    note: nothing matches "username"
    "#);
}

#[test]
fn queries_are_joined_or_kept_apart() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "title:installation", "limits"]), @"
    exit code 0
    --- stdout
    docs:api/errors.md#limits (lines 5-7, 6 tokens) #
        Error codes › Limits
        Ten requests a second.
    docs:guide.md#installation (lines 7-10, 9 tokens) #
        The Guide › Installation
        Download it, then run `setup`.
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--group", "limits", "requests", "zebra"]), @r#"
    exit code 0
    --- stdout
    ─── query: limits ───
    ─── docs:api/errors.md#limits (lines 5-7) ───
    > Error codes › Limits

    # Limits

    Ten requests a second.

    ─── query: requests ───
    ─── docs:api/errors.md#limits (above)
    ─── query: zebra ───
    --- stderr
    note: "zebra": no section has: zebra
    note: nothing matches "zebra"
    "#);
}

#[test]
fn a_match_without_a_line_is_not_passed_over_in_silence() {
    let shown = fixture_project().run(&["search", "--matches", "path:todo.txt"]);
    insta::assert_snapshot!(shown, @"
    exit code 0
    --- stderr
    note: 1 result without a line to show: what matches is not in the text
    hint: --list shows all of them
    ");
}

#[test]
fn the_explanation_shows_every_stage() {
    let sandbox = fixture_project();
    let shown = run(&sandbox, &["search", "--explain", "--list", "eror -caller"]);
    for part in [
        "read as: eror -caller\n",
        "word    sections  rarity  looked for\n",
        "retrieved: 5 chunks\n",
        "scores are divided by: #, the best possible\n",
        "cut: none\n",
        "aggregated into: 4 results\n",
        "docs:api/errors.md @1",
        "eror×# error×#",
        "caller×#\n",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let explained = sandbox.json(&["search", "--explain", "limits"]);
    let explain = &explained["queries"][0]["explain"];
    assert_eq!(explain["read_as"], "limits");
    assert_eq!(explain["words"][0]["matches"], 1);
    assert_eq!(explain["hits"][0]["document"], "docs:api/errors.md");
    assert!(explain["hits"][0]["score"].as_f64() > Some(0.0));
}

#[test]
fn scopes_choose_where_to_look() {
    let sandbox = fixture_project();
    let listed = |args: &[&str]| {
        let shown = sandbox
            .run(&[&["search", "error OR guide OR write", "--list", "--no-aggregation"], args].concat());
        let mut ids: Vec<String> = shown
            .lines()
            .filter(|line| line.contains(" (lines "))
            .filter_map(|line| line.split(' ').next().map(str::to_owned))
            .collect();
        ids.sort();
        ids.join(" ")
    };
    insta::assert_snapshot!(listed(&["-t", "notes"]), @"notes:todo.txt");
    insta::assert_snapshot!(listed(&["--path", "api/"]), @"docs:api/errors.md#error-codes docs:api/errors.md#limits docs:api/guide.md#api-guide");
    insta::assert_snapshot!(listed(&["--path", "./api", "--path", "todo.txt"]), @"docs:api/errors.md#error-codes docs:api/errors.md#limits docs:api/guide.md#api-guide notes:todo.txt");
    insta::assert_snapshot!(listed(&["--tag", "net"]), @"docs:guide.md docs:guide.md#error-handling docs:guide.md#installation docs:guide.md#the-option-type docs:guide.md#the-result-type docs:guide.md#überblick");
    insta::assert_snapshot!(listed(&["--tag", "rust", "--tag", "none"]), @"");
    insta::assert_snapshot!(listed(&["-t", "docs", "-t", "notes", "-n", "2"]), @"docs:guide.md#error-handling notes:todo.txt");
    insta::assert_snapshot!(run(&sandbox, &["search", "x", "-t", "dosc"]), @"
    exit code 2
    --- stderr
    error: --tree: there is no tree `dosc`
    hint: did you mean `docs`?
    ");
}

#[test]
fn the_order_can_be_chosen() {
    let sandbox = fixture_project();
    let order = |sort: &str| {
        let shown = sandbox.run(&["search", "error OR guide", "--list", "--no-aggregation", "--sort", sort]);
        let ids = shown.lines().filter(|line| line.contains(" (lines ")).map(|line| {
            let id = line.split(' ').next().unwrap_or_default();
            id.split('#').next().unwrap_or_default().to_owned()
        });
        let mut ids: Vec<String> = ids.collect();
        ids.dedup();
        ids.join(" ")
    };
    insta::assert_snapshot!(order("date"), @"notes:todo.txt docs:api/guide.md docs:api/errors.md docs:guide.md");
    insta::assert_snapshot!(order("path"), @"docs:api/errors.md docs:api/guide.md docs:guide.md notes:todo.txt");
}

#[test]
fn aggregation_can_be_turned_off() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "-t", "docs", "title:\"error handling\""]), @"
    exit code 0
    --- stdout
    docs:guide.md#error-handling (lines 11-22, 24 tokens) [aggregated: 3 matches] #
        The Guide › Error handling
        Errors are values.
    ");
    insta::assert_snapshot!(
        run(&sandbox, &["search", "--list", "--no-aggregation", "-t", "docs", "title:\"error handling\""]),
        @"
    exit code 0
    --- stdout
    docs:guide.md#error-handling (lines 11-14, 5 tokens) #
        The Guide › Error handling
        Errors are values.
    docs:guide.md#the-result-type (lines 15-18, 12 tokens) #
        The Guide › Error handling › The Result type
        Return an error with `?` to the caller.
    docs:guide.md#the-option-type (lines 19-22, 7 tokens) #
        The Guide › Error handling › The Option type
        An error without a reason.
    "
    );
}

#[test]
fn json_has_the_documented_shape() {
    let sandbox = fixture_project();
    let mut found = sandbox.json(&["search", "caller"]);
    let index = found["index"].take();
    let score = found["queries"][0]["results"][0]["score"].take();
    assert!(score.as_f64() > Some(0.0), "{score}");
    assert!(index["generation"].as_u64() > Some(0), "{index}");
    assert!(index["checked"].is_string() || index["checked"].is_number(), "{index}");
    insta::assert_snapshot!(serde_json::to_string_pretty(&found).unwrap(), @r###"
    {
      "version": 1,
      "queries": [
        {
          "query": "caller",
          "results": [
            {
              "id": "docs:guide.md#the-result-type",
              "tree": "docs",
              "path": "guide.md",
              "file": "docs/guide.md",
              "title": "The Result type",
              "breadcrumb": "The Guide › Error handling › The Result type",
              "lines": [
                15,
                18
              ],
              "language": "en",
              "score": null,
              "tokens": 12,
              "snippet": "Return an error with `?` to the <b>caller</b>.",
              "shown": "whole",
              "content": "## The Result type\n\nReturn an error with `?` to the caller.\n\n",
              "match_ranges": [
                [
                  52,
                  58
                ]
              ]
            }
          ],
          "total_matches": 1,
          "relaxed": false
        }
      ],
      "index": null
    }
    "###);
    let item = &found["queries"][0]["results"][0];
    let content = item["content"].as_str().unwrap();
    for range in item["match_ranges"].as_array().unwrap() {
        let (from, to) = (range[0].as_u64().unwrap() as usize, range[1].as_u64().unwrap() as usize);
        assert_eq!(&content[from..to], "caller");
    }
    let merged = sandbox.json(&["search", "title:\"error handling\"", "-t", "docs"]);
    let item = &merged["queries"][0]["results"][0];
    assert!(item["match_ranges"].is_null(), "the matches of a section are those of its parts: {item}");
    assert_eq!(item["parts"].as_array().map(Vec::len), Some(3));
    let nothing = sandbox.json(&["search", "xylophone"]);
    assert_eq!(nothing["queries"][0]["results"], serde_json::json!([]));
    assert_eq!(nothing["queries"][0]["unknown_words"], serde_json::json!(["xylophone"]));
}

#[test]
fn an_empty_answer_is_an_answer_and_explains_itself() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(run(&sandbox, &["search", "xylophone"]), @r#"
    exit code 0
    --- stderr
    note: no section has: xylophone
    note: nothing matches "xylophone"
    "#);
    insta::assert_snapshot!(run(&sandbox, &["search", "xylophone error codes"]), @"
    exit code 0
    --- stdout
    ─── docs:api/errors.md (lines 1-7) [aggregated: 2 matches] ───
    > Error codes

    # Error codes

    Every error has a code.

    # Limits

    Ten requests a second.

    ─── docs:guide.md#error-handling (lines 11-22) [aggregated: 3 matches] ───
    > The Guide › Error handling

    # Error handling

    Errors are values.

    ## The Result type

    Return an error with `?` to the caller.

    ## The Option type

    An error without a reason.

    ─── notes:todo.txt (lines 1-2) ───
    > todo

    Write about error codes.
    Ask about getUserName.

    --- stderr
    note: no section has every word; those with most of them come first
    note: no section has: xylophone
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "tree:dosc error"]), @r#"
    exit code 0
    --- stderr
    note: there is no tree `dosc`
    hint: did you mean `tree:docs`?
    note: nothing matches "tree:dosc error"
    hint: 6 sections match without `tree:dosc`: error
    "#);
}

#[test]
fn odd_queries_get_a_sensible_answer_or_a_clear_error() {
    let sandbox = fixture_project();
    insta::assert_snapshot!(run(&sandbox, &["search", ""]), @"
    exit code 2
    --- stderr
    error: the query is empty
    hint: give at least one word, for example `error handling`
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--", "-only"]), @"
    exit code 2
    --- stderr
    error: the query only excludes: it says what must not match, but not what should
    hint: add a word to search for, or a filter: `rust -deprecated`, `tree:docs -draft`
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "\"requests a second"]), @r#"
    exit code 0
    --- stdout
    docs:api/errors.md#limits (lines 5-7, 6 tokens) #
        Error codes › Limits
        Ten requests a second.
    --- stderr
    note: this quote is never closed; the phrase is read to the end (at character 1)
    hint: add the closing quote, or write `\"` to mean the character
    "#);
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "titel:limits"]), @"
    exit code 0
    --- stdout
    docs:api/errors.md#limits (lines 5-7, 6 tokens) #
        Error codes › Limits
        Ten requests a second.
    --- stderr
    note: `titel` is not a field, so `titel:` is read as text (at character 1)
    hint: did you mean `title:`?
    note: one match that scores far less is left out (`cutoff_ratio`)
    hint: `cutoff_ratio = 0` under [search] keeps them
    note: no section has every word; those with most of them come first
    note: no section has: titel:limits
    hint: near `titel:limits`: title
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "*"]), @r#"
    exit code 0
    --- stderr
    note: `*` has no letters or digits and was passed over
    note: nothing matches "*"
    "#);
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "🦀"]), @r#"
    exit code 0
    --- stderr
    note: `🦀` has no letters or digits and was passed over
    note: nothing matches "🦀"
    "#);
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "limits 🦀 *"]), @"
    exit code 0
    --- stdout
    docs:api/errors.md#limits (lines 5-7, 6 tokens) #
        Error codes › Limits
        Ten requests a second.
    --- stderr
    note: `🦀` has no letters or digits and was passed over
    note: `*` has no letters or digits and was passed over
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--list", "limits AND NOT zebra"]), @"
    exit code 0
    --- stdout
    docs:api/errors.md#limits (lines 5-7, 6 tokens) #
        Error codes › Limits
        Ten requests a second.
    --- stderr
    note: `AND` isn't needed: words next to each other are combined anyway (at character 8)
    hint: leave it out; `OR` binds tighter, so group with parentheses: `(a b) OR c`
    note: `NOT` is read as `-` (at character 12)
    hint: write `-` directly before what to exclude: `-word`
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--raw", "title:("]), @"
    exit code 2
    --- stderr
    error: the raw query cannot be parsed: Syntax Error: title:(
    hint: in the query language of ra itself, anything can be read
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "--raw", "--list", "+title:limits"]), @"
    exit code 0
    --- stdout
    docs:api/errors.md#limits (lines 5-7, 6 tokens) #
        Error codes › Limits
        Ten requests a second.
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "x", "-n", "0"]), @"
    exit code 2
    --- stderr
    error: --limit: expected a whole number from 1 to 1000, found 0
    ");
    let shown = run(&sandbox, &["search", "x", "--limit", "-1"]);
    assert!(shown.contains("error: --limit: expected a whole number from 1 to 1000, found -1\n"), "{shown}");
    let shown = run(&sandbox, &["search", "x", "--max-tokens", "many"]);
    assert!(shown.contains("'many' for '--max-tokens <N>': expected a whole number\n"), "{shown}");
    insta::assert_snapshot!(run(&sandbox, &["search"]), @"
    exit code 2
    --- stderr
    error: the following required arguments were not provided:
      <QUERY>...

    Usage: ra search <QUERY>...

    For more information, try '--help'.
    ");
}

#[test]
fn huge_queries_are_answered() {
    let sandbox = fixture_project();
    let long = "error handling ".repeat(7_000);
    let many: String = "limits ".to_owned() + &(0..1_000).map(|nr| format!("term{nr} ")).collect::<String>();
    let alternatives = many.trim().replace(' ', " OR ");
    let one = "x".repeat(100_000);
    let nested = format!("{}limits{}", "(".repeat(20_000), ")".repeat(20_000));
    let excluded = format!("limits {}", (0..1_000).map(|nr| format!("-word{nr} ")).collect::<String>());
    let phrase = format!("\"{long}\"");
    for query in [&long, &many, &one, &nested, &phrase] {
        let output = sandbox.command().args(["search", "--list", query]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}…: {error}", &query[..40]);
        assert!(!error.contains("panicked"), "{error}");
    }
    let found = |query: &str| sandbox.json(&["search", query])["queries"][0]["results"][0]["id"].clone();
    assert_eq!(found(&many), "docs:api/errors.md#limits");
    assert_eq!(found(&nested), "docs:api/errors.md#limits");
    for query in [&alternatives, &excluded] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(sandbox.run(&["search", query]), @"
            exit code 2
            --- stderr
            error: the query has 1001 words, phrases and exclusions; at most 128 are searched for
            hint: leave out what matters least, or ask in several queries
            ");
        }
    }
}

#[test]
fn flags_may_follow_the_query() {
    let sandbox = fixture_project();
    let before = sandbox.run(&["search", "--list", "-n", "1", "limits"]);
    assert_eq!(sandbox.run(&["search", "limits", "--list", "-n", "1"]), before);
    assert!(before.contains("docs:api/errors.md#limits"), "{before}");
    for args in [
        &["search", "x", "--nonsense"][..],
        &["search", "x", "-n", "many"],
        &["search", "x", "--sort", "size"],
    ] {
        let shown = sandbox.run(args);
        assert!(shown.starts_with("exit code 2\n--- stderr\nerror: "), "{shown}");
    }
}

#[test]
fn piped_output_has_no_escape_codes_of_its_own() {
    let sandbox = fixture_project();
    sandbox.write("docs/evil.md", "# Evil \u{1b}[31mred\n\nzebra \u{1b}]0;title\u{7} end\n");
    for args in [
        &["search", "zebra"][..],
        &["search", "zebra", "--list"],
        &["search", "zebra", "--matches"],
        &["search", "error", "--explain"],
        &["ls", "docs"],
        &["status"],
        &["search", "xylophone"],
    ] {
        let output = sandbox.command().args(args).output().unwrap();
        let own = [&output.stdout[..], &output.stderr[..]].concat();
        let text = String::from_utf8_lossy(&own);
        assert!(
            !text.contains("\u{1b}[1m") && !text.contains("\u{1b}[0m") && !text.contains("\u{1b}[2m"),
            "{args:?}"
        );
    }
}

#[test]
fn without_a_configuration_the_folder_is_searched_and_left_as_it_is() {
    let sandbox = Sandbox::with(&[("a.md", "# A\n\nzebra\n"), ("sub/b.md", "# B\n\nlion\n")]);
    let shown = sandbox.run(&["search", "zebra OR lion", "--list"]);
    assert!(shown.contains("local:a.md#a ") && shown.contains("local:sub/b.md#b "), "{shown}");
    assert!(!sandbox.path(".ra").exists());
    assert!(sandbox.path("~/.cache/ra").is_dir());
}

#[test]
fn a_damaged_index_is_rebuilt_without_a_word_about_it_being_wrong() {
    let sandbox = fixture_project();
    let before = sandbox.run(&["search", "error"]);
    let stores = std::fs::read_dir(sandbox.index("")).unwrap().flatten().map(|entry| entry.path());
    let store = stores.into_iter().find(|path| path.is_dir()).unwrap();
    for entry in std::fs::read_dir(store).unwrap().flatten() {
        let half = std::fs::read(entry.path()).unwrap();
        std::fs::write(entry.path(), &half[..half.len() / 2]).unwrap();
    }
    let after = sandbox.run(&["search", "error"]);
    assert_eq!(after.split("--- stderr").next(), before.split("--- stderr").next());
}

#[test]
fn an_index_that_breaks_in_the_middle_of_a_search_is_no_crash() {
    let sandbox = fixture_project();
    let before = sandbox.run(&["search", "error"]);
    let store = || {
        let entries = std::fs::read_dir(sandbox.index("")).unwrap().flatten();
        entries.map(|entry| entry.path()).find(|path| path.is_dir() && !path.ends_with("damaged")).unwrap()
    };
    for extension in ["term", "idx", "pos", "store", "fast"] {
        let files = std::fs::read_dir(store()).unwrap().flatten().map(|entry| entry.path());
        for path in files.filter(|path| path.extension().is_some_and(|found| found == extension)) {
            let mut bytes = std::fs::read(&path).unwrap();
            // Keep the footer, so the file can still be opened.
            let body = bytes.len() - bytes.len().min(200);
            bytes[..body].fill(0xff);
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, bytes).unwrap();
        }
        let after = sandbox.run(&["search", "error"]);
        assert!(!after.contains("panicked"), "{extension}: {after}");
        assert!(after.starts_with("exit code 0"), "{extension}: {after}");
        assert_eq!(after.split("--- stderr").next(), before.split("--- stderr").next(), "{extension}");
        sandbox.run(&["update"]);
        assert_eq!(sandbox.run(&["search", "error"]), before, "{extension}");
    }
}

/// A page with front matter, code that a sentence announces, and enough text around it to be cut.
fn long_page() -> String {
    let filler = "The river bends here and there, and nothing else happens for a long while.\n\n".repeat(30);
    format!(
        "---\ntitle: Herons\nweight: 10\n---\n\n{filler}To see a heron strike, run this:\n\n\
         ```sh\nheron strike --now\n```\n\n{filler}## Nests\n\nA heron nests in trees.\n"
    )
}

#[test]
fn what_is_announced_is_shown_with_its_announcement() {
    let sandbox = Sandbox::with(&[("docs/herons.md", &long_page())]);
    for query in ["heron strike", "strike --now"] {
        for budget in ["120", "300", "1000"] {
            let shown = sandbox.run(&["search", "--max-tokens", budget, "--", query]);
            let sentence = shown.contains("run this:\n\n```sh\nheron strike --now\n```\n");
            assert!(sentence, "{query}, {budget}: {shown}");
        }
    }
}

#[test]
fn front_matter_is_not_shown_unless_it_is_all_there_is() {
    let sandbox = Sandbox::with(&[
        ("docs/a.md", "---\ntitle: Herons\nweight: 10\n---\n\nThey wade.\n"),
        ("docs/b.md", "---\ntitle: Storks\nweight: 20\n---\n"),
        (
            "docs/c.md",
            "---\ntitle: Egrets\nweight: 30\n---\n\n# Egrets\n\nThey fish.\n\n## Food\n\nAn egret eats.\n",
        ),
    ]);
    insta::assert_snapshot!(run(&sandbox, &["search", "herons"]), @r"
    exit code 0
    --- stdout
    ─── local:docs/a.md (lines 6-6) ───
    > Herons

    They wade.
    ");
    assert!(sandbox.run(&["search", "storks"]).contains("weight: 20"));
    for flags in [&[][..], &["--expand"]] {
        let shown = sandbox.run(&[&["search", "egrets"], flags].concat());
        assert!(shown.contains("They fish.") && !shown.contains("weight: 30"), "{shown}");
    }
    assert!(sandbox.run(&["get", "a.md"]).contains("weight: 10"));
}

#[test]
fn a_document_that_begins_with_nothing_but_comments_is_shown_from_its_first_section() {
    let sandbox = Sandbox::with(&[
        (
            "docs/a.md",
            "---\ntitle: Herons\nweight: 10\n---\n\n<!--\nMade by a program.\n-->\n\n## Life\n\nThey wade.\n\n## Food\n\nFish.\n",
        ),
        ("docs/b.md", "<!-- overview -->\n\nStorks clatter.\n"),
        ("docs/c.md", "<!-- egret -->\n"),
    ]);
    insta::assert_snapshot!(run(&sandbox, &["search", "--no-aggregation", "-n", "1", "herons"]), @r"
    exit code 0
    --- stdout
    ─── local:docs/a.md (lines 10-13) ───
    > Herons

    ## Life

    They wade.
    ");
    insta::assert_snapshot!(run(&sandbox, &["search", "storks"]), @r"
    exit code 0
    --- stdout
    ─── local:docs/b.md (lines 3-3) ───
    > b

    Storks clatter.
    ");
    assert!(sandbox.run(&["search", "egret"]).contains("<!-- egret -->"));
}

#[test]
fn the_first_section_of_such_a_document_is_shown_before_others_that_match() {
    let (life, food) = ("They wade. ".repeat(50), "Herons of the north eat fish. ".repeat(30));
    let page = format!(
        "---\ntitle: Herons of the north\n---\n\n<!-- made -->\n\n## Life\n\n{life}\n\n## Food\n\n{food}\n\n\
         ## Nests\n\nHerons of the north nest.\n\n## Range\n\n{}",
        "The river bends here and there.\n\n".repeat(100)
    );
    let sandbox = Sandbox::with(&[("docs/a.md", &page)]);
    sandbox.write(".ra.toml", "root = true\n[search]\nmax_result_tokens = 400\n[trees]\ndocs = \"docs\"\n");
    for budget in ["200", "300"] {
        let shown = sandbox.run(&["search", "-n", "1", "--max-tokens", budget, "herons of the north"]);
        assert!(shown.contains("They wade.") && !shown.contains("0 of"), "{shown}");
    }
}

#[test]
fn the_first_section_of_such_a_document_is_neither_excluded_nor_shown_elsewhere() {
    let page = "---\ntitle: Herons\n---\n\n## Life\n\nThey wade.\n\n## Food\n\nFish.\n";
    let sandbox = Sandbox::with(&[("docs/a.md", page)]);
    let without = sandbox.run(&["search", "herons -wade"]);
    assert!(!without.contains("wade.") && without.contains("Fish."), "{without}");
    let all = sandbox.run(&["search", "--no-aggregation", "herons OR wade"]);
    assert_eq!(all.matches("They wade.").count(), 1, "{all}");
}

#[test]
fn such_a_document_keeps_the_sections_that_its_first_section_has_below_it() {
    let page = format!(
        "---\ntitle: Herons storks egrets\n---\n\n<!-- made -->\n\n## Life\n\nStorks.\n\n### Alpha\n\nThe storks and \
         herons fly.\n\n### Beta\n\nThe herons and storks nest.\n\n## Range\n\n{}",
        "The river bends here and there.\n\n".repeat(100)
    );
    let sandbox = Sandbox::with(&[("docs/a.md", &page)]);
    sandbox.write(".ra.toml", "root = true\n[search]\nmax_result_tokens = 400\n[trees]\ndocs = \"docs\"\n");
    let shown = sandbox.run(&["search", "storks herons"]);
    for text in ["Storks.", "The storks and herons fly.", "The herons and storks nest."] {
        assert_eq!(shown.matches(text).count(), 1, "{text}: {shown}");
    }
}

#[test]
fn a_tree_that_was_never_encoded_says_so_to_people_who_ask_questions() {
    let page =
        |nr: usize| (format!("docs/{nr}.md"), format!("# Bird {nr}\n\nHerons wade in shallow water.\n"));
    let files: Vec<(String, String)> = (0..20).map(page).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sandbox = Sandbox::with(&files);
    let note = "note: 20 documents can't be found by meaning yet\nhint: `ra update` encodes them once";
    assert!(sandbox.run(&["search", "where do herons wade"]).contains(note));
    assert!(!sandbox.run(&["search", "--no-semantic", "where do herons wade"]).contains(note));
    assert!(!sandbox.run(&["search", "herons"]).contains(note));
    sandbox.run(&["update"]);
    assert!(!sandbox.run(&["search", "where do herons wade"]).contains(note));
}

#[test]
fn text_is_printed_once_even_if_several_queries_find_it() {
    let sandbox = Sandbox::with(&[(
        "docs/birds.md",
        "# Birds\n\nHerons and storks wade.\n\n## Herons\n\nA heron waits.\n\n## Storks\n\nA stork clatters.\n",
    )]);
    for budget in ["4000", "0"] {
        let queries = ["heron stork", "heron waits", "stork clatters"];
        let shown = sandbox.run(&[&["search", "--group", "--max-tokens", budget], &queries[..]].concat());
        for sentence in ["A heron waits.", "A stork clatters.", "Herons and storks wade."] {
            assert_eq!(shown.matches(sentence).count(), 1, "{sentence}: {shown}");
        }
        assert!(shown.contains("(above)"), "{shown}");
    }
}

#[test]
fn a_list_begins_with_the_best_result_however_small_its_budget() {
    let page = |words: &str| format!("# A page about the life of herons and their nests\n\n{words}\n");
    let path = |nr: usize| format!("docs/somewhere/deep/in/the/tree/of/all/documents/{nr}.md");
    let texts =
        [page("heron heron heron"), page("heron heron and more"), page("A heron, and much more of it")];
    let files: Vec<(String, &str)> = (0..).map(path).zip(texts.iter().map(String::as_str)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let sandbox = Sandbox::with(&files);
    let order = |shown: &str| {
        let ids = shown.lines().filter(|line| line.contains("/documents/") && line.contains("(lines "));
        let name = |line: &str| line.split("/documents/").nth(1).and_then(|rest| rest.chars().next());
        ids.filter_map(name).collect::<String>()
    };
    let all = order(&sandbox.run(&["search", "--list", "heron"]));
    assert_eq!(all.len(), 3);
    for budget in ["70", "90", "120", "160", "240"] {
        let shown = sandbox.run(&["search", "--list", "--max-tokens", budget, "heron"]);
        let some = order(&shown);
        assert!(!some.is_empty() && all.starts_with(&some), "{budget}: {shown}");
    }
}
