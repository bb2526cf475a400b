//! The numbers of all chunks together: counted once for a commit and then kept beside it.

use serde::{Deserialize, Serialize};

use super::schema::TEXTS;
use super::segment::Segment;

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

impl Stats {
    /// Counts chunks and lengths. Deleted entries do not count, so that an updated index ranks exactly as a
    /// rebuilt one.
    pub(super) fn of(segments: &[Segment]) -> Self {
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
                    lengths += segment.document_length(entry);
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
