//! Reading: the index as it was at one commit.

use std::ops::{Bound, Range};
use std::panic;

use serde::{Deserialize, Serialize};
use tantivy::columnar::{Column, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocId as EntryId, DocSet, Searcher, SegmentReader, TERMINATED, TantivyDocument, Term};

use super::analyzer::Analyzer;
use super::fuzzy::Levenshtein;
use super::record::Record;
use super::schema::{Fields, TEXTS};
use super::store::{Absence, Commit, Store};
use super::write::key;
use crate::error::{Error, Result};
use crate::id::DocId;

/// The index at one commit. Later commits do not change it.
pub struct Snapshot {
    pub(super) segments: Vec<Segment>,
    pub(super) fields: Fields,
    pub(super) stats: Stats,
    pub(super) searcher: Searcher,
    analyzer: Analyzer,
    commit: Commit,
    manifest: Vec<u8>,
    store: Store,
}

/// What the formula of the ranking needs to know of all chunks together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Stats {
    /// The number of chunks.
    pub(super) chunks: u64,
    /// The average length of each text field.
    pub(super) average: [f32; TEXTS.len()],
    /// The number of documents.
    pub(super) documents: u64,
    /// The average length of a document.
    pub(super) document: f32,
}

/// A part of the index, with the columns that ranking reads.
pub(super) struct Segment {
    pub(super) reader: SegmentReader,
    pub(super) docs: Option<StrColumn>,
    pub(super) lineage: Column<u64>,
    pub(super) document_length: Column<u64>,
    pub(super) lengths: [FieldNormReader; TEXTS.len()],
}

impl Snapshot {
    /// Opens the last commit of a store.
    pub fn open(store: &Store) -> Result<std::result::Result<Snapshot, Absence>> {
        let mut last = Absence::Missing;
        // Another process may replace the store between two of our reads.
        for _ in 0..3 {
            // A file that was cut or garbled makes tantivy panic where it relies on its length.
            match panic::catch_unwind(|| Self::open_once(store)) {
                Ok(Ok(snapshot)) => return Ok(Ok(snapshot)),
                Ok(Err(absence)) => last = absence,
                Err(_) => last = Absence::Damaged("a file of the index is not what it should be".to_owned()),
            }
            if !matches!(last, Absence::Damaged(_)) {
                break;
            }
        }
        Ok(Err(last))
    }

    fn open_once(store: &Store) -> std::result::Result<Snapshot, Absence> {
        let opened = store.open()?;
        let failed = |error: tantivy::TantivyError| Absence::Damaged(error.to_string());
        let reader = opened
            .index
            .reader_builder()
            .reload_policy(tantivy::ReloadPolicy::Manual)
            .try_into()
            .map_err(failed)?;
        let searcher = reader.searcher();
        let open = |reader: &SegmentReader| Segment::open(reader, &opened.fields);
        let segments: Vec<Segment> =
            searcher.segment_readers().iter().map(open).collect::<tantivy::Result<_>>().map_err(failed)?;
        if !opened.is_last() {
            return Err(Absence::Damaged("another process committed while the index was opened".to_owned()));
        }
        let stats = opened.stats().unwrap_or_else(|| {
            let stats = Stats::of(&segments);
            opened.keep_stats(&stats);
            stats
        });
        Ok(Snapshot {
            stats,
            segments,
            searcher,
            analyzer: Analyzer::new(store.language()),
            fields: opened.fields,
            commit: opened.commit,
            manifest: opened.manifest,
            store: store.clone(),
        })
    }

    /// Holds every file of the index against its checksum, which takes as long as reading all of them. True
    /// when one is not as it was written.
    pub fn is_damaged(&self) -> bool {
        let index = panic::AssertUnwindSafe(self.searcher.index());
        let checked = panic::catch_unwind(|| index.validate_checksum());
        !checked.is_ok_and(|files| files.is_ok_and(|files| files.is_empty()))
    }

    /// The commit.
    pub fn commit(&self) -> &Commit {
        &self.commit
    }

    /// The manifest that was given with the commit.
    pub fn manifest(&self) -> &[u8] {
        &self.manifest
    }

    /// The number of chunks.
    pub fn chunks(&self) -> u64 {
        self.stats.chunks
    }

    /// An analyzer like the one that the documents went through.
    pub fn analyzer(&self) -> Analyzer {
        self.analyzer.clone()
    }

    /// The record of a document.
    pub fn record(&self, doc: &DocId) -> Result<Option<Record>> {
        let term = Term::from_field_u64(self.fields.key, key(doc));
        for segment in &self.segments {
            let index = segment.reader.inverted_index(self.fields.key).map_err(|error| self.failed(error))?;
            let postings = index.read_postings(&term, IndexRecordOption::Basic);
            let Some(mut postings) = postings.map_err(|error| self.failed(error.into()))? else { continue };
            while postings.doc() != TERMINATED {
                let entry = postings.doc();
                if segment.is_alive(entry) && segment.lineage.first(entry).is_none() {
                    return self.stored(segment, entry).map(Some);
                }
                postings.advance();
            }
        }
        Ok(None)
    }

    fn stored(&self, segment: &Segment, entry: EntryId) -> Result<Record> {
        let store = segment.reader.get_store_reader(1).map_err(|error| self.failed(error.into()))?;
        let entry: TantivyDocument = store.get(entry).map_err(|error| self.failed(error))?;
        let bytes =
            entry.get_first(self.fields.record).and_then(|value| value.as_bytes()).unwrap_or_default();
        postcard::from_bytes(bytes)
            .map_err(|error| Error::index("read a record of the index in", self.store.dir(), error.into()))
    }

