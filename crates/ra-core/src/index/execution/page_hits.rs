//! Hits in documents that weren't found by their words.

use super::hit::Hit;
use super::retrieve::RetrievalRequest;
use crate::error::Result;
use crate::id::DocId;
use crate::index::storage::lineage::LineageNode;
use crate::index::storage::snapshot::Snapshot;

impl Snapshot {
    /// Returns the chunks of a document as hits without a score, in document order. Returns none if the
    /// document is outside the scope of the request.
    pub fn chunk_hits(&self, doc: &DocId, question: &RetrievalRequest<'_>) -> Result<Vec<Hit>> {
        let tree = question.trees.iter().position(|known| *known == doc.tree);
        let Some(tree) = tree.and_then(|tree| u16::try_from(tree).ok()) else { return Ok(Vec::new()) };
        let filters = question.scope.filters(question.trees);
        let mut hits = Vec::new();
        for (nr, entry) in self.entries_of(doc)? {
            let segment = &self.segments[nr];
            let mut list = if segment.is_chunk(entry) { vec![(entry, 0.0)] } else { Vec::new() };
            for filter in &filters {
                list = self.filtered(list, filter, nr)?;
            }
            let record = self.record_id(nr, entry).filter(|_| !list.is_empty());
            hits.extend(record.map(|record| Hit {
                doc: doc.index_id().into(),
                tree,
                score: 0.0,
                is_partial: false,
                record,
                lineage: segment.lineage(entry).iter().copied().map(LineageNode::unpack).collect(),
                document: 0.0,
                proximity: 0.0,
                words: Vec::new(),
            }));
        }
        Ok(hits)
    }
}
