//! Writes documents to the index, in one commit.

use std::path::PathBuf;
use std::time::Duration;

use tantivy::indexer::{LogMergePolicy, NoMergePolicy, UserOperation};
use tantivy::{IndexWriter, Term};

use super::commit::Commit;
use super::directory::{IndexDirectory, Lock};
use super::indexable_doc::{IndexEntry, IndexableDoc, Queue, key, name_hash};
use super::open_error::write_error;
use super::schema::Fields;
use super::snapshot::Snapshot;
use crate::document::{Document, SourceHash};
use crate::error::{Error, Result};
use crate::id::DocId;
use crate::index::analysis::{self, Pool};

/// The size of a batch, which decides how it is written.
#[derive(Clone, Copy)]
pub enum WriteMode<'a> {
    /// A new index for all documents.
    Rebuild,
    /// A new index for the first documents, to answer queries until there is one for all.
    Begin,
    /// A change to the existing index, which was opened at its last commit.
    Update(&'a Snapshot),
}

/// A batch of documents to be indexed. Readers see nothing before [`Batch::commit`], and a dropped batch
/// leaves nothing behind.
pub struct Batch<'a> {
    store: &'a IndexDirectory,
    path: PathBuf,
    fields: Fields,
    writer: IndexWriter<IndexEntry>,
    is_rebuild: bool,
    is_fragment: bool,
    generation: u64,
    analyzers: Pool,
    /// The text that waits for tantivy.
    queue: Queue,
}

/// The memory in which documents are collected before they become a segment: enough to get few segments for a
/// large tree, and little enough for small machines.
const REBUILD_MEMORY: usize = 96 << 20;
const UPDATE_MEMORY: usize = 15 << 20;

/// The maximum size of the text that waits for tantivy, and the maximum time to wait for its queue, in milliseconds.
const MAX_PENDING_TEXT_BYTES: usize = 4 << 20;
const MAX_QUEUE_WAIT_MS: usize = 10_000;

/// More segments than `MANY_SEGMENTS` slow down every query, so an update merges those that are worth it.
/// Above `TOO_MANY_SEGMENTS`, it merges others as well.
const MANY_SEGMENTS: usize = 8;
const TOO_MANY_SEGMENTS: usize = 2 * MANY_SEGMENTS;
/// Merging a segment with at most this many entries takes no time.
const SMALL_SEGMENT: u32 = 1000;

impl<'a> Batch<'a> {
    /// Begins a batch.
    pub fn begin(store: &'a IndexDirectory, lock: &Lock, job: WriteMode<'_>) -> Result<Self> {
        let (index, fields, path, generation) = match job {
            WriteMode::Rebuild | WriteMode::Begin => {
                let generation = store.open().map_or(0, |opened| opened.commit.generation);
                store.clean(None);
                let created = store.create(lock)?;
                (created.index, created.fields, created.path, generation)
            }
            WriteMode::Update(snapshot) => {
                // A rebuild that was killed or ran out of space may have left its store behind.
                store.clean(None);
                let index = snapshot.searcher.index().clone();
                let path = store.current_path()?;
                (index, snapshot.fields.clone(), path, snapshot.commit().generation)
            }
        };
        let (threads, memory) = match job {
            WriteMode::Rebuild | WriteMode::Begin => (2, REBUILD_MEMORY),
            WriteMode::Update(_) => (1, UPDATE_MEMORY),
        };
        let failed = |error| write_error("write to the index in", &path, error);
        let writer: IndexWriter<IndexEntry> =
            index.writer_with_num_threads(threads, memory).map_err(failed)?;
        match job {
            WriteMode::Rebuild | WriteMode::Begin => {
                writer.set_merge_policy(Box::new(LogMergePolicy::default()))
            }
            WriteMode::Update(_) => {
                writer.set_merge_policy(Box::new(NoMergePolicy));
                // A process killed during its commit leaves files whose names this commit would use.
                writer.garbage_collect_files().wait().map_err(failed)?;
            }
        }
        Ok(Self {
            store,
            path,
            fields,
            writer,
            is_rebuild: matches!(job, WriteMode::Rebuild | WriteMode::Begin),
            is_fragment: matches!(job, WriteMode::Begin),
            generation: generation + 1,
            analyzers: store.analyzers(),
            queue: Queue::default(),
        })
    }

    /// Removes a document.
    pub fn remove(&self, doc: &DocId) {
        self.writer.delete_term(Term::from_field_u64(self.fields.key, key(doc)));
    }

    /// Adds a document and returns its number of chunks. `source` is the hash of its file. May be called from many
    /// threads at once.
    pub fn add(&self, doc: &DocId, document: Document, text: String, source: SourceHash) -> Result<usize> {
        let language = analysis::detect_document(&doc.path, &document, &text);
        let mut name = Vec::new();
        let mut analyzer = self.analyzers.lend(language.language);
        analyzer.tokens(&document.title, &mut |token| name.push(name_hash(token.text)));
        drop(analyzer);
        self.wait_for_room();
        let waiting = self.queue.join(text.len());
        let indexable = IndexableDoc::new(
            (&self.fields, self.store.language_markers()),
            doc,
            (document, language),
            (text, source),
            name,
            waiting,
        );
        let indexable =
            indexable.map_err(|error| Error::index("record a document in", &self.path, error.into()))?;
        let entries = indexable.entries();
        let chunks = entries.len() - 1;
        // A single operation keeps the entries of a document adjacent in one segment.
        let written = self.writer.run(entries.into_iter().map(UserOperation::Add));
        written.map_err(|error| write_error("write to the index in", &self.path, error))?;
        Ok(chunks)
    }

