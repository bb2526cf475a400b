//! The answer of `ra agents`: changes made or planned.

use std::io;
use std::path::Path;

use ra_core::kb::Freshness;
use schemars::JsonSchema;
use serde::Serialize;

use super::Index;
use crate::agents::{Client, ClientConfig, ConfigFormat, ConfigScope, FileAction, PlannedChange};
use crate::output::{BAD, FAINT, GOOD, HEADING, Page, Present};

/// The files that were written, or with `--diff` would be.
#[derive(JsonSchema, Serialize)]
pub(crate) struct AgentFiles {
    /// Whether the files are now as described; false with `--diff` and `--stdout`.
    pub(crate) written: bool,
    /// The files that the flags name; none with `--stdout`.
    pub(crate) files: Vec<AgentFile>,
    /// The text; with `--stdout` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    /// The index that the list of trees was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<Index>,
}

/// A file for agents.
#[derive(JsonSchema, Serialize)]
pub(crate) struct AgentFile {
    /// The file, absolute.
    pub(crate) path: String,
    /// What was done to the file, or would be.
    #[schemars(extend("enum" = ["created", "changed", "unchanged", "removed"]))]
    pub(crate) status: &'static str,
    /// The change as a unified diff; absent if nothing changes, and with `--quiet`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff: Option<String>,
}

/// The entry that makes a client start `ra mcp`.
#[derive(JsonSchema, Serialize)]
pub(crate) struct McpConfig {
    /// The client, as it was named.
    pub(crate) client: String,
    /// The client's configuration file.
    pub(crate) file: &'static str,
    /// Whether the file is in the project or in the user's directories.
    #[schemars(extend("enum" = ["project", "user"]))]
    pub(crate) scope: &'static str,
    /// The format of the file.
    #[schemars(extend("enum" = ["json", "toml"]))]
    pub(crate) format: &'static str,
    /// The text to add to the file.
    pub(crate) entry: String,
}

impl AgentFiles {
    /// Describes planned changes; paths in diffs are relative to `base`.
    pub(crate) fn new(changes: &[PlannedChange], base: &Path, freshness: Option<Freshness>) -> Self {
        let file = |change: &PlannedChange| AgentFile {
            path: change.path.display().to_string(),
            status: match change.outcome() {
                FileAction::Created => "created",
                FileAction::Changed => "changed",
                FileAction::Unchanged => "unchanged",
                FileAction::Removed => "removed",
            },
            diff: change.diff(base),
        };
        let files = changes.iter().map(file).collect();
        AgentFiles { written: false, files, content: None, index: freshness.map(Index::new) }
    }

    /// Contains only the text.
    pub(crate) fn printed(content: String, freshness: Option<Freshness>) -> Self {
        let index = freshness.map(Index::new);
        AgentFiles { written: false, files: Vec::new(), content: Some(content), index }
    }

    /// Marks the planned changes as done.
    pub(crate) fn done(&mut self) {
        self.written = true;
    }

    pub(crate) fn hide_diffs(&mut self) {
        for file in &mut self.files {
            file.diff = None;
        }
    }
}

impl McpConfig {
    pub(crate) fn new(client: Client, config: &ClientConfig, entry: String) -> Self {
        McpConfig {
            client: client.name(),
            file: config.file,
            scope: match config.place {
                ConfigScope::Project => "project",
                ConfigScope::User => "user",
            },
            format: match config.format {
                ConfigFormat::Json => "json",
                ConfigFormat::Toml => "toml",
            },
            entry,
        }
    }
}

impl Present for AgentFiles {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if let Some(index) = &self.index {
            index.notes(page)?;
        }
        if let Some(content) = &self.content {
            return page.text(content);
        }
        for diff in self.files.iter().filter_map(|file| file.diff.as_deref()) {
            diff_lines(diff, page)?;
        }
        if !self.written {
            let same = self.files.iter().all(|file| file.diff.is_none());
            return if same { page.note("nothing would change") } else { Ok(()) };
        }
        for file in &self.files {
            let path = page.clean(&file.path);
            page.line(format!("{} {path}", file.status))?;
        }
        Ok(())
    }
}

/// Writes a diff in the usual colors. Its lines may contain text from other people.
fn diff_lines(diff: &str, page: &mut Page<'_>) -> io::Result<()> {
    // Everything before the first hunk is the header, whatever the lines begin with.
    let mut header = true;
    for line in diff.split_terminator('\n') {
        header &= !line.starts_with("@@");
        let text = page.harmless(line);
        let style = match line.as_bytes().first() {
            _ if header => HEADING,
            Some(b'+') => GOOD,
            Some(b'-') => BAD,
            Some(b'@' | b'\\') => FAINT,
            _ => {
                page.line(text)?;
                continue;
            }
        };
        page.line(format!("{style}{text}{style:#}"))?;
    }
    Ok(())
}

impl Present for McpConfig {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let note = match self.scope {
            "project" => format!("add this to {} in the project", self.file),
            _ => format!("add this to your {}", self.file),
        };
        page.note(&note)?;
        page.text(&self.entry)
    }
}
