//! A snapshot: the index at one commit.

use std::borrow::Cow;
use std::panic;
use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use tantivy::directory::error::OpenReadError;
use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId as EntryId, DocSet, Searcher, SegmentReader, TERMINATED, TantivyError, Term};

use super::commit::Commit;
use super::directory::IndexDirectory;
use super::indexable_doc::{LanguageMarkers, key};
use super::lineage::RecordId;
use super::open_error::{OpenError, Unavailable};
use super::record::{Record, RecordHead};
use super::schema::Fields;
use super::segment::Segment;
use super::statistics::{Stats, Totals};
use super::store_bytes::{check_columns, check_store, only_value};
use crate::document::ConversionCache;
use crate::error::{Error, Result};
use crate::id::DocId;
use crate::index::analysis::{self, LanguageId, LanguageSet, Pool, PooledAnalyzer};
use crate::kind::DocumentKind;

/// The index at one commit. Later commits don't change it.
pub struct Snapshot {
    pub(crate) segments: Vec<Segment>,
    pub(crate) fields: Fields,
    pub(crate) stats: Stats,
    pub(crate) searcher: Searcher,
    analyzers: Pool,
    commit: Commit,
    manifest: Vec<u8>,
    store: IndexDirectory,
}

/// A way in which documents are stemmed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stemming {
    /// The most frequent language that is stemmed in this way.
    pub(crate) language: LanguageId,
    /// The languages of the documents.
    pub(crate) documents: LanguageSet,
}

impl Snapshot {
    /// Opens the last commit of a store.
    pub fn open(store: &IndexDirectory) -> Result<std::result::Result<Snapshot, Unavailable>> {
        let mut last = Unavailable::Missing;
        // Another process may replace the store, or a commit its manifest, between two reads.
        for _ in 0..5 {
            // A truncated or corrupt file makes tantivy panic if it relies on the length.
            match panic::catch_unwind(|| Self::open_once(store)) {
                Ok(Ok(snapshot)) => return Ok(Ok(snapshot)),
                Ok(Err(OpenError::Absent(reason))) => last = reason,
                Ok(Err(OpenError::ResourceExhausted(error))) => {
                    return Err(Error::io("open the index in", store.dir(), error));
                }
                Ok(Err(OpenError::Newer)) => {
                    return Err(Error::NewerIndex { path: store.dir().to_owned() });
                }
                Err(_) => {
                    last = Unavailable::Damaged("a file of the index is not what it should be".to_owned())
                }
            }
            if !matches!(last, Unavailable::Damaged(_)) {
                break;
            }
        }
        Ok(Err(last))
    }

