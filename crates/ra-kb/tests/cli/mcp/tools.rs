//! The tools: their names and arguments, and that their answers equal those of the command line.

use ra_core::tokens;
use serde_json::{Value, json};

use super::client::{Client, text};
use super::{CONFIG, GUIDE, long_document, project};
use crate::sandbox::Sandbox;

fn definitions(client: &mut Client) -> Vec<Value> {
    client.request("tools/list", json!({}))["result"]["tools"].as_array().expect("tools").clone()
}

/// Calls `each` with every object in a schema and its path.
fn walk(schema: &Value, at: &str, each: &mut impl FnMut(&serde_json::Map<String, Value>, &str)) {
    match schema {
        Value::Object(fields) => {
            each(fields, at);
            fields.iter().for_each(|(name, inner)| walk(inner, &format!("{at}.{name}"), each));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(nr, inner)| walk(inner, &format!("{at}[{nr}]"), each))
        }
        _ => {}
    }
}

#[test]
fn the_schemas_are_flat_and_the_tools_cost_little() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let tools = definitions(&mut client);
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{name}");
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        assert!(tool["outputSchema"].is_null(), "{name} promises data, which would hide its text");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        walk(&tool["inputSchema"], name, &mut |fields, at| {
            for keyword in ["$ref", "$defs", "oneOf", "anyOf", "allOf", "not", "nullable", "const"] {
                assert!(!fields.contains_key(keyword), "{at} has {keyword}");
            }
            assert!(!fields.get("type").is_some_and(Value::is_array), "{at} has several types");
        });
        for (argument, rule) in tool["inputSchema"]["properties"].as_object().expect("arguments") {
            assert!(rule["description"].is_string(), "{name}.{argument}");
            assert!(rule["type"].is_string(), "{name}.{argument}");
        }
    }
    let listed = json!({ "tools": tools }).to_string();
    let cost = tokens::count(&listed);
    assert!(cost < 1500, "tools/list has {cost} tokens");
}

#[test]
fn the_tools_are_those_of_the_specification() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let tools = definitions(&mut client);
    for (name, arguments, required) in [
        ("search", vec!["queries", "limit", "max_tokens", "list"], vec!["queries"]),
        ("get", vec!["ids", "full_document"], vec!["ids"]),
        ("list_sources", vec![], vec![]),
    ] {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
        let known = tool["inputSchema"]["properties"].as_object().expect("arguments");
        for argument in arguments {
            assert!(known.contains_key(argument), "{name}.{argument}");
        }
        let asked: Vec<&str> = tool["inputSchema"]["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(asked, required, "{name}");
    }
}

#[test]
fn the_command_line_and_the_server_answer_the_same() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for (arguments, tool, line) in [
        (json!({ "queries": "zebra" }), "search", vec!["search", "zebra"]),
        (json!({ "queries": "zebra", "list": true }), "search", vec!["search", "zebra", "--list"]),
        (json!({ "queries": ["zebra", "error"] }), "search", vec!["search", "zebra", "error", "--group"]),
        (json!({ "queries": "zebra unicorn" }), "search", vec!["search", "zebra unicorn"]),
        (json!({ "queries": "unicorn" }), "search", vec!["search", "unicorn"]),
        (json!({ "queries": "linked:guide.md" }), "search", vec!["search", "linked:guide.md"]),
        (json!({ "queries": "zebra linked:no.md" }), "search", vec!["search", "zebra linked:no.md"]),
        (json!({ "queries": "\"the zebra", "limit": 1 }), "search", vec!["search", "\"the zebra", "-n", "1"]),
        (
            json!({ "queries": "zebra", "paths": ["sub/"] }),
            "search",
            vec!["search", "zebra", "--path", "sub/"],
        ),
        (json!({ "queries": "zebra", "expand": true }), "search", vec!["search", "zebra", "--expand"]),
        (json!({ "files": ["docs/guide.md"] }), "context", vec!["context", "docs/guide.md"]),
        (
            json!({ "files": ["docs/guide.md"], "list": true, "limit": 1 }),
            "context",
            vec!["context", "docs/guide.md", "--list", "-n", "1"],
        ),
        (json!({ "id": "guide.md" }), "similar", vec!["similar", "guide.md"]),
        (json!({ "ids": "docs:guide.md" }), "get", vec!["get", "docs:guide.md"]),
        (json!({ "ids": ["notes.md#errors"] }), "get", vec!["get", "notes.md#errors"]),
        (json!({ "ids": ["guide.md"], "outline": true }), "get", vec!["get", "guide.md", "--outline"]),
        (json!({ "ids": ["guide.md:2-4"] }), "get", vec!["get", "guide.md", "--lines", "2-4"]),
        (json!({ "ids": ["guide.md", "notes.md"] }), "get", vec!["get", "guide.md", "notes.md"]),
        (
            json!({ "ids": ["notes.md#errors"], "full_document": true }),
            "get",
            vec!["get", "notes.md#errors", "--full-document"],
        ),
    ] {
        let result = client.tool(tool, arguments.clone());
        assert_eq!(result["isError"], false, "{arguments}: {result}");
        let printed = sandbox.command().args(&line).output().expect("a process");
        let said =
            [printed.stdout, printed.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
        let (answer, index) = text(&result).rsplit_once("index: generation ").expect("a line on the index");
        let structure = "─── notes ───\n";
        assert_eq!(answer.matches(structure).count(), 1, "{answer}");
        assert_eq!(answer.replace(structure, ""), said, "{arguments}");
        assert!(index.contains(", checked 20"), "{index}");
    }
    let sources = client.tool("list_sources", json!({}));
    let printed = String::from_utf8(sandbox.command().arg("status").output().expect("a process").stdout);
    let (inventory, _) = printed.as_deref().expect("text").split_once("\nConfiguration:\n").expect("both");
    let (listed, files) = text(&sources).split_once("\nConfiguration:\n").expect("both");
    assert_eq!(listed, inventory);
    assert!(files.trim_end().ends_with(".ra.toml"), "{files}");
}

