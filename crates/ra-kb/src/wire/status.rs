//! The report of `ra status`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use ra_core::config::Config;
use ra_core::kb::{self, IndexState, IndexStatus};
use schemars::JsonSchema;
use serde::Serialize;

use super::config::Configuration;
use super::time::rfc3339;

/// The trees, the index and the configuration.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Status {
    /// The trees, by name.
    pub(crate) trees: Vec<TreeStatus>,
    /// The index.
    pub(crate) index: StatusIndex,
    /// The configuration, as `ra config` shows it.
    pub(crate) configuration: Configuration,
}

/// The answer of the tool `list_sources`: the trees, the index, and the configuration files.
#[derive(Serialize)]
pub(crate) struct Sources {
    pub(crate) trees: Vec<TreeStatus>,
    pub(crate) index: StatusIndex,
    /// The configuration files in force, lowest precedence first.
    pub(crate) configuration: Vec<String>,
}

/// A tree and its size.
#[derive(JsonSchema, Serialize)]
pub(crate) struct TreeStatus {
    /// The name of the tree.
    pub(crate) name: String,
    /// Its directory, absolute.
    pub(crate) path: String,
    /// Global when `~/.ra.toml` defines it.
    #[schemars(extend("enum" = ["local", "global"]))]
    pub(crate) scope: &'static str,
    /// Whether a project's configuration names a directory outside that project.
    pub(crate) outside_project: bool,
    /// The number of documents on the disk.
    pub(crate) documents: usize,
    /// The number of chunks in the index.
    pub(crate) chunks: Option<usize>,
    /// The size of the documents in bytes.
    pub(crate) bytes: u64,
    /// The number of files whose type is not indexed, by extension; absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, NonZeroUsize>")]
    pub(crate) skipped_types: BTreeMap<String, usize>,
    /// Why the tree can't be read, or null.
    pub(crate) problem: Option<String>,
}

/// The index.
#[derive(JsonSchema, Serialize)]
pub(crate) struct StatusIndex {
    /// The directory of the index.
    pub(crate) path: String,
    /// `current`, `stale (…)`, `missing` or `damaged (…)`.
    pub(crate) status: String,
    /// The size of the index in bytes.
    pub(crate) bytes: u64,
    /// The number of the last commit, or null.
    pub(crate) generation: Option<u64>,
    /// The time of the last commit, in UTC as RFC 3339, or null.
    pub(crate) updated: Option<String>,
    /// The number of documents that can be found by meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoded: Option<usize>,
    /// The number of documents that can't be found by meaning yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_encoded: Option<usize>,
}

/// Describes the state of an index.
pub(super) fn state(index: &IndexStatus) -> String {
    match &index.state {
        IndexState::Current => "current".to_owned(),
        IndexState::Behind(1) => "stale (1 document changed)".to_owned(),
        IndexState::Behind(count) => format!("stale ({count} documents changed)"),
        IndexState::Outdated => "stale (config changed)".to_owned(),
        IndexState::Missing => "missing".to_owned(),
        IndexState::Damaged(why) => format!("damaged ({why})"),
    }
}

impl Status {
    pub(crate) fn new(config: &Config, found: kb::Status) -> Self {
        let configuration = Configuration::new(config);
        let trees = configuration.trees.iter().zip(&found.trees).map(|(tree, counts)| TreeStatus {
            name: tree.name.clone(),
            path: tree.path.clone(),
            scope: tree.scope,
            outside_project: tree.outside_project,
            documents: counts.documents,
            chunks: counts.chunks,
            bytes: counts.bytes,
            skipped_types: counts.skipped_types.clone(),
            problem: counts.problem.clone(),
        });
        Status {
            trees: trees.collect(),
            index: StatusIndex {
                path: found.index.path.display().to_string(),
                status: state(&found.index),
                bytes: found.index.bytes,
                generation: found.index.generation,
                updated: found.index.updated.map(rfc3339),
                encoded: found.index.pages.map(|pages| pages.encoded),
                not_encoded: found.index.pages.map(|pages| pages.missing),
            },
            configuration,
        }
    }
}

impl Sources {
    pub(crate) fn new(config: &Config, found: kb::Status) -> Self {
        let status = Status::new(config, found);
        let configuration = config.files.iter().map(|file| file.display().to_string()).collect();
        Sources { trees: status.trees, index: status.index, configuration }
    }
}
