//! Byte ranges into text, and the only place that slices strings by them.

pub mod escape;

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A half-open byte range `[start, end)` into the text of one document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the range from `start` to `end`; a reversed pair gives the empty range at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Returns the number of bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// True if the range is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True if `other` is entirely inside this range.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the range relative to a text that begins `by` bytes later.
    pub fn minus(self, by: usize) -> Span {
        Span::new(self.start.saturating_sub(by), self.end.saturating_sub(by))
    }

    /// Returns the range relative to a text that begins `by` bytes earlier.
    pub fn plus(self, by: usize) -> Span {
        Span::new(self.start + by, self.end + by)
    }

    /// Returns the text inside the range. Ends that are outside the text or inside a character move to the previous
    /// character boundary, so a stale span never panics.
    pub fn of(self, text: &str) -> &str {
        let end = text.floor_char_boundary(self.end);
        let start = text.floor_char_boundary(self.start.min(end));
        &text[start..end]
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}

/// Returns the lines of a text, with their line ends.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).chain([text.len()]);
    let mut from = 0;
    ends.map(move |end| &text[std::mem::replace(&mut from, end)..end]).filter(|line| !line.is_empty())
}

/// Returns the first `max_chars` characters of a text, with `…` after them if there are more.
pub fn shortened(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// True if a text has nothing visible. A byte order mark counts as white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}

/// Counts the line ends before the last byte of a text: the distance from its first to its last line.
pub fn breaks_inside(text: &str) -> usize {
    let inside = text.as_bytes().split_last().map_or(&[][..], |(_, inside)| inside);
    memchr::memchr_iter(b'\n', inside).count()
}

/// The line starts of a text. Lines end with `\n`; the `\r` of a `\r\n` belongs to its line.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    len: usize,
}

impl Lines {
    /// Finds the line starts of `text`.
    pub fn new(text: &str) -> Self {
        let breaks = || memchr::memchr_iter(b'\n', text.as_bytes());
        // Counting first is cheaper than growing the vector repeatedly.
        let mut starts = Vec::with_capacity(breaks().count() + 1);
        starts.push(0);
        starts.extend(breaks().map(|at| at + 1).filter(|&at| at < text.len()));
        Self { starts, len: text.len() }
    }

    /// Returns the number of lines; an empty text has one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the 1-based line that contains the byte at `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).max(1)
    }

    /// Returns the bytes of the 1-based line `line`, including its line end.
    pub fn span_of(&self, line: usize) -> Span {
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.len);
        Span::new(start, self.starts.get(line).copied().unwrap_or(self.len))
    }

    /// Returns the first and last 1-based line that `span` touches; an empty span touches the line it is on.
    pub fn range_of(&self, span: Span) -> (usize, usize) {
        let first = self.line_of(span.start);
        (first, self.line_of(span.end.saturating_sub(1).max(span.start)).max(first))
    }
}

/// Returns the text in NFC, with composed letters as keyboards write them.
pub fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// Returns up to two of the `known` words that are most similar to `word`, for "did you mean" hints.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = word.to_lowercase();
    let length = word.chars().count();
    let allowed = (length / 3).clamp(1, 3);
    let mut close: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| (strsim::osa_distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    close.sort();
    close.truncate(2);
    close.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Returns the question whether one of the `known` words was meant, if one is similar to `word`.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).first().map(|near| format!("did you mean `{near}`?"))
}

/// Returns a hint for an unknown word: the known word that was probably meant, or else all of them after `intro`, as in
/// "the trees are a, b".
pub fn hint_among(word: &str, known: &[&str], intro: &str) -> String {
    did_you_mean(word, known.iter().copied()).unwrap_or_else(|| format!("{intro} {}", known.join(", ")))
}

/// Replaces every run of white space with one space and trims both ends.
pub fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_keep_their_ends() {
        for text in ["", "\n", "a", "a\n", "a\r\n\nb", "\n\n", "ä\n☃"] {
            assert_eq!(
                Lines::new(text).range_of(Span::new(0, text.len())),
                (1, 1 + breaks_inside(text)),
                "{text:?}"
            );
            assert_eq!(
                lines(text).collect::<Vec<_>>(),
                text.split_inclusive('\n').collect::<Vec<_>>(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn lines_are_counted_like_an_editor_does() {
        for (text, count) in [("", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)] {
            assert_eq!(Lines::new(text).count(), count, "{text:?}");
        }
    }

    #[test]
    fn nearest_offers_what_a_typo_meant() {
        assert_eq!(nearest("fuzy", ["limit", "fuzzy", "fuzzy_distance"]), ["fuzzy"]);
        assert!(nearest("zebra", ["limit", "fuzzy"]).is_empty());
        assert_eq!(hint_among("fuzy", &["limit", "fuzzy"], "the keys are"), "did you mean `fuzzy`?");
        assert_eq!(hint_among("zebra", &["limit", "fuzzy"], "the keys are"), "the keys are limit, fuzzy");
    }

    proptest! {
        #[test]
        fn lines_tile_the_text(text in "[a\u{e9}\r\n]{0,40}") {
            let lines = Lines::new(&text);
            let joined: String = (1..=lines.count()).map(|line| lines.span_of(line).of(&text)).collect();
            prop_assert_eq!(&joined, &text);
            for offset in 0..text.len() {
                let span = lines.span_of(lines.line_of(offset));
                prop_assert!(span.start <= offset && offset < span.end);
            }
        }

        #[test]
        fn any_span_slices_without_panic(text in "\\PC{0,20}", start in 0usize..60, end in 0usize..60) {
            let _ = Span::new(start, end).of(&text);
        }
    }
}
