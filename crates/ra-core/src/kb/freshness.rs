//! How fresh an answer is, and progress reports for the work that makes it fresh.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::oversized::OversizedChunk;
use crate::index::Commit;

/// Receives progress of long work. The library itself shows nothing.
pub trait Progress: Sync {
    /// Work on this many documents begins.
    fn begin(&self, work: Work, documents: usize);
    /// One more document is done.
    fn step(&self);
    /// The work is done.
    fn end(&self);
}

/// Long work on documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Reading them into the index.
    Reading,
    /// Encoding their meaning.
    Encoding,
}

/// Ignores progress.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _work: Work, _documents: usize) {}
    fn step(&self) {}
    fn end(&self) {}
}

/// The state of the index that an answer is based on.
#[derive(Clone, Debug, Default)]
pub struct Freshness {
    /// The generation of the commit that answered.
    pub generation: u64,
    /// When the index was compared with the disk, in nanoseconds since 1970.
    pub checked: i64,
    /// How many documents were added to the index for this answer.
    pub added: usize,
    /// How many documents were indexed again.
    pub modified: usize,
    /// How many documents were removed from the index.
    pub removed: usize,
    /// Documents that can change without a change in their directory.
    pub shared: Vec<PathBuf>,
    /// Why the answer may be older than the disk.
    pub stale: Option<String>,
    /// Paths that couldn't be read, and other warnings.
    pub warnings: Vec<String>,
}

impl Freshness {
    /// Returns the freshness of a commit that is not compared with the disk.
    pub(super) fn of(commit: &Commit) -> Self {
        Self { generation: commit.generation, checked: commit.updated, ..Self::default() }
    }

    /// Returns the freshness of the same index after it was compared with the disk again and no change was found.
    pub fn rechecked(&self) -> Self {
        Self {
            generation: self.generation,
            checked: now(),
            warnings: self.warnings.clone(),
            ..Self::default()
        }
    }
}

/// The result of an update.
#[derive(Clone, Debug)]
pub struct UpdateReport {
    /// The changes.
    pub freshness: Freshness,
    /// The number of documents in the index.
    pub documents: usize,
    /// The number of chunks in the index.
    pub chunks: usize,
    /// True if the index was rebuilt from scratch.
    pub rebuilt: bool,
    /// Chunks with more characters than `max_chunk_size`, in the documents that were read.
    pub oversized: Vec<OversizedChunk>,
}

/// Returns the time in nanoseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
