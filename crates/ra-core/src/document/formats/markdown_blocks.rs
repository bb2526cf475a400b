//! The blocks of markdown.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::super::structure::BlockKind;
use super::markdown::syntax;
use super::plain;

/// Larger texts are split at blank lines only: the parser needs several times as much memory.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// Returns the start of each block, as the markdown parser finds them.
pub(super) fn block_starts(text: &str, from: usize) -> Vec<(usize, BlockKind)> {
    if text.len() > MAX_PARSED_BYTES {
        return plain::block_starts(text, from);
    }
    let mut starts: Vec<(usize, BlockKind)> = Vec::new();
    // The number of open elements, not counting a list at the top level: its items are blocks.
    let mut depth = 0;
    for (event, range) in Parser::new_ext(&text[from..], syntax()).into_offset_iter() {
        let kind = match &event {
            Event::Start(Tag::List(_)) | Event::End(TagEnd::List(_)) if depth == 0 => None,
            Event::Start(tag) => {
                depth += 1;
                (depth == 1).then(|| kind_of(tag))
            }
            Event::End(_) => {
                depth -= 1;
                None
            }
            Event::Rule => (depth == 0).then_some(BlockKind::Paragraph),
            _ => None,
        };
        let Some(kind) = kind else { continue };
        let start = line_start(text, from + range.start).max(from);
        // At most one block begins on a line.
        if starts.last().is_none_or(|(last, _)| *last < start) {
            starts.push((start, kind));
        }
    }
    starts
}

fn kind_of(tag: &Tag<'_>) -> BlockKind {
    match tag {
        Tag::Heading { .. } => BlockKind::Heading,
        Tag::Item => BlockKind::ListItem,
        Tag::CodeBlock(_) => BlockKind::Code,
        Tag::Table(_) => BlockKind::Table,
        Tag::BlockQuote(_) | Tag::FootnoteDefinition(_) => BlockKind::Quote,
        Tag::HtmlBlock => BlockKind::Html,
        _ => BlockKind::Paragraph,
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}
