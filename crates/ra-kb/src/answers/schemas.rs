//! The schemas of all answers, which `docs/reference/schema` contains.

use std::path::Path;
use std::{env, fs};

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::*;
use crate::output::VERSION;
use crate::schema;

/// Makes the files equal to the types if this variable is set.
const UPDATE: &str = "UPDATE_SCHEMAS";

#[test]
fn the_files_are_derived_from_the_types() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schema");
    let schemas = all();
    for (name, schema) in &schemas {
        let text = format!("{schema:#}\n");
        let file = directory.join(format!("{name}.json"));
        if env::var_os(UPDATE).is_some() {
            fs::write(&file, &text).expect("a file");
        }
        let is_same = fs::read_to_string(&file).is_ok_and(|known| known == text);
        assert!(is_same, "{name}.json: run `{UPDATE}=1 cargo test --workspace --lib schemas`");
    }
    assert_eq!(fs::read_dir(&directory).expect("a directory").count(), schemas.len());
}

fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("agents", answer::<AgentFiles>("ra agents --json")),
        ("agents-mcp", answer::<McpConfig>("ra agents --mcp-config --json")),
        ("check", answer::<Check>("ra check --json")),
        ("cite", answer::<CiteReport>("ra cite --json")),
        ("config", answer::<Configuration>("ra config --json")),
        ("doctor", answer::<Doctor>("ra doctor --json")),
        ("eval", answer::<Evaluation>("ra eval --json")),
        ("eval-context", answer::<ContextEvaluation>("ra eval --context --json")),
        ("get", answer::<GetReport>("ra get --json")),
        ("init", answer::<Init>("ra init --json")),
        ("inspect", answer::<Inspection>("ra inspect --json")),
        ("links", answer::<LinksReport>("ra links --json")),
        ("ls-chunks", answer::<Chunks>("ra ls chunks --json")),
        ("ls-docs", answer::<Documents>("ra ls docs --json")),
        ("ls-fields", answer::<Fields>("ra ls fields --json")),
        ("ls-tags", answer::<Tags>("ra ls tags --json")),
        ("ls-trees", answer::<Trees>("ra ls trees --json")),
        ("search", answer::<SearchReport>("ra search --json")),
        ("status", answer::<Status>("ra status --json")),
        ("update", answer::<Update>("ra update --json")),
        ("verify", answer::<VerifyReport>("ra verify --json")),
    ]
}

/// Returns the schema of an answer with its version, as it is printed.
fn answer<T: JsonSchema>(title: &str) -> Value {
    let mut schema = schema::of_output::<T>();
    schema.insert("title".to_owned(), title.into());
    let version = json!({ "description": "The version of this format.", "const": VERSION });
    let mut fields = Map::from_iter([("version".to_owned(), version)]);
    if let Some(Value::Object(own)) = schema.get_mut("properties") {
        fields.append(own);
        *own = fields;
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.insert(0, "version".into());
    }
    Value::Object(schema)
}
