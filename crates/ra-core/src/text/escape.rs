//! Makes document text safe to print: it can't hide or reorder the output, and can't imitate a line that `ra` itself
//! writes.
//!
//! Dangerous characters are escaped visibly in Rust syntax (`\u{1b}`), never dropped: the reader sees that they were
//! there.

use std::borrow::Cow;

use super::Span;

/// The prefix of every line that structures an answer containing document text. No line of document text begins with
/// it.
pub const MARK: &str = "─── ";

/// A span of a text and its replacement. An empty span inserts.
pub type Edit = (Span, Cow<'static, str>);

/// Escapes document text of any number of lines: control characters, and lines that look like structure.
pub fn document(text: &str) -> Cow<'_, str> {
    applied(text, &document_edits(text, |_| true))
}

/// Escapes control characters, but keeps all lines.
pub fn characters(text: &str) -> Cow<'_, str> {
    applied(text, &document_edits(text, |_| false))
}

/// Escapes a name, title or heading for use inside a line: line ends and tabs are escaped as well.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| c.is_control() || !c.is_ascii()) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\n' | '\r' | '\t') || is_escaped(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Returns the edits that make a text safe, in order. `is_document` tells, for the first byte of a line, whether it
/// comes from a document: our own lines may look like structure.
pub fn document_edits(text: &str, is_document: impl Fn(usize) -> bool) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    // The start of the line to check when its first `─` is found.
    let mut line = Some(0);
    // In most text, only the first bytes of a few characters matter.
    let next = |at: usize| bytes[at..].iter().position(|byte| MAY_MATTER[usize::from(*byte)]);
    while let Some(skipped) = next(at) {
        at += skipped;
        let Some(c) = text[at..].chars().next() else { break };
        let end = at + c.len_utf8();
        match c {
            '\n' => line = Some(end),
            '\r' if bytes.get(end) == Some(&b'\n') => {}
            '─' => {
                let is_forged = |line: usize| {
                    is_leading(&text[line..at])
                        && looks_like_mark(rest_of_line(&text[at..]))
                        && is_document(line)
                };
                if line.take().is_some_and(is_forged) {
                    edits.push((Span::new(at, at), Cow::Borrowed("\\")));
                }
            }
            c if is_escaped(c) => {
                edits.push((Span::new(at, end), Cow::Owned(c.escape_default().to_string())))
            }
            _ => {}
        }
        at = end;
    }
    edits
}

/// Appends a part of a text, with the edits inside it.
pub fn add<'e>(
    out: &mut String,
    text: &str,
    part: Span,
    edits: &mut std::iter::Peekable<impl Iterator<Item = &'e Edit>>,
) {
    let mut from = part.start;
    while let Some((span, instead)) = edits.next_if(|(span, _)| span.start < part.end) {
        out.push_str(Span::new(from, span.start).of(text));
        out.push_str(instead);
        from = span.end;
    }
    out.push_str(Span::new(from, part.end).of(text));
}

fn applied<'t>(text: &'t str, edits: &[Edit]) -> Cow<'t, str> {
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8 * edits.len());
    add(&mut shown, text, Span::new(0, text.len()), &mut edits.iter().peekable());
    Cow::Owned(shown)
}

/// The first bytes of all characters that [`document_edits`] checks.
const MAY_MATTER: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        // Control characters, and the first bytes of U+0080–00BF, U+0600–063F, U+2000–2FFF and U+C0000–FFFFF.
        table[byte] = byte < 0x20 && byte != 0x09 || matches!(byte, 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xf3);
        byte += 1;
    }
    table
};

/// True for characters that move the cursor, end a line other than with `\n`, reorder their surroundings, or hide
/// invisible text. Joiners and variation selectors are not escaped: scripts and emoji need them.
fn is_escaped(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// True if nothing visible precedes the start of a line.
fn is_leading(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_escaped(c) || is_invisible(c))
}

/// Returns the text up to the end of its first line. A carriage return belongs to that end only before a line feed.
fn rest_of_line(text: &str) -> &str {
    text.split_once('\n').map_or(text, |(line, _)| line.strip_suffix('\r').unwrap_or(line))
}

/// True for characters without width or without ink.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// True if the rest of a line, without its end, begins like [`MARK`]. A rule, which consists of only line characters,
/// doesn't.
fn looks_like_mark(rest: &str) -> bool {
    let mut seen = rest.chars().filter(|c| !is_invisible(*c) || is_escaped(*c));
    let begins = seen.by_ref().take(3).filter(|c| *c == '─').count() == 3;
    begins && seen.any(|c| !matches!(c, '\u{2500}'..='\u{257f}'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_hides_or_reorders_is_shown() {
        for (text, shown) in [
            ("plain é 漢字\ttab\r\n", "plain é 漢字\ttab\r\n"),
            ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("a\rb\u{0}\u{7f}", "a\\rb\\u{0}\\u{7f}"),
            ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
            ("x\u{202e}y\u{2066}\u{200f}\u{61c}z", "x\\u{202e}y\\u{2066}\\u{200f}\\u{61c}z"),
            ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"),
            ("\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"),
            (
                "👩\u{200d}🔬 ❤\u{fe0f} می\u{200c}خواهم “quotes” — …",
                "👩\u{200d}🔬 ❤\u{fe0f} می\u{200c}خواهم “quotes” — …",
            ),
        ] {
            assert_eq!(document(text), shown);
            assert_eq!(characters(text), shown);
            assert_eq!(characters(shown), shown);
        }
        assert_eq!(one_line("a\nb\r\tc\u{1b}é"), "a\\nb\\r\\tc\\u{1b}é");
    }

    #[test]
    fn no_line_of_a_document_looks_like_structure() {
        for (text, shown) in [
            ("─── docs:policy.md (lines 1-9) ───\n", "\\─── docs:policy.md (lines 1-9) ───\n"),
            ("a\n \t\u{200b}\u{feff}─── x", "a\n \t\u{200b}\u{feff}\\─── x"),
            ("\u{1b}─── x", "\\u{1b}\\─── x"),
            ("─\u{200d}── x", "\\─\u{200d}── x"),
            ("───x", "\\───x"),
            ("───── x", "\\───── x"),
            ("─── ", "\\─── "),
            ("─── ───", "\\─── ───"),
            ("─────\n───┬───\r\n", "─────\n───┬───\r\n"),
            ("───\u{b}", "\\───\\u{b}"),
            ("─\u{7}── x", "─\\u{7}── x"),
            ("text ─── x\n── x\n| ─── x", "text ─── x\n── x\n| ─── x"),
        ] {
            assert_eq!(document(text), shown);
            assert_eq!(document(shown), shown);
        }
        assert_eq!(characters("─── x\u{7}"), "─── x\\u{7}");
    }

    proptest! {
        #[test]
        fn no_text_can_begin_a_line_with_the_mark(text in "([─ \\t\\r\\n\\x0b\\x0c\\x1b\\x1c\\x85\u{200b}\u{2028}\u{202e}a-c]|───|─── ){0,60}") {
            let shown = document(&text);
            for line in shown.split(['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{85}', '\u{2028}', '\u{2029}']) {
                prop_assert!(!line.trim_start().starts_with(MARK), "{line:?}");
            }
            prop_assert!(!shown.contains(|c| is_escaped(c) && c != '\r'));
            prop_assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
            prop_assert_eq!(&document(&shown), &shown);
        }
    }
}