/// Clients that get structured data pass it to the model and drop the text.
#[test]
fn every_answer_is_text_and_nothing_else() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for (tool, arguments) in [
        ("search", json!({ "queries": ["zebra"] })),
        ("search", json!({ "queries": ["unicorn"], "list": true })),
        ("context", json!({ "files": ["docs/guide.md"] })),
        ("similar", json!({ "id": "guide.md" })),
        ("get", json!({ "ids": ["guide.md"] })),
        ("get", json!({ "ids": ["nowhere.md"] })),
        ("list_sources", json!({})),
    ] {
        let result = client.tool(tool, arguments.clone());
        let fields: Vec<&String> = result.as_object().expect("an object").keys().collect();
        assert_eq!(fields, ["content", "isError"], "{tool} {arguments}: {result}");
        assert!(!text(&result).is_empty(), "{tool} {arguments}");
    }
}

#[test]
fn arguments_that_are_not_understood_are_refused() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for (tool, arguments, said) in [
        ("search", json!({ "queries": "zebra", "limt": 3 }), "did you mean `limit`?"),
        ("search", json!({ "queries": "" }), "hint:"),
        ("search", json!({ "queries": "-zebra" }), "hint:"),
        ("search", json!({ "queries": ["zebra", ""] }), "query 2: the query is empty"),
        ("search", json!({ "queries": "zebra", "trees": ["dcos"] }), "did you mean `docs`?"),
        ("get", json!({ "ids": ["guid.md"] }), "did you mean docs:guide.md?"),
        ("get", json!({ "ids": ["zzz"] }), "hint: `search` finds"),
        ("get", json!({ "ids": ["guide.md#instalation"] }), "did you mean docs:guide.md#installation?"),
        ("get", json!({ "id": "guide.md" }), "did you mean `ids`?"),
        ("get", json!({ "ids": ["guide.md:9-2"] }), "no document or section is called `guide.md:9-2`"),
        ("get", json!({ "ids": ["guide.md:1-2"], "outline": true }), "names lines"),
        ("get", json!({ "ids": ["guide.md"], "outline": true, "full_document": true }), "exclude each other"),
        ("get", json!({ "ids": ["guide.md:9999"] }), "hint: ask for lines from 1 to 15"),
        ("list_sources", json!({ "all": true }), "this tool takes no arguments"),
    ] {
        let result = client.tool(tool, arguments.clone());
        assert_eq!(result["isError"], true, "{arguments}: {result}");
        assert!(
            text(&result).starts_with("error: ") && text(&result).contains(said),
            "{arguments}: {result}"
        );
    }
}

