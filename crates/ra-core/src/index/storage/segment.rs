//! One segment of the index, with the columns that ranking reads.

use std::borrow::Cow;
use std::io;
use std::ops::{Bound, Range};
use std::sync::{Arc, OnceLock};

use tantivy::columnar::{Column, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::TermInfo;
use tantivy::schema::Field;
use tantivy::store::StoreReader;
use tantivy::{DocId as EntryId, SegmentReader};

use super::schema::{Fields, TEXTS};
use super::segment_tables::{NONE, Tables};
use super::term_table::TermTable;
use crate::index::analysis::LanguageId;

/// The number of cached record blocks. The results of a query often share one.
const CACHED_RECORD_BLOCKS: usize = 64;

/// A segment of the index, with the columns that ranking reads.
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    pub(crate) docs: Option<StrColumn>,
    lineage: Column<u64>,
    ahead: Column<u64>,
    length: Column<u64>,
    name: Column<u64>,
    language: Column<u64>,
    page: Column<u64>,
    pub(crate) lengths: [FieldNormReader; TEXTS.len()],
    records: OnceLock<StoreReader>,
    /// The in-memory tables, if they are loaded.
    pub(crate) tables: OnceLock<Arc<Tables>>,
}

impl Segment {
    pub(crate) fn open(
        reader: &SegmentReader,
        fields: &Fields,
        tables: Option<Arc<Tables>>,
    ) -> tantivy::Result<Self> {
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
        let segment = Self {
            docs: columns.str("doc")?,
            lineage: columns.u64("lineage")?,
            ahead: columns.u64("ahead")?,
            length: columns.u64("length")?,
            name: columns.u64("name")?,
            language: columns.u64("language")?,
            page: columns.u64("page")?,
            lengths,
            reader: reader.clone(),
            records: OnceLock::new(),
            tables: tables.map_or_else(OnceLock::new, OnceLock::from),
        };
        // An intact file can still belong to another segment.
        match segment.fits() {
            true => Ok(segment),
            false => Err(tantivy::TantivyError::InternalError("a column is not of its segment".into())),
        }
    }

    /// True if all columns have as many entries as the segment.
    fn fits(&self) -> bool {
        let entries = self.reader.max_doc();
        let columns = [&self.lineage, &self.ahead, &self.length, &self.name, &self.language, &self.page];
        columns.iter().all(|column| column.num_docs() == entries)
            && self.lengths.iter().all(|lengths| lengths.num_docs() == entries)
            && self.docs.as_ref().is_none_or(|docs| docs.ords().num_docs() == entries)
    }

    /// False for entries that a later commit has deleted.
    pub(crate) fn is_alive(&self, entry: EntryId) -> bool {
        self.reader.alive_bitset().is_none_or(|alive| alive.is_alive(entry))
    }

    /// Returns all entries, deleted or not.
    pub(crate) fn entries(&self) -> impl Iterator<Item = EntryId> {
        0..self.reader.max_doc()
    }

