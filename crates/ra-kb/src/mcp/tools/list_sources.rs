//! `list_sources`: the trees, the index, and the configuration files.

use ra_core::config::Config;
use ra_core::kb::KnowledgeBase;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::define;
use crate::answers::Sources;
use crate::mcp::answer;
use crate::mcp::request_runner::{RequestError, RequestRunner};
use crate::request;

pub(super) fn definition() -> Tool {
    define::<ListSourcesArguments>("list_sources", "List sources", DESCRIPTION)
}

const DESCRIPTION: &str = "\
List available knowledge trees and their statistics, the state of the index, and the configuration files in force.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ListSourcesArguments {}

pub(super) async fn run(
    runner: &RequestRunner,
    _arguments: ListSourcesArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    let indexing = runner.indexing();
    let unchanged = runner.unchanged();
    runner
        .run_without_index(context, move |places| {
            // If the watcher knows that nothing has changed, there is no need to walk the trees.
            if let Some(fresh) = unchanged {
                let budget = request::tool_budget(None, fresh.kb.config().search.max_tokens);
                return answer::sources(&Sources::new(fresh.kb.config(), fresh.status()), indexing, budget);
            }
            let kb = KnowledgeBase::open(Config::load(places, &[])?);
            let budget = request::tool_budget(None, kb.config().search.max_tokens);
            answer::sources(&Sources::new(kb.config(), kb.status()?), indexing, budget)
        })
        .await
}
