//! The report of `ra agents`: changes made or planned.

use std::path::Path;

use clap::ValueEnum;
use ra_core::kb::Freshness;
use serde::Serialize;

use super::Index;
use crate::agents::{Client, ClientConfig, ConfigScope, FileAction, PlannedChange};

#[derive(Serialize)]
pub(crate) struct AgentFiles {
    /// True if the files now have the described state.
    pub(crate) written: bool,
    pub(crate) files: Vec<AgentFile>,
    /// The text, if it was requested instead of files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    /// The index that the list of trees was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<Index>,
}

#[derive(Serialize)]
pub(crate) struct AgentFile {
    pub(crate) path: String,
    pub(crate) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct McpConfig {
    pub(crate) client: String,
    pub(crate) file: &'static str,
    pub(crate) scope: &'static str,
    pub(crate) format: &'static str,
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
    pub(crate) fn new(client: Client, entry: ClientConfig) -> Self {
        let name = client.to_possible_value().map(|value| value.get_name().to_owned());
        McpConfig {
            client: name.unwrap_or_default(),
            file: entry.file,
            scope: match entry.place {
                ConfigScope::Project => "project",
                ConfigScope::User => "user",
            },
            format: entry.format,
            entry: entry.text,
        }
    }
}