    fn open_once(store: &IndexDirectory) -> std::result::Result<Snapshot, OpenError> {
        let opened = store.open()?;
        check_columns(&opened.index)?;
        let reader = opened.index.reader_builder().reload_policy(tantivy::ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        let open = |reader: &SegmentReader| {
            Segment::open(reader, &opened.fields, store.segment_cache().tables(reader.segment_id()))
        };
        let segments: Vec<Segment> =
            searcher.segment_readers().iter().map(open).collect::<tantivy::Result<_>>()?;
        if !opened.is_last()? {
            let why = "another process committed while the index was opened".to_owned();
            return Err(Unavailable::Damaged(why).into());
        }
        let known = opened.totals();
        let totals = Totals::of_all(&segments, &known);
        if totals.keys().ne(known.keys()) {
            opened.keep_totals(&totals);
        }
        let stats = Stats::of(&segments, &totals);
        if let Some((main, _)) = stats.languages.first() {
            analysis::register(&opened.index, store.stemmer(), *main);
        }
        Ok(Snapshot {
            stats,
            segments,
            searcher,
            analyzers: store.analyzers(),
            fields: opened.fields,
            commit: opened.commit,
            manifest: opened.manifest,
            store: store.clone(),
        })
    }

    /// Verifies the checksum of every file of the index and reads all postings, which takes time proportional
    /// to the index. Returns true if a file isn't as it was written. A file that is gone proves nothing: another
    /// process deletes the files of a segment that it has replaced, and this snapshot still has them open.
    pub fn is_damaged(&self) -> bool {
        let whole = || {
            let is_intact = match self.searcher.index().validate_checksum() {
                Ok(damaged) => damaged.is_empty(),
                Err(TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_))) => true,
                Err(error) => return Err(error),
            };
            // An intact file can still belong to another segment.
            Ok::<_, TantivyError>(is_intact && self.can_be_read()?)
        };
        !panic::catch_unwind(panic::AssertUnwindSafe(whole)).is_ok_and(|whole| whole.unwrap_or(false))
    }

    /// True if all postings refer only to existing entries.
    fn can_be_read(&self) -> tantivy::Result<bool> {
        let mut places = Vec::new();
        for segment in &self.segments {
            for field in self.fields.texts {
                let index = segment.reader.inverted_index(field)?;
                let mut words = index.terms().stream()?;
                while let Some((_, info)) = words.next() {
                    let all = IndexRecordOption::WithFreqsAndPositions;
                    let mut postings = index.read_postings_from_terminfo(info, all)?;
                    while postings.doc() != TERMINATED {
                        if postings.doc() >= segment.reader.max_doc() {
                            return Ok(false);
                        }
                        postings.positions(&mut places);
                        postings.advance();
                    }
                }
            }
        }
        Ok(true)
    }

    /// Returns the texts that were made from files of converted formats.
    pub fn conversions(&self) -> ConversionCache {
        self.store.conversions()
    }

    /// Returns the kind of the file at a path.
    pub(crate) fn kind_of(&self, path: &str) -> DocumentKind {
        self.store.converters().kind_of(path)
    }

    /// True if there is no later commit.
    pub fn is_last(&self) -> bool {
        self.store.last_commit().as_ref() == Some(&self.commit)
    }

    /// Returns the commit.
    pub fn commit(&self) -> &Commit {
        &self.commit
    }

    /// Returns the manifest that was written with the commit.
    pub fn manifest(&self) -> &[u8] {
        &self.manifest
    }

    /// Returns the directory of the index.
    pub fn dir(&self) -> &Path {
        self.store.dir()
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        self.stats.chunks
    }

    /// Returns an analyzer for the language that most documents are in.
    pub fn analyzer(&self) -> PooledAnalyzer {
        self.analyzer_for(self.main_language())
    }

    /// Returns an analyzer for texts in a language.
    pub fn analyzer_for(&self, language: LanguageId) -> PooledAnalyzer {
        self.analyzers.lend(language)
    }

    /// Returns an analyzer for each way in which documents are stemmed, the most frequent first.
    pub fn analyzers(&self) -> Vec<PooledAnalyzer> {
        let stemmings = self.stemmings(self.main_language());
        stemmings.iter().map(|stemming| self.analyzer_for(stemming.language)).collect()
    }

    /// Returns the languages of the documents with the number of documents in each, the most frequent first.
    /// Undetermined languages come last.
    pub fn languages(&self) -> &[(LanguageId, u64)] {
        &self.stats.languages
    }

    /// Returns the language that most documents are in.
    pub fn main_language(&self) -> LanguageId {
        self.stats.languages.first().map_or(LanguageId::UNDETERMINED, |(language, _)| *language)
    }

    /// Returns the different ways in which the documents are stemmed: that of `first`, if it is one of them, then the
    /// most frequent ones.
    pub(crate) fn stemmings(&self, first: LanguageId) -> Vec<Stemming> {
        let mut stemmings: Vec<(Stemming, u64)> = Vec::new();
        for (language, count) in &self.stats.languages {
            let one = LanguageSet::from_iter([*language]);
            let stemmed_as = language.stemmed_as();
            match stemmings.iter_mut().find(|(known, _)| known.language.stemmed_as() == stemmed_as) {
                Some((known, total)) => {
                    (known.documents, *total) = (known.documents.union(one), *total + count)
                }
                None => stemmings.push((Stemming { language: *language, documents: one }, *count)),
            }
        }
        // The order is stable, so equally frequent ones stay in the order of their languages.
        let is_first = |stemming: &Stemming| stemming.language.stemmed_as() == first.stemmed_as();
        stemmings.sort_by_key(|(stemming, count)| (!is_first(stemming), std::cmp::Reverse(*count)));
        let mut stemmings: Vec<Stemming> = stemmings.into_iter().map(|(stemming, _)| stemming).collect();
        if self.store.language_markers() == LanguageMarkers::No || stemmings.len() < 2 {
            let language = stemmings.first().map_or(first, |stemming| stemming.language);
            stemmings = vec![Stemming { language, documents: LanguageSet::ALL }];
        }
        stemmings
    }

    /// Loads the tables that make queries to this snapshot, and to later ones, faster. Only worth the time in
    /// a process that answers many queries.
    pub fn warm(&self) -> Result<()> {
        for segment in &self.segments {
            if segment.tables.get().is_none() {
                let tables = segment.read_tables(&self.fields.texts).map_err(|error| self.failed(error))?;
                let _ = segment.tables.set(Arc::new(tables));
            }
        }
        let known = |segment: &Segment| Some((segment.reader.segment_id(), segment.tables.get()?.clone()));
        self.store.segment_cache().keep(self.segments.iter().filter_map(known));
        Ok(())
    }

    /// Returns the location of the record of an entry's document.
    pub(crate) fn record_id(&self, segment: usize, entry: EntryId) -> Option<RecordId> {
        let entry = self.segments[segment].record_of(entry)?;
        Some(RecordId { segment: u32::try_from(segment).ok()?, entry })
    }

    /// Returns the hashes of the tokens of a document's title.
    pub fn name(&self, record: RecordId) -> Cow<'_, [u64]> {
        self.segments[record.segment as usize].name(record.entry)
    }

    /// Returns the record of a document.
    pub fn record(&self, doc: &DocId) -> Result<Option<Arc<Record>>> {
        self.record_of(doc)?.map(|record| self.record_at(record)).transpose()
    }

    /// Returns the location of the record of a document.
    pub(crate) fn record_of(&self, doc: &DocId) -> Result<Option<RecordId>> {
        let entries = self.entries_of(doc)?.into_iter();
        let mut records = entries.filter(|(segment, entry)| !self.segments[*segment].is_chunk(*entry));
        Ok(records
            .find_map(|(segment, entry)| Some(RecordId { segment: u32::try_from(segment).ok()?, entry })))
    }

    /// Returns the entries of a document, each with the number of its segment.
    pub(crate) fn entries_of(&self, doc: &DocId) -> Result<Vec<(usize, EntryId)>> {
        self.entries_with_number(self.fields.key, key(doc))
    }

    /// Returns the entries that have a number in an indexed field.
    pub(crate) fn entries_with_number(&self, field: Field, number: u64) -> Result<Vec<(usize, EntryId)>> {
        let term = Term::from_field_u64(field, number);
        let mut entries = Vec::new();
        for (nr, segment) in self.segments.iter().enumerate() {
            let index = segment.reader.inverted_index(field).map_err(|error| self.failed(error))?;
            let postings = index.read_postings(&term, IndexRecordOption::Basic);
            let Some(mut postings) = postings.map_err(|error| self.failed(error.into()))? else { continue };
            while postings.doc() != TERMINATED {
                if segment.is_alive(postings.doc()) {
                    entries.push((nr, postings.doc()));
                }
                postings.advance();
            }
        }
        Ok(entries)
    }

    /// Returns the record at a location.
    pub fn record_at(&self, RecordId { segment, entry }: RecordId) -> Result<Arc<Record>> {
        let segment = &self.segments[segment as usize];
        let read = || self.stored(segment, entry);
        self.store.segment_cache().record(segment.reader.segment_id(), entry, read)
    }

    /// Calls `each` with the record head of every document.
    pub fn each_head(&self, mut each: impl FnMut(RecordHead)) -> Result<()> {
        for segment in &self.segments {
            for entry in
                segment.entries().filter(|entry| segment.is_alive(*entry) && !segment.is_chunk(*entry))
            {
                each(self.stored(segment, entry)?);
            }
        }
        Ok(())
    }

    /// Reads a record, or the start of one.
    fn stored<T: DeserializeOwned>(&self, segment: &Segment, entry: EntryId) -> Result<T> {
        let check = || check_store(self.searcher.index(), segment.reader.segment_id());
        let records = segment.records(check).map_err(|error| self.failed(error.into()))?;
        let bytes = records.get_document_bytes(entry).map_err(|error| self.failed(error))?;
        let damaged = || TantivyError::InternalError("a record is not what was written".to_owned());
        let payload = only_value(&bytes).ok_or_else(|| self.failed(damaged()))?;
        postcard::from_bytes(payload)
            .map_err(|error| Error::index("read a record of the index in", self.store.dir(), error.into()))
    }

    /// Returns the error for an index that counts matches that it doesn't have.
    pub fn contradiction(&self) -> Error {
        let why = "it counts matches that it does not have".to_owned();
        self.failed(TantivyError::InternalError(why))
    }

    pub(crate) fn failed(&self, error: TantivyError) -> Error {
        Error::index("read the index in", self.store.dir(), error.into())
    }

    /// True if any entry has been deleted since its segment was written.
    pub(crate) fn has_deletes(&self) -> bool {
        self.segments.iter().any(|segment| segment.reader.has_deletes())
    }
}
