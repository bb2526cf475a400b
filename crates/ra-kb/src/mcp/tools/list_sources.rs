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
    let known = runner.known_status().await;
    runner
        .run_without_index(context, move |places| {
            let list = |kb: &KnowledgeBase, status| {
                let budget = request::tool_budget(None, kb.config().search.max_tokens);
                answer::sources(&Sources::new(kb.config(), status), indexing, budget)
            };
            match known {
                Some((fresh, status)) => list(&fresh.kb, status),
                None => {
                    let kb = KnowledgeBase::open(Config::load(places, &[])?);
                    list(&kb, kb.status()?)
                }
            }
        })
        .await
}
