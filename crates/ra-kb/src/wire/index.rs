//! The state of the index behind an answer.

use std::time::Duration;

use ra_core::kb::{Freshness, UpdateReport};
use serde::Serialize;

use super::time::rfc3339;

/// The freshness of an answer: its commit, and when that was compared with the disk.
#[derive(Serialize)]
pub(crate) struct Index {
    pub(crate) generation: u64,
    pub(crate) checked: String,
    /// Why the answer may be older than the disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stale: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

impl Index {
    pub(crate) fn new(freshness: Freshness) -> Self {
        Index {
            generation: freshness.generation,
            checked: rfc3339(freshness.checked),
            stale: freshness.stale,
            warnings: freshness.warnings,
        }
    }
}

/// The result of an update.
#[derive(Serialize)]
pub(crate) struct Update {
    pub(crate) rebuilt: bool,
    pub(crate) documents: usize,
    pub(crate) chunks: usize,
    pub(crate) added: usize,
    pub(crate) modified: usize,
    pub(crate) removed: usize,
    pub(crate) milliseconds: u64,
    /// The number of documents whose meaning was encoded, and how long that took.
    pub(crate) encoded: usize,
    pub(crate) encoding_milliseconds: u64,
    pub(crate) index: Index,
}

/// How many oversized chunks an update lists.
const NAMED_CHUNKS: usize = 10;

impl Update {
    pub(crate) fn new(updated: UpdateReport, took: Duration) -> Self {
        let mut freshness = updated.freshness;
        let large = updated.oversized.iter().take(NAMED_CHUNKS);
        freshness.warnings.extend(large.map(|chunk| format!("{} {}", chunk.id, chunk.message)));
        let more = updated.oversized.len().saturating_sub(NAMED_CHUNKS);
        if more > 0 {
            let message = "chunks are larger than `max_chunk_size`; `ra check` lists them";
            freshness.warnings.push(format!("{more} more {message}"));
        }
        Update {
            rebuilt: updated.rebuilt,
            documents: updated.documents,
            chunks: updated.chunks,
            added: freshness.added,
            modified: freshness.modified,
            removed: freshness.removed,
            milliseconds: milliseconds(took),
            encoded: 0,
            encoding_milliseconds: 0,
            index: Index::new(freshness),
        }
    }

    /// Adds the documents that were encoded after the update.
    pub(crate) fn with_encoded(self, encoded: usize, took: Duration) -> Self {
        Self { encoded, encoding_milliseconds: milliseconds(took), ..self }
    }
}

fn milliseconds(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}
