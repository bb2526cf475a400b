//! `ra doctor`: what it finds, what it starts, and what it mends.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const CONFIG: (&str, &str) =
    (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n[search]\nsemantic = false\n");
const GUIDE: (&str, &str) = ("docs/guide.md", "# The Guide\n\nText.\n");

/// The directory of the program.
fn programs() -> PathBuf {
    assert_cmd::cargo::cargo_bin("ra").parent().expect("a directory").to_owned()
}

/// Runs `ra doctor` with the program on the PATH. Returns its exit code and its answer.
fn doctor(sandbox: &Sandbox, flags: &[&str]) -> (i32, Value) {
    let mut command = sandbox.command();
    let output = command.env("PATH", programs()).args(["doctor", "--json"]).args(flags).output().unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output.status.code().unwrap_or(-1), answer)
}

/// Returns the status and the message of a topic.
fn said(answer: &Value, topic: &str) -> (String, String) {
    let checks = answer["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["topic"] == topic);
    let text = |key: &str| check.and_then(|check| check[key].as_str()).unwrap_or_default().to_owned();
    (text("status"), text("message"))
}

#[test]
fn a_healthy_installation_has_nothing_to_mend() {
    let sandbox = Sandbox::with(&[CONFIG, GUIDE]);
    sandbox.run(&["search", "text"]);
    let (code, answer) = doctor(&sandbox, &[]);
    assert_eq!(code, 0, "{answer:#}");
    assert_eq!(said(&answer, "program").0, "good");
    assert!(said(&answer, "configuration").1.ends_with("project/.ra.toml; 1 tree"), "{answer:#}");
    assert!(said(&answer, "index").1.ends_with(" is current"), "{answer:#}");
    assert_eq!(answer["unused_clients"].as_array().unwrap().len(), 9);
}

#[test]
fn the_server_is_started_as_each_client_starts_it() {
    let sandbox = Sandbox::with(&[CONFIG, GUIDE]);
    let clients = ["claude-code", "codex", "cursor", "opencode", "vscode", "windsurf"];
    for client in clients {
        sandbox.run(&["agents", "--mcp-config", client, "--write", "-q"]);
    }
    sandbox.write(
        "~/.gemini/settings.json",
        r#"{ "mcpServers": { "ra": { "command": "ra", "args": ["mcp"] } } }"#,
    );
    let (code, answer) = doctor(&sandbox, &[]);
    assert_eq!(code, 0, "{answer:#}");
    for client in clients.iter().chain(&["gemini"]) {
        let (status, message) = said(&answer, client);
        assert!(status == "good" && message.contains(", which offers "), "{client}: {message}");
    }
    assert_eq!(answer["unused_clients"], json!(["claude-desktop", "zed"]));
}

#[cfg(unix)]
#[test]
fn nothing_else_that_a_project_names_is_started() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(&[CONFIG, GUIDE]);
    sandbox.write("evil", "#!/bin/sh\ntouch ../started\n");
    fs::set_permissions(sandbox.path("evil"), fs::Permissions::from_mode(0o755)).unwrap();
    let evil = sandbox.path("evil").display().to_string();
    let entries = [
        (".mcp.json", "mcpServers", json!({ "command": "./evil", "args": ["mcp"] })),
        (".cursor/mcp.json", "mcpServers", json!({ "command": evil, "args": ["mcp"] })),
        (".vscode/mcp.json", "servers", json!({ "command": "sh", "args": ["evil"] })),
        (".gemini/settings.json", "mcpServers", json!({ "command": "ra", "args": ["mcp", "--root", "/"] })),
        (".zed/settings.json", "context_servers", json!({ "command": "ra", "args": ["-C", "/", "mcp"] })),
        ("opencode.json", "mcp", json!({ "command": 7 })),
    ];
    for (file, servers, entry) in entries {
        sandbox.write(file, json!({ servers: { "ra": entry } }).to_string());
    }
    let (code, answer) = doctor(&sandbox, &[]);
    assert_eq!(code, 1, "{answer:#}");
    for client in ["claude-code", "cursor", "vscode", "gemini", "zed"] {
        assert!(said(&answer, client).1.contains("not tried"), "{client}: {answer:#}");
    }
    assert!(said(&answer, "opencode").1.ends_with("has an entry that doesn't start a server"));
    assert!(!sandbox.path("../started").exists());
}

#[test]
fn what_is_safe_is_mended() {
    let sandbox = Sandbox::with(&[CONFIG, GUIDE]);
    sandbox.write(
        ".mcp.json",
        r#"{ "mcpServers": { "ra": { "command": "/gone/ra", "args": ["mcp"] }, "db": {} } }"#,
    );
    sandbox.run(&["search", "text"]);
    sandbox.write("docs/new.md", "# New\n\nMore.\n");
    let (code, before) = doctor(&sandbox, &[]);
    assert_eq!((code, said(&before, "claude-code").0.as_str()), (1, "warning"), "{before:#}");
    let (code, fixed) = doctor(&sandbox, &["--fix"]);
    assert_eq!(code, 0, "{fixed:#}");
    assert_eq!((said(&fixed, "claude-code").0, said(&fixed, "index").0), ("fixed".into(), "fixed".into()));
    assert!(sandbox.read(".mcp.json").contains("\"db\""));
    let (code, after) = doctor(&sandbox, &["--fix"]);
    assert_eq!((code, said(&after, "claude-code").0.as_str()), (0, "good"), "{after:#}");
    assert_eq!(said(&after, "index").0, "good");
}

#[test]
fn what_does_not_work_is_named() {
    let sandbox = Sandbox::with(&[(".ra.toml", "root = tru\n")]);
    let (code, answer) = doctor(&sandbox, &[]);
    assert_eq!((code, said(&answer, "configuration").0.as_str()), (2, "error"), "{answer:#}");
    sandbox.write(".ra.toml", "root = true\n[trees]\ndocs = \"nowhere\"\n");
    let (code, answer) = doctor(&sandbox, &[]);
    assert_eq!((code, said(&answer, "tree docs").0.as_str()), (1, "warning"), "{answer:#}");
    // Without a PATH.
    let text = sandbox.run(&["doctor"]);
    assert!(
        text.contains("is not on the PATH") && text.contains("hint: clients start `ra` by its name"),
        "{text}"
    );
}
