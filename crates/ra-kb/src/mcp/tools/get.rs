//! `get`: sections, documents, outlines and lines by id.

use ra_core::Error;
use ra_core::kb::{Fetched, Silent, Want};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

use super::{BUDGET, LEAST, MOST, define};
use crate::args::line_range;
use crate::error;
use crate::mcp::desk::{Desk, Refusal};
use crate::mcp::{answer, fit};
use crate::wire::Got;

pub(super) fn definition() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "Chunk ID (tree:path#heading) or document ID (tree:path)" },
            "ids": { "type": "array", "items": { "type": "string" }, "maxItems": 20, "description": "More ids to get in the same call" },
            "full_document": { "type": "boolean", "default": false, "description": "Return full document even if ID specifies a chunk" },
            "lines": { "type": "string", "description": "Only these lines of the document, e.g. \"10-20\" or \"10-\"" },
            "outline": { "type": "boolean", "default": false, "description": "Headings with ids and sizes instead of text" },
            "max_tokens": { "type": "integer", "minimum": LEAST, "maximum": MOST, "default": BUDGET, "description": "Token budget; what does not fit is named" },
        },
        "required": ["id"],
        "additionalProperties": false,
    });
    define("get", "Get", DESCRIPTION, input)
}

const DESCRIPTION: &str = "\
Retrieve a specific document or chunk by ID, as search results give it. The end of a path will do if only one \
document has it. A document's ID gives all of it, ID#preamble what stands before its first heading. For a large \
document read its outline first, then its sections.";

#[derive(Debug, Deserialize)]
pub(super) struct Arguments {
    id: String,
    #[serde(default)]
    ids: Vec<String>,
    #[serde(default)]
    full_document: bool,
    lines: Option<String>,
    #[serde(default)]
    outline: bool,
    max_tokens: Option<usize>,
}

pub(super) async fn run(
    desk: &Desk,
    arguments: Arguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, Refusal> {
    let want = want(&arguments)?;
    let cwd = desk.cwd().to_owned();
    desk.read(context, move |reader| {
        let names = std::iter::once(&arguments.id).chain(&arguments.ids);
        let names: Vec<String> = names.map(|name| reader.basis.fresh.kb.name_of(&cwd, name)).collect();
        let (fetched, freshness) = reader
            .ask(|kb, snapshot| kb.get_in(snapshot, &names, want), |kb| kb.get(&names, want, &Silent))?;
        reader.check()?;
        let mut found: Vec<Fetched> = Vec::new();
        let mut missing = Vec::new();
        let mut may_come = true;
        for (name, result) in names.iter().zip(fetched) {
            match result {
                Ok(fetched)
                    if found.iter().any(|other| (&other.id, other.lines) == (&fetched.id, fetched.lines)) => {
                }
                Ok(fetched) => found.push(fetched),
                Err(problem) => {
                    // What could be several is there already.
                    may_come &= matches!(problem, Error::NotFound { hint: Some(_), .. });
                    missing.push((name.clone(), error::plain_text(&in_protocol(problem).into())));
                }
            }
        }
        let budget = arguments.max_tokens.unwrap_or(BUDGET);
        let missing = fit::messages(&missing, if found.is_empty() { budget } else { budget / 4 });
        if found.is_empty() {
            let refusal = || Refusal::Error(missing.concat());
            let indexing = reader.basis.fragment().filter(|_| may_come);
            return Err(indexing.map_or_else(refusal, Refusal::Indexing));
        }
        let got = Got::new(found, freshness, &cwd);
        answer::documents(got, missing, budget)
    })
    .await
}

/// The hint for a name that means nothing, in words of this protocol.
pub(super) fn in_protocol(problem: Error) -> Error {
    match problem {
        Error::NotFound { message, candidates, hint: Some(_) } => {
            let hint =
                "`search` finds sections by their words, and `get` with outline lists those of a document";
            Error::NotFound { message, candidates, hint: Some(hint.to_owned()) }
        }
        other => other,
    }
}

fn want(arguments: &Arguments) -> Result<Want, Refusal> {
    let lines = arguments.lines.as_deref().map(line_range).transpose();
    let lines =
        lines.map_err(|problem| Refusal::new(format!("`lines`: {problem}"), "for example \"10-20\""))?;
    match (lines, arguments.outline, arguments.full_document) {
        (Some((from, to)), false, false) => Ok(Want::Lines(from, to)),
        (None, true, false) => Ok(Want::Outline),
        (None, false, true) => Ok(Want::Document),
        (None, false, false) => Ok(Want::Named),
        _ => Err(Refusal::new(
            "`lines`, `outline` and `full_document` exclude each other",
            "give one of them, or none for what the id names",
        )),
    }
}
