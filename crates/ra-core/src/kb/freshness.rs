//! How fresh an answer is, and who is told of the work of making it so.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::oversized::OversizedChunk;

/// Told of long work. The library itself shows nothing.
pub trait Progress: Sync {
    /// So many documents are about to be worked on.
    fn begin(&self, work: Work, documents: usize);
    /// One more document is done.
    fn step(&self);
    /// All are done.
    fn end(&self);
}

/// Long work on documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// They are read into the index.
    Reading,
    /// Their meaning is encoded.
    Encoding,
}

/// Shows nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _work: Work, _documents: usize) {}
    fn step(&self) {}
    fn end(&self) {}
}

/// What an answer is based on.
#[derive(Clone, Debug, Default)]
pub struct Freshness {
    /// The commit that answered.
    pub generation: u64,
    /// When the disk was compared with it, in nanoseconds since 1970.
    pub checked: i64,
    /// Documents that were indexed, indexed again and taken out for this answer.
    pub added: usize,
    /// See `added`.
    pub modified: usize,
    /// See `added`.
    pub removed: usize,
    /// Documents that can change without a change in their directory.
    pub shared: Vec<PathBuf>,
    /// Why the answer may be older than the disk.
    pub stale: Option<String>,
    /// What could not be seen, and other things worth knowing.
    pub warnings: Vec<String>,
}

impl Freshness {
    /// The same index, which was held against the disk again just now and found to be what it was.
    pub fn rechecked(&self) -> Self {
        Self {
            generation: self.generation,
            checked: now(),
            warnings: self.warnings.clone(),
            ..Self::default()
        }
    }
}

/// What an update did.
#[derive(Clone, Debug)]
pub struct UpdateReport {
    /// What changed.
    pub freshness: Freshness,
    /// Documents in the index.
    pub documents: usize,
    /// Chunks in the index.
    pub chunks: usize,
    /// True when the index was built anew.
    pub rebuilt: bool,
    /// Chunks with more characters than `max_chunk_size`, of the documents that were read.
    pub oversized: Vec<OversizedChunk>,
}

/// The time, in nanoseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
