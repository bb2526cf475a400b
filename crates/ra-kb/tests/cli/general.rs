//! Behavior of all commands: help, usage errors, pipes, completions and manual pages.

use std::process::{Command, Stdio};

use crate::sandbox::Sandbox;

/// Returns the names of all commands, as listed in the help.
fn commands() -> Vec<String> {
    let help = Sandbox::new().run(&["--help"]);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<String> =
        listed.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect();
    for known in ["init", "inspect", "check", "status", "config", "completions", "man"] {
        assert!(names.iter().any(|name| name == known), "{known}: {names:?}");
    }
    names.into_iter().filter(|name| name != "help").collect()
}

#[test]
fn the_help_of_every_command_has_examples() {
    let sandbox = Sandbox::new();
    for command in commands() {
        let help = sandbox.run(&[&command, "--help"]);
        assert!(help.starts_with("exit code 0\n--- stdout\n"), "{help}");
        let example = format!("\n  ra {command}");
        assert!(help.contains("\nExamples:\n") && help.contains(&example), "{command}: {help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}: {help}");
        assert!(sandbox.run(&[&command, "-h"]).contains(&example), "{command}");
    }
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.run(&["completions", shell]);
        assert!(script.starts_with("exit code 0\n--- stdout\n"), "{shell}");
        assert!(
            ["inspect", "completions", "--defaults"]
                .iter()
                .all(|word| script.contains(word.trim_start_matches('-'))),
            "{shell}"
        );
    }
    assert!(sandbox.run(&["completions", "tcsh"]).starts_with("exit code 2\n--- stderr\n"));
}

#[test]
fn there_is_a_manual_page_for_ra_and_for_every_command() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(&["man"]);
    assert!(page.contains("\n.TH ra 1 ") && page.contains("\n.SH NAME\nra "), "{page}");
    for command in commands() {
        let page = sandbox.run(&["man", &command]);
        assert!(page.starts_with("exit code 0\n"), "{page}");
        assert!(page.contains(&format!("\n.TH ra-{command} 1 ")), "{command}: {page}");
        assert!(page.contains("Examples:"), "{command}: {page}");
    }
    insta::assert_snapshot!(sandbox.run(&["man", "chek"]), @"
    exit code 2
    --- stderr
    error: there is no command `chek`
    hint: did you mean `check`?
    ");
    insta::assert_snapshot!(sandbox.run(&["man", "zebra"]).lines().take(3).collect::<Vec<_>>().join("\n"), @"
    exit code 2
    --- stderr
    error: there is no command `zebra`
    ");
}

#[test]
fn usage_errors_have_their_own_exit_code() {
    let sandbox = Sandbox::new();
    for args in [
        &[][..],
        &["nonsense"],
        &["check", "--nonsense"],
        &["inspect"],
        &["inspect", "a", "b"],
        &["check", "extra"],
        &["check", "--color", "sometimes"],
        &["-C"],
    ] {
        let shown = sandbox.run(args);
        assert!(shown.starts_with("exit code 2\n--- stderr\n"), "{args:?}: {shown}");
    }
}

#[test]
fn a_mistyped_command_or_flag_gets_a_suggestion() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(sandbox.run(&["chekc"]), @"
    exit code 2
    --- stderr
    error: no command `chekc`
    hint: did you mean `ra check`?
    ");
    insta::assert_snapshot!(sandbox.run(&["error", "handling", "-n", "3"]), @r#"
    exit code 2
    --- stderr
    error: no command `error`
    hint: `ra search "error handling" -n 3` searches for it
    "#);
    insta::assert_snapshot!(sandbox.run(&["check", "--link"]), @"
    exit code 2
    --- stderr
    error: unexpected argument '--link' found

      tip: a similar argument exists: '--links'

    Usage: ra check --links

    For more information, try '--help'.
    ");
}

#[cfg(unix)]
#[test]
fn names_of_files_are_text_for_a_terminal() {
    let blue = "\u{1b}[34m";
    let (tree, file) = (format!("docs{blue}"), format!("docs{blue}/e{blue}.md"));
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\\u001b[34m\"\n"),
        (&file, &format!("# Gecko {blue}\n\ngecko [x](no{blue}.md)\n\n## Part {blue}\n\ngecko\n")),
    ]);
    for args in [
        &["ls", "docs"][..],
        &["ls", "chunks"],
        &["ls", "trees"],
        &["get", "--outline", &file],
        &["get", &file],
        &["get", blue],
        &["search", "--explain", "gecko"],
        &["search", "--matches", "gecko"],
        &["search", blue],
        &["search", "-t", blue, "gecko"],
        &["context", &file],
        &["context", blue],
        &["inspect", &file],
        &["similar", &file],
        &["check"],
        &["status"],
        &["config"],
        &["eval", blue],
        &["search", "--sort", blue, "gecko"],
        &["-C", &tree, "ls", "docs"],
        &["-C", blue, "ls", "docs"],
    ] {
        let shown = sandbox.run(&[args, &["--color", "always"]].concat());
        assert!(!shown.contains(blue), "{args:?}: {shown:?}");
    }
}

#[test]
fn another_directory_can_be_named() {
    let sandbox = Sandbox::with(&[("sub/.ra.toml", "[trees]\nx = \"docs\"\n"), ("sub/docs/a.md", "a\n")]);
    for args in
        [&["-C", "sub", "check"][..], &["check", "-C", "sub"], &["check", "--directory=./sub/docs/.."]]
    {
        assert!(sandbox.run(args).contains("checked 1 document in 1 tree: 1 chunk\n"), "{args:?}");
    }
    insta::assert_snapshot!(sandbox.run(&["-C", "gone", "check"]), @"
    exit code 2
    --- stderr
    error: -C: [base]/project/gone is not a directory
    hint: name a directory that exists
    ");
}

#[test]
fn the_version_is_shown() {
    let shown = Sandbox::new().run(&["--version"]);
    assert_eq!(shown, format!("exit code 0\n--- stdout\nra {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let sandbox = Sandbox::new();
    let output = process(&sandbox).arg("config").stdout(full).stderr(Stdio::piped()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(error.starts_with("error: could not write the output: "), "{error}");
}

/// Returns a `std::process::Command` for `ra`, because a test here needs the pipe itself.
fn process(sandbox: &Sandbox) -> Command {
    let mut command = Command::new(sandbox.command().get_program());
    command.current_dir(sandbox.project()).env_clear().env("HOME", sandbox.home());
    command
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let sandbox = Sandbox::with(&[(".ra.toml", "[trees]\nt = \".\"\n")]);
    // More than fits into a pipe, so the process must notice that it is closed.
    let sections: String =
        (0..2_000).map(|nr| format!("# Section {nr}\n\nzebra [a](b{nr}.md) {nr}\n\n")).collect();
    sandbox.write("large.md", sections);
    for args in [
        &["search", "zebra", "-n", "1000", "--max-candidates", "5000", "--no-aggregation"][..],
        &["search", "zebra", "-n", "1000", "--max-candidates", "5000", "--matches"],
        &["search", "zebra", "-n", "1000", "--json"],
        &["get", "large.md"],
        &["ls", "chunks"],
        &["inspect", "large.md"],
        &["inspect", "large.md", "--json"],
        &["check", "--links"],
        &["config"],
        &["config", "--defaults"],
        &["man"],
        &["completions", "bash"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = process(&sandbox).args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*error), (Some(0), ""), "{args:?}");
    }
}
