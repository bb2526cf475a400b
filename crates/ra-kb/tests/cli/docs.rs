//! Checks that the documentation matches the program: pages that share their text with the program, the command
//! reference, the schemas of the JSON answers, and all links. Also checks the length of its lines.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::mcp::Client;
use crate::sandbox::Sandbox;

/// Returns the path of a file in the repository.
fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn pages_that_repeat_the_program_repeat_it_exactly() {
    assert_eq!(text("docs/reference/query.md"), text("crates/ra-core/src/query/reference.md"));
    let defaults = format!("```toml\n{}```\n", text("crates/ra-core/src/config/defaults.toml"));
    assert!(text("docs/reference/configuration.md").contains(&defaults), "copy defaults.toml into the page");
}

#[test]
fn the_gate_runs_the_commands_of_the_readme() {
    let (readme, gate) = (text("README.md"), text(".ci/run"));
    for command in ["cargo test --workspace", "cargo run --release -q -- search \"how does ra stay fresh\""] {
        assert!(readme.contains(&format!("\n{command}\n")), "README.md: {command}");
        assert!(gate.contains(command), ".ci/run: {command}");
    }
}

/// Returns the part of the page below a second-level heading.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = page.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section `{heading}`"));
    let rest = &page[start + 1..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// Returns the long flags that a help text defines.
fn long_flags(help: &str) -> BTreeSet<&str> {
    let definitions = help.lines().map(str::trim).filter(|line| line.starts_with('-'));
    let words = definitions.flat_map(|line| line.split([' ', ',', '=']));
    words.filter(|word| word.starts_with("--") && !word.starts_with("---")).collect()
}

#[test]
fn the_outline_in_the_readme_is_that_of_the_document() {
    let readme = text("README.md");
    let sample = readme.split("$ ra get --outline freshness.md\n").nth(1).expect("a sample");
    let docs = repository("docs").canonicalize().unwrap();
    let sandbox = Sandbox::with(&[(".ra.toml", &format!("root = true\n[trees]\ndocs = {docs:?}\n"))]);
    let outline = sandbox.run(&["get", "--outline", "freshness.md"]);
    let lines = sample.lines().take_while(|line| !line.is_empty()).filter(|line| line.trim() != "…");
    for line in lines {
        assert!(outline.contains(line), "{line}\n{outline}");
    }
}

#[test]
fn every_command_and_flag_is_in_the_reference() {
    let sandbox = Sandbox::new();
    let page = text("docs/reference/cli.md");
    let global = section(&page, "Global options");
    let help = sandbox.run(&["--help"]);
    for flag in long_flags(&help) {
        assert!(global.contains(&format!("`{flag}")), "global: {flag}");
    }
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"search"), "{commands:?}");
    let mut flags = 0;
    for command in commands {
        let described = section(&page, &format!("ra {command}"));
        for flag in long_flags(&sandbox.run(&[command, "--help"])) {
            let mark = format!("`{flag}");
            assert!(described.contains(&mark) || global.contains(&mark), "ra {command}: {flag}");
            flags += 1;
        }
    }
    assert!(flags > 50, "{flags}");
}

const GUIDE: &str = "\
---
title: User Guide
tags: [setup, guides/basic]
aliases: [Handbook]
description: How to install it
---

What this is. #inline

# User Guide

## Install

Run the installer. See [run](#run), [gone](gone.md), [[Handbook]] and ![a picture](p.png).

### Linux

Install the package.

### macOS

Install with brew.

## Run

Start it.
";

/// A saved run with one query that still exists, and a set that doesn't.
const BEFORE: &str = r#"{
  "version": 1, "depth": 10, "sets": [
    { "set": "judged.jsonl", "per_query": [
      { "query": "install", "ndcg": 0.5, "recall": 1.0, "reciprocal_rank": 0.3, "tokens": 10, "given": ["docs:guide.md"],
        "coherent": [{ "tokens": 1000, "recall": 0 }, { "tokens": 2000, "recall": 0 }, { "tokens": 4000, "recall": 1 }],
        "fragments": 3, "shredded": 0.5 }
    ] },
    { "set": "gone.jsonl", "per_query": [] }
  ]
}"#;

