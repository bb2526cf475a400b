//! The answer of `ra update`.

use std::io;
use std::time::Duration;

use ra_core::kb::UpdateReport;
use schemars::JsonSchema;
use serde::Serialize;

use super::Index;
use crate::output::{Page, Present, count, grouped};

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

impl Present for Update {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        let done = if self.rebuilt {
            "rebuilt".to_owned()
        } else {
            format!("updated ({} added, {} changed, {} removed)", self.added, self.modified, self.removed)
        };
        let size = format!("{}, {}", count(self.documents, "document"), count(self.chunks, "chunk"));
        page.line(format!("index {done} in {} ms: {size}", grouped(self.milliseconds as usize)))?;
        if self.encoded > 0 {
            let took = grouped(self.encoding_milliseconds as usize);
            page.line(format!("meaning encoded in {took} ms: {}", count(self.encoded, "document")))?;
        }
        Ok(())
    }
}
