//! The project that the tests of search, get and lists use.

use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use crate::sandbox::Sandbox;

/// The files, each with the day in 2024 on which it was last changed.
const FILES: &[(&str, u64, &str)] = &[
    (
        "docs/guide.md",
        1,
        "\
---
title: The Guide
tags: [rust, net/http]
---
Everything that a beginner needs.

# Installation

Download it, then run `setup`.

# Error handling

Errors are values.

## The Result type

Return an error with `?` to the caller.

## The Option type

An error without a reason.

# Überblick

Größere Fragen.
",
    ),
    (
        "docs/api/errors.md",
        2,
        "# Error codes\n\nEvery error has a code.\n\n# Limits\n\nTen requests a second.\n",
    ),
    ("docs/api/guide.md", 3, "# API guide\n\nHow to call it.\n"),
    ("notes/todo.txt", 4, "Write about error codes.\nAsk about getUserName.\n"),
];

/// Creates the project.
pub(crate) fn fixture_project() -> Sandbox {
    let sandbox =
        Sandbox::with(&[(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nnotes = \"notes\"\n")]);
    for (path, day, text) in FILES {
        sandbox.write(path, text);
        let file = File::options().write(true).open(sandbox.path(path)).expect("the file");
        let time = UNIX_EPOCH + Duration::from_secs(1_704_067_200 + day * 86_400);
        file.set_modified(time).expect("a time");
    }
    sandbox
}

/// Returns the output of `ra`, with every number that has a fraction replaced by `#`: scores may change when
/// ranking improves, and these tests are about the rest.
pub(crate) fn run(sandbox: &Sandbox, args: &[&str]) -> String {
    let shown = sandbox.run(args);
    let mut masked = String::with_capacity(shown.len());
    let mut rest = shown.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        masked.push_str(&rest[..at]);
        let number = &rest[at..];
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let is_score = number[..end].split('.').filter(|part| !part.is_empty()).count() == 2;
        masked.push_str(if is_score { "#" } else { &number[..end] });
        rest = &number[end..];
    }
    masked + rest
}