/// Creates a project that fills every field of every answer.
fn project() -> Sandbox {
    let sandbox = Sandbox::with(&[
        (
            ".ra.toml",
            "[trees]\ndocs = { path = \"docs\", include = [\"*.md\", \"*.rst\"], exclude = [\"old/\"] }\nmore = \"more\"\n",
        ),
        ("~/.ra.toml", "[trees]\nglobal = \"~/notes\"\n[context.patterns]\n\"*.zig\" = [\"zig\"]\n"),
        ("docs/guide.md", GUIDE),
        ("docs/broken.md", "---\ntitle: [a\n---\n\n# Other\n\nA word or two.\n"),
        ("docs/old/gone.md", "# Old\n\ninstall\n"),
        ("more/plain.txt", "Notes about installers.\n"),
        ("~/notes/n.md", "# Global\n\nHow others install things.\n"),
        (
            "judged.jsonl",
            "{\"query\": \"install\", \"relevant\": [\"docs:guide.md\"]}\n{\"query\": \"zzzz\", \"relevant\": {\"docs:guide.md#run\": 2}}\n",
        ),
        ("before.json", BEFORE),
        ("docs/scan.pdf", "no PDF"),
        ("citations.txt", "docs:guide.md#install@00000000000000:1-2 and docs:gone.md@00000000000000:3-3\n"),
        ("elsewhere/x.md", "# X\n\ny\n"),
    ]);
    sandbox.write("docs/picture.md", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    sandbox.write("docs/latin.md", b"# Caf\xe9\n\nLatin 1.\n");
    sandbox
}

/// Every kind of answer of every command, with the name of its schema.
const ANSWERS: &[(&str, &[&str])] = &[
    ("status", &["status"]),
    ("ls-trees", &["ls", "trees"]),
    ("search", &["search", "install"]),
    ("search", &["search", "--list", "install"]),
    ("search", &["search", "--matches", "install"]),
    ("search", &["search", "--explain", "--group", "install", "install linux", "titel:x (word", "zzzz"]),
    ("search", &["search", "--no-aggregation", "--sort", "date", "install", "brew"]),
    ("search", &["search", "--raw", "title:install"]),
    ("search", &["search", "instal brews qqqq wwww eeee"]),
    ("search", &["search", "--expand", "--max-tokens", "60", "install"]),
    ("search", &["search", "--tag", "nope", "install"]),
    ("search", &["context", "docs/guide.md", "--explain"]),
    ("search", &["similar", "guide.md", "--list"]),
    ("get", &["get", "guide.md", "plain.txt"]),
    ("get", &["get", "docs:guide.md#install"]),
    ("get", &["get", "--outline", "guide.md"]),
    ("get", &["get", "--lines", "2-4", "guide.md"]),
    ("links", &["links", "guide.md", "--orphans"]),
    ("links", &["links", "docs:guide.md#install"]),
    ("cite", &["cite", "guide.md", "docs:guide.md#install"]),
    ("verify", &["verify", "citations.txt"]),
    ("ls-trees", &["ls", "trees"]),
    ("ls-docs", &["ls", "docs"]),
    ("ls-docs", &["ls", "docs", "nothing*"]),
    ("ls-chunks", &["ls", "chunks"]),
    ("ls-tags", &["ls", "tags"]),
    ("ls-fields", &["ls", "fields"]),
    ("search", &["search", "--facets", "--field", "status:*", "install"]),
    ("update", &["update"]),
    ("status", &["status"]),
    ("check", &["check"]),
    ("check", &["check", "--links"]),
    ("check", &["check", "--retrieval"]),
    ("inspect", &["inspect", "docs/guide.md"]),
    ("inspect", &["inspect", "docs/broken.md"]),
    ("inspect", &["inspect", "docs/latin.md"]),
    ("inspect", &["inspect", "docs/picture.md"]),
    ("inspect", &["inspect", "docs/scan.pdf"]),
    ("inspect", &["inspect", "docs/old/gone.md"]),
    ("inspect", &["inspect", "elsewhere/x.md"]),
    ("inspect", &["inspect", "more/plain.txt"]),
    ("doctor", &["doctor"]),
    ("config", &["config"]),
    ("config", &["config", "--changed"]),
    ("eval", &["eval", "judged.jsonl"]),
    ("eval-context", &["eval", "--context"]),
    ("eval", &["eval", "judged.jsonl", "--compare", "before.json"]),
    ("agents", &["agents", "--all", "--diff"]),
    ("agents", &["agents", "--stdout"]),
    ("agents", &["agents", "--all"]),
    ("agents", &["agents", "--all"]),
    ("agents", &["agents", "--all", "--remove"]),
    ("agents", &["agents", "--skill", "--quiet"]),
    ("agents-mcp", &["agents", "--mcp-config", "codex"]),
    ("agents-mcp", &["agents", "--mcp-config", "claude-desktop"]),
];

/// Returns the answer of a command as JSON, for any arguments.
fn answer(sandbox: &Sandbox, args: &[&str]) -> Value {
    let output = sandbox.command().arg("--json").args(args).output().expect("a process");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {output:?}"))
}

fn schema(name: &str) -> Value {
    serde_json::from_str(&text(&format!("docs/reference/schema/{name}.json"))).expect("a schema")
}

fn follows(name: &str, answer: &Value, what: &dyn std::fmt::Debug) {
    let schema = schema(name);
    let mut wrong = Vec::new();
    Validator { root: &schema, wrong: &mut wrong }.check(&schema, answer, "$");
    assert!(wrong.is_empty(), "{what:?} does not follow {name}.json:\n{}\n{answer:#}", wrong.join("\n"));
}

#[test]
fn every_answer_follows_its_schema() {
    let sandbox = project();
    for (name, args) in ANSWERS {
        follows(name, &answer(&sandbox, args), args);
    }
    fs::remove_dir_all(sandbox.path("more")).unwrap();
    for (name, args) in [("status", "status"), ("check", "check"), ("search", "search")] {
        let args: &[&str] = if args == "search" { &["search", "install"] } else { &[args] };
        follows(name, &answer(&sandbox, args), &args);
    }
    let sandbox = Sandbox::with(&[(".git/HEAD", "ref: refs/heads/main\n")]);
    follows("init", &answer(&sandbox, &["init"]), &"init");
    follows("init", &answer(&sandbox, &["init", "--global"]), &"init --global");
}

/// Collects the names of all properties in a schema.
fn properties(schema: &Value, names: &mut BTreeSet<String>) {
    if let Some(Value::Object(properties)) = schema.get("properties") {
        names.extend(properties.keys().cloned());
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|inner| properties(inner, names)),
        Value::Array(items) => items.iter().for_each(|inner| properties(inner, names)),
        _ => {}
    }
}

