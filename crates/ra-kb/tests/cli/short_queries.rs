//! Short queries: partial matches that fill up an answer, and the notes of an empty answer.

use serde_json::json;

use crate::mcp::{Client, text};
use crate::sandbox::Sandbox;

/// Creates two trees, `wild` with a few animals and `farm` with many short documents.
fn animals() -> Sandbox {
    let farm = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\nwild = \"wild\"\nfarm = \"farm\"\n"),
        ("wild/zebra-migration.md", "# Zebra migration\n\nZebras begin their migration in May.\n"),
        ("wild/zebra.md", "---\ntags: [stripes]\n---\n# Zebra\n\nThe zebra eats grass.\n"),
        ("wild/lion.md", "# Lion\n\nThe lion sleeps, and a zebra runs.\n"),
        ("farm/cow.md", "# Cow\n\nThe cow gives milk.\n"),
    ]);
    for name in ["barn", "field", "fence", "goat", "goose", "hay", "hen", "horse", "pig", "plough", "sheep"] {
        farm.write(&format!("farm/{name}.md"), format!("# The {name}\n\nAbout the {name}.\n"));
    }
    farm
}

/// Returns the stderr of `ra search --list`.
fn notes(sandbox: &Sandbox, args: &[&str]) -> String {
    let shown = sandbox.run(&[&["search", "--list"], args].concat());
    let (_, notes) = shown.split_once("--- stderr\n").unwrap_or_default();
    notes.to_owned()
}

#[test]
fn a_note_says_from_where_on_a_word_is_missing() {
    let animals = animals();
    insta::assert_snapshot!(notes(&animals, &["zebra migration"]), @"note: from result 2 on, sections lack: migration");
    insta::assert_snapshot!(notes(&animals, &["zebra milk"]), @"note: no section has every word; those with most of them come first");
    let found = animals.json(&["search", "zebra migration"]);
    let answer = &found["queries"][0];
    assert_eq!(answer["results"][0]["id"], "wild:zebra-migration.md#zebra-migration");
    assert_eq!(answer["partial_from"], 2);
    assert_eq!(answer["missing_words"], json!(["migration"]));
    assert_eq!(answer["relaxed"], true);
    assert_eq!(answer["relaxed_because"], "few sections have every word");
    assert_eq!(answer["total_matches"], 4);
    // If only the first result is shown, there is no note.
    assert_eq!(notes(&animals, &["-n", "1", "zebra migration"]), "");
}

#[test]
fn a_long_question_is_answered_without_a_note() {
    let animals = animals();
    let question = "when does the zebra migration begin after heavy rain";
    insta::assert_snapshot!(notes(&animals, &["--cutoff-ratio", "0", question]), @"note: no section has: heavy, rain");
    let found = animals.json(&["search", question]);
    assert_eq!(found["queries"][0]["relaxed"], true);
    assert!(found["queries"][0]["relaxed_because"].is_null());
}

