//! Marks the matches in a text, and makes short excerpts around them.

use ra_core::text::Span;
use ra_core::text::escape::{self, Edit};

/// Sorts ranges and merges those that overlap or touch.
pub(crate) fn join(mut found: Vec<Span>) -> Vec<Span> {
    found.sort();
    let mut joined: Vec<Span> = Vec::with_capacity(found.len());
    for span in found {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

/// A word up to this length is dropped rather than cut at the edge of an excerpt.
const WORD: usize = 40;

/// Shown where the text continues.
pub(super) const MORE: &str = "...";

/// Text in which all white space is collapsed into single spaces, and trimmed at both ends.
struct OneLine {
    text: String,
    /// True if the text added last ended with white space.
    gap: bool,
}

impl OneLine {
    /// Adds text. Returns the position of its first character that is not white space.
    fn add(&mut self, mut part: &str) -> Option<usize> {
        let mut start = None;
        while !part.is_empty() {
            let (word, rest) = part.split_at(part.find(char::is_whitespace).unwrap_or(part.len()));
            if !word.is_empty() {
                if std::mem::take(&mut self.gap) && !self.text.is_empty() && self.text != MORE {
                    self.text.push(' ');
                }
                start = start.or(Some(self.text.len()));
                self.text.push_str(word);
            }
            self.gap |= !rest.is_empty();
            part = rest.trim_start();
        }
        start
    }
}

/// A short excerpt on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// The excerpt, with `...` where the text continues.
    pub(crate) text: String,
    /// The matches in the excerpt.
    pub(crate) matches: Vec<Span>,
}

impl Snippet {
    /// Returns the part of a text, of about `bytes` bytes, that has the most matches.
    pub(crate) fn of(text: &str, ranges: &[Span], bytes: usize) -> Self {
        let window = window(text, ranges, bytes);
        let mut line = OneLine { text: String::with_capacity(window.len() + 2 * MORE.len()), gap: false };
        if !text[..window.start].trim().is_empty() {
            line.text.push_str(MORE);
        }
        let mut matches = Vec::new();
        let mut from = window.start;
        for range in ranges.iter().filter(|range| window.contains(**range)) {
            line.add(&text[from..range.start]);
            let start = line.add(range.of(text));
            matches.extend(start.map(|start| Span::new(start, line.text.len())));
            from = range.end;
        }
        line.add(&text[from..window.end]);
        if !text[window.end..].trim().is_empty() {
            line.text.push_str(MORE);
        }
        Snippet { text: line.text, matches }
    }

    /// Returns the excerpt with marks around the matches.
    pub(crate) fn marked(&self, marks: (&str, &str)) -> String {
        marked(&self.text, &self.matches, &[], marks)
    }
}

/// Returns the text with marks around the ranges and with edits applied. The positions of both refer to the
/// original text.
pub(crate) fn marked(text: &str, ranges: &[Span], edits: &[Edit], (open, close): (&str, &str)) -> String {
    let mut out = String::with_capacity(text.len() + ranges.len() * (open.len() + close.len()));
    let mut edits = edits.iter().peekable();
    let mut from = 0;
    for range in ranges {
        escape::add(&mut out, text, Span::new(from, range.start), &mut edits);
        out.push_str(open);
        escape::add(&mut out, text, *range, &mut edits);
        out.push_str(close);
        from = range.end;
    }
    escape::add(&mut out, text, Span::new(from, text.len()), &mut edits);
    out
}

/// Returns the window of `size` bytes with the most matches, the first of equals. It begins and ends between
/// words.
pub(super) fn window(text: &str, ranges: &[Span], size: usize) -> Span {
    let (mut from, mut to, mut most, mut after) = (0, 0, 0, 0);
    for (first, range) in ranges.iter().enumerate() {
        let limit = range.start + size;
        after = after.max(first);
        while ranges.get(after).is_some_and(|range| range.end <= limit) {
            after += 1;
        }
        let fit = after - first;
        if first == 0 || fit > most {
            (from, to, most) = (range.start, ranges[after.max(first + 1) - 1].end, fit);
        }
    }
    let spare = size.saturating_sub(to - from) / 2;
    let start = text.floor_char_boundary(from.saturating_sub(spare));
    let end = text.ceil_char_boundary((to + spare + (spare - (from - start).min(spare))).min(text.len()));
    // Drop a word that the window would cut, unless it is so long that little else would be left.
    let start = match text[start..from].find(char::is_whitespace) {
        Some(blank) if start > 0 && blank <= WORD => start + blank,
        _ => start,
    };
    let end = match text[to..end].rfind(char::is_whitespace) {
        Some(blank) if end < text.len() && end - to - blank <= WORD => to + blank,
        _ => end,
    };
    Span::new(start, end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str, word: &str) -> Vec<Span> {
        join(text.match_indices(word).map(|(at, _)| Span::new(at, at + word.len())).collect())
    }

    #[test]
    fn a_snippet_shows_the_matches_on_one_line() {
        let text = format!("{}\nthe needle\nin {}", "hay ".repeat(100), "straw ".repeat(100));
        let found = found(&text, "needle");
        let shown = Snippet::of(&text, &found, 150).marked(("<b>", "</b>"));
        assert!(shown.contains("the <b>needle</b> in"), "{shown}");
        assert!(shown.starts_with("...") && shown.ends_with("...") && !shown.contains('\n'), "{shown}");
        assert!(shown.chars().count() < 170, "{shown}");
    }

    proptest! {
        #[test]
        fn any_text_can_be_cut_and_marked(text in "\\PC{0,300}", word in "[a-c]") {
            let found = found(&text, &word);
            let plain = marked(&text, &found, &[], ("", ""));
            prop_assert_eq!(&plain, &text);
            let shown = Snippet::of(&text, &found, 150);
            for span in &shown.matches {
                prop_assert!(!span.of(&shown.text).trim().is_empty());
            }
            let inside = shown.text.trim_start_matches("...").trim_end_matches("...");
            let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert!(flat(&text).contains(&flat(inside)) || text.contains("..."));
        }
    }
}