#[test]
fn every_field_of_the_schemas_is_described() {
    let page = text("docs/reference/json.md");
    let mut named = BTreeSet::new();
    for entry in fs::read_dir(repository("docs/reference/schema")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let name = file.strip_suffix(".json").expect("a schema");
        assert!(page.contains(&format!("(schema/{file})")), "no link to {file}");
        let tested = ANSWERS.iter().any(|(tested, _)| *tested == name) || name == "init";
        assert!(tested, "no answer is held against {file}");
        properties(&schema(name), &mut named);
    }
    for name in named {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let sandbox = Sandbox::new();
    let root = repository("").canonicalize().unwrap();
    let tree = format!("[trees]\nrepository = {{ path = {root:?}, exclude = [\"target/\", \"crates/\"] }}\n");
    sandbox.write(".ra.toml", tree);
    let links = &answer(&sandbox, &["check", "--links"])["links"];
    assert_eq!(links["broken"], 0, "{links:#}");
    assert!(links["checked"].as_u64() > Some(40), "{links:#}");
}

/// The folders with pages for people.
const PAGES: &[&str] = &[
    ".",
    "docs/concepts",
    "docs/guide",
    "docs/reference",
    "bench",
    "model",
    "packaging",
    "crates/ra-core",
    "crates/ra-kb",
    "crates/ra-semantic",
];

const MAX_LINE_CHARS: usize = 120;

/// Returns the numbered lines of a page that aren't code, a table or a single link.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    page.lines().enumerate().filter_map(move |(nr, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        let is_link = line.starts_with("- [") && line.ends_with(')') && line.matches("](").count() == 1;
        (!in_code && !is_fence && !is_link && !line.starts_with('|')).then_some((nr + 1, line))
    })
}

#[test]
fn lines_of_prose_are_short() {
    let (mut pages, mut long) = (0, Vec::new());
    for folder in PAGES {
        for entry in fs::read_dir(repository(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            pages += 1;
            let page = fs::read_to_string(&path).unwrap();
            let too_long = prose(&page).filter(|(_, line)| line.chars().count() > MAX_LINE_CHARS);
            long.extend(too_long.map(|(nr, _)| format!("{}:{nr}", path.display())));
        }
    }
    assert!(pages > 25, "{pages}");
    assert!(long.is_empty(), "lines of more than {MAX_LINE_CHARS} characters:\n{}", long.join("\n"));
}

#[test]
fn every_tool_and_argument_is_in_the_reference() {
    let page = text("docs/reference/mcp.md");
    let mut client = Client::connect(&Sandbox::new());
    let listed = client.request("tools/list", serde_json::json!({}));
    for tool in listed["result"]["tools"].as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let start = page.find(&format!("\n### {name}\n")).unwrap_or_else(|| panic!("no section on {name}"));
        let rest = &page[start + 1..];
        let described = &rest[..rest.find("\n##").unwrap_or(rest.len())];
        for argument in tool["inputSchema"]["properties"].as_object().expect("arguments").keys() {
            assert!(described.contains(&format!("| `{argument}` |")), "{name}: {argument}");
        }
    }
}

