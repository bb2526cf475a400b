//! The tools. Each has a file: its definition, its arguments, and how it is answered.

mod get;
mod list_sources;
mod search;

use std::sync::{Arc, LazyLock};

use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ErrorData, JsonObject, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use serde_json::Value;

use super::answer;
use super::arguments;
use super::desk::{Desk, Refusal};

/// The budget of an answer in tokens when the request names none, and the largest it may name.
const BUDGET: usize = 8000;
const MOST: usize = 25_000;

/// The tools as clients are shown them.
pub(super) static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| vec![search::definition(), get::definition(), list_sources::definition()]);

/// Runs a tool. Only a name that no tool has is an error of the protocol: whatever else goes wrong, the model
/// that asked can read it and do better.
pub(super) async fn call(
    desk: &Desk,
    name: &str,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else { return Err(unknown(name)) };
    let schema = &tool.input_schema;
    let answered = match name {
        "search" => run(schema, arguments, |read| search::run(desk, read, context)).await,
        "get" => run(schema, arguments, |read| get::run(desk, read, context)).await,
        "list_sources" => run(schema, arguments, |read| list_sources::run(desk, read, context)).await,
        _ => return Err(unknown(name)),
    };
    Ok(answered.unwrap_or_else(answer::refused))
}

/// Reads the arguments of a tool and runs it.
async fn run<A, F>(
    schema: &JsonObject,
    arguments: JsonObject,
    tool: impl FnOnce(A) -> F,
) -> Result<CallToolResult, Refusal>
where
    A: serde::de::DeserializeOwned,
    F: Future<Output = Result<CallToolResult, Refusal>>,
{
    tool(arguments::read(schema, arguments)?).await
}

fn unknown(name: &str) -> ErrorData {
    let name: String = name.chars().take(60).collect();
    let known: Vec<&str> = TOOLS.iter().map(|tool| &*tool.name).collect();
    let hint = match ra_core::text::nearest(&name, known.iter().copied()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the tools are {}", known.join(", ")),
    };
    ErrorData::invalid_params(format!("there is no tool `{name}`: {hint}"), None)
}

/// A tool that changes nothing and looks at nothing but the knowledge base.
fn define(name: &'static str, title: &str, description: &'static str, input: Value, output: Value) -> Tool {
    let annotations = ToolAnnotations::with_title(title).read_only(true).open_world(false);
    Tool::new(name, description, object(input))
        .with_title(title)
        .with_raw_output_schema(object(output))
        .with_annotations(annotations)
}

fn object(value: Value) -> Arc<JsonObject> {
    Arc::new(match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    })
}
