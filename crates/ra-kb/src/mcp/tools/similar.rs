//! `similar`: sections like one.

use ra_core::index::Scope;
use ra_core::kb::{Silent, Similar};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

use super::{budget, define, id_of, limit, list, max_tokens, texts, tree, view};
use crate::mcp::answer;
use crate::mcp::desk::{Desk, Refusal};
use crate::wire::Shown;

pub(super) fn definition() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "Id of a section or document, as search results give it" },
            "limit": limit(),
            "max_tokens": max_tokens(),
            "list": list(),
            "trees": texts("Only in these trees"),
        },
        "required": ["id"],
        "additionalProperties": false,
    });
    define("similar", "Similar", DESCRIPTION, input)
}

const DESCRIPTION: &str = "\
Find sections of other documents that say much the same as a given one. Use it when search or get has shown a section \
that matters, and you want to know where else its subject is treated, repeated or contradicted. For a topic use search, \
for files you are about to change use context.";

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
        config.context.limit = arguments.limit.unwrap_or(config.context.limit);
        let trees = arguments.trees.iter().map(|name| tree(&config.trees, name)).collect::<Result<_, _>>()?;
        let kb = reader.basis.fresh.kb.with(config);
        let scope = Scope { trees, ..Scope::default() };
        let wanted = Similar { name: kb.name_of(&cwd, &id_of(&arguments.id)), file: None, scope };
        let (mut found, freshness) = reader.ask(
            |_, snapshot| kb.similar_in(snapshot, &wanted),
            |_| {
                let found = kb.similar(&wanted, &Silent)?;
                let freshness = found.answers.freshness.clone();
                Ok((found, freshness))
            },
        )?;
        reader.check()?;
        found.answers.freshness = freshness;
        let budget = budget(arguments.max_tokens, reader.basis.fresh.kb.config().context.max_tokens);
        let view = view(&kb, &cwd, arguments.list);
        answer::sections(|room| Shown::context(&found, &view.within(room)), budget, &reader.basis)
    })
    .await
}
