//! `ra check --stale`: documents that are older than the code they name.

use crate::sandbox::Sandbox;

/// Runs git in the project at a time, in seconds since 1970.
fn git(sandbox: &Sandbox, time: i64, args: &[&str]) {
    let date = format!("@{time} +0000");
    let mut command = std::process::Command::new("git");
    command.args(["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgSign=false"]);
    command.args(args).current_dir(sandbox.project()).env("HOME", sandbox.home());
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
    assert!(command.status().expect("git").success(), "{args:?}");
}

fn commit(sandbox: &Sandbox, time: i64) {
    git(sandbox, time, &["add", "-A"]);
    git(sandbox, time, &["commit", "-qm", "change"]);
}

/// Returns the documents that are reported with their line and message.
fn stale(sandbox: &Sandbox) -> Vec<(String, u64, String)> {
    let report = sandbox.json(&["check", "--stale"]);
    let findings = report["findings"].as_array().unwrap().iter().filter(|it| it["kind"] == "stale");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    findings.map(|it| (text(&it["place"]), it["line"].as_u64().unwrap(), text(&it["message"]))).collect()
}

const DAY: i64 = 86_400;

fn project() -> Sandbox {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/linked.md", "# A\n\nSee [main](../src/main.rs#L3).\n"),
        (
            "docs/named.md",
            "# B\n\nzebra\n\nIt is in `src/main.rs:7` and `src/lib.rs`, not in `no/such.rs`.\n",
        ),
        ("docs/both.md", "# C\n\n[named](named.md) and `docs/linked.md` and `CHANGES.md`\n"),
        ("CHANGES.md", "1"),
        ("docs/other.md", "# D\n\n`README`, `src/other.rs`\n"),
        ("src/main.rs", "1"),
        ("src/lib.rs", "1"),
        ("src/other.rs", "1"),
    ]);
    git(&sandbox, 0, &["init", "-q"]);
    commit(&sandbox, 10 * DAY);
    sandbox
}

#[test]
fn documents_that_are_older_than_the_code_they_name_are_reported() {
    let sandbox = project();
    assert_eq!(stale(&sandbox), []);
    sandbox.write("src/main.rs", "2");
    commit(&sandbox, 20 * DAY);
    sandbox.write("src/lib.rs", "2");
    // The changes of a text aren't those of code.
    sandbox.write("CHANGES.md", "2");
    // A document that is not older than the code is current.
    sandbox.write("docs/linked.md", "# A\n\nSee [main](../src/main.rs#L3) now.\n");
    commit(&sandbox, 30 * DAY);
    let message = "was last changed on 1970-01-11, but `src/lib.rs`, which it names, on 1970-01-31, \
                   and so was 1 more file that it names";
    assert_eq!(stale(&sandbox), [("docs:named.md".to_owned(), 5, message.to_owned())]);
    sandbox.write("docs/named.md", "# B\n\n`src/main.rs`\n");
    commit(&sandbox, 40 * DAY);
    sandbox.write("src/main.rs", "3");
    commit(&sandbox, 50 * DAY);
    let places: Vec<(String, u64)> =
        stale(&sandbox).into_iter().map(|(place, line, _)| (place, line)).collect();
    assert_eq!(places, [("docs:linked.md".to_owned(), 3), ("docs:named.md".to_owned(), 3)]);
    // Only who asks gets them.
    assert!(!sandbox.run(&["check"]).contains("was last changed"));
}

#[test]
fn what_a_repository_configures_is_not_run() {
    let sandbox = project();
    sandbox.write("src/main.rs", "2");
    commit(&sandbox, 20 * DAY);
    let marker = sandbox.path("ran");
    let run = format!("sh -c 'touch {}'", marker.display());
    for key in [
        "core.pager",
        "pager.log",
        "core.fsmonitor",
        "diff.external",
        "gpg.program",
        "core.sshCommand",
        "alias.log",
    ] {
        git(&sandbox, 0, &["config", key, &run]);
    }
    git(&sandbox, 0, &["config", "log.showSignature", "true"]);
    git(&sandbox, 0, &["config", "log.showRoot", "false"]);
    git(&sandbox, 0, &["config", "diff.relative", "true"]);
    assert_eq!(stale(&sandbox).len(), 2);
    assert!(!marker.exists());
}

#[test]
fn without_a_history_there_is_an_error() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/a.md", "# A\n\nb\n"),
    ]);
    insta::assert_snapshot!(sandbox.run(&["check", "--stale"]), @r"
    exit code 2
    --- stderr
    error: --stale: no tree is in a git work tree
    hint: only the history of a git repository says when a document was changed
    ");
    sandbox.write("docs/a.md", "# A\n\n`src/b.rs`\n");
    sandbox.write("src/b.rs", "1");
    git(&sandbox, 0, &["init", "-q"]);
    let shown = sandbox.run(&["check", "--stale"]);
    assert!(shown.contains("error: --stale: no history of [base]/project: fatal: "), "{shown}");
    let output =
        sandbox.command().args(["check", "--stale"]).env("PATH", "/nowhere").output().expect("a process");
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(shown.contains("git is not installed"), "{shown}");
}
