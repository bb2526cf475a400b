//! `similar`: finds sections like a given one.

use ra_core::kb::SimilarRequest;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{define, id_of, sections};
use crate::answers::SearchReport;
use crate::mcp::arguments::ResultArguments;
use crate::mcp::request_runner::{RequestError, RequestRunner};
use crate::request::{Amount, Filters, Limits};

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
    runner
        .run_with_index(context, move |reader| {
            let SimilarArguments { id, shown, trees } = arguments;
            let kb = Limits::Context.with(reader.kb(), Amount { limit: shown.limit, expand: false });
            let caller = reader.caller();
            let wanted = SimilarRequest {
                name: kb.name_of(caller.cwd, &id_of(&id)),
                file: None,
                scope: caller.scope(&kb, Filters { trees: &trees, ..Filters::default() })?,
            };
            let found = kb.similar(&wanted, reader)?;
            sections(reader, &shown, Limits::Context, &kb, |view| SearchReport::context(&found, view))
        })
        .await
}