/// Validates values against the subset of JSON Schema that the schemas use. An unknown keyword is an error, so
/// none is silently ignored.
struct Validator<'a> {
    root: &'a Value,
    wrong: &'a mut Vec<String>,
}

impl Validator<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(true) => return,
            Value::Bool(false) => return self.wrong.push(format!("{at} must not be there")),
            _ => panic!("{at}: not a schema: {schema}"),
        };
        for (keyword, rule) in keywords {
            let holds = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => true,
                "type" => one_or_many(rule).any(|name| is_type(value, name)),
                "const" => value == rule,
                "enum" => rule.as_array().expect("a list").contains(value),
                "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
                "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
                "minItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap())
                }
                "maxItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap())
                }
                "required" => {
                    let names = one_or_many(rule);
                    value
                        .as_object()
                        .is_none_or(|object| names.into_iter().all(|name| object.contains_key(name)))
                }
                "$ref" => {
                    let pointer =
                        rule.as_str().and_then(|target| target.strip_prefix('#')).expect("a local name");
                    let target = self.root.pointer(pointer).unwrap_or_else(|| panic!("{pointer}: not there"));
                    self.check(target, value, at);
                    true
                }
                "properties" | "additionalProperties" | "prefixItems" | "items" => {
                    self.children(keyword, keywords, value, at);
                    true
                }
                _ => panic!("{at}: the keyword `{keyword}` is not known here"),
            };
            if !holds {
                self.wrong.push(format!("{at}: `{keyword}` asks for {rule}, found {value}"));
            }
        }
    }

    fn children(
        &mut self,
        keyword: &str,
        keywords: &serde_json::Map<String, Value>,
        value: &Value,
        at: &str,
    ) {
        let rule = &keywords[keyword];
        match (keyword, value) {
            ("properties", Value::Object(object)) => {
                for (name, schema) in rule.as_object().expect("a table") {
                    if let Some(inner) = object.get(name) {
                        self.check(schema, inner, &format!("{at}.{name}"));
                    }
                }
            }
            ("additionalProperties", Value::Object(object)) => {
                let known = keywords.get("properties").and_then(Value::as_object);
                for (name, inner) in
                    object.iter().filter(|(name, _)| !known.is_some_and(|it| it.contains_key(*name)))
                {
                    self.check(rule, inner, &format!("{at}.{name}"));
                }
            }
            ("prefixItems", Value::Array(items)) => {
                for (nr, (schema, item)) in rule.as_array().expect("a list").iter().zip(items).enumerate() {
                    self.check(schema, item, &format!("{at}[{nr}]"));
                }
            }
            ("items", Value::Array(items)) => {
                let before = keywords.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                for (nr, item) in items.iter().enumerate().skip(before) {
                    self.check(rule, item, &format!("{at}[{nr}]"));
                }
            }
            _ => {}
        }
    }
}

fn one_or_many(rule: &Value) -> impl Iterator<Item = &str> {
    let many = rule.as_array().map_or_else(|| std::slice::from_ref(rule), Vec::as_slice);
    many.iter().map(|name| name.as_str().expect("a name"))
}

fn is_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        _ => panic!("the type `{name}` is not known here"),
    }
}

#[test]
fn the_validator_refuses_what_a_schema_does_not_allow() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "a": { "$ref": "#/$defs/pair" },
            "b": { "type": ["string", "null"] },
            "c": { "enum": [1, "x"] },
        },
        "required": ["a"],
        "additionalProperties": false,
        "$defs": {
            "pair": { "type": "array", "prefixItems": [{ "type": "integer", "minimum": 1 }], "minItems": 1, "maxItems": 1 },
        },
    });
    for (value, mistakes) in [
        (serde_json::json!({ "a": [1], "b": null, "c": "x" }), 0),
        (serde_json::json!({}), 1),
        (serde_json::json!({ "a": [] }), 1),
        (serde_json::json!({ "a": [0] }), 1),
        (serde_json::json!({ "a": [1, 2] }), 1),
        (serde_json::json!({ "a": [1.5], "b": 3, "c": 2, "d": 4 }), 4),
        (serde_json::json!("a"), 1),
    ] {
        let mut wrong = Vec::new();
        Validator { root: &schema, wrong: &mut wrong }.check(&schema, &value, "$");
        assert_eq!(wrong.len(), mistakes, "{value}: {wrong:?}");
    }
}