#[test]
fn a_name_may_be_an_id_a_path_or_an_address_with_lines_after_it() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let lines = "## Installation\n\nRun the installer and wait for the zebra.\n";
    let section = "## Configuration\n\nWrite a file. The zebra reads it.\n";
    for (ids, expected) in [
        (json!("docs:guide.md:5-7"), lines),
        (json!(["docs:guide.md#configuration:5-7"]), lines),
        (json!("docs/guide.md:5-7"), lines),
        (json!("[\"ra://docs/guide.md:5-7\"]"), lines),
        (json!("ra://docs/guide.md#configuration"), section),
        (json!(["guide.md#configuration"]), section),
        (json!("guide.md:3-3"), "How to use the thing.\n"),
        (json!("guide.md:15"), section),
        (json!("guide.md:15-"), "Write a file. The zebra reads it.\n"),
    ] {
        let result = client.tool("get", json!({ "ids": ids }));
        let (shown, _) = text(&result).rsplit_once("─── notes ───\n").expect("notes");
        assert_eq!(shown, expected, "{ids}");
    }
}

#[test]
fn forms_that_models_send_are_accepted() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let mut answer = |arguments: Value| {
        let result = client.tool("search", arguments.clone());
        assert_eq!(result["isError"], false, "{arguments}: {result}");
        text(&result).rsplit_once("index: generation ").expect("a line on the index").0.to_owned()
    };
    let one = answer(json!({ "queries": ["zebra"], "limit": 1, "list": true, "trees": ["docs"] }));
    assert_eq!(answer(json!({ "queries": "zebra", "limit": "1", "list": "true", "trees": "docs" })), one);
    let two = answer(json!({ "queries": ["zebra", "error"] }));
    assert_eq!(answer(json!({ "queries": "[\"zebra\", \"error\"]", "paths": "", "tags": [] })), two);
}

#[test]
fn configured_limits_hold_unless_the_request_says_otherwise() {
    let config = format!("{CONFIG}[search]\nlimit = 2\n[context]\nlimit = 1\n");
    let sandbox = Sandbox::with(&[(".ra.toml", &config)]);
    for nr in 0..9 {
        sandbox
            .write(&format!("docs/{nr}.md"), format!("# Zebra {nr}\n\nThe zebra zebra eats grass grass.\n"));
    }
    let mut client = Client::connect(&sandbox);
    for (tool, mut arguments, limit) in [
        ("search", json!({ "queries": ["zebra"] }), 2),
        ("context", json!({ "files": ["docs/1.md"] }), 1),
        ("similar", json!({ "id": "docs:1.md" }), 1),
    ] {
        arguments["list"] = true.into();
        let mut count = |arguments: &Value| {
            let result = client.tool(tool, arguments.clone());
            text(&result).lines().filter(|line| line.contains("docs:")).count()
        };
        assert_eq!(count(&arguments), limit, "{tool}");
        arguments["limit"] = 4.into();
        assert_eq!(count(&arguments), 4, "{tool}");
    }
    for tool in definitions(&mut client) {
        for rule in tool["inputSchema"]["properties"].as_object().into_iter().flat_map(|rules| rules.values())
        {
            assert!(rule["default"].is_null(), "the configuration decides: {tool}");
        }
    }
}

/// Whatever goes wrong, the model is told about tools and arguments.
#[test]
fn no_answer_names_a_shell_command() {
    let sandbox = project();
    sandbox.write("docs/long.md", long_document());
    let mut client = Client::connect(&sandbox);
    for (tool, arguments) in [
        ("get", json!({ "ids": ["nowhere.md"] })),
        ("get", json!({ "ids": ["zzz"] })),
        ("get", json!({ "ids": ["guide.md#zzz"] })),
        ("get", json!({ "ids": ["long.md"], "max_tokens": 500 })),
        ("get", json!({ "ids": ["long.md"], "outline": true, "max_tokens": 500 })),
        ("similar", json!({ "id": "zzz" })),
        ("search", json!({ "queries": ["giraffe leaves"], "max_tokens": 300, "limit": 50 })),
        ("search", json!({ "queries": ["giraffe"], "list": true, "max_tokens": 300, "limit": 50 })),
        ("search", json!({ "queries": ["giraffe eats"], "expand": true })),
        ("search", json!({ "queries": ["unicorn"], "trees": "docs", "paths": "nowhere/", "tags": "none" })),
        ("search", json!({ "queries": ["(\"zebra AND"] })),
        ("search", json!({ "queries": ["-zebra"] })),
        ("context", json!({ "files": ["docs"] })),
        ("context", json!({ "files": ["docs/missing.rs"] })),
        ("list_sources", json!({})),
    ] {
        let result = client.tool(tool, arguments.clone());
        let said = text(&result);
        for command in ["ra get", "ra search", "ra ls", "ra update", "ra help", "ra inspect", "`ra ", " --"] {
            assert!(!said.contains(command), "{tool} {arguments}: {said}");
        }
    }
}