    /// Waits until tantivy has processed most of its queue, which is only bounded by the number of documents
    /// and could take in a whole tree.
    fn wait_for_room(&self) {
        // If a worker died, the queue doesn't shrink; the next call of tantivy reports that.
        for _ in 0..MAX_QUEUE_WAIT_MS {
            if self.queue.bytes() < MAX_PENDING_TEXT_BYTES {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Makes everything visible at once, with the manifest.
    pub fn commit(mut self, manifest: &[u8], updated: i64) -> Result<Commit> {
        let path = self.path.clone();
        let failed = |error| write_error("commit to the index in", &path, error);
        let fingerprint = self.store.fingerprint();
        let mut commit = Commit::prepare(&self.path, fingerprint, self.generation, updated, manifest)?;
        commit.is_fragment = self.is_fragment;
        let payload = serde_json::to_string(&commit)
            .map_err(|error| Error::index("commit to the index in", &path, error.into()))?;
        let mut prepared = self.writer.prepare_commit().map_err(failed)?;
        prepared.set_payload(&payload);
        prepared.commit().map_err(failed)?;
        if !self.is_rebuild {
            join_small_segments(&mut self.writer).map_err(failed)?;
        }
        self.writer.wait_merging_threads().map_err(failed)?;
        if self.is_rebuild {
            self.store.publish(&self.path)?;
        }
        commit.forget_older(&self.path);
        Ok(commit)
    }
}

/// Merges the smallest segments if there are many. The cost of an update then depends on the size of recent
/// changes, not of the corpus.
fn join_small_segments(writer: &mut IndexWriter<IndexEntry>) -> tantivy::Result<()> {
    let mut segments = writer.index().searchable_segment_metas()?;
    segments.sort_by_key(|segment| segment.max_doc());
    let sizes: Vec<u32> = segments.iter().map(|segment| segment.max_doc()).collect();
    let joined = worth_joining(&sizes);
    if joined > 1 {
        let ids: Vec<_> = segments[..joined].iter().map(|segment| segment.id()).collect();
        writer.merge(&ids).wait()?;
    }
    Ok(())
}

/// Returns how many of the segments, sorted by size, to merge: the small ones, and each next one that isn't
/// much larger than those before it together. This rewrites a large segment only if it grows considerably.
fn worth_joining(sizes: &[u32]) -> usize {
    if sizes.len() <= MANY_SEGMENTS {
        return 0;
    }
    let least = if sizes.len() > TOO_MANY_SEGMENTS { MANY_SEGMENTS } else { 1 };
    let mut joined: u32 = 0;
    let larger = sizes.iter().enumerate().find_map(|(nr, &size)| {
        let grows = nr < least || size <= SMALL_SEGMENT || size / 2 <= joined;
        joined = joined.saturating_add(size);
        (!grows).then_some(nr)
    });
    larger.unwrap_or(sizes.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn segments_that_are_small_beside_the_rest_are_joined() {
        let cases: &[(&[u32], usize)] = &[
            (&[1; 8], 0),
            (&[1; 9], 9),
            (&[1, 1, 1, 1, 1, 8_000, 13_000, 250_000, 250_000], 5),
            (&[1, 1, 1, 31_000, 31_600, 32_000, 33_000, 34_000, 35_000], 3),
            (&[1, 1, 4, 8, 16, 32, 64, 128, 250_000], 8),
            (&[1, 10, 100, 1_000, 2_000, 20_000, 30_000, 40_000, 50_000], 5),
            (&[1, 2_000, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000], 1),
        ];
        for (sizes, joined) in cases {
            assert_eq!(worth_joining(sizes), *joined, "{sizes:?}");
        }
        let steep: Vec<u32> = (0..17).map(|nr| 2_000 * 3u32.pow(nr.min(12))).collect();
        assert_eq!(worth_joining(&steep[..12]), 1);
        assert_eq!(worth_joining(&steep), 8);
    }

    proptest! {
        /// Whatever a rebuild has left, updates rewrite few entries and leave few segments.
        #[test]
        fn updates_move_little(
            left in proptest::collection::vec(1_000u32..300_000, 0..16),
            updates in proptest::collection::vec(1u32..40, 400),
        ) {
            let before: u32 = left.iter().sum();
            let mut segments = left;
            let (mut added, mut moved) = (0, 0);
            for update in updates {
                segments.push(update);
                added += update;
                segments.sort_unstable();
                let joined = worth_joining(&segments);
                if joined > 1 {
                    let sum = segments.drain(..joined).sum();
                    moved += sum;
                    segments.push(sum);
                }
                prop_assert!(segments.len() <= TOO_MANY_SEGMENTS, "{segments:?}");
            }
            prop_assert!(moved <= before + 60 * added, "{moved} moved for {added}");
        }
    }
}
