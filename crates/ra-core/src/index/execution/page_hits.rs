//! Hits in documents that weren't found by their words.

use super::hit::Hit;
use super::retrieve::RetrievalRequest;
use crate::error::Result;
use crate::id::DocId;
use crate::index::storage::snapshot::Snapshot;

impl Snapshot {
    /// Returns the chunks of a document as hits without a score, in document order. Returns none if the
    /// document is outside the scope of the request.
    pub fn chunk_hits(&self, doc: &DocId, question: &RetrievalRequest<'_>) -> Result<Vec<Hit>> {
        let filters = question.scope.filters(question.trees);
        let mut hits = Vec::new();
        for (nr, entry) in self.entries_of(doc)? {
            let segment = &self.segments[nr];
            let mut list = if segment.is_chunk(entry) { vec![(entry, 0.0)] } else { Vec::new() };
            for filter in &filters {
                list = self.filtered(list, filter, nr)?;
            }
            hits.extend(list.first().and_then(|_| self.hit(nr, entry, 0.0, question.trees)));
        }
        Ok(hits)
    }
}
