//! Finds runs of characters: the start and end of the words in a text.

use super::chars::{self, CharClass};

/// A maximal run of word characters of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordRun {
    /// The byte offset of the first character.
    pub(super) start: usize,
    /// The byte offset after the last character that isn't a joiner.
    pub(super) end: usize,
    /// True if the run is of a script without spaces.
    pub(super) unspaced: bool,
    /// True if the run may be a compound: it has a capital after its start, and not only capitals.
    pub(super) compound: bool,
}

const LOWER: u8 = 1;
const UPPER: u8 = 2;
const DIGIT: u8 = 4;
const HIGH: u8 = 8;

/// The kind of each byte. Zero is an ASCII separator; `HIGH` is part of a multi-byte character.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            0x80.. => HIGH,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Finds the first run that starts at or after `from`, which must be on a character boundary.
pub(super) fn next_run(text: &str, from: usize) -> Option<WordRun> {
    let bytes = text.as_bytes();
    let mut start = from;
    loop {
        while start < bytes.len() && KINDS[usize::from(bytes[start])] == 0 {
            start += 1;
        }
        let first = *bytes.get(start)?;
        if first < 0x80 {
            return Some(ascii_run(text, start));
        }
        let c = text[start..].chars().next()?;
        match chars::class(c) {
            CharClass::Letter => return Some(run(text, start, false)),
            CharClass::Unspaced => return Some(run(text, start, true)),
            CharClass::Separator | CharClass::Mark | CharClass::Joiner => start += c.len_utf8(),
        }
    }
}

/// Reads the run that starts with an ASCII letter or digit. Fast if the rest is ASCII too.
fn ascii_run(text: &str, start: usize) -> WordRun {
    let bytes = text.as_bytes();
    let first = KINDS[usize::from(bytes[start])];
    let mut rest = 0;
    let mut end = start + 1;
    while end < bytes.len() {
        let kind = KINDS[usize::from(bytes[end])];
        if kind == 0 {
            break;
        }
        if kind == HIGH {
            // Typographic quotes and dashes end most of the words that get here.
            match text[end..].chars().next().map_or(CharClass::Separator, chars::class) {
                CharClass::Separator | CharClass::Unspaced => break,
                CharClass::Letter | CharClass::Mark | CharClass::Joiner => return run(text, start, false),
            }
        }
        rest |= kind;
        end += 1;
    }
    let compound = rest & UPPER != 0 && (first | rest) & (LOWER | DIGIT) != 0;
    WordRun { start, end, unspaced: false, compound }
}

/// Reads the run of one kind that starts at `start`, whatever its characters.
fn run(text: &str, start: usize, unspaced: bool) -> WordRun {
    let mut end = start;
    let mut compound = false;
    for (at, c) in text[start..].char_indices() {
        match chars::class(c) {
            CharClass::Separator => break,
            CharClass::Letter if unspaced => break,
            CharClass::Unspaced if !unspaced => break,
            CharClass::Joiner => continue,
            CharClass::Letter => compound |= at > 0 && !c.is_lowercase() && c.is_alphabetic(),
            CharClass::Unspaced | CharClass::Mark => {}
        }
        end = start + at + c.len_utf8();
    }
    WordRun { start, end, unspaced, compound }
}

/// True if a token is of a script without spaces.
pub(in crate::index) fn is_unspaced(token: &str) -> bool {
    token.chars().next().is_some_and(|c| chars::class(c) == CharClass::Unspaced)
}

/// True if a token is one unit of such a script: a character with everything that extends it.
pub(in crate::index) fn is_unspaced_unit(token: &str) -> bool {
    is_unspaced(token) && unit_len(token) == token.len()
}

/// Returns the end of the unit at the start of `text`: a character with everything that extends it.
pub(super) fn unit_len(text: &str) -> usize {
    let mut rest = text.char_indices();
    rest.next();
    rest.find(|&(_, c)| !chars::extends(c)).map_or(text.len(), |(at, _)| at)
}
