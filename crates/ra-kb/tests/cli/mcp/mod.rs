//! The MCP server as its clients see it: JSON-RPC over stdin and stdout, and over HTTP.

mod client;
mod hostile;
mod http;
mod lifecycle;
mod protocol;
mod resources;
#[cfg(target_os = "linux")]
mod stalled_client;
mod tools;

pub(crate) use self::client::{Client, Http, Reply, text};
use crate::sandbox::Sandbox;

const CONFIG: &str = "root = true\n[trees]\ndocs = \"docs\"\n";

const GUIDE: &str = "\
# Guide

How to use the thing.

## Installation

Run the installer and wait for the zebra.

```console
$ install --zebra
```

## Configuration

Write a file. The zebra reads it.
";

/// Creates a small project.
fn project() -> Sandbox {
    let other = "# Notes\n\nThe zebra sleeps.\n\n## Errors\n\nAn error is a value.\n";
    Sandbox::with(&[(".ra.toml", CONFIG), ("docs/guide.md", GUIDE), ("docs/sub/notes.md", other)])
}

/// Returns a document with many sections, larger than any budget.
fn long_document() -> String {
    let mut text = "# Long\n\n".to_owned();
    for nr in 1..=400 {
        text.push_str(&format!(
            "## Part {nr}\n\nThe giraffe of part {nr} eats {}.\n\n",
            "leaves ".repeat(60)
        ));
        text.push_str(&format!("```text\ncode of part {nr}\nmore code\n```\n\n"));
    }
    text
}
