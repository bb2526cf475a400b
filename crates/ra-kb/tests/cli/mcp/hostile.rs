//! Malicious or broken clients: each gets a clear refusal, and the server keeps running.

use serde_json::json;

use super::client::{Client, Http, text};
use super::project;

#[test]
fn what_is_not_a_message_is_answered() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    for (line, code) in [
        ("{not json", -32700),
        ("\u{0}\u{0}", -32700),
        (deep.as_str(), -32700),
        (long.as_str(), -32700),
        ("[]", -32600),
        ("\"tools/list\"", -32600),
        ("{}", -32600),
        ("{\"jsonrpc\":\"1.0\",\"id\":9,\"method\":\"ping\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"method\":1,\"params\":\"bar\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"initialize\",\"params\":{\"protocolVersion\":5}}",
            -32602,
        ),
    ] {
        client.send(line);
        let answer = client.receive();
        assert_eq!(answer["error"]["code"], code, "{}: {answer}", &line[..line.len().min(60)]);
    }
    client.send(&long);
    assert!(client.receive()["id"].is_null(), "a message that is too long is not read for its id");
    client.send("");
    client.send("  \t ");
    client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/nonsense\",\"params\":7}");
    let result = client.tool("search", json!({ "queries": "zebra" }));
    assert_eq!(result["isError"], false, "the server lives: {result}");
}

#[test]
fn arguments_that_are_too_much_are_refused() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let many: Vec<String> = (0..10_000).map(|nr| format!("zebra{nr}")).collect();
    let mut nested = json!("zebra");
    for _ in 0..100 {
        nested = json!([nested]);
    }
    for arguments in [
        json!({ "queries": many }),
        json!({ "queries": "zebra", "trees": many }),
        json!({ "queries": "zebra", "paths": many }),
        json!({ "queries": "x".repeat(100_000) }),
        json!({ "queries": nested }),
    ] {
        let result = client.tool("search", arguments);
        assert_eq!(result["isError"], true);
        assert!(text(&result).len() < 500, "no more is sent back than helps");
    }
    let result = client.tool("get", json!({ "ids": many }));
    assert_eq!(result["isError"], true);
    assert_eq!(client.tool("search", json!({ "queries": "zebra" }))["isError"], false);
}

#[test]
fn no_tool_reaches_what_is_not_the_project() {
    let sandbox = project();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let secret = elsewhere.path().join("secret.md");
    std::fs::write(&secret, "# Secret\n\nxyzzyplugh\n").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, sandbox.path("docs/linked.md")).expect("a link");
    let mut client = Client::connect(&sandbox);
    let outside = secret.to_str().expect("a path");
    for file in [outside, "../../../../etc/passwd", "/etc/passwd", "docs/../../../x", "guide\0.md"] {
        let result = client.tool("context", json!({ "files": [file] }));
        assert_eq!(result["isError"], true, "{file}: {result}");
        assert!(text(&result).contains("not inside the project"), "{file}: {result}");
        for id in [file.to_owned(), format!("docs:{file}"), format!("docs:../{file}")] {
            let result = client.tool("get", json!({ "ids": [id] }));
            assert_eq!(result["isError"], true, "{id}: {result}");
        }
    }
    for id in ["linked.md", "docs:linked.md"] {
        let result = client.tool("get", json!({ "ids": [id] }));
        assert_eq!(result["isError"], true, "a link out of the tree is not followed: {result}");
    }
    let result = client.tool("search", json!({ "queries": "xyzzyplugh" }));
    assert!(text(&result).contains("nothing matches"), "{result}");
    assert_eq!(client.tool("context", json!({ "files": ["docs/guide.md"] }))["isError"], false);
}

#[test]
fn http_refuses_what_it_should() {
    let sandbox = project();
    let server = Http::start(&sandbox, &[]);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    let address = server.address.clone();
    let port = address.rsplit(':').next().expect("a port");
    let evil = format!("evil.example:{port}");
    let local = format!("http://localhost:{port}");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let large = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    let cases = [
        (vec![], ping, 200),
        (vec![("Host", evil.as_str())], ping, 403),
        (vec![("Host", "169.254.169.254")], ping, 403),
        (vec![("Origin", "http://evil.example")], ping, 403),
        (vec![("Origin", "null")], ping, 403),
        (vec![("Origin", "http://localhost.evil.example")], ping, 403),
        (vec![("Origin", local.as_str())], ping, 200),
        (vec![("Content-Type", "text/plain")], ping, 415),
        (vec![("Accept", "text/html")], ping, 406),
        (vec![("MCP-Protocol-Version", "1999-01-01")], ping, 400),
        (vec![], "{not json", 400),
        (vec![], deep.as_str(), 400),
        (vec![], large.as_str(), 413),
    ];
    for (headers, body, status) in cases {
        let reply = server.post(&headers, body);
        let shown = &body[..body.len().min(60)];
        assert_eq!(reply.status, status, "{headers:?} {shown}: {reply:?}");
    }
    for (request, status) in [
        ("GET /mcp HTTP/1.1", 405),
        ("DELETE /mcp HTTP/1.1", 405),
        ("GET / HTTP/1.1", 404),
        ("POST /mcp/../etc/passwd HTTP/1.1", 404),
    ] {
        let reply = server.raw(&format!("{request}\r\nHost: {address}\r\nConnection: close\r\n\r\n"), b"");
        assert_eq!(reply.status, status, "{request}: {reply:?}");
    }
    let result = server.tool("search", json!({ "queries": "zebra" }));
    assert_eq!(result["isError"], false, "the server lives: {result}");
}

