//! Start and end of a server: the handshake is immediate, and no server outlives its client.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Client, Http, command, ended, text};
use super::project;
use crate::sandbox::Sandbox;

pub(super) fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status().expect("kill");
    assert!(sent.success());
}

#[test]
fn the_server_ends_with_its_input() {
    let sandbox = project();
    for client in [&mut Client::start(&sandbox), &mut Client::connect(&sandbox)] {
        client.hang_up();
        assert_eq!(ended(&mut client.child).code(), Some(0));
    }
    let mut client = Client::connect(&sandbox);
    let arguments = json!({ "queries": "zebra" });
    let id = client.ask("tools/call", json!({ "name": "search", "arguments": arguments }));
    client.hang_up();
    assert_eq!(client.receive()["id"], id, "what was asked is still answered");
    assert_eq!(ended(&mut client.child).code(), Some(0));
    let mut client = Client::connect(&sandbox);
    client.send_without_end(&json!({ "jsonrpc": "2.0", "id": 99, "method": "ping" }).to_string());
    client.hang_up();
    assert_eq!(client.receive()["id"], 99, "the last line needs no end");
}

#[cfg(unix)]
#[test]
fn the_server_ends_when_it_is_told_to() {
    let sandbox = project();
    for name in ["-TERM", "-INT"] {
        let mut client = Client::connect(&sandbox);
        signal(name, client.child.id());
        assert_eq!(ended(&mut client.child).code(), Some(0), "{name}");
        let mut server = Http::start(&sandbox, &[]);
        signal(name, server.child.id());
        assert_eq!(ended(&mut server.child).code(), Some(0), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_ends_when_its_parent_dies_though_its_input_stays_open() {
    use std::io::Read;
    let sandbox = project();
    let program = sandbox.command().get_program().to_owned();
    let mut parent = Command::new("sh")
        .args(["-c", "exec 3<&0; \"$RA\" mcp <&3 >/dev/null 2>&1 & echo $!; sleep 0.3"])
        .env("RA", program)
        .env("HOME", sandbox.home())
        .current_dir(sandbox.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let input = parent.stdin.take();
    let mut printed = String::new();
    parent.stdout.take().expect("output").read_to_string(&mut printed).expect("a number");
    parent.wait().expect("an end");
    let process = format!("/proc/{}/stat", printed.trim());
    let start = Instant::now();
    let alive = || std::fs::read_to_string(&process).is_ok_and(|stat| !stat.contains(") Z "));
    while alive() {
        assert!(start.elapsed() < Duration::from_secs(20), "the server outlives its parent");
        thread::sleep(Duration::from_millis(50));
    }
    drop(input);
}

#[test]
fn the_handshake_does_not_wait_for_the_index_and_a_search_says_that_it_is_not_there() {
    let sandbox = project();
    // Simulate another process that takes long to build the index.
    std::fs::create_dir_all(sandbox.index("")).expect("a directory");
    let lock = File::create(sandbox.index("lock")).expect("a file");
    lock.lock().expect("a lock");
    let mut client = Client::start(&sandbox);
    client.initialize("2025-06-18");
    client.request("tools/list", json!({}));

    let params =
        json!({ "name": "search", "arguments": { "queries": "zebra" }, "_meta": { "progressToken": "p" } });
    let answer = client.request("tools/call", params);
    let result = &answer["result"];
    assert_eq!(result["isError"], false, "{answer}");
    assert!(text(result).starts_with("still "), "neither empty nor an error: {answer}");
    assert!(result["structuredContent"].is_null(), "{answer}");
    let told: Vec<f64> = client
        .notifications
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .filter_map(|message| message["params"]["progress"].as_f64())
        .collect();
    assert!(told.len() > 2 && told.is_sorted_by(|a, b| a < b), "{told:?}");
    let sources = client.tool_now("list_sources", json!({}));
    assert!(text(&sources).contains("missing"), "{sources}");

    lock.unlock().expect("a lock");
    let result = client.tool("search", json!({ "queries": "zebra" }));
    assert!(text(&result).contains("docs:guide.md"), "{result}");
}

#[test]
fn an_answer_from_an_older_index_says_so() {
    let sandbox = project();
    sandbox.run(&["update"]);
    let lock = File::open(sandbox.index("lock")).expect("a lock file");
    lock.lock().expect("a lock");
    sandbox.write("docs/new.md", "# New\n\nzebra news\n");
    let mut client = Client::connect(&sandbox);
    let result = client.tool_now("search", json!({ "queries": "zebra" }));
    assert_eq!(result["isError"], false, "{result}");
    assert!(text(&result).contains("docs:guide.md") && !text(&result).contains("docs:new.md"), "{result}");
    assert!(text(&result).contains("may be out of date"), "{result}");
    let sources = client.tool_now("list_sources", json!({}));
    assert!(text(&sources).contains("being compared with the disk"), "{sources}");
}

#[test]
fn another_root_can_be_served() {
    let sandbox = project();
    let mut child = command(&sandbox, &["--root", "docs/sub"]).spawn().expect("a server");
    drop(child.stdin.take());
    assert_eq!(ended(&mut child).code(), Some(0));
    let other = Sandbox::new();
    let root = sandbox.project();
    let server = Http::start(&other, &["--root", root.to_str().expect("a path")]);
    let result = server.tool("search", json!({ "queries": "zebra" }));
    assert!(text(&result).contains("docs:guide.md"), "{result}");
}

#[test]
fn an_index_that_is_spoiled_under_a_server_is_built_anew_by_the_next_search() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    for (word, id) in [("zebra", "docs:guide.md"), ("value", "docs:sub/notes.md#errors")] {
        let answer = client.tool("search", json!({ "queries": word }));
        assert!(text(&answer).contains(id), "{answer}");
        // Write in place, so the server's memory maps change with the file.
        let store = fs::read_dir(sandbox.index("")).expect("an index").flatten();
        let store = store.map(|entry| entry.path()).find(|path| path.is_dir()).expect("a store");
        for entry in fs::read_dir(store).expect("a store").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "store" || extension == "pos") {
                let length = entry.metadata().expect("a file").len();
                fs::write(entry.path(), vec![0xff; length as usize]).expect("a file that can be written");
            }
        }
    }
    let answer = client.tool("search", json!({ "queries": "\"write a file\"" }));
    assert!(text(&answer).contains("docs:guide.md#configuration"), "{answer}");
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
}

/// Each step changes a document without a change in its directory, or adds such a document.
#[cfg(unix)]
#[test]
fn what_links_lead_to_is_answered_as_it_is_now() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/a.md", "plain"),
        ("one/t.md", "zebra"),
        ("two/t.md", "walrus"),
    ]);
    symlink("../late/t.md", sandbox.path("docs/late.md")).unwrap();
    let mut client = Client::connect(&sandbox);
    let at = |path: &str| sandbox.path(path);
    let steps: &[(&str, &str, &dyn Fn())] = &[
        ("nothing", "plain", &|| {}),
        ("a new link", "zebra", &|| symlink("../one/t.md", at("docs/t.md")).unwrap()),
        ("its target", "penguin", &|| fs::write(at("one/t.md"), "penguin").unwrap()),
        ("another target", "walrus", &|| {
            symlink("../two/t.md", at("docs/next")).unwrap();
            fs::rename(at("docs/next"), at("docs/t.md")).unwrap();
        }),
        ("that target", "ostrich", &|| fs::write(at("two/t.md"), "ostrich").unwrap()),
        ("a link that led nowhere", "giraffe", &|| {
            fs::create_dir(at("late")).unwrap();
            fs::write(at("late/t.md"), "giraffe").unwrap();
        }),
        ("a second name", "hamster", &|| {
            fs::write(at("one/hard.md"), "hamster").unwrap();
            fs::hard_link(at("one/hard.md"), at("docs/hard.md")).unwrap();
        }),
        ("its first name", "mongoose", &|| fs::write(at("one/hard.md"), "mongoose").unwrap()),
    ];
    for (what, word, change) in steps {
        change();
        for _ in 0..2 {
            let answer = client.tool("search", json!({ "queries": [word] }));
            assert!(!text(&answer).contains("nothing matches"), "{what}: {}", text(&answer));
        }
    }
}