    /// Returns the live entries that are chunks.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = EntryId> {
        self.entries().filter(|&entry| self.is_alive(entry) && self.is_chunk(entry))
    }

    /// True if an entry is a chunk, and not the record of a document.
    pub(crate) fn is_chunk(&self, entry: EntryId) -> bool {
        self.lineage.first(entry).is_some()
    }

    /// Returns the packed node of a chunk, or `None` for a record.
    pub(crate) fn place(&self, entry: EntryId) -> Option<u64> {
        match self.tables.get() {
            Some(tables) => tables.record(entry).and_then(|_| tables.values(entry).first().copied()),
            None => self.lineage.first(entry),
        }
    }

    /// Returns the packed nodes from a chunk up to its document, or nothing for a record.
    pub(crate) fn lineage(&self, entry: EntryId) -> Cow<'_, [u64]> {
        match self.tables.get() {
            Some(tables) => Cow::Borrowed(tables.values(entry)),
            None => Cow::Owned(self.lineage.values_for_doc(entry).collect()),
        }
    }

    /// Returns the tokens of the document if the entry is its record, or `None` for a chunk.
    pub(crate) fn own_length(&self, entry: EntryId) -> Option<u64> {
        self.length.first(entry)
    }

    /// Returns the reader of the records. Checks the file before it is opened for the first time.
    pub(crate) fn records(&self, check: impl FnOnce() -> io::Result<()>) -> io::Result<&StoreReader> {
        if let Some(records) = self.records.get() {
            return Ok(records);
        }
        check()?;
        let records = self.reader.get_store_reader(CACHED_RECORD_BLOCKS)?;
        Ok(self.records.get_or_init(|| records))
    }

    /// Returns the record of a chunk's document. The entries of a document are adjacent, and its record is last.
    pub(crate) fn record_of(&self, entry: EntryId) -> Option<EntryId> {
        if let Some(tables) = self.tables.get() {
            return tables.record(entry);
        }
        let ahead = EntryId::try_from(self.ahead.first(entry)?).ok()?;
        entry.checked_add(ahead).filter(|record| *record < self.reader.max_doc())
    }

    /// Returns the tokens of a chunk's whole document.
    pub(crate) fn document_length(&self, entry: EntryId) -> u64 {
        if let Some(tables) = self.tables.get() {
            return tables.document(entry).map_or(0, |id| tables.length(id));
        }
        self.record_of(entry).and_then(|record| self.length.first(record)).unwrap_or_default()
    }

    /// Returns the hashes of the title tokens of the document with this record.
    pub(crate) fn name(&self, record: EntryId) -> Cow<'_, [u64]> {
        match self.tables.get() {
            Some(tables) => Cow::Borrowed(tables.values(record)),
            None => Cow::Owned(self.name.values_for_doc(record).collect()),
        }
    }

    /// Returns the language of an entry's document.
    pub(crate) fn language(&self, entry: EntryId) -> LanguageId {
        LanguageId::of_number(self.language.first(entry).unwrap_or_default())
    }

    /// True if a path of the segment has a language tag.
    pub(crate) fn has_language_tags(&self) -> bool {
        self.page.values.num_vals() > 0
    }

    /// Returns the hash that the translations of a page share, for a record whose path has a language tag.
    pub(crate) fn page(&self, record: EntryId) -> Option<u64> {
        self.page.first(record)
    }

    /// Returns the ids that start with `prefix`, as a range of the column's values.
    pub(crate) fn ids_with_prefix(&self, prefix: &str) -> Range<u64> {
        if let Some(tables) = self.tables.get() {
            return tables.ids_with_prefix(prefix);
        }
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

    /// Returns the document with this id, as a range of the column's values.
    pub(crate) fn id_exactly(&self, id: &str) -> Range<u64> {
        let found =
            self.docs.as_ref().and_then(|docs| docs.dictionary().term_ord(id.as_bytes()).ok().flatten());
        found.map_or(0..0, |ord| ord..ord + 1)
    }

    /// Returns the number of values of the id column: the live documents, and some deleted ones.
    pub(crate) fn documents(&self) -> usize {
        self.docs.as_ref().map_or(0, |docs| docs.num_terms())
    }

    /// Returns the value of the id column for an entry.
    pub(crate) fn id_of(&self, entry: EntryId) -> Option<u64> {
        match self.tables.get() {
            Some(tables) => tables.document(entry),
            None => self.docs.as_ref()?.ords().first(self.record_of(entry)?),
        }
    }

    /// Returns the value of the id column for a record.
    pub(crate) fn record_number(&self, record: EntryId) -> Option<u64> {
        self.docs.as_ref()?.ords().first(record)
    }

    /// Returns the id for a value of the id column.
    pub(crate) fn id_text(&self, id: u64) -> Arc<str> {
        if let Some(known) = self.tables.get().and_then(|tables| tables.ids.get(id as usize)) {
            return known.clone();
        }
        let mut text = String::new();
        // If the id can't be read, the text stays empty and the hit is dropped.
        let _ = self.docs.as_ref().map(|docs| docs.ord_to_str(id, &mut text));
        text.into()
    }

    /// Reads the tables of the segment.
    pub(crate) fn read_tables(&self, fields: &[Field; TEXTS.len()]) -> tantivy::Result<Tables> {
        let ids: Vec<Arc<str>> = (0..self.documents() as u64).map(|id| self.id_text(id)).collect();
        let entries = self.reader.max_doc() as usize;
        let mut tables = Tables {
            documents: vec![NONE; entries],
            lengths: vec![0; ids.len()],
            records: vec![NONE; entries],
            values: Vec::new(),
            ends: Vec::with_capacity(entries),
            ids,
            words: words(&self.reader, fields)?,
        };
        for entry in self.entries() {
            match (self.id_of(entry), self.record_of(entry)) {
                (Some(id), Some(record)) => {
                    tables.documents[entry as usize] = u32::try_from(id).unwrap_or(NONE);
                    tables.records[entry as usize] = record;
                    if let Some(length) = tables.lengths.get_mut(id as usize).filter(|length| **length == 0) {
                        *length = self.document_length(entry);
                    }
                    tables.values.extend(&*self.lineage(entry));
                }
                _ => tables.values.extend(&*self.name(entry)),
            }
            tables.ends.push(u32::try_from(tables.values.len()).unwrap_or(u32::MAX));
        }
        tables.values.shrink_to_fit();
        Ok(tables)
    }
}

/// Returns the smallest byte string greater than everything with the given prefix.
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

/// Collects the terms of all text fields, each with the location of its postings.
fn words(reader: &SegmentReader, fields: &[Field; TEXTS.len()]) -> tantivy::Result<TermTable> {
    const { assert!(TEXTS.len() <= u8::BITS as usize, "each field has a bit") };
    let mut words: Vec<(String, usize, TermInfo)> = Vec::new();
    for (nr, &field) in fields.iter().enumerate() {
        let index = reader.inverted_index(field)?;
        let mut terms = index.terms().stream()?;
        while let Some((word, term)) = terms.next() {
            if let Ok(word) = std::str::from_utf8(word) {
                words.push((word.to_owned(), nr, term.clone()));
            }
        }
    }
    Ok(TermTable::new(words))
}
