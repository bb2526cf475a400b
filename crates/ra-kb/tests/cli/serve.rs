//! `ra serve`: the pages without a browser, who may load them, and the report of `ra check`.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::mcp::{Http, Reply};
use crate::sandbox::Sandbox;

fn project() -> Sandbox {
    let sandbox = Sandbox::with(&[
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
    ]);
    // A busy machine may take long for the first index, and a page that waits for it too long says so.
    sandbox.run(&["search", "zebra"]);
    sandbox
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
    for text in [
        "<h2 id=\"s-installation\">",
        "href=\"/read/docs/notes.md\"",
        "docs:guide.md@",
        "docs/guide.md:1\">Open in editor",
        // The heading is on this line of the file.
        "docs/guide.md:8\" data-line=\"8\">Edit",
    ] {
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

/// The smallest part of a PNG file that tells its type.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

#[cfg(unix)]
#[test]
fn images_of_the_tree_are_sent_and_nothing_else() {
    use std::os::unix::fs::symlink;
    let sandbox = project();
    sandbox.write(".git/HEAD", "");
    sandbox.write("docs/.gitignore", "private*\n");
    for path in ["docs/img/ok.png", "docs/img/a b.png", "docs/.hidden.png", "docs/private.png", "secret.png"]
    {
        sandbox.write(path, PNG);
    }
    sandbox.write("docs/photo.jpg", b"\xff\xd8\xff\xe0");
    sandbox.write("docs/fake.png", "text that is no image");
    sandbox.write("docs/script.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>");
    sandbox.write("docs/svg.png", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    sandbox.write("docs/large.png", PNG);
    let large = std::fs::File::options().write(true).open(sandbox.path("docs/large.png")).expect("a file");
    large.set_len((16 << 20) + 1).expect("a sparse file");
    symlink("../secret.png", sandbox.path("docs/link.png")).expect("a link");
    symlink("..", sandbox.path("docs/up")).expect("a link");
    symlink("/dev/zero", sandbox.path("docs/zero.png")).expect("a link");
    let server = Http::serve(&sandbox, &[]);
    for (path, kind) in [
        ("img/ok.png", "image/png"),
        ("img/a%20b.png", "image/png"),
        ("photo.jpg", "image/jpeg"),
        ("img/ok.png?file=../../secret.png", "image/png"),
    ] {
        let reply = server.get(&format!("/image/docs/{path}"), &[]);
        assert_eq!((reply.status, reply.header("Content-Type")), (200, Some(kind)), "{path}");
        assert_eq!(reply.header("X-Content-Type-Options"), Some("nosniff"));
        assert!(reply.header("Content-Security-Policy").is_some_and(|it| it.contains("img-src 'self';")));
    }
    for path in [
        "/image/docs/none.png",
        "/image/docs/fake.png",
        "/image/docs/script.svg",
        "/image/docs/svg.png",
        "/image/docs/large.png",
        "/image/docs/guide.md",
        "/image/docs/link.png",
        "/image/docs/zero.png",
        "/image/docs/up/secret.png",
        "/image/docs/.hidden.png",
        "/image/docs/private.png",
        "/image/docs/../secret.png",
        "/image/docs/%2e%2e/secret.png",
        "/image/docs/..%2fsecret.png",
        "/image/docs/img/..%2f..%2fsecret.png",
        "/image/docs/%252e%252e/secret.png",
        "/image/docs/..%5csecret.png",
        "/image/docs/%2fetc/passwd",
        "/image/docs//etc/passwd",
        "/image/docs/img/ok.png%00.png",
        "/image/docs/img/./ok.png",
        "/image/..%2fdocs/img/ok.png",
        "/image/nowhere/img/ok.png",
    ] {
        assert_eq!(server.get(path, &[]).status, 404, "{path}");
    }
    let foreign = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")];
    assert_eq!(server.get("/image/docs/img/ok.png", &foreign).status, 403);
}

#[test]
fn images_in_documents_are_shown_or_the_reason_why_not() {
    let sandbox = project();
    sandbox.write("docs/img/ok.png", PNG);
    sandbox.write("secret.png", PNG);
    sandbox.write(
        "docs/sub/pictures.md",
        "# Pictures\n\n![fine](../img/ok.png?raw=true) ![root](/img/ok.png) <img src=\"../img/ok.png\" width=\"50\" \
         onerror=\"x\">\n\n![none](no.png) ![out](../../secret.png) ![enc](%2e%2e/%2e%2e/secret.png) \
         ![abs](file:///etc/x.png) ![vector](a.svg) ![data](data:image/png;base64,AAAA)\n\n\
         ![far](https://pics.example/a.png) [![badge](https://badge.example/b.svg)](https://ci.example/)\n",
    );
    let server = Http::serve(&sandbox, &[]);
    let reply = server.get("/read/docs/sub/pictures.md", &[]);
    for text in [
        "<img src=\"/image/docs/img/ok.png\" alt=\"fine\" loading=\"lazy\">",
        "<img src=\"/image/docs/img/ok.png\" alt=\"root\" loading=\"lazy\">",
        "<img src=\"/image/docs/img/ok.png\" alt=\"\" width=\"50\" loading=\"lazy\">",
        "Image: none (not shown: there is no such file)",
        "Image: out (not shown: its path leads out of the tree)",
        "Image: enc (not shown: its path leads out of the tree)",
        "<span class=\"image\">Image: abs</span>",
        "Image: vector (not shown: it is not a PNG, JPEG, GIF, WebP or AVIF file)",
        "<span class=\"image\">Image: data</span>",
        "<a class=\"image\" href=\"https://pics.example/a.png\" rel=\"noopener noreferrer nofollow\">Image: far (pics.example)</a>",
        "<span class=\"image\">Image: badge (badge.example)</span></a>",
    ] {
        assert!(page(&reply).contains(text), "{text}: {}", reply.body);
    }
    assert_eq!(reply.body.matches("<img").count(), 3, "{}", reply.body);
}

#[test]
fn images_of_one_other_site_are_loaded_if_the_reader_asks() {
    let sandbox = project();
    let text = "# Far\n\n![far](https://pics.example/a.png) ![other](https://other.example/b.png)\n";
    sandbox.write("docs/far.md", text);
    let server = Http::serve(&sandbox, &[]);
    let before = server.get("/read/docs/far.md", &[]);
    assert!(!page(&before).contains("<img"));
    let at =
        before.body.find("/read/docs/far.md?images=https%3A%2F%2Fpics.example&amp;key=").expect("a link");
    let link = before.body[at..].split('"').next().expect("an end").replace("&amp;", "&");
    let after = server.get(&link, &[]);
    assert!(page(&after).contains("<img src=\"https://pics.example/a.png\""), "{}", after.body);
    assert_eq!(after.body.matches("<img").count(), 1, "only those of that site");
    let policy = after.header("Content-Security-Policy").expect("a policy");
    assert!(
        policy.contains("; img-src 'self' https://pics.example; ") && !policy.contains("other"),
        "{policy}"
    );
    // Neither another site nor a document knows the key, and it is good for one site only.
    for link in [
        "/read/docs/far.md?images=https%3A%2F%2Fpics.example".to_owned(),
        "/read/docs/far.md?images=https%3A%2F%2Fpics.example&key=0".to_owned(),
        link.replace("pics.example", "other.example"),
        link.replace("pics.example", "pics.example%3B%20script-src%20*"),
        link.replace("far.md", "guide.md"),
    ] {
        let reply = server.get(&link, &[]);
        let policy = reply.header("Content-Security-Policy").expect("a policy");
        assert!(!page(&reply).contains("<img") && policy.contains("img-src 'self';"), "{link}: {policy}");
    }
}

/// Commits all files of the project.
fn commit(sandbox: &Sandbox, time: i64, message: &str) {
    let date = format!("@{time} +0000");
    for args in [&["add", "-A"][..], &["commit", "-qm", message]] {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=Ada", "-c", "user.email=x@example.com", "-c", "commit.gpgSign=false"]);
        command.args(args).current_dir(sandbox.project()).env("HOME", sandbox.home());
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_AUTHOR_DATE", &date);
        assert!(command.status().expect("git").success(), "{args:?}");
    }
}

#[test]
fn the_history_of_a_document_is_that_of_git_and_of_the_open_page() {
    let sandbox = project();
    let none = Http::serve(&sandbox, &[]);
    let reply = none.get("/history/docs/notes.md", &[]);
    assert!(page(&reply).contains("the file is not in a git work tree"), "{}", reply.body);
    assert_eq!(none.get("/history/docs/nothing.md", &[]).status, 404);
    drop(none);
    let init = std::process::Command::new("git").args(["init", "-q"]).current_dir(sandbox.project()).status();
    assert!(init.expect("git").success());
    commit(&sandbox, 86_400, "Begin <b>");
    sandbox.write("docs/notes.md", "# Notes\n\nThe zebra wakes.\n");
    commit(&sandbox, 2 * 86_400, "Wake it");
    let server = Http::serve(&sandbox, &[]);
    let reply = server.get("/history/docs/notes.md", &[]);
    for text in [
        "Begin &lt;b&gt;",
        "1970-01-03</time> · <bdi>Ada</bdi>",
        "Compares the file on the disk now with its version in commit",
        "</span>The zebra sleeps. [Gone](missing.md)</span>",
        "</span>The zebra wakes.</span>",
    ] {
        assert!(page(&reply).contains(text), "{text}: {}", reply.body);
    }
    assert!(!reply.body.contains("not committed"), "{}", reply.body);
    server.get("/read/docs/notes.md", &[]);
    sandbox.write("docs/notes.md", "# Notes\n\nThe zebra has gone.\n");
    let reply = server.get("/history/docs/notes.md?since=opened", &[]);
    for text in
        ["when you opened its page", "not committed", "</span>The zebra wakes.", "</span>The zebra has gone."]
    {
        assert!(page(&reply).contains(text), "{text}: {}", reply.body);
    }
    for since in ["--output=x", "HEAD", "0000", "..%2f"] {
        let reply = server.get(&format!("/history/docs/notes.md?since={since}"), &[]);
        assert!(!page(&reply).contains("Compares"), "{since}: {}", reply.body);
    }
    assert!(page(&server.get("/history/docs/notes.md?part=1", &[])).starts_with("<h2>History</h2>"));
}

#[test]
fn files_left_out_are_listed_with_the_rule() {
    let sandbox = project();
    sandbox.write(".git/HEAD", "");
    sandbox.write(".gitignore", "*.log\ndraft*\nbuild/\n");
    sandbox.write(
        ".ra.toml",
        "root = true\n[trees]\ndocs = { path = \"docs\", include = [\"**/*.md\"], exclude = [\"old-*\"] }\n",
    );
    for path in [
        "docs/draft.md",
        "docs/a.log",
        "docs/build/x.md",
        "docs/old-x.md",
        "docs/old-x.png",
        "docs/plain.txt",
    ] {
        sandbox.write(path, "# X\n\ntext\n");
    }
    let list = sandbox.json(&["status"])["trees"][0]["ignored"].clone();
    assert_eq!(list["count"], 5, "{list}");
    let paths: Vec<&str> =
        list["list"].as_array().expect("a list").iter().filter_map(|entry| entry["path"].as_str()).collect();
    assert_eq!(
        paths,
        ["draft.md", "old-x.md", "plain.txt", "build/", "a.log"],
        "documents, then directories, then others"
    );
    let shown = sandbox.run(&["status"]);
    assert!(
        shown.contains(
            "\nLeft out by ignore files and patterns:\n  docs: draft.md, old-x.md, plain.txt, build/, a.log\n"
        ),
        "{shown}"
    );
    let server = Http::serve(&sandbox, &[]);
    let health = server.get("/health", &[]);
    sandbox.run(&["check", "--report", "report.html"]);
    for shown in [page(&health), &sandbox.read("report.html")] {
        for text in [
            "Left out by ignore files and patterns · 5",
            "<code>draft.md</code>: <code>draft*</code> in ",
            "<code>build/</code>: <code>build/</code> in ",
            "<code>old-x.md</code>: the exclude pattern <code>old-*</code> matches",
            "<code>plain.txt</code>: no include pattern matches",
        ] {
            assert!(shown.contains(text), "{text}: {shown}");
        }
    }
}

#[test]
fn links_from_the_root_of_a_site_lead_to_documents() {
    let sandbox = project();
    let config =
        "root = true\n[trees]\ndocs = { path = \"docs\", link_root = [\"/en-US/docs\", \"static\"] }\n";
    sandbox.write(".ra.toml", config);
    sandbox.write("docs/glossary/html/index.md", "# HTML\n\nA language.\n");
    sandbox.write("docs/static/a.png", PNG);
    sandbox.write("docs/links.md", "# Links\n\n[HTML](/en-US/docs/Glossary/HTML) ![a](/a.png)\n");
    let server = Http::serve(&sandbox, &[]);
    let reply = server.get("/read/docs/links.md", &[]);
    assert!(page(&reply).contains("href=\"/read/docs/en-US/docs/Glossary/HTML\""), "{}", reply.body);
    assert!(reply.body.contains("src=\"/image/docs/static/a.png\""), "{}", reply.body);
    assert!(page(&server.get("/read/docs/en-US/docs/Glossary/HTML", &[])).contains("A language."));
    let missing = server.get("/read/docs/gide.md", &[]);
    assert_eq!(missing.status, 404);
    for text in
        ["<h1>No document or section is called <code>", "Did you mean ", "href=\"/read/docs/guide.md\""]
    {
        assert!(missing.body.contains(text), "{text}: {}", missing.body);
    }
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
