//! Splits a region into words.

use std::ops::Range;

use super::chars::{CharClass, class};
use super::{Region, RegionKind, escapes};

/// Suffixes after an apostrophe in English that aren't words.
const CONTRACTIONS: [&str; 7] = ["s", "t", "re", "ve", "ll", "d", "m"];

/// Calls `each` with the range of every word in a region.
pub(super) fn each(text: &str, region: Region, mut each: impl FnMut(Range<usize>)) {
    if region.kind == RegionKind::Ignored {
        return;
    }
    let text = &text[..region.span.end];
    let mut tokens = Tokens { text, at: region.span.start, region };
    while tokens.at < text.len() {
        if let Some(word) = tokens.step() {
            each(word);
        }
    }
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
    region: Region,
}

impl Tokens<'_> {
    /// Advances, possibly over a word.
    fn step(&mut self) -> Option<Range<usize>> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        match class(first) {
            CharClass::Letter | CharClass::Digit => self.word(),
            CharClass::Unspaced => Some(self.unspaced()),
            CharClass::Mark => {
                self.at += first.len_utf8();
                None
            }
            CharClass::Other => {
                self.at += self.separator_length(first, rest);
                None
            }
        }
    }

    fn separator_length(&self, first: char, rest: &str) -> usize {
        match first {
            '\\' if self.region.kind == RegionKind::StringLiteral => escapes::escape_length(rest),
            '&' if self.region.kind == RegionKind::Prose => escapes::entity_length(rest).unwrap_or(1),
            _ => first.len_utf8(),
        }
    }

    /// Returns a run of a script without spaces as one word; the index splits it further.
    fn unspaced(&mut self) -> Range<usize> {
        let start = self.at;
        let inside = |c: &char| matches!(class(*c), CharClass::Unspaced | CharClass::Mark);
        self.at += self.text[start..].chars().take_while(inside).map(char::len_utf8).sum::<usize>();
        start..self.at
    }

    fn word(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let end = self.word_end();
        self.at = end;
        let negates = self.contraction() == Some("t");
        (!negates).then_some(start..end)
    }

    /// Returns the end of the word that begins here, without trailing underscores.
    fn word_end(&self) -> usize {
        let hyphens = self.region.kind != RegionKind::Code || self.region.language.has_hyphens();
        let mut end = self.at;
        let mut before = CharClass::Other;
        for (at, c) in self.text[self.at..].char_indices() {
            let here = class(c);
            let continues = match c {
                '_' => true,
                // A hyphen joins only if there is a word on both sides.
                '-' => hyphens && matches!(before, CharClass::Letter | CharClass::Digit | CharClass::Mark),
                _ => !matches!(here, CharClass::Other | CharClass::Unspaced),
            };
            if !continues {
                break;
            }
            if here != CharClass::Other {
                end = self.at + at + c.len_utf8();
            }
            before = here;
        }
        end
    }

    /// Skips `'s` and the like, and returns the part after the apostrophe.
    fn contraction(&mut self) -> Option<&'static str> {
        if self.region.kind == RegionKind::Code {
            return None;
        }
        let rest = &self.text[self.at..];
        let after = rest.strip_prefix(['\'', '’'])?;
        let length = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
        let found = CONTRACTIONS.into_iter().find(|known| *known == &after[..length])?;
        self.at += rest.len() - after.len() + length;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::*;
    use crate::text::Span;

    fn found(kind: RegionKind, language: Language, text: &str) -> String {
        let mut words = Vec::new();
        let region = Region { kind, language, span: Span::new(0, text.len()) };
        each(text, region, |word| words.push(text[word].to_owned()));
        words.join(" ")
    }

    #[test]
    fn words_are_found() {
        for (kind, text, expected) in [
            (RegionKind::Code, "a_b-c __init__ x2", "a_b c init x2"),
            (RegionKind::Prose, "well-known -dash- a--b end-", "well-known dash a b end"),
            (RegionKind::Prose, "Rust's don't l'eau they’ve", "Rust l eau they"),
            (RegionKind::Prose, "a&nbsp;b &amp; R&D", "a b R D"),
            (RegionKind::Prose, "全文検索 engine検索2 été", "全文検索 engine 検索 2 été"),
            (RegionKind::Prose, "at 10ms v1.2", "at 10ms v1 2"),
            (
                RegionKind::StringLiteral,
                "\"one\\ntwo\\x1b[0m\\u{e9}t\\u00e9\\\\three\"",
                "one two 0m t three",
            ),
            (RegionKind::Ignored, "nothing", ""),
            (RegionKind::Prose, "हिन्दी e\u{301}te\u{301} \u{301}x", "हिन्दी e\u{301}te\u{301} x"),
        ] {
            assert_eq!(found(kind, Language::Rust, text), expected);
        }
        assert_eq!(found(RegionKind::Code, Language::Css, "font-size: 1px"), "font-size 1px");
    }
}
