//! Plain text: paragraphs, and nothing else.

use super::super::structure::BlockKind;
use crate::text::lines;

/// Returns the starts of the lines after blank ones.
pub(super) fn block_starts(text: &str, from: usize) -> Vec<(usize, BlockKind)> {
    let mut starts = Vec::new();
    let (mut at, mut after_blank) = (from, true);
    for line in lines(&text[from..]) {
        let is_blank = line.trim().is_empty();
        if !is_blank && after_blank {
            starts.push((at, BlockKind::Paragraph));
        }
        after_blank = is_blank;
        at += line.len();
    }
    starts
}
