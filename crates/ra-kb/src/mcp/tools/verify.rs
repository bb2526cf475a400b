//! `verify`: says whether the citations in a text still hold.

use std::path::Path;

use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::define;
use crate::answers::VerifyReport;
use crate::mcp::answer;
use crate::mcp::request_runner::{RequestError, RequestRunner};
use crate::request::{self, MAX_BUDGET, MAX_INPUT_CHARS, MIN_BUDGET};

pub(super) fn definition() -> Tool {
    define::<VerifyArguments>("verify", "Verify citations", DESCRIPTION)
}

const DESCRIPTION: &str = "\
Find out whether the citations in a text still hold: valid, moved (and where to), changed (and what is there now), \
gone, or malformed. `get` with `cite` gives citations.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct VerifyArguments {
    /// Text with citations, such as docs:guide.md#setup@1f2e3d4c5b6a70:10-20
    #[schemars(length(min = 1, max = MAX_INPUT_CHARS))]
    text: String,
    /// Token budget of the whole answer; 25,000 if not given
    #[schemars(range(min = MIN_BUDGET, max = MAX_BUDGET))]
    max_tokens: Option<usize>,
}

pub(super) async fn run(
    runner: &RequestRunner,
    arguments: VerifyArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    runner
        .run_with_index(context, move |reader| {
            let (verified, freshness) = reader.kb().verify(&arguments.text, reader)?;
            reader.check()?;
            let mut report = VerifyReport::default();
            report.add(Path::new("text"), verified, freshness);
            answer::verified(&report, request::tool_budget(arguments.max_tokens, None))
        })
        .await
}
