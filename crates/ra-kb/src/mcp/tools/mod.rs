//! The tools. Each has a file with its definition, its arguments, and its implementation.

mod context;
mod get;
mod list_sources;
mod search;
mod similar;
mod verify;

use std::sync::{Arc, LazyLock};

use ra_core::kb::KnowledgeBase;
use ra_core::text::hint_among;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ErrorData, JsonObject, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use schemars::JsonSchema;

use super::answer;
use super::arguments::{self, ResultArguments};
use super::request_runner::{RequestError, RequestIndex, RequestRunner};
use super::uri;
use crate::answers::{SearchReport, View};
use crate::layout::ResultForm;
use crate::request::{self, Limits};
use crate::schema;

/// The definitions of all tools.
pub(super) static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    vec![
        search::definition(),
        context::definition(),
        get::definition(),
        similar::definition(),
        verify::definition(),
        list_sources::definition(),
    ]
});

/// Runs a tool. Only an unknown tool is a protocol error; other errors are returned as results, which the model
/// can read and act on.
pub(super) async fn call(
    runner: &RequestRunner,
    name: &str,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else { return Err(unknown(name)) };
    let schema = &tool.input_schema;
    let answered = match name {
        "search" => run(schema, arguments, |read| search::run(runner, read, context)).await,
        "context" => run(schema, arguments, |read| context::run(runner, read, context)).await,
        "similar" => run(schema, arguments, |read| similar::run(runner, read, context)).await,
        "get" => run(schema, arguments, |read| get::run(runner, read, context)).await,
        "verify" => run(schema, arguments, |read| verify::run(runner, read, context)).await,
        "list_sources" => run(schema, arguments, |read| list_sources::run(runner, read, context)).await,
        _ => return Err(unknown(name)),
    };
    Ok(answered.unwrap_or_else(answer::refused))
}

/// Reads the arguments of a tool and runs it.
async fn run<A, F>(
    schema: &JsonObject,
    arguments: JsonObject,
    tool: impl FnOnce(A) -> F,
) -> Result<CallToolResult, RequestError>
where
    A: serde::de::DeserializeOwned,
    F: Future<Output = Result<CallToolResult, RequestError>>,
{
    tool(arguments::read(schema, arguments)?).await
}

fn unknown(name: &str) -> ErrorData {
    let name: String = name.chars().take(60).collect();
    let known: Vec<&str> = TOOLS.iter().map(|tool| &*tool.name).collect();
    let hint = hint_among(&name, &known, "the tools are");
    ErrorData::invalid_params(format!("there is no tool `{name}`: {hint}"), None)
}

/// Defines a read-only tool that accesses nothing but the knowledge base. Its arguments are those of `A`.
fn define<A: JsonSchema>(name: &'static str, title: &str, description: &'static str) -> Tool {
    let mut input = schema::of_input::<A>();
    // Every client sends the schema to its model, so it contains only what a model needs.
    for keyword in ["$schema", "title", "description"] {
        input.shift_remove(keyword);
    }
    let annotations = ToolAnnotations::with_title(title).read_only(true).open_world(false);
    Tool::new(name, description, Arc::new(input)).with_title(title).with_annotations(annotations)
}

/// Shows the sections that a request has found, within its token budget.
fn sections(
    reader: &RequestIndex,
    arguments: &ResultArguments,
    limits: Limits,
    kb: &KnowledgeBase,
    report: impl Fn(&View<'_>) -> SearchReport,
) -> Result<CallToolResult, RequestError> {
    reader.check()?;
    let form = if arguments.list { ResultForm::List } else { ResultForm::Full };
    let view = reader.caller().view(kb, form);
    let configured = limits.max_tokens(kb.config());
    let budget = request::tool_budget(arguments.max_tokens, configured);
    answer::sections(|room| report(&view.within(room)), budget, &reader.served)
}

/// Converts a URI to an id; returns any other name unchanged.
fn id_of(name: &str) -> String {
    uri::parse(name.trim()).map_or_else(|| name.trim().to_owned(), |id| id.to_string())
}
