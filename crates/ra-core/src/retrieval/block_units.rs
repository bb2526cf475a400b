//! Blocks that can only be read together: a sentence that ends with a colon and the code that it announces, a tag and
//! the code that it encloses.

use crate::document::{Block, BlockKind};

/// A longer chain of blocks is split. Otherwise a unit could become a whole document.
const MAX_UNIT_BLOCKS: usize = 6;

/// Returns for each block the number of the first block of its unit.
pub(super) fn unit_starts(text: &str, blocks: &[Block]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::with_capacity(blocks.len());
    for (nr, block) in blocks.iter().enumerate() {
        let start = match starts.last() {
            Some(&start) if nr - start < MAX_UNIT_BLOCKS && is_joined(text, &blocks[nr - 1], block) => start,
            _ => nr,
        };
        starts.push(start);
    }
    starts
}

fn is_joined(text: &str, before: &Block, block: &Block) -> bool {
    let is_closing_tag = block.kind == BlockKind::Html && {
        let html = block.span.of(text).trim();
        html.starts_with("</") && has_only_tags(html)
    };
    introduces(text, before) || is_closing_tag
}

/// True if a block announces the next one.
fn introduces(text: &str, block: &Block) -> bool {
    let shown = block.span.of(text).trim();
    match block.kind {
        BlockKind::Heading => true,
        BlockKind::Paragraph => shown.ends_with([':', '：']),
        BlockKind::Html => !shown.starts_with("</") && has_only_tags(shown),
        _ => false,
    }
}

/// True if nothing is left of a piece of HTML without its tags and comments.
fn has_only_tags(html: &str) -> bool {
    let mut rest = html;
    while let Some(tag) = rest.trim_start().strip_prefix('<') {
        let end = if tag.starts_with("!--") { "-->" } else { ">" };
        let Some(at) = tag.find(end) else { return false };
        rest = &tag[at + end.len()..];
    }
    rest.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentKind, blocks};

    #[test]
    fn what_is_announced_stays_with_its_announcement() {
        for (text, expected) in [
            ("One.\n\nTwo.\n", vec![0, 1]),
            ("Run this:\n\n```\nx\n```\n\nThen wait.\n", vec![0, 0, 2]),
            ("It prints:\n\n<!-- generated -->\n\n```\nx\n```\n", vec![0, 0, 0]),
            ("<Listing number=\"1\">\n\n```\nx\n```\n\n</Listing>\n\nSo.\n", vec![0, 0, 0, 3]),
            ("Either:\n\n- one\n- two\n", vec![0, 0, 2]),
            ("<div>text</div>\n\nMore.\n", vec![0, 1]),
            ("a:\n\nb:\n\nc:\n\nd:\n\ne:\n\nf:\n\ng:\n\nh\n", vec![0, 0, 0, 0, 0, 0, 6, 6]),
        ] {
            let found = blocks(text, 0, DocumentKind::Markdown);
            assert_eq!(unit_starts(text, &found), expected, "{text}");
        }
    }
}
