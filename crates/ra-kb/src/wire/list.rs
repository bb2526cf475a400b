//! The lists of `ra ls`.

use ra_core::config::Config;
use ra_core::kb::{self, Freshness, ListedChunk, ListedDocument};
use serde::Serialize;

use super::status::TreeStatus;
use super::{Index, Status};

#[derive(Serialize)]
pub(crate) struct Trees {
    pub(crate) trees: Vec<TreeStatus>,
}

#[derive(Serialize)]
pub(crate) struct Documents {
    pub(crate) documents: Vec<Document>,
    pub(crate) index: Index,
}

#[derive(Serialize)]
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) tags: Vec<String>,
    pub(crate) chunks: usize,
    pub(crate) tokens: usize,
    pub(crate) bytes: u64,
    pub(crate) modified: String,
}

#[derive(Serialize)]
pub(crate) struct Chunks {
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) index: Index,
}

#[derive(Serialize)]
pub(crate) struct Chunk {
    pub(crate) id: String,
    pub(crate) breadcrumb: String,
    pub(crate) lines: (usize, usize),
    pub(crate) tokens: usize,
}

impl Trees {
    pub(crate) fn new(config: &Config, found: kb::Status) -> Self {
        Trees { trees: Status::new(config, found).trees }
    }
}

impl Documents {
    pub(crate) fn new(listed: Vec<ListedDocument>, freshness: Freshness) -> Self {
        let document = |listed: ListedDocument| Document {
            id: listed.id.to_string(),
            title: listed.title,
            tags: listed.tags,
            chunks: listed.chunks,
            tokens: listed.tokens,
            bytes: listed.bytes,
            modified: super::time::rfc3339(listed.modified),
        };
        Documents { documents: listed.into_iter().map(document).collect(), index: Index::new(freshness) }
    }
}

impl Chunks {
    pub(crate) fn new(listed: Vec<ListedChunk>, freshness: Freshness) -> Self {
        let chunk = |listed: ListedChunk| Chunk {
            id: listed.id.to_string(),
            breadcrumb: listed.breadcrumb,
            lines: listed.lines,
            tokens: listed.tokens,
        };
        Chunks { chunks: listed.into_iter().map(chunk).collect(), index: Index::new(freshness) }
    }
}
