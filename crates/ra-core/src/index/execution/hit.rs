//! A matching chunk: where it is in its document, and its score.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::index::storage::lineage::{LineageNode, RecordId};

/// Chunks that a question excludes, as far as they stand in documents that it found. The last nodes of a document with more
/// than half a million are ranked as one, and so are they here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExcludedChunks(BTreeSet<(RecordId, u32)>);

impl ExcludedChunks {
    /// None.
    pub const NONE: Self = Self(BTreeSet::new());

    /// Whether a place of a document is one of them.
    pub fn contains(&self, record: RecordId, ord: u32) -> bool {
        self.0.contains(&(record, ord))
    }

    /// Whether a node of a document has one of them in it.
    pub fn are_in(&self, record: RecordId, node: &LineageNode) -> bool {
        self.0.range((record, node.ord)..(record, node.end)).next().is_some()
    }
}

impl Extend<(RecordId, u32)> for ExcludedChunks {
    fn extend<I: IntoIterator<Item = (RecordId, u32)>>(&mut self, places: I) {
        self.0.extend(places);
    }
}

impl FromIterator<(RecordId, u32)> for ExcludedChunks {
    fn from_iter<I: IntoIterator<Item = (RecordId, u32)>>(places: I) -> Self {
        Self(places.into_iter().collect())
    }
}

/// A matching chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document, as `tree:path`.
    pub doc: Arc<str>,
    /// The tree that the document belongs to.
    pub tree: u16,
    /// How well the chunk matches: finite and not negative.
    pub score: f32,
    /// Whether the chunk lacks a word that others have.
    pub is_partial: bool,
    /// The record of the document.
    pub record: RecordId,
    /// The chunk's own node, then each ancestor up to the document. It is never empty.
    pub lineage: Vec<LineageNode>,
    /// What the document as a whole gave to the score.
    pub document: f32,
    /// What the closeness of neighbouring words gave to the score.
    pub proximity: f32,
    /// What each word of the query gave to the score, by the number of the word.
    pub words: Vec<(u16, f32)>,
}

impl Hit {
    /// The order of results: chunks with every word before those that lack one, then the best score first, ties by
    /// document and then by place in it.
    ///
    /// The order is total over distinct chunks, so equal scores never make an answer vary.
    pub fn ranking(&self, other: &Self) -> Ordering {
        self.is_partial
            .cmp(&other.is_partial)
            .then_with(|| other.score.total_cmp(&self.score))
            .then_with(|| self.doc.cmp(&other.doc))
            .then_with(|| self.ord().cmp(&other.ord()))
    }

    /// The chunk's place in its document. A hit without a lineage, which retrieval never makes, comes last.
    pub fn ord(&self) -> u32 {
        self.lineage.first().map_or(u32::MAX, |step| step.ord)
    }
}
