//! Output on a terminal: lists that fit the screen, a pager for longer output, colors and links.

use std::collections::BTreeSet;

use unicode_width::UnicodeWidthStr;

use crate::fixture_project::fixture_project;
use crate::pty::Terminal;
use crate::sandbox::Sandbox;

/// A pager that prints that it ran.
const LOUD: &str = "echo '<pager>'; cat; echo '</pager>'";

const PROSE: &str = "\
# Collecting garbage

## Thresholds

The collector wakes up as soon as the heap has grown by the configured percentage, and then marks everything that is \
still reachable — naïve as that sounds, it is fast: 標記階段は短く、世界を止めない。 A threshold of zero turns the collector off.

## Pauses

- A pause is short when the threshold is low, because the collector has little to look at each time it runs, but there are more of them.
- Long pauses are reported in the log together with the threshold that caused them.
";

/// Creates a project with prose that has to be wrapped.
fn prose() -> Sandbox {
    Sandbox::with(&[(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"), ("docs/gc.md", PROSE)])
}

/// Creates a project with a document of many lines.
fn long() -> Sandbox {
    let sandbox = Sandbox::with(&[(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n")]);
    let lines: String = (1..=20_000).map(|nr| format!("line {nr} of many\n")).collect();
    sandbox.write("docs/long.md", format!("# Long\n\n{lines}"));
    sandbox
}

#[test]
fn a_terminal_gets_a_list_with_the_best_result_in_full() {
    let sandbox = fixture_project();
    let seen = Terminal::new(&sandbox, 80, 40).env("NO_COLOR", "1").ra(&["search", "error"]);
    insta::assert_snapshot!(seen.text, @"
    1  Error codes
       docs/api/errors.md:1  2 matching sections

       Every error has a code.

       # Limits

       Ten requests a second.

    2  The Guide › Error handling
       docs/guide.md:11  3 matching sections
       Errors are values.

    3  todo
       notes/todo.txt:1
       Write about error codes. Ask about getUserName.
    ");
    assert_eq!(seen.code, Some(0));
}

#[test]
fn without_room_the_best_result_is_an_excerpt_too() {
    let sandbox = prose();
    let search = ["search", "threshold"];
    let roomy = Terminal::new(&sandbox, 60, 40).ra(&search).plain();
    let tight = Terminal::new(&sandbox, 60, 12).ra(&search).plain();
    assert!(roomy.contains("The collector wakes up as soon as the heap has grown by\n"), "{roomy}");
    assert!(!tight.contains("The collector wakes up"), "{tight}");
    // `LINES` overrides the size that the terminal reports.
    let told = Terminal::new(&sandbox, 60, 40).env("LINES", "12").ra(&search).plain();
    assert_eq!(told, tight);
}

#[test]
fn no_line_is_longer_than_the_screen_and_no_word_is_cut() {
    let sandbox = prose();
    let words: BTreeSet<&str> = PROSE.split_whitespace().collect();
    for columns in [60, 80, 200] {
        for rows in [12, 60] {
            let seen = Terminal::new(&sandbox, columns, rows).ra(&["search", "threshold"]);
            let plain = seen.plain();
            assert!(plain.contains("docs/gc.md:"), "{plain}");
            for line in plain.lines() {
                assert!(line.width() <= usize::from(columns), "{columns}: {line}");
            }
            let is_added = |line: &str| line.contains("docs/gc.md:") || line.contains("─── also ");
            let shown = plain.lines().filter(|line| line.starts_with("    ") && !is_added(line));
            let shown = shown.flat_map(str::split_whitespace).map(|word| word.trim_matches('.'));
            // Lines may be broken between characters of scripts without spaces.
            for word in shown.filter(|word| word.is_ascii()) {
                let is_known = |known: &&str| known.trim_matches('.') == word;
                assert!(words.iter().any(is_known), "{columns}: {word} in {plain}");
            }
        }
    }
    let seen = Terminal::new(&sandbox, 200, 40).env("COLUMNS", "50").ra(&["search", "threshold"]);
    assert!(seen.plain().lines().all(|line| line.width() <= 50), "{}", seen.text);
}

#[test]
fn matches_are_highlighted() {
    let sandbox = prose();
    let seen = Terminal::new(&sandbox, 80, 12).ra(&["search", "collector"]);
    assert!(seen.text.contains(" \u{1b}[1m\u{1b}[31mcollector\u{1b}[0m "), "{:?}", seen.text);
}

#[test]
fn full_prints_what_a_pipe_gets() {
    let sandbox = fixture_project();
    let piped = sandbox.command().args(["search", "error"]).output().unwrap();
    for flag in [&["--full"][..], &["--max-tokens", "100000"], &["--expand"]] {
        let args = [&["search", "error"], flag].concat();
        let piped = sandbox.command().args(&args).output().unwrap();
        let seen = Terminal::new(&sandbox, 80, 200).ra(&args);
        assert_eq!(seen.plain(), String::from_utf8_lossy(&piped.stdout), "{flag:?}");
        assert!(seen.text.contains("\u{1b}[31m"), "{:?}", seen.text);
    }
    let seen = Terminal::new(&sandbox, 80, 200).ra(&["search", "error"]);
    assert_ne!(seen.plain(), String::from_utf8_lossy(&piped.stdout));
    for other in ["--list", "--matches"] {
        let shown = sandbox.run(&["search", "--full", other, "error"]);
        assert!(shown.starts_with("exit code 2\n"), "{shown}");
    }
}

#[test]
fn a_token_budget_of_the_configuration_leaves_the_list_whole() {
    let sandbox = fixture_project();
    let whole = Terminal::new(&sandbox, 80, 12).ra(&["search", "error"]).text;
    let config = sandbox.read(".ra.toml") + "[search]\nmax_tokens = 40\n";
    sandbox.write(".ra.toml", config);
    assert_eq!(Terminal::new(&sandbox, 80, 12).ra(&["search", "error"]).text, whole);
    let passages = Terminal::new(&sandbox, 80, 12).ra(&["search", "--full", "error"]).plain();
    let piped = sandbox.command().args(["search", "error"]).output().unwrap();
    let notes = passages.strip_prefix(&*String::from_utf8_lossy(&piped.stdout));
    assert_eq!(notes, Some("note: 2 results left out: the budget has no room for more\n"));
}

#[test]
fn context_and_similar_are_lists_too() {
    let sandbox = fixture_project();
    for args in [&["context", "notes/todo.txt"][..], &["similar", "docs/api/errors.md"]] {
        let seen = Terminal::new(&sandbox, 80, 40).ra(args);
        assert!(seen.plain().starts_with(" 1  "), "{}", seen.text);
        assert!(seen.plain().contains("\n    docs/"), "{}", seen.text);
    }
}

#[test]
fn several_questions_have_a_list_each() {
    let sandbox = fixture_project();
    let seen = Terminal::new(&sandbox, 80, 60).ra(&["search", "--group", "error", "zebra", "limits"]);
    let plain = seen.plain();
    let firsts = plain.lines().filter(|line| line.starts_with(" 1  ")).count();
    assert_eq!(firsts, 2, "{plain}");
    assert!(plain.contains("─── query: error ───\n 1  "), "{plain}");
    assert!(plain.ends_with("note: nothing matches \"zebra\"\n"), "{plain}");
}

#[test]
fn no_document_can_pass_for_a_result() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        (
            "docs/a.md",
            "# Gecko\n\ngecko\n\n 2  Forged\n    docs/b.md:1\n\u{1b}]8;;http://x\u{1b}\\gecko\u{1b}]8;;\u{1b}\\ \u{1b}[34mblue\n",
        ),
    ]);
    for rows in [5, 40] {
        let seen = Terminal::new(&sandbox, 80, rows).env("FORCE_HYPERLINK", "1").ra(&["search", "gecko"]);
        assert!(!seen.plain().contains("\n 2  "), "{}", seen.text);
        assert!(!seen.text.contains("\u{1b}]8;;http"), "{:?}", seen.text);
        assert!(!seen.text.contains("\u{1b}[34m"), "{:?}", seen.text);
    }
    let seen = Terminal::new(&sandbox, 80, 40).ra(&["search", "gecko"]);
    assert!(seen.text.contains("\\u{1b}]8;;http"), "{:?}", seen.text);
}

#[test]
fn a_terminal_without_colors_gets_no_escape_sequence() {
    let sandbox = fixture_project();
    let long = long();
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        for args in
            [&["search", "error"][..], &["search", "--full", "error"], &["help", "query"], &["--help"]]
        {
            let terminal = Terminal::new(&sandbox, 80, 40).env("FORCE_HYPERLINK", "1").env(name, value);
            let seen = terminal.ra(args);
            assert!(seen.code == Some(0) && !seen.text.is_empty(), "{}", seen.text);
            assert!(!seen.text.contains('\u{1b}'), "{name} {args:?}: {:?}", seen.text);
        }
        let seen = Terminal::new(&long, 80, 10).pager(LOUD).env(name, value).ra(&["get", "long.md"]);
        assert!(!seen.text.contains('\u{1b}'), "{name}");
        // A dumb terminal gets no pager.
        assert_eq!(seen.text.starts_with("<pager>\n"), name == "NO_COLOR", "{name}");
    }
    let seen = Terminal::new(&sandbox, 80, 40).ra(&["search", "--color", "never", "error"]);
    assert!(!seen.text.contains('\u{1b}'), "{:?}", seen.text);
}

#[test]
fn what_is_longer_than_the_screen_goes_through_the_pager() {
    let sandbox = fixture_project();
    for args in [
        &["search", "error"][..],
        &["search", "--full", "error"],
        &["search", "--list", "error"],
        &["context", "notes/todo.txt"],
        &["get", "docs:guide.md"],
        &["ls", "chunks"],
        &["config"],
        &["config", "--defaults"],
        &["status"],
        &["help"],
        &["help", "query"],
        &["search", "--help"],
    ] {
        let seen = Terminal::new(&sandbox, 80, 3).pager(LOUD).ra(args);
        assert_eq!(seen.code, Some(0), "{args:?}: {}", seen.text);
        assert!(
            seen.text.starts_with("<pager>\n") && seen.text.contains("</pager>\n"),
            "{args:?}: {}",
            seen.text
        );
        let short = Terminal::new(&sandbox, 80, 500).pager(LOUD).ra(args);
        assert!(!short.text.contains("<pager>") && !short.text.is_empty(), "{args:?}: {}", short.text);
        let without = Terminal::new(&sandbox, 80, 3).pager(LOUD).ra(&[args, &["--no-pager"]].concat());
        assert!(!without.text.contains("<pager>") && !without.text.is_empty(), "{args:?}: {}", without.text);
    }
    for args in [&["search", "--json", "error"][..], &["completions", "bash"], &["man"]] {
        let seen = Terminal::new(&sandbox, 80, 5).pager(LOUD).ra(args);
        assert!(!seen.text.contains("<pager>") && seen.text.lines().count() > 5, "{args:?}: {}", seen.text);
    }
    let piped = Terminal::new(&sandbox, 80, 5).pager(LOUD).shell("ra help query | cat");
    assert!(piped.text.starts_with("# The query language\n"), "{}", piped.text);
}

#[test]
fn colors_are_kept_in_the_pager() {
    let seen = Terminal::new(&fixture_project(), 80, 5).pager(LOUD).ra(&["search", "error"]);
    assert!(seen.text.contains("\u{1b}[31merror\u{1b}[0m"), "{:?}", seen.text);
}

#[test]
fn the_environment_names_the_pager() {
    let sandbox = fixture_project();
    let args = ["get", "docs:guide.md"];
    let terminal = || Terminal::new(&sandbox, 80, 5);
    for (ra_pager, pager, first) in [
        (None, Some("sed s/^/P:/"), "P:---"),
        (Some("sed s/^/R:/"), Some("sed s/^/P:/"), "R:---"),
        (Some(""), Some("sed s/^/P:/"), "---"),
        (Some("cat"), Some("sed s/^/P:/"), "---"),
        (None, Some("sed 's/^/a b /' | sed \"s/^/c /\""), "c a b ---"),
    ] {
        let mut terminal = terminal();
        if let Some(pager) = ra_pager {
            terminal = terminal.env("RA_PAGER", pager);
        }
        if let Some(pager) = pager {
            terminal = terminal.env("PAGER", pager);
        }
        let seen = terminal.ra(&args);
        assert_eq!((seen.text.lines().next(), seen.code), (Some(first), Some(0)), "{}", seen.text);
    }
    let options = "echo \"$LESS $LV\"; cat";
    let set =
        |terminal: Terminal<'_>| terminal.pager(options).ra(&args).text.lines().next().map(str::to_owned);
    assert_eq!(set(terminal()).as_deref(), Some("FRX -c"));
    assert_eq!(set(terminal().env("LESS", "-i").env("LV", "-a")).as_deref(), Some("-i -a"));
}

#[test]
fn a_configuration_cannot_name_a_program() {
    let sandbox = Sandbox::with(&[(".ra.toml", "[settings]\npager = \"sh evil.sh\"\n"), ("a.md", "a\n")]);
    let seen = Terminal::new(&sandbox, 80, 5).ra(&["search", "a"]);
    assert_eq!(seen.code, Some(2), "{}", seen.text);
    assert!(seen.plain().contains("pager"), "{}", seen.text);
}

#[test]
fn a_pager_that_is_left_early_is_no_error() {
    let sandbox = long();
    let seen = Terminal::new(&sandbox, 80, 5).pager("head -n 1").ra(&["get", "long.md"]);
    assert_eq!((seen.text.as_str(), seen.code), ("# Long\n", Some(0)));
    let seen = Terminal::new(&sandbox, 80, 5).pager("exit 3").ra(&["get", "long.md"]);
    assert_eq!((seen.text.as_str(), seen.code), ("", Some(0)));
}

#[test]
fn an_interrupt_is_for_the_pager() {
    let seen = Terminal::new(&long(), 80, 5)
        .pager("kill -INT $PPID; cat > /dev/null; echo end")
        .ra(&["get", "long.md"]);
    assert_eq!((seen.text.as_str(), seen.code), ("end\n", Some(0)));
}

#[test]
fn without_its_pager_an_answer_is_printed_all_the_same() {
    let sandbox = fixture_project();
    let text = sandbox.read("docs/guide.md");
    for pager in ["/nowhere/pager -x", "/nowhere/pager 'x'"] {
        let seen = Terminal::new(&sandbox, 80, 5).env("PAGER", pager).ra(&["get", "docs:guide.md"]);
        assert!(seen.text.contains(&text), "{}", seen.text);
        let note = format!("note: could not start the pager `{pager}`: ");
        assert!(seen.plain().contains(&note) && seen.code == Some(0), "{}", seen.text);
    }
    // The user didn't name `less`, so there is no message that it is missing.
    let unnamed = Terminal::new(&sandbox, 80, 5).env("PATH", "/nowhere");
    let seen = unnamed.shell("unset PAGER; ra get docs:guide.md");
    assert_eq!(seen.text, text);
}

#[test]
fn notes_follow_the_answer_and_never_enter_the_pager() {
    let sandbox = fixture_project();
    for rows in [5, 60] {
        let seen = Terminal::new(&sandbox, 80, rows).pager(LOUD).ra(&["search", "author:smith OR error"]);
        let plain = seen.plain();
        let note = plain.find("note: ").expect("a note");
        assert!(plain.find("docs/guide.md:").is_some_and(|result| result < note), "{plain}");
        assert_eq!(plain.contains("<pager>"), rows == 5, "{plain}");
        assert!(plain.find("</pager>").is_none_or(|end| end < note), "{plain}");
    }
    // An error is printed after the results.
    let seen = Terminal::new(&sandbox, 80, 5).pager(LOUD).ra(&["get", "docs:guide.md", "zebra"]);
    assert_eq!(seen.code, Some(2), "{}", seen.text);
    let after = seen.text.split_once("</pager>\n").expect("a pager").1;
    assert!(after.starts_with("error: "), "{after}");
}

/// Creates a project whose path has to be encoded; returns it with a part of the link to its document.
fn linked() -> (Sandbox, &'static str) {
    let sandbox = Sandbox::with(&[(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n")]);
    sandbox.write("docs/a b.md", "# Gecko\n\ngecko\n");
    (sandbox, "/project/docs/a%20b.md\u{1b}\\")
}

#[test]
fn files_are_links_where_the_terminal_has_them() {
    let (sandbox, target) = linked();
    for args in [&["search", "gecko"][..], &["search", "--full", "gecko"], &["search", "--matches", "gecko"]]
    {
        let seen = Terminal::new(&sandbox, 80, 40).env("VTE_VERSION", "7200").ra(args);
        assert!(seen.text.contains("\u{1b}]8;;file://"), "{args:?}: {:?}", seen.text);
        assert!(seen.text.contains(target), "{args:?}: {:?}", seen.text);
        let links = seen.text.matches("\u{1b}]8;;").count();
        assert_eq!(links, 2 * seen.text.matches("\u{1b}]8;;file").count(), "{args:?}: {:?}", seen.text);
        let seen = Terminal::new(&sandbox, 80, 40).ra(args);
        assert!(!seen.text.contains("\u{1b}]8"), "{args:?}: {:?}", seen.text);
        let never = [args, &["--color", "never"]].concat();
        let seen = Terminal::new(&sandbox, 80, 40).env("VTE_VERSION", "7200").ra(&never);
        assert!(!seen.text.contains('\u{1b}'), "{args:?}: {:?}", seen.text);
    }
}

#[test]
fn no_links_enter_the_pager() {
    let (sandbox, _) = linked();
    let seen = Terminal::new(&sandbox, 80, 3).env("VTE_VERSION", "7200").pager(LOUD).ra(&["search", "gecko"]);
    assert!(seen.text.starts_with("<pager>") && !seen.text.contains("\u{1b}]8"), "{:?}", seen.text);
    assert!(seen.text.contains("\u{1b}[36mdocs/a b.md:1\u{1b}[0m"), "{:?}", seen.text);
    assert_eq!(seen.code, Some(0));
}

#[test]
fn the_query_language_is_set_for_the_screen() {
    let sandbox = Sandbox::new();
    for columns in [60, 80, 200] {
        let seen = Terminal::new(&sandbox, columns, 40).ra(&["help", "query"]);
        assert!(seen.text.starts_with("\u{1b}[1mThe query language\u{1b}[0m\n"), "{}", seen.text);
        for line in seen.plain().lines() {
            assert!(line.width() <= usize::from(columns), "{columns}: {line}");
            assert!(!line.contains('`') && !line.contains(" | ") && !line.contains("**"), "{line}");
        }
    }
}
