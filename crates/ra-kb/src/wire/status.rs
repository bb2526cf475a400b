//! The report of `ra status`.

use std::collections::BTreeMap;

use ra_core::config::Config;
use ra_core::kb::{self, IndexState, IndexStatus};
use serde::Serialize;

use super::config::Configuration;
use super::time::rfc3339;

#[derive(Serialize)]
pub(crate) struct Status {
    pub(crate) trees: Vec<TreeStatus>,
    pub(crate) index: StatusIndex,
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

#[derive(Serialize)]
pub(crate) struct TreeStatus {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) scope: &'static str,
    pub(crate) outside_project: bool,
    pub(crate) documents: usize,
    pub(crate) chunks: Option<usize>,
    pub(crate) bytes: u64,
    /// The number of files whose type is not indexed, by extension.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) skipped_types: BTreeMap<String, usize>,
    pub(crate) problem: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct StatusIndex {
    pub(crate) path: String,
    pub(crate) status: String,
    pub(crate) bytes: u64,
    pub(crate) generation: Option<u64>,
    pub(crate) updated: Option<String>,
    /// How many documents can be found by meaning, and how many can't yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoded: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_encoded: Option<usize>,
    /// The number of documents in each language, by code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) languages: BTreeMap<&'static str, u64>,
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
                languages: found.index.languages.iter().map(|(id, count)| (id.code(), *count)).collect(),
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
