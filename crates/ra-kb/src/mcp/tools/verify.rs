//! `verify`: says whether the citations in a text still hold.

use std::path::Path;

use ra_core::kb::NoProgress;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

use super::{budget, define, max_tokens};
use crate::mcp::answer;
use crate::mcp::request_runner::{RequestError, RequestRunner};
use crate::wire::VerifyReport;

pub(super) fn definition() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "text": {
                "type": "string", "minLength": 1, "maxLength": MAX_TEXT_CHARS,
                "description": "Text with citations, such as docs:guide.md#setup@1f2e3d4c5b6a70:10-20",
            },
            "max_tokens": max_tokens(),
        },
        "required": ["text"],
        "additionalProperties": false,
    });
    define("verify", "Verify citations", DESCRIPTION, input)
}

const DESCRIPTION: &str = "\
Find out whether the citations in a text still hold: valid, moved (and where to), changed (and what is there now) or \
gone. `get` with `cite` gives citations.";

/// The largest text that is taken.
const MAX_TEXT_CHARS: usize = 200_000;

#[derive(Debug, Deserialize)]
pub(super) struct VerifyArguments {
    text: String,
    max_tokens: Option<usize>,
}

pub(super) async fn run(
    runner: &RequestRunner,
    arguments: VerifyArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    runner
        .run_with_index(context, move |reader| {
            let (verified, freshness) = reader.ask(
                |kb, snapshot| kb.verify_in(snapshot, &arguments.text),
                |kb| kb.verify(&arguments.text, &NoProgress),
            )?;
            reader.check()?;
            let mut report = VerifyReport::default();
            report.add(Path::new("text"), verified, freshness);
            answer::verified(&report, budget(arguments.max_tokens, None))
        })
        .await
}
