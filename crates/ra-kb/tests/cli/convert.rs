//! `[convert]`: programs of the user that convert files.

use crate::sandbox::Sandbox;

/// A converter that counts its runs and turns `\section{X}` into a heading.
const SCRIPT: &str = "echo x >> \"$1\"\nsed -e 's/^\\\\section{\\(.*\\)}/# \\1/'\n";

fn project(settings: &str) -> Sandbox {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/a.tex", "\\section{Heron}\n\nwades in water\n\n\\section{Stork}\n\nstands on roofs\n"),
        ("~/convert.sh", SCRIPT),
    ]);
    let home = sandbox.home();
    let settings = settings.replace("HOME", &home.to_string_lossy());
    sandbox.write("~/.ra.toml", settings);
    sandbox
}

const CONVERT: &str = "[convert]\ntex = [\"sh\", \"HOME/convert.sh\", \"HOME/runs\"]\n";

fn runs(sandbox: &Sandbox) -> usize {
    std::fs::read_to_string(sandbox.path("~/runs")).map_or(0, |text| text.lines().count())
}

#[test]
fn a_program_of_the_user_converts_files_once() {
    let sandbox = project(CONVERT);
    for _ in 0..3 {
        let found = sandbox.json(&["search", "roofs"]);
        assert_eq!(found["queries"][0]["results"][0]["id"], "docs:a.tex#stork");
        let content = &found["queries"][0]["results"][0]["content"];
        assert!(content.as_str().unwrap().contains("stands on"), "{content}");
    }
    assert_eq!(runs(&sandbox), 1);
    assert!(sandbox.run(&["get", "docs:a.tex#heron"]).ends_with("# Heron\n\nwades in water\n\n"));
    assert_eq!(sandbox.json(&["status"])["trees"][0]["types"], serde_json::json!({ "tex": 1 }));
    let config = sandbox.json(&["config"]);
    assert_eq!(config["convert"][0]["extension"], "tex");
    // Another command gives another text, and so does another file.
    let home = sandbox.home();
    sandbox.write(
        "~/.ra.toml",
        CONVERT.replace("HOME/runs", "HOME/more").replace("HOME", &home.to_string_lossy()),
    );
    assert!(sandbox.run(&["search", "roofs"]).contains("docs:a.tex#stork"));
    assert!(sandbox.path("~/more").exists());
    sandbox.write("docs/b.tex", "\\section{Crane}\n\ndances\n");
    assert!(sandbox.run(&["search", "dances"]).contains("docs:b.tex#crane"));
    assert_eq!((runs(&sandbox), sandbox.read("~/more").lines().count()), (1, 2));
}

#[test]
fn a_converted_file_is_external_and_markdown_everywhere() {
    let sandbox = project(CONVERT);
    let answer = &sandbox.json(&["search", "--type", "external", "--facets", "roofs"])["queries"][0];
    assert_eq!(answer["results"][0]["id"], "docs:a.tex#stork");
    assert_eq!(answer["facets"]["types"], serde_json::json!([{ "value": "external", "documents": 1 }]));
    let plain = &sandbox.json(&["search", "--type", "plain", "roofs"])["queries"][0];
    assert_eq!(plain["results"], serde_json::json!([]));
    assert_eq!(sandbox.json(&["inspect", "docs/a.tex"])["type"], "external");
}

#[test]
fn a_project_cannot_name_a_program() {
    let sandbox = project("");
    let marker = sandbox.path("~/ran");
    sandbox.write(".ra.toml", format!("root = true\n[convert]\ntex = [\"touch\", {:?}]\n", marker));
    let shown = sandbox.run(&["search", "heron"]);
    assert!(
        shown.contains("error: [convert] names programs to run, so it is read from ~/.ra.toml only"),
        "{shown}"
    );
    assert!(shown.contains("hint: move it to ~/.ra.toml"), "{shown}");
    assert!(!marker.exists());
}

#[test]
fn a_program_that_fails_costs_a_warning() {
    for (command, reason) in [
        ("[\"false\"]", "`false` failed (exit status: 1)"),
        ("[\"no-such-program\"]", "`no-such-program` could not be run: "),
        ("[\"printf\", \"\\\\377\"]", "`printf` printed what is not UTF-8"),
        ("[\"head\", \"-c\", \"40000000\", \"/dev/zero\"]", "`head` printed more than 32 MiB"),
    ] {
        let sandbox = project(&format!("[convert]\ntex = {command}\n"));
        sandbox.write("docs/b.md", "# B\n\nother\n");
        let shown = sandbox.run(&["search", "other"]);
        assert!(shown.contains(&format!("docs:a.tex is not indexed: {reason}")), "{shown}");
        assert!(shown.contains("docs:b.md"), "{shown}");
        let tree = &sandbox.json(&["status"])["trees"][0];
        assert_eq!(tree["refused"], serde_json::json!({ "conversion failed": { "tex": 1 } }));
    }
}

#[test]
fn what_is_no_converter_is_refused() {
    for (settings, said) in [
        ("[convert]\n\".tex\" = [\"cat\"]\n", "`.tex` is not an extension"),
        ("[convert]\ntex = []\n", "`convert.tex`: a program is missing"),
        ("[convert]\ntex = 3\n", "expected a list of texts, found integer"),
    ] {
        let shown = project(settings).run(&["status"]);
        assert!(shown.contains(said), "{shown}");
    }
}
