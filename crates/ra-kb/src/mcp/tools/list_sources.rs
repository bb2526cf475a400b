//! `list_sources`: the trees, the index, and the configuration behind them.

use ra_core::config::Config;
use ra_core::kb::KnowledgeBase;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

use super::define;
use crate::mcp::answer;
use crate::mcp::desk::{Desk, Refusal};
use crate::wire::Sources;

pub(super) fn definition() -> Tool {
    let input = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let output = json!({
        "type": "object",
        "properties": {
            "version": { "type": "integer" },
            "trees": { "type": "array", "items": { "type": "object" } },
            "index": { "type": "object" },
            "configuration": { "type": "array", "items": { "type": "string" } },
            "indexing": { "type": "object" },
        },
        "required": ["version"],
    });
    define("list_sources", "List sources", DESCRIPTION, input, output)
}

const DESCRIPTION: &str = "\
List available knowledge trees and their statistics, the state of the index, and the configuration files in force.";

#[derive(Debug, Deserialize)]
pub(super) struct Arguments {}

pub(super) async fn run(
    desk: &Desk,
    _arguments: Arguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, Refusal> {
    let indexing = desk.indexing();
    desk.look(context, move |places| {
        let kb = KnowledgeBase::open(Config::load(places, &[])?);
        answer::sources(&Sources::new(kb.config(), kb.status()?), indexing)
    })
    .await
}
