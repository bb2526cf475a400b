//! `ra cite` and `ra verify`.

use crate::sandbox::Sandbox;

const GUIDE: &str =
    "# Guide\n\nWelcome.\n\n## Install\n\nRun the installer.\nIt takes a minute.\n\n## Use\n\nStart it.\n";

fn project() -> Sandbox {
    Sandbox::with(&[(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"), ("docs/guide.md", GUIDE)])
}

/// Returns the citation of a name.
fn cite(sandbox: &Sandbox, name: &str) -> String {
    sandbox.json(&["cite", name])["citations"][0].as_str().unwrap().to_owned()
}

/// Returns the state of the only citation in `report.md`, and what to cite instead.
fn state(sandbox: &Sandbox) -> (String, String) {
    let output = sandbox.command().args(["--json", "verify", "report.md"]).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let only = &answer["citations"][0];
    let state = only["state"].as_str().unwrap().to_owned();
    assert_eq!(output.status.code(), Some(i32::from(state != "valid")), "{answer}");
    (state, only["now"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_citation_is_followed_through_every_change() {
    let sandbox = project();
    let citation = cite(&sandbox, "docs:guide.md#install");
    assert!(citation.starts_with("docs:guide.md#install@") && citation.ends_with(":5-8"), "{citation}");
    sandbox.write("report.md", format!("As the guide says ({citation}).\n"));
    let (id, rest) = citation.split_once('@').unwrap();
    let proof = rest.split_once(':').unwrap().0;
    // White space at the ends of lines proves nothing.
    sandbox.write("docs/guide.md", GUIDE.replace("installer.\n", "installer.  \n"));
    assert_eq!(state(&sandbox).0, "valid");
    sandbox.write("docs/guide.md", GUIDE.replace("Welcome.\n", "Welcome,\nstranger.\n"));
    assert_eq!(state(&sandbox), ("moved".into(), format!("{id}@{proof}:6-9")));
    sandbox.remove("docs/guide.md");
    sandbox.write("docs/manual/start.md", format!("# Start\n\n{GUIDE}"));
    assert_eq!(state(&sandbox), ("moved".into(), format!("docs:manual/start.md#install@{proof}:7-10")));
    sandbox.remove("docs/manual/start.md");
    assert_eq!(state(&sandbox), ("gone".into(), String::new()));
    sandbox.write("docs/guide.md", GUIDE.replace("a minute", "an hour"));
    let (changed, now) = state(&sandbox);
    assert_eq!((changed.as_str(), now.starts_with(id), now.contains(proof)), ("changed", true, false));
    sandbox.write("report.md", format!("{now}\n"));
    assert_eq!(state(&sandbox).0, "valid");
}

#[test]
fn lines_of_a_document_are_cited_and_what_replaced_them_is_shown() {
    let sandbox = project();
    let citation = cite(&sandbox, "guide.md:7-8");
    sandbox.write("report.md", format!("x\n[{citation}]\nme@example.org\n"));
    sandbox.write("docs/guide.md", GUIDE.replace("Run the", "Never run the"));
    let shown = sandbox.run(&["verify", "report.md"]);
    assert!(shown.starts_with("exit code 1\n"), "{shown}");
    for line in [
        format!("report.md:2 changed   {citation}"),
        "    | Never run the installer.".to_owned(),
        "    | It takes a minute.".to_owned(),
        "1 citation: 1 changed".to_owned(),
    ] {
        assert!(shown.contains(&format!("{line}\n")), "{line}: {shown}");
    }
}

#[test]
fn a_text_without_citations_says_so_and_a_missing_file_is_an_error() {
    let sandbox = project();
    sandbox.write("report.md", "nothing@all:1-2\n");
    let shown = sandbox.run(&["verify", "report.md"]);
    assert!(shown.starts_with("exit code 0\n") && shown.contains("there is no citation"), "{shown}");
    let shown = sandbox.run(&["verify", "nowhere.md"]);
    assert!(shown.starts_with("exit code 2\n") && shown.contains("nowhere.md could not be read"), "{shown}");
    let shown = sandbox.run(&["cite", "nowhere"]);
    assert!(shown.starts_with("exit code 2\n") && shown.contains("nowhere"), "{shown}");
}

#[test]
fn an_incomplete_citation_is_malformed_and_not_passed_over() {
    let sandbox = project();
    let citation = cite(&sandbox, "docs:guide.md#install");
    let without_lines = citation.rsplit_once(':').unwrap().0;
    sandbox.write("report.md", format!("{citation} and {without_lines}\n"));
    let shown = sandbox.run(&["verify", "report.md"]);
    assert!(shown.starts_with("exit code 1\n"), "{shown}");
    assert!(shown.contains("2 citations: 1 valid, 1 malformed\n"), "{shown}");
    assert!(shown.contains(&format!("report.md:1 malformed {without_lines}\n")), "{shown}");
}

#[test]
fn what_is_cited_is_what_is_there() {
    let sandbox = project();
    let citation = cite(&sandbox, "docs:guide.md#install");
    // A citation is a name, too.
    assert!(sandbox.run(&["get", &citation]).contains("--- stdout\n## Install\n\nRun the installer."));
    // The name leads to the same text in another place, and never to another text.
    sandbox.write("docs/guide.md", GUIDE.replace("Welcome.\n", "Welcome,\nstranger.\n"));
    let moved = sandbox.run(&["get", &citation]);
    assert_eq!(moved, "exit code 0\n--- stdout\n## Install\n\nRun the installer.\nIt takes a minute.\n");
    sandbox.write("docs/guide.md", GUIDE.replace("a minute", "an hour"));
    let changed = sandbox.run(&["get", &citation]);
    assert!(changed.starts_with("exit code 2\n"), "{changed}");
    let message =
        format!("error: docs:guide.md no longer contains the text of `{citation}`\nhint: `ra verify -`");
    assert!(changed.contains(&message), "{changed}");
    sandbox.write("docs/guide.md", GUIDE);
    // The right text in the wrong section is no valid citation.
    sandbox.write("report.md", citation.replace("#install", "#use"));
    assert_eq!(state(&sandbox), ("moved".into(), citation.clone()));
    // Blank lines at the end are not part of it.
    sandbox.write("docs/guide.md", GUIDE.split("\n## Use").next().unwrap());
    sandbox.write("report.md", &citation);
    assert_eq!(state(&sandbox).0, "valid");
    // White space is nothing to cite.
    sandbox.write("docs/empty.md", "");
    assert!(sandbox.run(&["cite", "docs:empty.md"]).starts_with("exit code 2\n"));
    let blank = citation.replace("guide.md#install", "gone.md").replace(":5-8", ":1-1");
    sandbox.write("report.md", blank);
    assert_eq!(state(&sandbox).0, "gone");
}

#[test]
fn names_with_spaces_and_brackets_can_be_cited() {
    let sandbox = project();
    sandbox.write("docs/my (old) notes.md", "# Notes\n\nHerons.\n");
    let citation = cite(&sandbox, "docs:my (old) notes.md");
    assert!(citation.starts_with("docs:my%20%28old%29%20notes.md@"), "{citation}");
    sandbox.write("report.md", format!("see ({citation}), please"));
    assert_eq!(state(&sandbox).0, "valid");
}
