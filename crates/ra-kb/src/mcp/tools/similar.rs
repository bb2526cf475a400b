//! `similar`: sections like one.

use ra_core::index::Scope;
use ra_core::kb::{Silent, Similar};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

use super::get::in_protocol;
use super::{LEAST, MOST, budget, define, texts, tree, view};
use crate::mcp::answer;
use crate::mcp::desk::{Desk, Refusal};
use crate::wire::Shown;

/// Results when the request does not say.
const LIMIT: usize = 5;

pub(super) fn definition() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "Chunk or document ID" },
            "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": LIMIT, "description": "Maximum chunks to return" },
            "max_tokens": { "type": "integer", "minimum": LEAST, "maximum": MOST, "description": "Token budget for results; 8000 unless configured" },
            "list": { "type": "boolean", "default": false, "description": "Ids and snippets only, no text" },
            "trees": texts("Only in these trees"),
        },
        "required": ["id"],
        "additionalProperties": false,
    });
    define("similar", "Similar", DESCRIPTION, input)
}

const DESCRIPTION: &str = "Find sections like a given one, in other documents.";

#[derive(Debug, Deserialize)]
pub(super) struct Arguments {
    id: String,
    limit: Option<usize>,
    max_tokens: Option<usize>,
    #[serde(default)]
    list: bool,
    #[serde(default)]
    trees: Vec<String>,
}

pub(super) async fn run(
    desk: &Desk,
    arguments: Arguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, Refusal> {
    let cwd = desk.cwd().to_owned();
    desk.read(context, move |reader| {
        let mut config = reader.basis.fresh.kb.config().clone();
        config.context.limit = arguments.limit.unwrap_or(LIMIT);
        let trees = arguments.trees.iter().map(|name| tree(&config.trees, name)).collect::<Result<_, _>>()?;
        let kb = reader.basis.fresh.kb.with(config);
        let scope = Scope { trees, ..Scope::default() };
        let wanted = Similar { name: kb.name_of(&cwd, &arguments.id), file: None, scope };
        let (mut found, freshness) = reader.ask(
            |_, snapshot| kb.similar_in(snapshot, &wanted).map_err(in_protocol),
            |_| {
                let found = kb.similar(&wanted, &Silent).map_err(in_protocol)?;
                let freshness = found.answers.freshness.clone();
                Ok((found, freshness))
            },
        )?;
        reader.check()?;
        found.answers.freshness = freshness;
        let budget = budget(arguments.max_tokens, reader.basis.fresh.kb.config());
        let view = view(&kb, &cwd, arguments.list);
        answer::sections(|room| Shown::context(&found, &view.within(room)), budget, &reader.basis)
    })
    .await
}
