//! Splits a text into blocks: paragraphs, list items, code blocks, tables, quotes and HTML blocks. These are the
//! smallest parts that are shown by themselves.

use super::DocumentKind;
use super::formats::Format;
use super::structure::BlockKind;
use crate::text::{Span, lines};
use crate::tokens;

/// A part of a text that is shown as a whole. It begins with a line that isn't blank, and includes the blank lines
/// after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its bytes in the text.
    pub span: Span,
    /// Its kind.
    pub kind: BlockKind,
}

/// The maximum size of a piece of a block.
const MAX_PIECE_BYTES: usize = 300;

/// A longer header isn't repeated above a part of its block.
const MAX_HEADER_TOKENS: usize = 150;

/// Returns the blocks of a text from the byte `from` on, in order. They cover all of that text.
pub fn blocks(text: &str, from: usize, kind: DocumentKind) -> Vec<Block> {
    let mut starts = (Format::of(kind).block_starts)(text, from);
    if let Some(first) = starts.first_mut() {
        first.0 = from;
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
    let block = |(&(start, kind), end)| Block { span: Span::new(start, end), kind };
    let mut blocks: Vec<Block> = starts.iter().zip(ends).map(block).collect();
    if blocks.is_empty() && from < text.len() {
        blocks.push(Block { span: Span::new(from, text.len()), kind: BlockKind::Paragraph });
    }
    blocks
}

impl Block {
    /// Splits a block that is too large into rows, lines or sentences. Together they cover the whole block. A very
    /// long line or sentence is split between words.
    pub fn pieces(&self, text: &str) -> Vec<Span> {
        let inside = self.span.of(text);
        let blank = leading_blank_lines(inside);
        let shown = &inside[blank..];
        let ends: Vec<usize> = match self.kind {
            BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Quote => sentence_ends(shown),
            BlockKind::Code => code_ends(shown),
            BlockKind::Html => html_row_ends(shown),
            _ => line_ends(shown),
        };
        let mut pieces: Vec<Span> = Vec::new();
        let mut start = 0;
        for end in ends.into_iter().map(|end| blank + end) {
            // Blank lines belong to the piece before them.
            if inside[start..end].trim().is_empty()
                && let Some(last) = pieces.last_mut()
            {
                last.end = self.span.start + end;
            } else {
                let divided = divide(&inside[start..end]);
                pieces.extend(divided.into_iter().map(|span| span.plus(self.span.start + start)));
            }
            start = end;
        }
        pieces
    }

    /// Returns the text to show above a piece of a split block: the header of a table with the line below it, or the
    /// first sentence of a list item, which says what the item is about. A long header isn't shown.
    pub fn header(&self, text: &str) -> Option<Span> {
        let is_short = |header: &Span| tokens::count_to(header.of(text), MAX_HEADER_TOKENS).is_some();
        self.whole_header(text).filter(is_short)
    }

    /// Returns where the first row of a table starts, or the block if it isn't a table.
    pub fn body_start(&self, text: &str) -> usize {
        let header = self.whole_header(text).filter(|_| self.kind == BlockKind::Table);
        header.map_or(self.span.start, |header| header.end)
    }

    fn whole_header(&self, text: &str) -> Option<Span> {
        let inside = self.span.of(text);
        let blank = leading_blank_lines(inside);
        let end = match self.kind {
            BlockKind::Table => line_ends(&inside[blank..]).into_iter().nth(1)?,
            BlockKind::ListItem => sentence_ends(&inside[blank..]).into_iter().next()?,
            _ => return None,
        };
        Some(Span::new(blank, blank + end).plus(self.span.start))
    }
}

/// Returns the size of the blank lines at the start, which the first block of a text has.
fn leading_blank_lines(text: &str) -> usize {
    lines(text).take_while(|line| line.trim().is_empty()).map(str::len).sum()
}

fn line_ends(text: &str) -> Vec<usize> {
    let mut ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).collect();
    if ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
    ends
}

