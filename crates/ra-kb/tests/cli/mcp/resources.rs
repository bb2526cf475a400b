//! Documents as resources; only indexed ones are served.

use serde_json::{Value, json};

use super::client::Client;
use super::{CONFIG, GUIDE, project};
use crate::sandbox::Sandbox;

#[test]
fn every_document_is_a_resource_with_its_text() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let listed = client.request("resources/list", json!({}));
    let resources = listed["result"]["resources"].as_array().expect("resources");
    let uris: Vec<&str> = resources.iter().map(|resource| resource["uri"].as_str().expect("one")).collect();
    assert_eq!(uris, ["ra://docs/guide.md", "ra://docs/sub/notes.md"]);
    assert_eq!(resources[0]["mimeType"], "text/markdown");
    assert_eq!(resources[0]["size"], GUIDE.len());
    assert_eq!((&resources[0]["title"], &resources[1]["title"]), (&json!("Guide"), &json!("Notes")));
    let documents = sandbox.json(&["ls", "docs"])["documents"].clone();
    assert_eq!(resources[0]["annotations"]["lastModified"], documents[0]["modified"]);

    let read = client.request("resources/read", json!({ "uri": "ra://docs/guide.md" }));
    assert_eq!(read["result"]["contents"][0]["text"], GUIDE);
    let read = client.request("resources/read", json!({ "uri": "ra://docs/guide.md#configuration" }));
    let section = read["result"]["contents"][0]["text"].as_str().expect("text");
    assert_eq!(section, "## Configuration\n\nWrite a file. The zebra reads it.\n");
}

#[test]
fn pages_of_resources_name_each_document_once() {
    let sandbox = Sandbox::with(&[(".ra.toml", CONFIG)]);
    for nr in 0..1250 {
        sandbox.write(&format!("docs/{nr:04} & more.md"), format!("# Document {nr}\n\nText.\n"));
    }
    // Until there is an index of all documents, the list is refused.
    sandbox.run(&["search", "text"]);
    let mut client = Client::connect(&sandbox);
    let mut uris: Vec<String> = Vec::new();
    let mut cursor = Value::Null;
    let mut pages = 0;
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let listed = client.request("resources/list", params)["result"].clone();
        let page = listed["resources"].as_array().expect("resources");
        uris.extend(page.iter().map(|resource| resource["uri"].as_str().expect("one").to_owned()));
        cursor = listed["nextCursor"].clone();
        pages += 1;
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((pages, uris.len()), (2, 1250));
    uris.dedup();
    assert_eq!(uris.len(), 1250);
    let read = client.request("resources/read", json!({ "uri": uris[7] }));
    assert_eq!(read["result"]["contents"][0]["text"], "# Document 7\n\nText.\n");
    let refused = client.request("resources/list", json!({ "cursor": "nonsense" }));
    assert_eq!(refused["error"]["code"], -32602);
}

#[test]
fn names_are_completed() {
    let sandbox = project();
    let mut client = Client::connect(&sandbox);
    let templates = client.request("resources/templates/list", json!({}));
    let template = templates["result"]["resourceTemplates"][0]["uriTemplate"].clone();
    let mut complete = |name: &str, value: &str, given: Value| {
        let params = json!({
            "ref": { "type": "ref/resource", "uri": template },
            "argument": { "name": name, "value": value },
            "context": { "arguments": given },
        });
        client.request("completion/complete", params)["result"]["completion"]["values"].clone()
    };
    assert_eq!(complete("tree", "d", json!({})), json!(["docs"]));
    assert_eq!(complete("path", "no", json!({ "tree": "docs" })), json!(["sub/notes.md"]));
    assert_eq!(complete("path", "", json!({ "tree": "other" })), json!([]));
    let given = json!({ "tree": "docs", "path": "guide.md" });
    assert_eq!(complete("section", "con", given.clone()), json!(["configuration"]));
    assert_eq!(complete("section", "", given), json!(["configuration", "guide", "installation"]));
    let refused = client.request(
        "completion/complete",
        json!({ "ref": { "type": "ref/prompt", "name": "other" }, "argument": { "name": "a", "value": "" } }),
    );
    assert_eq!(refused["error"]["code"], -32602);
}

#[test]
fn nothing_is_served_that_is_not_indexed() {
    let sandbox = project();
    sandbox.write("secret.md", "# Secret\n\nhunter2\n");
    sandbox.write("docs/.hidden/key.md", "hunter2\n");
    sandbox.write("docs/data.bin", b"hunter2\0\0".as_slice());
    #[cfg(unix)]
    for (target, link) in [("secret.md", "docs/link.md"), ("", "docs/up")] {
        std::os::unix::fs::symlink(sandbox.path(target), sandbox.path(link)).expect("a link");
    }
    let mut client = Client::connect(&sandbox);
    for path in [
        "../secret.md",
        "sub/../../secret.md",
        "%2e%2e/secret.md",
        "..%2fsecret.md",
        "..\\secret.md",
        "up/secret.md",
        "/etc/passwd",
        "../../../../../../etc/passwd",
        "data.bin",
        "guide.md%00",
        "notes.md",
    ] {
        let answer = client.request("resources/read", json!({ "uri": format!("ra://docs/{path}") }));
        assert_eq!(answer["error"]["code"], -32002, "{path}: {answer}");
        assert!(!answer.to_string().contains("hunter2"), "{answer}");
    }
    for uri in
        ["file:///etc/passwd", "", "ra://", "ra://docs", "ra://other/guide.md", "ra://docs/guide.md#nowhere"]
    {
        let answer = client.request("resources/read", json!({ "uri": uri }));
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
    }
    for id in [
        "../secret.md",
        "docs:../secret.md",
        "/etc/passwd",
        "docs:/etc/passwd",
        "docs:guide.md\0",
        "docs:up/secret.md",
    ] {
        let result = client.tool("get", json!({ "ids": [id] }));
        assert_eq!(result["isError"], true, "{id}: {result}");
        assert!(!result.to_string().contains("hunter2"), "{result}");
    }
}