#[test]
fn a_token_is_asked_for_and_a_wide_door_needs_one() {
    let sandbox = project();
    sandbox.write("token.txt", "0123456789abcdef\n");
    let server = Http::start(&sandbox, &["--token-file", "token.txt"]);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    assert_eq!(server.post(&[], ping).status, 401);
    assert_eq!(server.post(&[("Authorization", "Bearer 0123456789abcdeg")], ping).status, 401);
    assert_eq!(server.post(&[("Authorization", "Bearer 0123456789abcdef")], ping).status, 200);
    let evil = [("Authorization", "Bearer 0123456789abcdef"), ("Origin", "http://evil.example")];
    assert_eq!(server.post(&evil, ping).status, 403);

    insta::assert_snapshot!(sandbox.run(&["mcp", "--http", "0.0.0.0:0"]), @"
    exit code 2
    --- stderr
    error: --http: 0.0.0.0:0 can be reached from other machines, and no token is set
    hint: add --token-file FILE, or listen on 127.0.0.1
    ");
    insta::assert_snapshot!(sandbox.run(&["mcp", "--http", "0.0.0.0:0", "--token", "short"]), @"
    exit code 2
    --- stderr
    error: --token: the token must be at least 16 visible ASCII characters
    hint: `openssl rand -hex 32` makes a good one
    ");
    insta::assert_snapshot!(sandbox.run(&["mcp", "--http", "nowhere"]), @"
    exit code 2
    --- stderr
    error: --http: `nowhere` is not an address that can be listened on
    hint: give a port such as 7270, or an address with a port such as 127.0.0.1:7270
    ");
    insta::assert_snapshot!(sandbox.run(&["mcp", "--root", "nowhere"]), @"
    exit code 2
    --- stderr
    error: --root: [base]/project/nowhere is not a directory
    hint: name a directory that exists
    ");
}

#[test]
fn http_refuses_requests_that_say_two_things() {
    let sandbox = project();
    let server = Http::start(&sandbox, &[]);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    let address = server.address.as_str();
    let local = format!("http://{address}");
    for (target, headers, status) in [
        ("/mcp", vec![("Host", address)], 200),
        ("/mcp", vec![("Host", "localhost")], 200),
        ("/mcp", vec![], 400),
        ("/mcp", vec![("Host", address), ("Host", "evil.example")], 400),
        ("/mcp", vec![("Host", address), ("Host", address)], 400),
        ("/mcp", vec![("Host", "localhost:evil")], 403),
        ("/mcp", vec![("Host", "evil@localhost")], 403),
        ("/mcp", vec![("Host", address), ("Origin", &local), ("Origin", "http://evil.example")], 400),
        ("/mcp", vec![("Host", address), ("Origin", &local), ("Origin", &local)], 400),
        ("/mcp", vec![("Host", address), ("Origin", "http://localhost:evil")], 403),
        ("http://evil.example/mcp", vec![("Host", address)], 400),
        (&format!("http://{address}/mcp"), vec![("Host", address)], 400),
    ] {
        let mut head =
            format!("POST {target} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", ping.len());
        head.push_str("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n");
        headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        let reply = server.raw(&format!("{head}\r\n"), ping.as_bytes());
        assert_eq!(reply.status, status, "{target} {headers:?}: {reply:?}");
        let allowed = reply.header("Access-Control-Allow-Origin");
        assert_eq!(allowed, None, "{target} {headers:?}: {reply:?}");
    }
}

#[cfg(unix)]
#[test]
fn clients_that_never_finish_their_headers_keep_nobody_out() {
    use std::io::Write;
    use std::net::TcpStream;
    let sandbox = project();
    for files in [64, 256, 1024] {
        let server = Http::start_limited(&sandbox, files);
        let send_half = |_| {
            let mut stream = TcpStream::connect(&server.address).expect("a connection");
            stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ").expect("a server");
            stream
        };
        let half_sent: Vec<TcpStream> = (0..250).map(send_half).collect();
        for _ in 0..3 {
            let result = server.tool("search", json!({ "queries": "zebra" }));
            assert!(text(&result).contains("docs:guide.md"), "{files} files: {result}");
        }
        drop(half_sent);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn being_out_of_descriptors_is_reported_as_that() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    assert_eq!(client.tool("search", json!({ "queries": "zebra" }))["isError"], false);
    let process = client.child.id().to_string();
    let limited = std::process::Command::new("prlimit").args(["--pid", &process, "--nofile=3:1024"]).status();
    assert!(limited.expect("prlimit").success());
    for (tool, arguments) in [
        ("search", json!({ "queries": "zebra" })),
        ("get", json!({ "ids": ["docs:guide.md"] })),
        ("similar", json!({ "id": "docs:guide.md" })),
        ("context", json!({ "files": ["docs/guide.md"] })),
    ] {
        let result = client.tool(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(text(&result).contains("Too many open files"), "{tool}: {result}");
        assert!(text(&result).contains("allow the server more open files"), "{tool}: {result}");
    }
    let answer = client.request("resources/read", json!({ "uri": "ra://docs/guide.md" }));
    let message = answer["error"]["message"].as_str().expect("an error");
    assert!(message.contains("Too many open files"), "{answer}");
}