#[test]
fn an_empty_answer_is_an_answer_that_explains_itself() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let result = client.tool("search", json!({ "queries": "unicorn" }));
    assert_eq!(result["isError"], false);
    assert!(text(&result).contains("nothing matches \"unicorn\""), "{result}");
    assert!(text(&result).contains("no section has: unicorn"), "{result}");
}

#[test]
fn one_name_that_is_wrong_does_not_keep_the_others_away() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let result = client.tool("get", json!({ "ids": ["guide.md", "nowhere.md"] }));
    assert_eq!(result["isError"], false);
    assert!(text(&result).contains(GUIDE), "{result}");
    assert!(text(&result).contains("error: no document or section is called `nowhere.md`"), "{result}");
}

#[test]
fn a_budget_is_a_promise() {
    let sandbox = Sandbox::with(&[(".ra.toml", CONFIG), ("docs/guide.md", GUIDE)]);
    sandbox.write("docs/long.md", long_document());
    for nr in 0..30 {
        sandbox
            .write(&format!("docs/{nr}.md"), format!("# Giraffe {nr}\n\n{}\n", "Giraffes eat. ".repeat(100)));
    }
    let mut client = Client::connect(&sandbox);
    for budget in [200, 500, 1000, 3000, 8000, 25_000] {
        for (tool, arguments) in [
            ("search", json!({ "queries": "giraffe", "limit": 50 })),
            ("search", json!({ "queries": ["giraffe", "eat leaves", "zebra"], "limit": 20 })),
            ("search", json!({ "queries": "giraffe", "limit": 100, "list": true })),
            ("search", json!({ "queries": "giraffe", "limit": 20, "facets": true })),
            ("context", json!({ "files": ["docs/long.md"], "limit": 50 })),
            ("similar", json!({ "id": "7.md", "limit": 50 })),
            ("get", json!({ "ids": ["long.md"] })),
            ("get", json!({ "ids": ["long.md"], "outline": true })),
            ("get", json!({ "ids": ["guide.md", "long.md", "7.md"] })),
        ] {
            let mut arguments = arguments;
            arguments["max_tokens"] = budget.into();
            let result = client.tool(tool, arguments.clone());
            assert_eq!(result["isError"], false, "{arguments}");
            let size = tokens::count(text(&result));
            assert!(size <= budget, "{arguments}: {size}");
            assert!(
                size * 3 > budget || text(&result).lines().count() > 8,
                "{arguments}: {size} is too little"
            );
            let fences = text(&result).lines().filter(|line| line.starts_with("```")).count();
            assert_eq!(fences % 2, 0, "{arguments}");
        }
    }
    let result = client.tool("search", json!({ "queries": "giraffe", "limit": 50 }));
    assert!(tokens::count(text(&result)) <= 8000);
    assert!(text(&result).contains("docs:29.md"), "all are at least named: {}", text(&result));
    let result = client.tool("search", json!({ "queries": "giraffe", "limit": 50, "max_tokens": 400 }));
    assert!(text(&result).contains(" more; raise max_tokens to show them, or set list"), "{}", text(&result));
    let unheard: Vec<String> = (0..9).map(|nr| format!("unheard{nr}word")).collect();
    for queries in [json!(unheard), json!(["x".repeat(900), "giraffe"])] {
        for budget in [200, 201, 300, 500] {
            let result = client.tool("search", json!({ "queries": queries, "max_tokens": budget }));
            assert!(tokens::count(text(&result)) <= budget, "{budget}: {}", text(&result));
        }
    }
    for (id, shown) in [("guide.md", "Guide"), ("nowhere.md", "more that could not be fetched: unheard/of/")]
    {
        let others = (0..19).map(|nr| format!("unheard/of/{nr}.md"));
        let ids: Vec<String> = std::iter::once(id.to_owned()).chain(others).collect();
        let result = client.tool("get", json!({ "ids": ids, "max_tokens": 200 }));
        assert!(tokens::count(text(&result)) <= 200 && text(&result).contains(shown), "{}", text(&result));
    }
}

