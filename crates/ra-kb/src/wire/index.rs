//! The state of the index behind an answer.

use std::time::Duration;

use ra_core::kb::{Freshness, UpdateReport};
use schemars::JsonSchema;
use serde::Serialize;

use super::time::rfc3339;

/// The state of the index behind the answer.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Index {
    /// The number of the commit that the answer is from.
    pub(crate) generation: u64,
    /// When the disk was compared with the index, in UTC as RFC 3339.
    pub(crate) checked: String,
    /// Why the answer may be older than the disk; absent if it isn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stale: Option<String>,
    /// Warnings, such as about files that could not be read; absent if there are none.
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

/// The result of an update. With `--watch`, one such object for each update.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Update {
    /// Whether the index was rebuilt.
    pub(crate) rebuilt: bool,
    /// The number of documents in the index.
    pub(crate) documents: usize,
    /// The number of chunks in the index.
    pub(crate) chunks: usize,
    /// The number of documents that were indexed for the first time.
    pub(crate) added: usize,
    /// The number of documents that were indexed again.
    pub(crate) modified: usize,
    /// The number of documents that were removed from the index.
    pub(crate) removed: usize,
    /// How long the update took.
    pub(crate) milliseconds: u64,
    /// The number of documents whose meaning was encoded.
    pub(crate) encoded: usize,
    /// How long the encoding took.
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
