//! Chunks with more characters than `max_chunk_size`.

use crate::document::{Document, DocumentKind};
use crate::id::{ChunkId, DocId};

/// A chunk with more characters than `max_chunk_size`.
#[derive(Clone, Debug)]
pub struct OversizedChunk {
    /// Its id.
    pub id: ChunkId,
    /// Its first line.
    pub line: usize,
    /// A description of the problem.
    pub message: String,
    /// How to fix it.
    pub hint: &'static str,
}

/// Returns the chunks of a document with more than `limit` characters.
pub(super) fn oversized(doc: &DocId, document: &Document, text: &str, limit: usize) -> Vec<OversizedChunk> {
    let mut found = Vec::new();
    for node in &document.outline.nodes {
        let pieces: Vec<&str> = document.outline.body_spans(node.ord).map(|span| span.of(text)).collect();
        // A text never has more characters than bytes, so most nodes need no counting.
        if pieces.iter().map(|piece| piece.len()).sum::<usize>() <= limit {
            continue;
        }
        let chars: usize = pieces.iter().map(|piece| piece.chars().count()).sum();
        if chars > limit {
            found.push(OversizedChunk {
                id: doc.chunk(node.slug.as_deref()),
                line: node.lines.0 as usize,
                message: format!("has {chars} characters; `max_chunk_size` is {limit}"),
                hint: match document.kind {
                    DocumentKind::Plain => "split the file, or make it markdown with headings",
                    kind if kind.is_converted() => "a search shows its best part; nothing has to be done",
                    _ => "split the section with headings",
                },
            });
        }
    }
    found
}
