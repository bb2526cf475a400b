//! The server over HTTP: both protocol versions, and many clients at once.

use std::sync::Arc;
use std::thread;

use serde_json::json;

use super::client::{Client, Http, text};
use super::project;

#[test]
fn old_and_new_clients_are_served_by_one_server() {
    let sandbox = project();
    let server = Http::start(&sandbox, &[]);
    let result = server.tool("search", json!({ "queries": "zebra" }));
    assert!(text(&result).contains("docs:guide.md"), "{result}");
    let info = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let reply = server.post(&[], &body.to_string());
    assert_eq!(reply.json()["result"]["protocolVersion"], "2025-06-18", "{reply:?}");
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(server.post(&[], &initialized.to_string()).status, 202);
    let params = json!({ "name": "search", "arguments": { "queries": "zebra" } });
    let body = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
    let reply = server.post(&[("MCP-Protocol-Version", "2025-06-18")], &body.to_string());
    let (old, new) = (reply.json()["result"].clone(), result);
    let without_time = |answer| text(answer).split("index: generation").next().expect("a text").to_owned();
    assert_eq!(without_time(&old), without_time(&new), "{reply:?}");
}

#[test]
fn whoever_accepts_anything_is_answered() {
    let server_of = project();
    let server = Http::start(&server_of, &[]);
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    for (accepts, status) in [("*/*", 200), ("application/json, text/event-stream", 200), ("text/html", 406)]
    {
        assert_eq!(server.post(&[("Accept", accepts)], &body).status, status, "{accepts}");
    }
}

#[test]
fn what_is_not_a_message_is_answered_in_the_protocol() {
    let sandbox = project();
    let server = Http::start(&sandbox, &[]);
    for (body, code, id) in [
        ("garbage", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        ("{}", -32600, json!(null)),
        ("{\"jsonrpc\":\"1.0\",\"id\":9,\"method\":\"ping\"}", -32600, json!(9)),
    ] {
        let reply = server.post(&[], body);
        assert_eq!(reply.status, 400, "{body}: {reply:?}");
        assert_eq!((&reply.json()["error"]["code"], &reply.json()["id"]), (&json!(code), &id), "{body}");
    }
    assert_eq!(server.post(&[("Content-Type", "text/plain")], "garbage").status, 415);
}

#[test]
fn many_clients_ask_at_once_while_documents_change() {
    let sandbox = Arc::new(project());
    let server = Arc::new(Http::start(&sandbox, &[]));
    let clients: Vec<_> = (0..40)
        .map(|client| {
            let (server, sandbox) = (server.clone(), sandbox.clone());
            thread::spawn(move || {
                for round in 0..5 {
                    let word = format!("word{client}x{round}");
                    sandbox.write(&format!("docs/client{client}.md"), format!("# Client\n\n{word}\n"));
                    let result = server.tool("search", json!({ "queries": word }));
                    assert_eq!(result["isError"], false, "{result}");
                    let found = text(&result).contains(&format!("docs:client{client}.md"));
                    assert!(found, "what was written before the question is found: {result}");
                }
            })
        })
        .collect();
    // Meanwhile, the command line and a second server use the same index.
    let mut other = Client::connect(&sandbox);
    for _ in 0..5 {
        assert!(sandbox.run(&["search", "zebra"]).starts_with("exit code 0"));
        assert_eq!(other.tool("search", json!({ "queries": "zebra" }))["isError"], false);
    }
    for client in clients {
        client.join().expect("a client without complaint");
    }
}

#[test]
fn web_pages_of_this_machine_may_ask() {
    let sandbox = project();
    sandbox.write("token.txt", "0123456789abcdef\n");
    let server = Http::start(&sandbox, &["--token-file", "token.txt"]);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    let token = ("Authorization", "Bearer 0123456789abcdef");
    for origin in ["http://localhost:5173", "http://127.0.0.1", "https://[::1]:8443"] {
        let reply = server.post(&[("Origin", origin), token], ping);
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(reply.header("Access-Control-Allow-Origin"), Some(origin));
        assert_eq!(reply.header("Vary"), Some("Origin"));
        assert!(
            reply.header("Access-Control-Expose-Headers").is_some_and(|all| all.contains("Mcp-Session-Id"))
        );
        let refused = server.post(&[("Origin", origin)], ping);
        assert_eq!(refused.status, 401, "{refused:?}");
        assert_eq!(refused.header("Access-Control-Allow-Origin"), Some(origin), "a page can read why");

        let preflight = server.preflight(origin);
        assert_eq!(preflight.status, 204, "a browser shows no token: {preflight:?}");
        assert_eq!(preflight.header("Access-Control-Allow-Origin"), Some(origin));
        assert!(preflight.header("Access-Control-Allow-Methods").is_some_and(|all| all.contains("POST")));
        let headers = preflight.header("Access-Control-Allow-Headers").expect("headers");
        for name in ["authorization", "content-type", "mcp-protocol-version", "mcp-name"] {
            assert!(headers.contains(name), "{name}: {headers}");
        }
        assert!(!headers.contains("x-other"), "{headers}");
    }
    for origin in ["http://evil.example", "null", "http://localhost.evil.example"] {
        let reply = server.preflight(origin);
        assert_eq!(
            (reply.status, reply.header("Access-Control-Allow-Origin")),
            (403, None),
            "{origin}: {reply:?}"
        );
    }
    let reply = server.post(&[token], ping);
    assert_eq!((reply.status, reply.header("Access-Control-Allow-Origin")), (200, None), "{reply:?}");
}
