//! The tables of a segment in memory: what queries to a server look up for many entries.

use std::ops::Range;
use std::sync::Arc;

use tantivy::DocId as EntryId;

use super::term_table::TermTable;

/// Marks a missing document or record.
pub(super) const NONE: u32 = u32::MAX;

/// The in-memory tables of a segment.
pub(crate) struct Tables {
    /// The number of each entry's document, and the entry of its record; [`NONE`] for records.
    pub(super) documents: Vec<u32>,
    pub(super) records: Vec<EntryId>,
    /// The id of each document, by its number.
    pub(crate) ids: Vec<Arc<str>>,
    /// The tokens of each document, by its number.
    pub(super) lengths: Vec<u64>,
    /// The lineages of chunks and the names of records, concatenated, and where those of each entry end.
    pub(super) values: Vec<u64>,
    pub(super) ends: Vec<u32>,
    /// The terms of all text fields.
    pub(crate) words: TermTable,
}

impl Tables {
    /// Returns the number of an entry's document.
    pub(crate) fn document(&self, entry: EntryId) -> Option<u64> {
        self.documents.get(entry as usize).filter(|id| **id != NONE).map(|id| u64::from(*id))
    }

    /// Returns the numbers of the documents whose id starts with `prefix`.
    pub(crate) fn ids_with_prefix(&self, prefix: &str) -> Range<u64> {
        let start = self.ids.partition_point(|id| **id < *prefix);
        let length = self.ids[start..].partition_point(|id| id.starts_with(prefix));
        start as u64..(start + length) as u64
    }

    /// Returns the tokens of a document.
    pub(crate) fn length(&self, id: u64) -> u64 {
        self.lengths.get(id as usize).copied().unwrap_or_default()
    }

    /// Returns the record of an entry's document.
    pub(crate) fn record(&self, entry: EntryId) -> Option<EntryId> {
        self.records.get(entry as usize).copied().filter(|record| *record != NONE)
    }

    /// Returns the lineage of a chunk, or the name of a record.
    pub(crate) fn values(&self, entry: EntryId) -> &[u64] {
        let end = |entry: usize| self.ends.get(entry).map_or(0, |end| *end as usize);
        let start = (entry as usize).checked_sub(1).map_or(0, end);
        self.values.get(start..end(entry as usize)).unwrap_or_default()
    }
}