/// Returns where the rows of HTML tables end, or all lines if it has none.
fn html_row_ends(text: &str) -> Vec<usize> {
    let mut rows = Vec::new();
    let mut end = 0;
    for line in lines(text) {
        end += line.len();
        rows.extend(line.trim_end().ends_with("</tr>").then_some(end));
    }
    if rows.last() != Some(&text.len()) {
        rows.push(text.len());
    }
    if rows.len() > 2 { rows } else { line_ends(text) }
}

/// Returns where the lines of code end. A fence stays with the line next to it.
fn code_ends(text: &str) -> Vec<usize> {
    let mut ends = line_ends(text);
    let is_fence = |line: &str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    if ends.len() > 1 && is_fence(&text[..ends[0]]) {
        ends.remove(0);
    }
    let last = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
    if is_fence(&text[last..]) {
        ends.retain(|end| *end != last);
    }
    ends
}

/// Characters between the end of a sentence and the white space after it.
const CLOSING: [char; 9] = ['*', '_', '"', '\'', '`', ')', ']', '”', '’'];

/// Returns where the sentences of a text end, including the white space after them. A sentence also begins at a line
/// that begins a list item, and after a blank line.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = at + c.len_utf8();
        let rest = &text[after..];
        let is_end = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                let closed = rest.trim_start_matches(CLOSING);
                let next = closed.trim_start().chars().next();
                closed.starts_with(char::is_whitespace) && next.is_none_or(|next| !next.is_lowercase())
            }
            '\n' => begins_item(rest) || rest.trim_start_matches([' ', '\t', '>']).starts_with('\n'),
            _ => false,
        };
        if !is_end {
            continue;
        }
        // The white space after a sentence belongs to it, but the indentation of the next line doesn't.
        let after_marks = rest.trim_start_matches(CLOSING);
        let after_blanks = after_marks.trim_start_matches([' ', '\t', '\r']);
        let mut end = if c == '\n' { after } else { text.len() - after_blanks.len() };
        if text[end..].starts_with('\n') {
            end += 1;
        }
        ends.push(end);
        while chars.peek().is_some_and(|(next, _)| *next < end) {
            chars.next();
        }
    }
    if ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
    ends
}

fn begins_item(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match line.len() - after.len() {
        0 => line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ "),
        1..10 => after.starts_with(". ") || after.starts_with(") "),
        _ => false,
    }
}

