//! `context`: finds the sections that matter for files or a diff.

use std::path::{Path, PathBuf};

use ra_core::config::Config;
use ra_core::index::Scope;
use ra_core::kb::{ContextRequest, ContextSource, NoProgress};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{budget, define, tree, view};
use crate::answers::SearchReport;
use crate::error;
use crate::mcp::answer;
use crate::mcp::arguments::ResultArguments;
use crate::mcp::request_runner::{RequestError, RequestRunner};

/// The largest diff that is taken.
const MAX_DIFF_CHARS: usize = 200_000;

/// For how many unreadable files the error is reported.
const TOLD: usize = 3;

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
    #[schemars(length(max = MAX_DIFF_CHARS))]
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
    let cwd = runner.cwd().to_owned();
    runner
        .run_with_index(context, move |reader| {
            let mut config = reader.served.fresh.kb.config().clone();
            config.context.limit = arguments.shown.limit.unwrap_or(config.context.limit);
            if arguments.expand {
                config.search.expand = Some(config.search.around);
            }
            let trees = arguments.trees.iter().map(|name| tree(&config, name)).collect::<Result<_, _>>()?;
            let mut sources = Vec::new();
            for name in &arguments.files {
                sources.push(ContextSource::File { name: name.clone(), path: inside(&config, &cwd, name)? });
            }
            sources.extend(arguments.diff.map(|text| ContextSource::Diff { text, cwd: cwd.clone() }));
            if sources.is_empty() {
                return Err(RequestError::new("there is nothing to look at", "name files, or give a diff"));
            }
            let kb = reader.served.fresh.kb.with(config);
            let wanted = ContextRequest { sources, scope: Scope { trees, ..Scope::default() } };
            let (mut found, freshness) = reader.ask(
                |_, snapshot| kb.context_in(snapshot, &wanted),
                |_| {
                    let found = kb.context(&wanted, &NoProgress)?;
                    let freshness = found.answers.freshness.clone();
                    Ok((found, freshness))
                },
            )?;
            reader.check()?;
            found.answers.freshness = freshness;
            // Report the unreadable files, and answer for the rest.
            let mut problems = std::mem::take(&mut found.problems);
            let others = problems.split_off(problems.len().min(TOLD)).len();
            let told = problems.into_iter().map(|problem| told(&error::plain_text(&problem.into())));
            found.warnings.extend(told);
            if others > 0 {
                let files = if others == 1 { "file" } else { "files" };
                found.warnings.push(format!("{others} more {files} could not be read"));
            }
            let budget =
                budget(arguments.shown.budget.max_tokens, reader.served.fresh.kb.config().context.max_tokens);
            let view = view(&kb, &cwd, arguments.shown.list);
            answer::sections(|room| SearchReport::context(&found, &view.within(room)), budget, &reader.served)
        })
        .await
}

/// Returns the message of an error for a note, without its hint.
fn told(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// Resolves a file that a client names. It must be in the project or a tree; a client must not learn the words
/// of any other file.
fn inside(config: &Config, cwd: &Path, name: &str) -> Result<PathBuf, RequestError> {
    let path = cwd.join(name);
    let real = path.canonicalize().unwrap_or_else(|_| clean(&path));
    let roots = std::iter::once(&config.project).chain(config.trees.iter().map(|tree| &tree.root));
    let within = |root: &PathBuf| real.starts_with(root.canonicalize().unwrap_or_else(|_| root.clone()));
    if name.contains('\0') || !roots.into_iter().any(within) {
        let message = format!("`files`: {name:?} is not inside the project");
        return Err(RequestError::new(message, "name a file by its path below the project"));
    }
    Ok(path)
}

/// Removes `..` from the path of a file that does not exist.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}
