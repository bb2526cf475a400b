//! The answers of `ra ls`.

use std::io;

use ra_core::config::Config;
use ra_core::kb::{self, Freshness, ListedChunk, ListedDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::status::{TreeStatus, size, tree_table};
use super::{Index, LineRange, Status};
use crate::output::{Page, Present, Table, grouped};

/// The configured trees.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Trees {
    /// The trees, by name.
    pub(crate) trees: Vec<TreeStatus>,
}

/// The indexed documents.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Documents {
    /// The documents, by tree and path.
    pub(crate) documents: Vec<Document>,
    pub(crate) index: Index,
}

/// A document.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Document {
    /// The id.
    pub(crate) id: String,
    /// The title.
    pub(crate) title: String,
    /// The tags.
    pub(crate) tags: Vec<String>,
    /// The number of chunks.
    pub(crate) chunks: usize,
    /// The number of tokens of the text without headings, counted with cl100k_base.
    pub(crate) tokens: usize,
    /// The size of the file in bytes.
    pub(crate) bytes: u64,
    /// When the file was last changed, in UTC as RFC 3339.
    pub(crate) modified: String,
}

/// The indexed chunks.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Chunks {
    /// The chunks, by document and position.
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) index: Index,
}

/// A chunk.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Chunk {
    /// The id.
    pub(crate) id: String,
    /// The titles from the document's to the chunk's own.
    pub(crate) breadcrumb: String,
    /// The first and last line in the source file, counted from 1.
    #[schemars(with = "LineRange")]
    pub(crate) lines: (usize, usize),
    /// The number of tokens of its own text.
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

impl Present for Trees {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        tree_table(&self.trees, page)
    }
}

impl Present for Documents {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        if self.documents.is_empty() {
            return page.note("no document matches");
        }
        let mut table = Table::new(&["id", ">chunks", ">tokens", ">size", "modified", "title"]);
        for document in &self.documents {
            table.row([
                document.id.clone(),
                grouped(document.chunks),
                grouped(document.tokens),
                size(document.bytes),
                document.modified.clone(),
                page.clean(&document.title),
            ]);
        }
        page.table(&table)
    }
}

impl Present for Chunks {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        if self.chunks.is_empty() {
            return page.note("no document matches");
        }
        let mut table = Table::new(&["id", ">lines", ">tokens", "section"]);
        for chunk in &self.chunks {
            table.row([
                chunk.id.clone(),
                format!("{}-{}", chunk.lines.0, chunk.lines.1),
                grouped(chunk.tokens),
                page.clean(&chunk.breadcrumb),
            ]);
        }
        page.table(&table)
    }
}
