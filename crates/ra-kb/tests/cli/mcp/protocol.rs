//! Old and new revisions of the protocol, and the rules of a session.

use serde_json::json;

use super::client::{Client, meta, text};
use super::project;

#[test]
fn every_revision_with_a_handshake_is_spoken() {
    let sandbox = project();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::start(&sandbox);
        let answer = client.initialize(version);
        assert_eq!(answer["protocolVersion"], version);
        assert_eq!(answer["serverInfo"]["name"], "ra");
        let result = client.tool("search", json!({ "queries": "zebra" }));
        assert!(text(&result).contains("docs:guide.md"), "{result}");
    }
    let mut client = Client::start(&sandbox);
    assert_eq!(client.initialize("1999-01-01")["protocolVersion"], "2025-11-25");
}

#[test]
fn the_revision_without_a_handshake_is_spoken_at_once() {
    let sandbox = project();
    let mut client = Client::start(&sandbox);
    let found = client.request("server/discover", json!({ "_meta": meta() }));
    let versions = found["result"]["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")), "{found}");
    let arguments = json!({ "queries": "zebra" });
    let answer =
        client.request("tools/call", json!({ "name": "search", "arguments": arguments, "_meta": meta() }));
    assert!(text(&answer["result"]).contains("docs:guide.md"), "{answer}");
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[test]
fn the_instructions_name_the_trees_and_keep_quiet_about_what_is_the_users_own() {
    let sandbox = project();
    let config = "root = true\n[trees]\ndocs = \"docs\"\nnotes = \"../home/notes\"\n";
    sandbox.write(".ra.toml", config);
    sandbox.write("../home/notes/diary.md", "# Secret plans\n\nzebra\n");
    let said = Client::start(&sandbox).initialize("2025-06-18")["instructions"].clone();
    assert!(
        said.as_str().is_some_and(|said| said.contains("\n- docs")),
        "it does not wait for the index: {said}"
    );
    sandbox.run(&["update"]);
    let mut client = Client::start(&sandbox);
    let said = client.initialize("2025-06-18")["instructions"].as_str().expect("instructions").to_owned();
    let trees = "Trees:\n- docs (2 documents): sub/; Guide; Notes\n- notes (1 document)";
    assert!(said.contains("`context`") && said.ends_with(trees), "{said}");
    let mut client = Client::start(&sandbox);
    let found = client.request("server/discover", json!({ "_meta": meta() }));
    assert_eq!(found["result"]["instructions"], said);
    sandbox.write(".ra.toml", "[broken");
    let mut client = Client::start(&sandbox);
    let said = client.initialize("2025-06-18")["instructions"].clone();
    assert!(said.as_str().is_some_and(|said| said.contains("`context`")), "{said}");
}

#[test]
fn requests_are_worked_on_side_by_side() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let ids: Vec<u64> = (0..300)
        .map(|nr| {
            let arguments = json!({ "queries": if nr % 2 == 0 { "zebra" } else { "error" } });
            client.ask("tools/call", json!({ "name": "search", "arguments": arguments }))
        })
        .collect();
    let mut answered: Vec<u64> = (0..300)
        .map(|_| {
            let answer = client.receive();
            assert_eq!(answer["result"]["isError"], false, "{answer}");
            answer["id"].as_u64().expect("a number")
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, ids);
}

#[test]
fn a_cancelled_request_harms_no_other() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for _ in 0..50 {
        let many: Vec<String> = (0..20).map(|nr| format!("zebra {nr}")).collect();
        let id = client.ask("tools/call", json!({ "name": "search", "arguments": { "queries": many } }));
        let cancelled =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        client.send(&cancelled.to_string());
    }
    let result = client.tool("search", json!({ "queries": "zebra" }));
    assert_eq!(result["isError"], false, "{result}");
}

#[test]
fn methods_and_parameters_that_are_not_known_are_named() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for (method, params, code, said) in [
        ("tools/jump", json!({}), -32601, "there is no method `tools/jump`"),
        ("tools/call", json!({ "name": 7 }), -32602, "the parameters are not those of tools/call"),
        ("tools/call", json!({ "name": "serch" }), -32602, "did you mean `search`?"),
        ("prompts/get", json!({ "name": "plan" }), -32602, "there is no prompt `plan`"),
        ("prompts/get", json!({ "name": "research" }), -32602, "`topic` is missing"),
        ("logging/setLevel", json!({ "level": "info" }), -32601, ""),
        ("resources/subscribe", json!({ "uri": "ra://docs/guide.md" }), -32601, ""),
    ] {
        let answer = client.request(method, params);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(answer["error"]["message"].as_str().expect("a message").contains(said), "{answer}");
    }
}

#[test]
fn a_prompt_plans_research() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let listed = client.request("prompts/list", json!({}));
    assert_eq!(listed["result"]["prompts"][0]["name"], "research");
    let arguments = json!({ "topic": "how zebras sleep", "tree": "docs" });
    let got = client.request("prompts/get", json!({ "name": "research", "arguments": arguments }));
    let plan = got["result"]["messages"][0]["content"]["text"].as_str().expect("text");
    for part in ["how zebras sleep", "list_sources", "`search`", "`get`", "trees: [\"docs\"]"] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
}
