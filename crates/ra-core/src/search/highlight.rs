//! Where the matches stand in a text, and a short excerpt around them.

use std::collections::BTreeSet;

use crate::index::Analyzer;
use crate::text::Span;

/// The places of the matching tokens: sorted, apart from each other, and joined where they touch.
pub fn ranges(analyzer: &mut Analyzer, tokens: &BTreeSet<String>, text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    if tokens.is_empty() {
        return found;
    }
    let mut stream = analyzer.stream(text);
    while let Some(token) = stream.advance() {
        if tokens.contains(token.text) {
            found.push(Span::new(token.start, token.end));
        }
    }
    join(found)
}

/// Ranges in order, those that overlap or touch made one.
pub fn join(mut found: Vec<Span>) -> Vec<Span> {
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

/// How long a snippet is, in characters.
const SNIPPET: usize = 150;

/// A part of the text of about 150 characters around as many matches as fit, on one line, with the matches
/// between the marks.
pub fn snippet(text: &str, ranges: &[Span], marks: (&str, &str)) -> String {
    let window = window(text, ranges);
    let inside: Vec<Span> = ranges
        .iter()
        .filter(|range| window.contains(**range))
        .map(|range| range.minus(window.start))
        .collect();
    let excerpt = marked(window.of(text), &inside, marks);
    let line = excerpt.split_whitespace().collect::<Vec<_>>().join(" ");
    let before = if text[..window.start].trim().is_empty() { "" } else { "..." };
    let after = if text[window.end..].trim().is_empty() { "" } else { "..." };
    format!("{before}{line}{after}")
}

/// The text with marks around the ranges.
pub fn marked(text: &str, ranges: &[Span], (open, close): (&str, &str)) -> String {
    let mut out = String::with_capacity(text.len() + ranges.len() * (open.len() + close.len()));
    let mut from = 0;
    for range in ranges {
        out.push_str(Span::new(from, range.start).of(text));
        out.push_str(open);
        out.push_str(range.of(text));
        out.push_str(close);
        from = range.end;
    }
    out.push_str(Span::new(from, text.len()).of(text));
    out
}

/// The window with the most matches; the first of equals. It begins and ends between words.
fn window(text: &str, ranges: &[Span]) -> Span {
    let fits = |first: usize| {
        let limit = ranges[first].start + SNIPPET;
        ranges[first..].iter().take_while(|range| range.end <= limit).count()
    };
    let best = (0..ranges.len()).max_by_key(|&first| (fits(first), std::cmp::Reverse(first)));
    let (from, to) = match best {
        None => (0, 0),
        Some(first) => (ranges[first].start, ranges[first + fits(first).max(1) - 1].end),
    };
    let spare = SNIPPET.saturating_sub(to - from) / 2;
    let start = text.floor_char_boundary(from.saturating_sub(spare));
    let end = text.ceil_char_boundary((to + spare + (spare - (from - start).min(spare))).min(text.len()));
    // A word that the window would cut stays out, unless that would lose everything.
    let start = match text[start..from].find(char::is_whitespace) {
        Some(blank) if start > 0 => start + blank,
        _ => start,
    };
    let end = match text[to..end].rfind(char::is_whitespace) {
        Some(blank) if end < text.len() => to + blank,
        _ => end,
    };
    Span::new(start, end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(words: &[&str]) -> BTreeSet<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn matches_are_found_through_stems_and_compounds() {
        let mut analyzer = Analyzer::new("english");
        for (text, words, expected) in [
            ("Handling errors", &["handl", "error"][..], "[Handling] [errors]"),
            ("call getUserName now", &["user"], "call get[User]Name now"),
            ("error-handling", &["error", "handl"], "[error]-[handling]"),
            ("nothing here", &["else"], "nothing here"),
        ] {
            let found = ranges(&mut analyzer, &tokens(words), text);
            assert_eq!(marked(text, &found, ("[", "]")), expected);
        }
    }

    #[test]
    fn a_snippet_shows_the_matches_on_one_line() {
        let text = format!("{}\nthe needle\nin {}", "hay ".repeat(100), "straw ".repeat(100));
        let mut analyzer = Analyzer::new("english");
        let found = ranges(&mut analyzer, &tokens(&["needl"]), &text);
        let shown = snippet(&text, &found, ("<b>", "</b>"));
        assert!(shown.contains("the <b>needle</b> in"), "{shown}");
        assert!(shown.starts_with("...") && shown.ends_with("...") && !shown.contains('\n'), "{shown}");
        assert!(shown.chars().count() < 170, "{shown}");
    }

    proptest! {
        #[test]
        fn any_text_can_be_cut_and_marked(text in "\\PC{0,300}", word in "[a-c]") {
            let mut analyzer = Analyzer::new("english");
            let found = ranges(&mut analyzer, &tokens(&[&word]), &text);
            let plain = marked(&text, &found, ("", ""));
            prop_assert_eq!(&plain, &text);
            let _ = snippet(&text, &found, ("<b>", "</b>"));
        }
    }
}
