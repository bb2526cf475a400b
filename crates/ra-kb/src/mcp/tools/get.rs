//! `get`: returns sections, documents, outlines and lines by id.

use ra_core::Error;
use ra_core::error::Hint;
use ra_core::kb::Fetched;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{define, id_of};
use crate::answers::GetReport;
use crate::error;
use crate::mcp::request_runner::{RequestError, RequestRunner};
use crate::mcp::{answer, fit_documents};
use crate::request::{self, FetchOptions, GET_BUDGET, MAX_BUDGET, MAX_NAMES, MIN_BUDGET};

pub(super) fn definition() -> Tool {
    define::<GetArguments>("get", "Get", DESCRIPTION)
}

const DESCRIPTION: &str = "\
Retrieve documents, sections or lines by id, as search results give it. The end of a path is enough if only one \
document has it. A document's id gives all of it, id#preamble the text before its first heading. For a large document \
read its outline first, then its sections.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetArguments {
    /// Ids (tree:path#heading or tree:path), paths or ra:// addresses; with :10-20 after them only these lines of
    /// the document
    #[schemars(length(min = 1, max = MAX_NAMES))]
    ids: Vec<String>,
    /// The whole document, even if an id names a section
    #[serde(default)]
    full_document: bool,
    /// Headings with ids and sizes instead of text
    #[serde(default)]
    outline: bool,
    /// Also the citation of each text, which `verify` checks later
    #[serde(default)]
    cite: bool,
    /// Token budget of the whole answer; 8,000 if not given
    #[schemars(range(min = MIN_BUDGET, max = MAX_BUDGET))]
    max_tokens: Option<usize>,
}

pub(super) async fn run(
    runner: &RequestRunner,
    arguments: GetArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    let GetArguments { outline, full_document, .. } = arguments;
    let want = FetchOptions { lines: None, outline, full_document }.extent()?;
    runner
        .run_with_index(context, move |reader| {
            let caller = reader.caller();
            let names: Vec<String> = arguments.ids.iter().map(|name| id_of(name)).collect();
            let (fetched, freshness) = reader.kb().get(&caller.ids(reader.kb(), &names), want, reader)?;
            reader.check()?;
            let mut found: Vec<Fetched> = Vec::new();
            let mut missing = Vec::new();
            let mut may_come = true;
            for (name, result) in arguments.ids.iter().zip(fetched) {
                match result {
                    Ok(fetched)
                        if found
                            .iter()
                            .any(|other| (&other.id, other.lines) == (&fetched.id, fetched.lines)) => {}
                    Ok(fetched) => found.push(fetched),
                    Err(problem) => {
                        // An ambiguous name, or lines that don't exist, won't be resolved by more documents.
                        may_come &= matches!(
                            problem,
                            Error::NotFound { hint: Some(Hint::ListDocuments | Hint::ListSections(_)), .. }
                        );
                        missing.push((name.clone(), error::plain_text(&problem.into())));
                    }
                }
            }
            let budget = request::tool_budget(arguments.max_tokens, Some(GET_BUDGET));
            let missing =
                fit_documents::messages(&missing, if found.is_empty() { budget } else { budget / 4 });
            if found.is_empty() {
                let refusal = || RequestError::Error(missing.concat());
                let indexing = reader.served.fragment().filter(|_| may_come);
                return Err(indexing.map_or_else(refusal, RequestError::Indexing));
            }
            let mut report = GetReport::new(found, freshness, caller.cwd);
            if !arguments.cite {
                report.documents.iter_mut().for_each(|item| item.citation = None);
            }
            answer::documents(report, missing, budget)
        })
        .await
}
