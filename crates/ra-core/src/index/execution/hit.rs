//! A matching chunk: its position in the document, and its score.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use tantivy::DocId as EntryId;

use crate::id::TreeName;
use crate::index::storage::lineage::{LineageNode, RecordId};
use crate::index::storage::snapshot::Snapshot;

/// The chunks that a query excludes in the documents that it found. In a document with more than half a
/// million nodes, the last ones are ranked as one, and are treated as one here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExcludedChunks(BTreeSet<(RecordId, u32)>);

impl ExcludedChunks {
    /// The empty set.
    pub const NONE: Self = Self(BTreeSet::new());

    /// True if the set contains a chunk of a document.
    pub fn contains(&self, record: RecordId, ord: u32) -> bool {
        self.0.contains(&(record, ord))
    }

    /// True if a node of a document contains a chunk of the set.
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
    /// The score: finite and not negative.
    pub score: f32,
    /// True if the chunk lacks a word that others have.
    pub is_partial: bool,
    /// The record of the document.
    pub record: RecordId,
    /// The chunk's own node, then each ancestor up to the document. Never empty.
    pub lineage: Vec<LineageNode>,
    /// The part of the score that comes from the document as a whole.
    pub document: f32,
    /// The part of the score that comes from the proximity of adjacent query words.
    pub proximity: f32,
    /// The part of the score that comes from each query word, by word number.
    pub words: Vec<(u16, f32)>,
}

impl Hit {
    /// The order of results: chunks with every word before those that lack one, then best score first, ties
    /// by document and then by position in it.
    ///
    /// The order is total over distinct chunks, so equal scores never make the results vary.
    pub fn ranking(&self, other: &Self) -> Ordering {
        self.is_partial
            .cmp(&other.is_partial)
            .then_with(|| other.score.total_cmp(&self.score))
            .then_with(|| self.doc.cmp(&other.doc))
            .then_with(|| self.ord().cmp(&other.ord()))
    }

    /// Returns the ord of the chunk in its document. A hit without a lineage, which retrieval never creates,
    /// comes last.
    pub fn ord(&self) -> u32 {
        self.lineage.first().map_or(u32::MAX, |step| step.ord)
    }

    /// Returns the document of the chunk and its ord, which no other chunk has.
    pub fn place(&self) -> (RecordId, u32) {
        (self.record, self.ord())
    }
}

impl Snapshot {
    /// Returns a chunk as a hit without the parts of its score; `None` if its tree isn't one of these.
    pub(super) fn hit(&self, segment: usize, entry: EntryId, score: f32, trees: &[TreeName]) -> Option<Hit> {
        let view = self.segments.get(segment)?;
        let doc = view.id_text(view.id_of(entry)?);
        let (tree, _) = doc.split_once(':')?;
        let tree = trees.iter().position(|known| known.as_str() == tree)?;
        let lineage: Vec<LineageNode> =
            view.lineage(entry).iter().copied().map(LineageNode::unpack).collect();
        (!lineage.is_empty()).then_some(Hit {
            doc,
            tree: u16::try_from(tree).ok()?,
            score,
            is_partial: false,
            record: self.record_id(segment, entry)?,
            lineage,
            document: 0.0,
            proximity: 0.0,
            words: Vec::new(),
        })
    }
}
