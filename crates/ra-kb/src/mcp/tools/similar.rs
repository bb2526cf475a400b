//! `similar`: finds sections like a given one.

use ra_core::index::Scope;
use ra_core::kb::{NoProgress, SimilarRequest};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{budget, define, id_of, tree, view};
use crate::answers::SearchReport;
use crate::mcp::answer;
use crate::mcp::arguments::ResultArguments;
use crate::mcp::request_runner::{RequestError, RequestRunner};

pub(super) fn definition() -> Tool {
    define::<SimilarArguments>("similar", "Similar", DESCRIPTION)
}

const DESCRIPTION: &str = "\
Find sections of other documents that say much the same as a given one. Use it when search or get has shown a section \
that matters, and you want to know where else its subject is treated, repeated or contradicted. For a topic use search, \
for files you are about to change use context.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SimilarArguments {
    /// Id of a section or document, as search results give it
    id: String,
    #[serde(flatten)]
    shown: ResultArguments,
    /// Only in these trees
    #[serde(default)]
    trees: Vec<String>,
}

pub(super) async fn run(
    runner: &RequestRunner,
    arguments: SimilarArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    let cwd = runner.cwd().to_owned();
    runner
        .run_with_index(context, move |reader| {
            let mut config = reader.served.fresh.kb.config().clone();
            config.context.limit = arguments.shown.limit.unwrap_or(config.context.limit);
            let trees = arguments.trees.iter().map(|name| tree(&config, name)).collect::<Result<_, _>>()?;
            let kb = reader.served.fresh.kb.with(config);
            let scope = Scope { trees, ..Scope::default() };
            let wanted = SimilarRequest { name: kb.name_of(&cwd, &id_of(&arguments.id)), file: None, scope };
            let (mut found, freshness) = reader.ask(
                |_, snapshot| kb.similar_in(snapshot, &wanted),
                |_| {
                    let found = kb.similar(&wanted, &NoProgress)?;
                    let freshness = found.answers.freshness.clone();
                    Ok((found, freshness))
                },
            )?;
            reader.check()?;
            found.answers.freshness = freshness;
            let budget =
                budget(arguments.shown.budget.max_tokens, reader.served.fresh.kb.config().context.max_tokens);
            let view = view(&kb, &cwd, arguments.shown.list);
            answer::sections(|room| SearchReport::context(&found, &view.within(room)), budget, &reader.served)
        })
        .await
}
