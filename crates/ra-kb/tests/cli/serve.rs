//! `ra serve`: the pages without a browser, who may load them, and the report of `ra check`.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::mcp::{Http, Reply};
use crate::sandbox::Sandbox;

fn project() -> Sandbox {
    Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        (
            "docs/guide.md",
            "---\ntags: [setup]\n---\n# Guide\n\nUse the zebra, see [notes](notes.md).\n\n## Installation\n\nWait for the zebra.\n",
        ),
        ("docs/notes.md", "# Notes\n\nThe zebra sleeps. [Gone](missing.md)\n"),
        (
            "docs/evil.md",
            "# Evil\n\n<script>alert(1)</script> a [zebra](javascript:alert(2)) <img src=x onerror=y>\n",
        ),
    ])
}

fn page(reply: &Reply) -> &str {
    assert_eq!(reply.status, 200, "{reply:?}");
    &reply.body
}

#[test]
fn every_page_has_a_policy_and_no_inline_script_or_style() {
    let sandbox = project();
    let server = Http::serve(&sandbox, &[]);
    let call = "/agent?tool=get&arguments=%7B%22ids%22%3A%5B%22evil.md%22%5D%7D";
    for path in [
        "/",
        "/?q=zebra",
        "/?q=%3Cscript%3E",
        "/read/docs/evil.md",
        "/related/docs/guide.md",
        "/health",
        "/health/problems",
        call,
    ] {
        let reply = server.get(path, &[("Accept", "text/html")]);
        let html = page(&reply).to_lowercase();
        let policy = reply.header("Content-Security-Policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("X-Content-Type-Options"), Some("nosniff"));
        let scripts: Vec<&str> = html.match_indices("<script").map(|(at, _)| &html[at..]).collect();
        assert!(
            scripts.len() == 1 && scripts[0].starts_with("<script src=\"/assets/"),
            "{path}: {scripts:?}"
        );
        for bad in ["<style", " style=", "<img", "href=\"javascript"] {
            assert!(!html.contains(bad), "{path}: {bad}");
        }
    }
}

#[test]
fn pages_work_without_a_script() {
    let sandbox = project();
    let server = Http::serve(&sandbox, &["--editor", "vscode"]);
    let start = server.get("/", &[]);
    assert!(page(&start).contains("3 documents in 1 tree"));
    let found = server.get("/?q=zebra&tag=setup", &[]);
    for text in [
        "<mark>zebra</mark>",
        "/read/docs/guide.md",
        "ra search -n 10 --tag setup -- zebra",
        "Why this result",
    ] {
        assert!(page(&found).contains(text), "{text}: {}", found.body);
    }
    assert!(!found.body.contains("class=\"title\" href=\"/read/docs/notes.md"), "{}", found.body);
    let read = server.get("/read/docs/guide.md", &[]);
    for text in
        ["<h2 id=\"s-installation\">", "href=\"/read/docs/notes.md\"", "docs:guide.md@", "vscode://file/"]
    {
        assert!(page(&read).contains(text), "{text}: {}", read.body);
    }
    let related = server.get("/related/docs/notes.md", &[]);
    assert!(
        page(&related).contains("docs:guide.md") && related.body.contains("missing.md"),
        "{}",
        related.body
    );
    let moved = server.get("/open?id=%5B%5BNotes%5D%5D", &[]);
    assert_eq!((moved.status, moved.header("Location")), (303, Some("/read/docs/notes.md")), "{moved:?}");
    assert!(
        page(&server.get("/read/docs/guide", &[])).contains("s-installation"),
        "a link without extension"
    );
    let missing = server.get("/read/docs/nothing.md", &[]);
    assert_eq!(missing.status, 404, "{missing:?}");
    assert_eq!(server.get("/nothing", &[]).status, 404);
    let problem = server.get("/?q=zebra&tree=nowhere", &[]);
    assert!(page(&problem).contains("there is no tree `nowhere`"), "{}", problem.body);
}

#[test]
fn the_text_to_copy_keeps_its_budget_and_is_that_of_the_command_line() {
    let sandbox = project();
    let server = Http::serve(&sandbox, &[]);
    let reply = server.get("/context.txt?q=zebra&budget=1000", &[]);
    let printed = sandbox.run(&["search", "-n", "10", "--max-tokens", "1000", "zebra"]);
    let printed = printed.split_once("--- stdout\n").expect("output").1;
    assert_eq!(page(&reply), printed.split("--- stderr").next().expect("a part"), "{printed}");
    let tokens: usize = reply.header("x-tokens").and_then(|count| count.parse().ok()).expect("a number");
    assert!(tokens <= 1000 && tokens > 10, "{tokens}");
}

#[test]
fn one_server_offers_pages_and_mcp_and_they_agree() {
    let sandbox = project();
    let server = Http::serve(&sandbox, &[]);
    let called = server.tool("search", json!({ "queries": ["zebra"] }));
    let text = called["content"][0]["text"].as_str().expect("a text");
    let shown = server.get("/agent?tool=search&arguments=%7B%22queries%22%3A%5B%22zebra%22%5D%7D", &[]);
    let first = text.lines().next().expect("a line");
    assert!(page(&shown).contains(first), "{first}: {}", shown.body);
    let refused = server.get("/agent?tool=search&arguments=nonsense", &[]);
    assert!(page(&refused).contains("The arguments are not JSON"), "{}", refused.body);
}

#[test]
fn other_sites_and_names_are_refused() {
    let sandbox = project();
    let server = Http::serve(&sandbox, &[]);
    for headers in [
        &[("Host", "evil.example")][..],
        &[("Origin", "https://evil.example")],
        &[("Origin", "http://localhost:5173")],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")],
    ] {
        for path in ["/", "/events", "/context.txt?q=zebra", "/assets/0.1.0/app.js"] {
            assert_eq!(server.get(path, headers).status, 403, "{headers:?} {path}");
        }
    }
    assert_eq!(server.send("POST", "/", &[], "").status, 405);
}

#[test]
fn a_server_for_other_machines_asks_for_a_token() {
    let sandbox = project();
    insta::assert_snapshot!(sandbox.run(&["serve", "--no-open", "--host", "0.0.0.0"]), @r"
    exit code 2
    --- stderr
    error: --host: 0.0.0.0:0 can be reached from other machines, and no token is set
    hint: add --token-file FILE, or listen on 127.0.0.1
    ");
    let server = Http::serve(&sandbox, &["--token", "0123456789abcdef"]);
    let browser = ("Accept", "text/html");
    let asked = server.get("/?q=zebra", &[browser]);
    assert_eq!((asked.status, asked.header("Location")), (303, Some("/login")), "{asked:?}");
    assert_eq!(server.get("/?q=zebra", &[]).status, 401);
    assert!(page(&server.get("/login", &[browser])).contains("type=\"password\""));
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(server.send("POST", "/login", &[form], "token=wrong").status, 401);
    let let_in = server.send("POST", "/login", &[form], "token=0123456789abcdef");
    let cookie = let_in.header("Set-Cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a pair");
    assert!(page(&server.get("/?q=zebra", &[("Cookie", cookie)])).contains("docs/guide.md"));
    assert_eq!(server.get("/?q=zebra", &[("Cookie", "ra_session=0123456789abcdef")]).status, 401);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    assert_eq!(server.post(&[], &ping).status, 401);
    assert_eq!(server.post(&[("Authorization", "Bearer 0123456789abcdef")], &ping).status, 200);
}

#[test]
fn mistakes_have_a_hint() {
    let sandbox = project();
    insta::assert_snapshot!(sandbox.run(&["serve", "--no-open", "--editor", "vim"]), @r"
    exit code 2
    --- stderr
    error: --editor: `vim` is neither a known editor nor a link with {file}
    hint: name one of vscode, vscodium, cursor, windsurf, zed, idea, textmate, sublime, or give a link such as `myeditor://open/{file}:{line}`
    ");
    insta::assert_snapshot!(sandbox.run(&["search", "--type", "markdwn", "zebra"]), @r"
    exit code 2
    --- stderr
    error: --type: there is no type `markdwn`
    hint: did you mean `markdown`?
    ");
}

#[test]
fn pages_are_told_when_the_index_changes() {
    let sandbox = project();
    let server = Http::serve(&sandbox, &[]);
    let mut stream = TcpStream::connect(&server.address).expect("a connection");
    let head = format!("GET /events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).expect("a server that reads");
    let mut lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
    let mut next =
        || lines.find_map(|line| line.strip_prefix("data: ").map(str::to_owned)).expect("an event");
    let before: u64 = next().parse().expect("a number");
    sandbox.write("docs/new.md", "# New\n\nA quagga.\n");
    let after: u64 = next().parse().expect("a number");
    assert!(after > before, "{before} {after}");
}

#[test]
fn a_report_is_one_page_that_loads_nothing() {
    let sandbox = project();
    let output = sandbox.run(&["check", "--report", "report.html"]);
    assert!(output.starts_with("exit code 1"), "{output}");
    let report = sandbox.read("report.html");
    for text in ["missing.md", "class=\"treemap\"", "Broken links by target", "style-src 'sha256-"] {
        assert!(report.contains(text), "{text}");
    }
    let report = report.to_lowercase();
    for bad in ["<script", "http://", "https://", "<link", "src=", "unsafe-inline", "href=\"/"] {
        assert!(!report.contains(bad), "{bad}");
    }
    let retrieval = sandbox.run(&["check", "--retrieval", "--report", "report.html"]);
    assert!(retrieval.starts_with("exit code 1"), "{retrieval}");
    assert!(sandbox.read("report.html").contains("What search does not find"));
}

#[cfg(unix)]
#[test]
fn a_report_replaces_a_link_and_never_writes_through_it() {
    let sandbox = project();
    sandbox.write("precious.txt", "keep me");
    std::os::unix::fs::symlink(sandbox.path("precious.txt"), sandbox.path("report.html")).expect("a link");
    sandbox.run(&["check", "--report", "report.html"]);
    assert_eq!(sandbox.read("precious.txt"), "keep me");
}
