//! Wraps text for a terminal: breaks it between words, measures it in columns, and keeps styles across breaks.

use anstyle::Style;
use ra_core::text::Span;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Text without escape sequences, and the ranges that have a style, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StyledText {
    pub(crate) text: String,
    pub(crate) styles: Vec<(Span, Style)>,
}

/// Marks for [`StyledText::from_marked`]. Sanitized text doesn't contain these characters.
pub(crate) const MARKS: (&str, &str) = ("\u{1}", "\u{2}");

impl StyledText {
    /// Parses text in which [`MARKS`] surround the styled parts.
    pub(crate) fn from_marked(marked: &str, style: Style) -> Self {
        let mut styled = Self::default();
        let mut rest = marked;
        while let Some((before, after)) = rest.split_once(MARKS.0) {
            let (inside, after) = after.split_once(MARKS.1).unwrap_or((after, ""));
            styled.push(before, Style::new());
            styled.push(inside, style);
            rest = after;
        }
        styled.push(rest, Style::new());
        styled
    }

    /// Appends text.
    pub(crate) fn push(&mut self, text: &str, style: Style) {
        let start = self.text.len();
        self.text.push_str(text);
        if style != Style::new() && !text.is_empty() {
            self.styles.push((Span::new(start, self.text.len()), style));
        }
    }

    /// Returns a part of the text with its styles as escape sequences.
    pub(crate) fn paint(&self, part: Span) -> String {
        let mut painted = String::with_capacity(part.len());
        let mut from = part.start;
        for (span, style) in &self.styles {
            let span = Span::new(span.start.max(from), span.end.min(part.end));
            if span.start < span.end {
                painted.push_str(&self.text[from..span.start]);
                painted.push_str(&format!("{style}{}{style:#}", span.of(&self.text)));
                from = span.end;
            }
        }
        painted + &self.text[from..part.end]
    }

    /// Wraps the text at `columns` columns, with its styles as escape sequences.
    pub(crate) fn wrapped(&self, columns: usize) -> Vec<String> {
        wrap(&self.text, columns).into_iter().map(|line| self.paint(line)).collect()
    }
}

/// Wraps a text between words at `columns` columns. White space at a break is dropped. Only a word that is
/// longer than a line is broken itself.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<Span> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        wrap_line(text, Span::new(start, start + line.len()), columns.max(1), &mut lines);
        start += line.len() + 1;
    }
    lines
}

/// Wraps one line of a text.
pub(crate) fn wrap_line(text: &str, line: Span, columns: usize, lines: &mut Vec<Span>) {
    let mut start = line.start;
    // The end of the last word that fits.
    let mut end = None;
    for word in words(text, line) {
        if width(&text[start..word.end]) > columns {
            if let Some(end) = end {
                lines.push(Span::new(start, end));
                start = word.start;
            }
            while width(&text[start..word.end]) > columns {
                let end = hard_break(text, Span::new(start, word.end), columns);
                lines.push(Span::new(start, end));
                start = end;
            }
        }
        end = Some(word.end);
    }
    lines.push(Span::new(start, end.unwrap_or(start)));
}

/// Splits a line into unbreakable parts: runs without white space, and single characters of scripts that don't
/// separate words. White space before the first word belongs to it, so indented text stays indented.
fn words(text: &str, line: Span) -> Vec<Span> {
    let mut words: Vec<Span> = Vec::new();
    let mut open: Option<usize> = None;
    let mut before = None;
    for (at, c) in line.of(text).char_indices().map(|(at, c)| (line.start + at, c)) {
        if c.is_whitespace() {
            words.extend(open.take().map(|start| Span::new(start, at)));
        } else if let Some(start) = open {
            let may_break = before.is_some_and(|before| is_ideograph(before) || is_ideograph(c));
            if may_break && !CLOSING.contains(c) && !before.is_some_and(|before| OPENING.contains(before)) {
                words.push(Span::new(start, at));
                open = Some(at);
            }
        } else {
            open = Some(if words.is_empty() { line.start } else { at });
        }
        before = Some(c);
    }
    words.extend(open.map(|start| Span::new(start, line.end)));
    words
}