/// Splits a piece of a block between words while it is too long.
fn divide(text: &str) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = 0;
    while text.len() - start > MAX_PIECE_BYTES {
        let limit = text.floor_char_boundary(start + MAX_PIECE_BYTES);
        let inside = &text[start..limit];
        let end = match inside.rfind('\n').or_else(|| inside.rfind(char::is_whitespace)) {
            Some(blank) if blank > 0 => text.ceil_char_boundary(start + blank + 1),
            _ => limit,
        };
        parts.push(Span::new(start, end));
        start = end;
    }
    parts.push(Span::new(start, text.len()));
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str, kind: DocumentKind) -> Vec<(BlockKind, String)> {
        let from = if kind == DocumentKind::Markdown { super::super::front_matter_end(text) } else { 0 };
        blocks(text, from, kind).iter().map(|block| (block.kind, block.span.of(text).to_owned())).collect()
    }

    #[test]
    fn every_kind_of_block_is_found() {
        use BlockKind::*;
        for (text, expected) in [
            ("One\ntwo.\n\nThree.\n", &[(Paragraph, "One\ntwo.\n\n"), (Paragraph, "Three.\n")][..]),
            (
                "Before:\n- a\n  - b\n\n  c\n- d\n\nAfter\n",
                &[
                    (Paragraph, "Before:\n"),
                    (ListItem, "- a\n  - b\n\n  c\n"),
                    (ListItem, "- d\n\n"),
                    (Paragraph, "After\n"),
                ],
            ),
            ("1. a\n2. b\n", &[(ListItem, "1. a\n"), (ListItem, "2. b\n")]),
            ("```rs\n\nlet a;\n```\nx\n", &[(Code, "```rs\n\nlet a;\n```\n"), (Paragraph, "x\n")]),
            (
                "a\n\n    code\n\n    more\n\nb",
                &[(Paragraph, "a\n\n"), (Code, "    code\n\n    more\n\n"), (Paragraph, "b")],
            ),
            ("|a|b|\n|-|-|\n|1|2|\n", &[(Table, "|a|b|\n|-|-|\n|1|2|\n")]),
            ("> [!NOTE]\n> x\n>\n> y\n\nz\n", &[(Quote, "> [!NOTE]\n> x\n>\n> y\n\n"), (Paragraph, "z\n")]),
            ("<table>\n<tr>\n</table>\n\nz\n", &[(Html, "<table>\n<tr>\n</table>\n\n"), (Paragraph, "z\n")]),
            ("---\ntitle: x\n---\n\nText\n", &[(Paragraph, "\nText\n")]),
            (
                "\n\nText\n\n---\n\nMore\n",
                &[(Paragraph, "\n\nText\n\n"), (Paragraph, "---\n\n"), (Paragraph, "More\n")],
            ),
            ("a\n\n[x]: http://x\n\nb\n", &[(Paragraph, "a\n\n[x]: http://x\n\n"), (Paragraph, "b\n")]),
            ("", &[]),
            ("\n \n", &[(Paragraph, "\n \n")]),
        ] {
            let expected: Vec<(BlockKind, String)> =
                expected.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect();
            assert_eq!(shown(text, DocumentKind::Markdown), expected, "{text:?}");
        }
    }

    #[test]
    fn plain_text_has_paragraphs() {
        let text = "# not a heading\n```\n\n- x\n- y\n";
        let expected = [
            (BlockKind::Paragraph, "# not a heading\n```\n\n".to_owned()),
            (BlockKind::Paragraph, "- x\n- y\n".to_owned()),
        ];
        assert_eq!(shown(text, DocumentKind::Plain), expected);
    }

    #[test]
    fn a_block_is_cut_where_a_reader_would_cut_it() {
        for (text, pieces) in [
            (
                "One is one. Two, e.g. three,\nis two! \"Is it?\" Yes.\n",
                &["One is one. ", "Two, e.g. three,\nis two! ", "\"Is it?\" ", "Yes.\n"][..],
            ),
            ("版本一。版本二？\n", &["版本一。", "版本二？\n"]),
            ("- a b\n  - c\n  - d. E\n\n  f\n", &["- a b\n", "  - c\n", "  - d. ", "E\n\n", "  f\n"]),
            ("```\na. B\n\nc\n```\n", &["```\na. B\n\n", "c\n```\n"]),
            ("|a|b|\n|-|-|\n|1. X|2|\n", &["|a|b|\n", "|-|-|\n", "|1. X|2|\n"]),
        ] {
            let found = blocks(text, 0, DocumentKind::Markdown);
            assert_eq!(found.len(), 1, "{text:?}");
            let shown: Vec<&str> = found[0].pieces(text).iter().map(|piece| piece.of(text)).collect();
            assert_eq!(shown, pieces, "{text:?}");
        }
        let long = "word ".repeat(1000);
        let found = blocks(&long, 0, DocumentKind::Markdown)[0].pieces(&long);
        assert!(
            found.len() > 5 && found.iter().all(|piece| piece.of(&long).starts_with("word")),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn blocks_and_pieces_tile_the_text(
            text in "([a-c.#>|`~*-]{0,6}[ \n]|```\n|- |\\| a \\|\n|\\|-\\|\n|<p>\n|\u{e9}。){0,40}",
            plain: bool,
        ) {
            let kind = if plain { DocumentKind::Plain } else { DocumentKind::Markdown };
            let found = blocks(&text, 0, kind);
            let joined: String = found.iter().map(|block| block.span.of(&text)).collect();
            prop_assert_eq!(&joined, &text);
            for block in &found {
                let pieces = block.pieces(&text);
                let joined: String = pieces.iter().map(|piece| piece.of(&text)).collect();
                prop_assert_eq!(joined, block.span.of(&text));
                let is_first = block.span.start == 0;
                prop_assert!(is_first || !text[block.span.start..].lines().next().unwrap().trim().is_empty());
            }
        }
    }
}
