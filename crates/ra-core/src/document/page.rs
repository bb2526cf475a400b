//! The pages of a text that was made from a paged file: each begins with a mark on a line of its own.

use crate::text::{Span, is_blank};

const START: &str = "<!-- page ";
const END: &str = " -->";

/// The first and the last page of a text, counted from 1.
pub type Pages = (u32, u32);

/// Returns the mark at the start of a page.
pub(super) fn mark(page: u32) -> String {
    format!("{START}{page}{END}")
}

/// Returns the pages that a part of a text is on; `None` if the text has no pages.
pub fn pages_of(text: &str, span: Span) -> Option<Pages> {
    let inside = span.of(text);
    let begun = inside.trim_start().strip_prefix(START).and_then(number);
    let before = || last_page(Span::new(0, span.start).of(text));
    // Before the first page there is only metadata.
    let first = begun.or_else(before).or_else(|| first_page(inside))?;
    Some((first, last_page(inside).unwrap_or(first).max(first)))
}

/// True if a text has nothing but marks and white space.
pub(super) fn is_between_pages(text: &str) -> bool {
    let page = |line: &str| line.trim_end().strip_prefix(START)?.strip_suffix(END)?.parse::<u32>().ok();
    text.lines().all(|line| is_blank(line) || page(line).is_some())
}

/// Returns the page of the first mark in a text.
fn first_page(text: &str) -> Option<u32> {
    text.lines().filter_map(|line| line.strip_prefix(START)).find_map(number)
}

/// Returns the page of the last mark in a text.
fn last_page(text: &str) -> Option<u32> {
    let mut end = text.len();
    while let Some(at) = text[..end].rfind(START) {
        let is_line = at == 0 || text[..at].ends_with('\n');
        if let Some(page) = number(&text[at + START.len()..]).filter(|_| is_line) {
            return Some(page);
        }
        end = at;
    }
    None
}

/// Returns the number at the start of the rest of a mark.
fn number(rest: &str) -> Option<u32> {
    let (digits, _) = rest.split_once(END)?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_text_is_on_the_pages_of_its_marks() {
        let text = format!(
            "---\ntitle: T\n---\n{}\n\none\n\n{}\n\ntwo <!-- page 9 -->\n\n{}\n\nthree\n",
            mark(1),
            mark(2),
            mark(3)
        );
        let at = |word: &str| text.find(word).unwrap();
        for (from, to, pages) in [
            (at("one"), at("one") + 3, Some((1, 1))),
            (at("two"), at("two") + 3, Some((2, 2))),
            (at("one"), at("three"), Some((1, 3))),
            (at("<!-- page 2"), at("two"), Some((2, 2))),
            (at("three"), text.len(), Some((3, 3))),
            (0, text.len(), Some((1, 3))),
            (0, 3, None),
        ] {
            assert_eq!(pages_of(&text, Span::new(from, to)), pages, "{from}..{to}");
        }
        assert_eq!(pages_of("no pages\n", Span::new(0, 4)), None);
    }
}
