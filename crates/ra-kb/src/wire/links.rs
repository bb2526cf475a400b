//! The report of `ra links`.

use ra_core::id::ChunkId;
use ra_core::kb::{self, DocumentLink, Freshness, LinkGraph};
use serde::Serialize;

use super::Index;

#[derive(Serialize)]
pub(crate) struct LinksReport {
    pub(crate) documents: Vec<LinkedDocument>,
    /// The documents that no other document links to, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) orphans: Option<Vec<String>>,
    pub(crate) index: Index,
}

/// The links of a document or section.
#[derive(Serialize)]
pub(crate) struct LinkedDocument {
    pub(crate) id: String,
    /// Links to other documents and sections.
    pub(crate) outgoing: Vec<Link>,
    /// Links from other documents.
    pub(crate) backlinks: Vec<Link>,
    /// Links of the document that lead nowhere.
    pub(crate) broken: Vec<UnresolvedLink>,
}

#[derive(Serialize)]
pub(crate) struct Link {
    pub(crate) from: String,
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) to: String,
}

#[derive(Serialize)]
pub(crate) struct UnresolvedLink {
    pub(crate) line: usize,
    pub(crate) target: String,
    pub(crate) missing: &'static str,
}

impl LinksReport {
    pub(crate) fn new(ids: &[ChunkId], orphans: bool, graph: &LinkGraph, freshness: Freshness) -> Self {
        let orphans = orphans.then(|| graph.orphans().iter().map(ToString::to_string).collect());
        let documents = ids.iter().map(|id| LinkedDocument::new(id, graph)).collect();
        Self { documents, orphans, index: Index::new(freshness) }
    }
}

impl LinkedDocument {
    fn new(id: &ChunkId, graph: &LinkGraph) -> Self {
        Self {
            id: id.to_string(),
            outgoing: graph.outgoing(id).map(Link::new).collect(),
            backlinks: graph.backlinks(id).map(Link::new).collect(),
            broken: graph.broken_in(&id.doc).map(UnresolvedLink::new).collect(),
        }
    }
}

impl Link {
    fn new(link: &DocumentLink) -> Self {
        let (from, to) = (link.from.to_string(), link.to.to_string());
        Self { from, line: link.line, text: link.text.clone(), to }
    }
}

impl UnresolvedLink {
    fn new(link: &kb::BrokenLink) -> Self {
        Self { line: link.line, target: link.target.clone(), missing: link.missing }
    }
}