#[test]
fn plain_words_are_one_query() {
    let animals = animals();
    insta::assert_snapshot!(notes(&animals, &["-n", "1", "zebra", "migration"]), @"
    note: read as one query: zebra migration
    hint: for any of the words: `ra search 'zebra OR migration'`
    ");
    let found = animals.json(&["search", "zebra", "migration"]);
    assert_eq!(found["queries"][0]["query"], "zebra migration");
    // Arguments with more than one word are joined with OR, and so is a single word next to them.
    for (args, query) in [
        (&["zebra", "cow milk"][..], "(zebra) OR (cow milk)"),
        (&["zebra", "\"milk\""], "(zebra) OR (\"milk\")"),
        (&["zebra", "title:cow"], "(zebra) OR (title:cow)"),
        (&["zebra", "OR", "cow"], "zebra OR cow"),
    ] {
        let found = animals.json(&[&["search"], args].concat());
        assert_eq!(found["queries"][0]["query"], query);
        assert!(found["queries"][0]["notes"].is_null(), "{args:?}: {found}");
    }
    let apart = animals.json(&["search", "--group", "zebra", "cow"]);
    assert_eq!(apart["queries"].as_array().map(Vec::len), Some(2));
    let raw = animals.json(&["search", "--raw", "zebra", "cow"]);
    assert_eq!(raw["queries"][0]["query"], "(zebra) OR (cow)");
}

#[test]
fn an_empty_answer_names_the_condition_that_emptied_it() {
    let animals = animals();
    for (args, hint) in [
        (&["\"grass zebra\""][..], "1 section has the words of \"grass zebra\" apart: grass zebra"),
        (&["\"grass zebra\" eats"], "1 section has the words of \"grass zebra\" apart: eats grass zebra"),
        (&["title:grass"], "1 section matches if `title:grass` may be in any field: grass"),
        (&["tags:grass"], "1 section matches if `tags:grass` may be in any field: grass"),
        (&["tags:grass zebra"], "4 sections match without `tags:grass`: zebra"),
        (&["tree:farm zebra"], "4 sections match without `tree:farm`: zebra"),
        (&["path:cow.md zebra"], "4 sections match without `path:cow.md`: zebra"),
        (&["path:nowhere/ zebra"], "4 sections match without `path:nowhere/`: zebra"),
        (&["--tree", "farm", "zebra"], "4 sections match without `--tree farm`: zebra"),
        (&["--path", "farm", "zebra"], "4 sections match without `--path farm:`: zebra"),
        (&["--tag", "stripes", "milk"], "1 section matches without `--tag stripes`: milk"),
        (&["--tag", "none", "milk"], "1 section matches without `--tag none`: milk"),
    ] {
        let notes = notes(&animals, args);
        assert!(notes.contains("note: nothing matches"), "{args:?}: {notes}");
        assert!(notes.contains(&format!("hint: {hint}\n")), "{args:?}: {notes}");
    }
    let mut client = Client::connect(&animals);
    let shown = text(&client.tool("search", json!({ "queries": ["zebra"], "trees": ["farm"] }))).to_owned();
    assert!(shown.contains("hint: 4 sections match without `trees: farm`: zebra\n"), "{shown}");
}

#[test]
fn a_tree_without_documents_says_so() {
    let empty = Sandbox::new();
    insta::assert_snapshot!(empty.run(&["search", "zebra"]), @r#"
    exit code 0
    --- stderr
    note: tree `local` ([base]/project) has no documents
    note: nothing matches "zebra"
    "#);
    empty.write("main.rs", "fn main() {}\n");
    empty.write("build/notes.md", "# Notes\n");
    empty.write(".ignore", "build/\n");
    empty.write("blank.md", "\n");
    insta::assert_snapshot!(empty.run(&["search", "zebra", "--path", "build"]), @r#"
    exit code 0
    --- stderr
    note: tree `local` ([base]/project) has no documents
    hint: it has 1 file without text; 1 file of other types (indexed only if `include` names them); 1 entry that ignore files leave out
    note: nothing matches "zebra"
    "#);
    insta::assert_snapshot!(empty.run(&["context", "main.rs"]), @r#"
    exit code 0
    --- stderr
    note: tree `local` ([base]/project) has no documents
    hint: it has 1 file without text; 1 file of other types (indexed only if `include` names them); 1 entry that ignore files leave out
    note: nothing matches "main.rs"
    "#);
    let mut client = Client::connect(&empty);
    for (tool, arguments) in
        [("search", json!({ "queries": ["zebra"] })), ("context", json!({ "files": ["main.rs"] }))]
    {
        let shown = text(&client.tool(tool, arguments)).to_owned();
        assert!(shown.contains("has no documents\n"), "{tool}: {shown}");
    }
}

#[test]
fn an_empty_tree_beside_others_is_named_when_nothing_matches() {
    let sandbox = animals();
    sandbox.write(".ra.toml", "root = true\n[trees]\nwild = \"wild\"\nnew = \"new\"\n");
    sandbox.write("new/data.csv", "1,2\n");
    insta::assert_snapshot!(notes(&sandbox, &["-t", "new", "zebra"]), @r#"
    note: tree `new` ([base]/project/new) has no documents
    hint: it has 1 file of other types (indexed only if `include` names them)
    note: nothing matches "zebra"
    "#);
    insta::assert_snapshot!(notes(&sandbox, &["milk"]), @r#"
    note: tree `new` ([base]/project/new) has no documents
    hint: it has 1 file of other types (indexed only if `include` names them)
    note: no section has: milk
    note: nothing matches "milk"
    "#);
    assert_eq!(notes(&sandbox, &["lion"]), "");
}