/// Punctuation that must not begin a line, and punctuation that must not end one.
const CLOSING: &str = "、。，．・：；？！）」』】〉》〕ー…";
const OPENING: &str = "（「『【〈《〔";

/// True for characters between which a line may be broken without a space.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns the end of the longest prefix of a word that fits, which has at least one character.
fn hard_break(text: &str, word: Span, columns: usize) -> usize {
    let mut end = word.start;
    for c in word.of(text).chars() {
        let next = end + c.len_utf8();
        if end > word.start && width(&text[word.start..next]) > columns {
            break;
        }
        end = next;
    }
    end
}

/// The distance between tab stops.
const TAB: usize = 8;

/// Returns the number of columns that a text takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() && !text.contains(|c: char| c.is_control()) {
        return text.len();
    }
    let mut columns = 0;
    for (nr, part) in text.split('\t').enumerate() {
        if nr > 0 {
            columns += TAB - columns % TAB;
        }
        let visible: usize = part.chars().filter(|c| c.width().is_none()).count();
        // unicode-width counts a control character as one column, but it takes none.
        columns += part.width() - visible.min(part.width());
    }
    columns
}

/// Returns the number of rows that a text takes on a terminal, ignoring its escape sequences.
pub(crate) fn rows(text: &str, columns: usize) -> usize {
    let plain = anstream::adapter::strip_str(text).to_string();
    plain.lines().map(|line| width(line).div_ceil(columns.max(1)).max(1)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::output::MATCH;

    fn lines(text: &str, columns: usize) -> Vec<&str> {
        wrap(text, columns).into_iter().map(|line| line.of(text)).collect()
    }

    #[test]
    fn lines_are_broken_between_words() {
        for (text, columns, expected) in [
            ("", 10, &[""][..]),
            ("one two three", 7, &["one two", "three"]),
            ("one two three", 8, &["one two", "three"]),
            ("one  two", 3, &["one", "two"]),
            ("  indented text", 10, &["  indented", "text"]),
            ("a\n\nb", 10, &["a", "", "b"]),
            ("abcdefghij kl", 4, &["abcd", "efgh", "ij", "kl"]),
            ("to abcdefghij kl", 4, &["to", "abcd", "efgh", "ij", "kl"]),
            ("abcdefghij kl", 5, &["abcde", "fghij", "kl"]),
            ("日本語のテキスト、です", 8, &["日本語の", "テキス", "ト、です"]),
            ("see 日本語", 6, &["see 日", "本語"]),
            ("grün é́ ok", 6, &["grün é́", "ok"]),
        ] {
            assert_eq!(lines(text, columns), expected, "{text} {columns}");
        }
    }

    #[test]
    fn styles_go_on_after_a_break() {
        let text = StyledText::from_marked("a \u{1}styled part\u{2} and \u{1}b\u{2}", MATCH);
        let m = MATCH;
        assert_eq!(
            text.wrapped(8),
            [format!("a {m}styled{m:#}"), format!("{m}part{m:#} and"), format!("{m}b{m:#}")]
        );
    }

    #[test]
    fn rows_are_counted_as_a_terminal_shows_them() {
        for (text, expected) in [
            ("", 0),
            ("one\n", 1),
            ("one\n\nthree\n", 3),
            ("0123456789\n", 1),
            ("0123456789a\n", 2),
            ("\u{1b}[1m0123456789\u{1b}[0m\n", 1),
            ("\u{1b}]8;;file:///a/long/path\u{1b}\\x\u{1b}]8;;\u{1b}\\\n", 1),
            ("日本語日本語\n", 2),
            ("\ta\n", 1),
            ("\tabc\n", 2),
        ] {
            assert_eq!(rows(text, 10), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_line_is_too_long(text in "[a-zé漢。 \t\n]{0,80}", columns in 2usize..20) {
            let lines = lines(&text, columns);
            for line in &lines {
                prop_assert!(width(line) <= columns || line.chars().count() == 1 || line.contains('\t'), "{line:?}");
            }
            let ink = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(ink(&lines.concat()), ink(&text));
        }
    }
}
