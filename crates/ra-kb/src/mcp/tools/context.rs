//! `context`: finds the sections that matter for files or a diff.

use std::path::{Path, PathBuf};

use ra_core::config::Config;
use ra_core::files;
use ra_core::kb::{ContextRequest, ContextSource};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{define, sections};
use crate::answers::SearchReport;
use crate::mcp::arguments::ResultArguments;
use crate::mcp::request_runner::{RequestError, RequestRunner};
use crate::request::{Amount, Filters, Limits, MAX_INPUT_CHARS};

pub(super) fn definition() -> Tool {
    define::<ContextArguments>("context", "Context", DESCRIPTION)
}

const DESCRIPTION: &str = "\
Get relevant knowledge base context for files being worked on, before you change them. Analyzes file paths, \
extensions, and content; the files themselves are not returned.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ContextArguments {
    /// Paths of files to analyze, inside the project; may be empty beside a diff
    files: Vec<String>,
    /// A unified diff to analyze as well
    #[schemars(length(max = MAX_INPUT_CHARS))]
    diff: Option<String>,
    #[serde(flatten)]
    shown: ResultArguments,
    /// Also show the sections around each match
    #[serde(default)]
    expand: bool,
    /// Only in these trees
    #[serde(default)]
    trees: Vec<String>,
}

pub(super) async fn run(
    runner: &RequestRunner,
    arguments: ContextArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    runner
        .run_with_index(context, move |reader| {
            let ContextArguments { files, diff, shown, expand, trees } = arguments;
            let kb = Limits::Context.with(reader.kb(), Amount { limit: shown.limit, expand });
            let caller = reader.caller();
            let scope = caller.scope(&kb, Filters { trees: &trees, ..Filters::default() })?;
            let mut sources = Vec::new();
            for name in files {
                let path = inside(kb.config(), caller.cwd, &name)?;
                sources.push(ContextSource::File { name, path });
            }
            sources.extend(diff.map(|text| ContextSource::Diff { text, cwd: caller.cwd.to_owned() }));
            if sources.is_empty() {
                return Err(RequestError::new("there is nothing to look at", "name files, or give a diff"));
            }
            let found = kb.context(&ContextRequest { sources, scope }, reader)?;
            sections(reader, &shown, Limits::Context, &kb, |view| SearchReport::context(&found, view))
        })
        .await
}

/// Resolves a file that a client names. It must be in the project or a tree; a client must not learn the words
/// of any other file.
fn inside(config: &Config, cwd: &Path, name: &str) -> Result<PathBuf, RequestError> {
    let path = cwd.join(name);
    let real = path.canonicalize().unwrap_or_else(|_| files::without_dots(&path));
    let roots = std::iter::once(&config.project).chain(config.trees.iter().map(|tree| &tree.root));
    let within = |root: &PathBuf| real.starts_with(root.canonicalize().unwrap_or_else(|_| root.clone()));
    if name.contains('\0') || !roots.into_iter().any(within) {
        let message = format!("`files`: {name:?} is not inside the project");
        return Err(RequestError::new(message, "name a file by its path below the project"));
    }
    Ok(path)
}