    pub(super) fn failed(&self, error: tantivy::TantivyError) -> Error {
        Error::index("read the index in", self.store.dir(), error.into())
    }

    /// Whether any entry has been deleted since its segment was written.
    pub(super) fn has_deletes(&self) -> bool {
        self.segments.iter().any(|segment| segment.reader.has_deletes())
    }

    /// Runs an automaton over all words of the text fields; gives each with the number of entries that have it.
    pub(super) fn search_words(
        &self,
        automaton: &Levenshtein,
        mut each: impl FnMut(&str, u32),
    ) -> Result<()> {
        for segment in &self.segments {
            for field in self.fields.texts {
                let index = segment.reader.inverted_index(field).map_err(|error| self.failed(error))?;
                let words = index.terms().search(automaton).into_stream();
                let mut words = words.map_err(|error| self.failed(error.into()))?;
                while let Some((word, info)) = words.next() {
                    if let Ok(word) = std::str::from_utf8(word) {
                        each(word, info.doc_freq);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Segment {
    fn open(reader: &SegmentReader, fields: &Fields) -> tantivy::Result<Self> {
        let columns = reader.fast_fields();
        let mut lengths = Vec::with_capacity(TEXTS.len());
        for (field, (text, _)) in fields.texts.into_iter().zip(TEXTS) {
            lengths.push(match text.has_length() {
                true => reader.get_fieldnorms_reader(field)?,
                false => FieldNormReader::constant(reader.max_doc(), 1),
            });
        }
        let lengths = <[FieldNormReader; TEXTS.len()]>::try_from(lengths)
            .map_err(|_| tantivy::TantivyError::SystemError("a field has no lengths".into()))?;
        Ok(Self {
            docs: columns.str("doc")?,
            lineage: columns.u64("lineage")?,
            document_length: columns.u64("length")?,
            lengths,
            reader: reader.clone(),
        })
    }

    /// False for entries that a later commit has deleted.
    pub(super) fn is_alive(&self, entry: EntryId) -> bool {
        self.reader.alive_bitset().is_none_or(|alive| alive.is_alive(entry))
    }

    /// The entries that are chunks.
    pub(super) fn chunks(&self) -> impl Iterator<Item = EntryId> {
        (0..self.reader.max_doc())
            .filter(|&entry| self.is_alive(entry) && self.lineage.first(entry).is_some())
    }

    /// The entries whose document's id begins with `prefix`, as a range of the column's values.
    pub(super) fn ids_with_prefix(&self, prefix: &str) -> Range<u64> {
        let Some(docs) = &self.docs else { return 0..0 };
        let after = successor(prefix.as_bytes());
        let upper = after.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        match docs.dictionary().term_bounds_to_ord(Bound::Included(prefix.as_bytes()), upper) {
            Ok((low, high)) => {
                let low = match low {
                    Bound::Included(low) => low,
                    Bound::Excluded(low) => low + 1,
                    Bound::Unbounded => 0,
                };
                let high = match high {
                    Bound::Included(high) => high + 1,
                    Bound::Excluded(high) => high,
                    Bound::Unbounded => docs.num_terms() as u64,
                };
                low..high.max(low)
            }
            Err(_) => 0..0,
        }
    }

    /// The entries of the document with this id, as a range of the column's values.
    pub(super) fn id_exactly(&self, id: &str) -> Range<u64> {
        let found =
            self.docs.as_ref().and_then(|docs| docs.dictionary().term_ord(id.as_bytes()).ok().flatten());
        found.map_or(0..0, |ord| ord..ord + 1)
    }

    /// The number of values of the id column: the documents there are, and some that were.
    pub(super) fn documents(&self) -> usize {
        self.docs.as_ref().map_or(0, |docs| docs.num_terms())
    }

    /// The value of the id column for an entry.
    pub(super) fn id_of(&self, entry: EntryId) -> Option<u64> {
        self.docs.as_ref()?.ords().first(entry)
    }

    /// The id behind a value of the id column.
    pub(super) fn id_text(&self, id: u64) -> String {
        let mut text = String::new();
        // An id that cannot be read leaves the text empty, and the hit is dropped as a ghost.
        let _ = self.docs.as_ref().map(|docs| docs.ord_to_str(id, &mut text));
        text
    }
}

/// The smallest text that is greater than everything with the given beginning.
fn successor(prefix: &[u8]) -> Option<Vec<u8>> {
    let mut after = prefix.to_vec();
    while let Some(last) = after.pop() {
        if last < u8::MAX {
            after.push(last + 1);
            return Some(after);
        }
    }
    None
}

impl Stats {
    /// Counts chunks and lengths. Deleted entries do not count, so that an updated index ranks exactly as a
    /// rebuilt one.
    fn of(segments: &[Segment]) -> Self {
        let mut chunks = 0u64;
        let mut totals = [0u64; TEXTS.len()];
        let (mut documents, mut lengths) = (0u64, 0u64);
        for segment in segments {
            // The entries of a document stand side by side.
            let mut before = None;
            for entry in segment.chunks() {
                chunks += 1;
                let id = segment.id_of(entry);
                if id != before {
                    before = id;
                    documents += 1;
                    lengths += segment.document_length.first(entry).unwrap_or_default();
                }
                for (total, lengths) in totals.iter_mut().zip(&segment.lengths) {
                    *total += u64::from(lengths.fieldnorm(entry));
                }
            }
        }
        let average = totals.map(|total| (total as f64 / chunks.max(1) as f64) as f32);
        let document = (lengths as f64 / documents.max(1) as f64) as f32;
        Self { chunks, average, documents, document }
    }
}
