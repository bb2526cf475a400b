//! What `ra status` shows.

use ra_core::config::Config;
use ra_core::kb;
use serde::Serialize;

use super::config::Configuration;

#[derive(Serialize)]
pub(crate) struct Status {
    pub(crate) trees: Vec<TreeStatus>,
    pub(crate) index: Index,
    pub(crate) configuration: Configuration,
}

#[derive(Serialize)]
pub(crate) struct TreeStatus {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) scope: &'static str,
    pub(crate) outside_project: bool,
    pub(crate) documents: usize,
    pub(crate) bytes: u64,
    pub(crate) problem: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Index {
    pub(crate) path: String,
    pub(crate) status: &'static str,
}

impl Status {
    pub(crate) fn new(config: &Config, found: kb::Status) -> Self {
        let configuration = Configuration::new(config);
        let trees = configuration.trees.iter().zip(found.trees).map(|(tree, counts)| TreeStatus {
            name: tree.name.clone(),
            path: tree.path.clone(),
            scope: tree.scope,
            outside_project: tree.outside_project,
            documents: counts.documents,
            bytes: counts.bytes,
            problem: counts.problem,
        });
        Status {
            trees: trees.collect(),
            index: Index { path: config.index_dir.display().to_string(), status: "missing" },
            configuration,
        }
    }
}
