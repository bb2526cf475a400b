//! Names of blocks, as Obsidian writes them: `[[Note#^id]]` means the block that ends with ` ^id`.

use super::document_name::{line_suffix, wiki_target};
use crate::document::{Block, BlockKind, DocumentKind, blocks, front_matter_end};
use crate::text::{Lines, Span};

/// Splits a name into that of a document and the id of a block; `None` if it names no block.
pub(super) fn block_name(name: &str) -> Option<(String, &str)> {
    let (page, id) = wiki_target(name).unwrap_or(name.trim()).rsplit_once("#^")?;
    let page = page.split_once('#').map_or(page, |(page, _)| page);
    (is_id(id) && line_suffix(page).is_none()).then(|| (page.trim().to_owned(), id))
}

/// Returns the ids of all blocks of a text.
pub(super) fn block_ids(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(id_of_line)
}

/// Returns the first and the last line, counted from 1, of the block with an id.
pub(super) fn find_block(text: &str, kind: DocumentKind, id: &str) -> Option<(usize, usize)> {
    let has_id = |line: &str| id_of_line(line).is_some_and(|found| found.eq_ignore_ascii_case(id));
    let line = text.lines().position(has_id)? + 1;
    let lines = Lines::new(text);
    let at = lines.span_of(line).start;
    let all = blocks(text, if kind.is_markdown() { front_matter_end(text) } else { 0 }, kind);
    let nr = all.iter().position(|block| block.span.start <= at && at < block.span.end)?;
    // An id on a line of its own belongs to the block above it, such as a table.
    let is_alone = |block: &Block| block.span.of(text).trim().starts_with('^');
    let block = if is_alone(&all[nr]) { all.get(nr.checked_sub(1)?)? } else { &all[nr] };
    let (first, _) = lines.range_of(block.span);
    let last = lines
        .range_of(Span::new(block.span.start, block.span.start + block.span.of(text).trim_end().len()))
        .1;
    Some(match block.kind {
        BlockKind::ListItem => (item_start(text, &lines, first, line), line),
        _ => (first, last),
    })
}

/// Returns the line where the item of a nested list that a line belongs to begins.
fn item_start(text: &str, lines: &Lines, first: usize, line: usize) -> usize {
    let is_item = |nr: &usize| {
        let content = lines.span_of(*nr).of(text).trim_start();
        let number = content.trim_start_matches(|c: char| c.is_ascii_digit());
        content.starts_with(['-', '*', '+']) || number.len() < content.len() && number.starts_with(['.', ')'])
    };
    (first..=line).rev().find(is_item).unwrap_or(first)
}

/// Returns the id at the end of a line.
fn id_of_line(line: &str) -> Option<&str> {
    let (before, id) = line.trim_end().rsplit_once('^')?;
    ((before.is_empty() || before.ends_with([' ', '\t'])) && is_id(id)).then_some(id)
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_blocks_are_split() {
        for (name, expected) in [
            ("[[Note#^a1]]", Some(("Note", "a1"))),
            ("![[Note#Heading#^a-1|shown]]", Some(("Note", "a-1"))),
            ("docs:note.md#^x", Some(("docs:note.md", "x"))),
            ("[[Note#Heading]]", None),
            ("[[Note]]", None),
            ("x^2", None),
            ("[[Note#^]]", None),
        ] {
            let expected = expected.map(|(page, id)| (page.to_owned(), id));
            assert_eq!(block_name(name), expected, "{name}");
        }
    }

    #[test]
    fn a_block_is_found_by_its_id() {
        let text = "---\ntitle: T\n---\n# A\n\nOne.\nTwo. ^para\n\n- a\n  more ^item\n  - b ^inner\n\n| a |\n| - |\n| b |\n\n^table\n\n\
                    > q ^quote\n\nx^2 is no id\n";
        for (id, lines) in [
            ("para", Some((6, 7))),
            ("PARA", Some((6, 7))),
            ("item", Some((9, 10))),
            ("inner", Some((11, 11))),
            ("table", Some((13, 15))),
            ("quote", Some((19, 19))),
            ("2", None),
            ("none", None),
        ] {
            assert_eq!(find_block(text, DocumentKind::Markdown, id), lines, "{id}");
        }
        assert_eq!(block_ids(text).collect::<Vec<_>>(), ["para", "item", "inner", "table", "quote"]);
    }
}