#[test]
fn notes_never_take_the_room_of_results() {
    let missing: String = (0..40).map(|nr| format!("missing{nr} = \"{}\"\n", "m".repeat(300))).collect();
    let sandbox = Sandbox::with(&[("docs/guide.md", GUIDE)]);
    sandbox.write(".ra.toml", format!("{CONFIG}{missing}"));
    let mut client = Client::connect(&sandbox);
    let result = client.tool("search", json!({ "queries": "zebra", "max_tokens": 500 }));
    let shown = text(&result);
    assert!(shown.starts_with("─── docs:guide.md") && shown.contains("wait for the zebra."), "{shown}");
    assert!(shown.contains("note: there are more notes; a larger budget shows them\n"), "{shown}");
    assert!(tokens::count(shown) <= 500, "{shown}");
}

#[test]
fn the_configuration_sets_a_budget_too() {
    let config = format!("{CONFIG}[search]\nmax_tokens = 300\n");
    let sandbox = Sandbox::with(&[(".ra.toml", &config), ("docs/long.md", &long_document())]);
    let mut client = Client::connect(&sandbox);
    let mut size = |arguments| tokens::count(text(&client.tool("search", arguments)));
    let (set, asked) =
        (size(json!({ "queries": "giraffe" })), size(json!({ "queries": "giraffe", "max_tokens": 3000 })));
    assert!(set <= 300 && asked > 300, "{set} and {asked}");
}

#[test]
fn long_names_are_within_the_budget_too() {
    let sandbox = Sandbox::with(&[(".ra.toml", CONFIG)]);
    let directory = "somewhere/far/below/".repeat(8);
    let names: Vec<String> = (0..20).map(|nr| format!("{directory}{nr}.md")).collect();
    for name in &names {
        sandbox.write(&format!("docs/{name}"), GUIDE);
    }
    let mut client = Client::connect(&sandbox);
    for budget in [200, 300, 500] {
        for outline in [false, true] {
            let request = json!({ "ids": names, "outline": outline, "max_tokens": budget });
            let result = client.tool("get", request);
            let size = tokens::count(text(&result));
            assert!(size <= budget, "{size} of {budget}: {}", text(&result));
            let is_shown =
                |line: &&str| line.starts_with("# Guide") || line.trim_start().starts_with("section ");
            let shown = text(&result).lines().filter(is_shown).count().max(1);
            let others = format!("+{} more that did not fit: ", names.len() - shown);
            assert!(text(&result).contains(&others), "each once: {}", text(&result));
        }
    }
}

#[test]
fn the_rest_of_a_document_can_be_asked_for() {
    let long = long_document();
    let sandbox = Sandbox::with(&[(".ra.toml", CONFIG), ("docs/long.md", &long)]);
    let mut client = Client::connect(&sandbox);
    let mut arguments = json!({ "ids": ["docs:long.md"] });
    let mut read: Vec<String> = Vec::new();
    let mut pages = 0;
    loop {
        let result = client.tool("get", arguments);
        pages += 1;
        let Some((shown, rest)) = text(&result).split_once("hint: the rest: get ") else {
            read.extend(text(&result).lines().filter(|line| line.starts_with("## ")).map(str::to_owned));
            break;
        };
        read.extend(shown.lines().filter(|line| line.starts_with("## ")).map(str::to_owned));
        arguments = serde_json::from_str(rest.lines().next().expect("a line")).expect("arguments");
    }
    let headings: Vec<&str> = long.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(read, headings);
    assert!((4..20).contains(&pages), "{pages}");
}

#[test]
fn a_change_is_seen_by_the_next_request() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for round in 0..20 {
        sandbox.write("docs/new.md", format!("# New\n\nround{round}word\n"));
        let result = client.tool("search", json!({ "queries": format!("round{round}word") }));
        assert!(text(&result).contains("docs:new.md"), "{result}");
    }
    std::fs::remove_file(sandbox.path("docs/new.md")).expect("a file");
    let result = client.tool("search", json!({ "queries": "round19word" }));
    assert!(text(&result).contains("nothing matches"), "{result}");
    sandbox.write(".ra.toml", "root = true\n[trees]\nothers = \"docs\"\n");
    let result = client.tool("search", json!({ "queries": "zebra" }));
    assert!(text(&result).contains("others:guide.md"), "a new configuration counts at once: {result}");
    sandbox.write(".ra.toml", "root = true\n[tree]\nothers = \"docs\"\n");
    let result = client.tool("search", json!({ "queries": "zebra" }));
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(&result).contains(".ra.toml") && !text(&result).contains('\u{1b}'), "{result}");
}
