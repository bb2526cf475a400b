//! Splits camelCase compounds into pieces.

use std::ops::Range;

use unicode_normalization::char::decompose_canonical;

use super::chars::{self, CharClass};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Lower,
    Upper,
    Digit,
    None,
}

/// A letter or digit of the word, with its byte offset.
#[derive(Clone, Copy, Debug)]
struct Letter {
    at: usize,
    c: char,
    case: Case,
}

/// Calls `each` with the byte range of every piece of `word` that gets its own token. A word that isn't a
/// compound has none, and single-letter pieces (`iPhone`, `eBay`) are skipped.
pub(super) fn pieces(word: &str, mut each: impl FnMut(Range<usize>)) {
    let mut is_first = true;
    split_camel_case(word, |piece, letters| {
        let is_compound = !is_first || piece.end < word.len();
        is_first = false;
        if is_compound && letters > 1 {
            each(piece);
        }
    });
}

/// Splits a word where its case changes. Calls `each` with the byte range of every piece and the number of its letters
/// and digits.
pub(crate) fn split_camel_case(word: &str, mut each: impl FnMut(Range<usize>, usize)) {
    let mut letters = letters(word);
    // The previous letter, the current one, and the two after it.
    let mut window = [None, letters.next(), letters.next(), letters.next()];
    let (mut start, mut length) = (0, 0);
    while let Some(here) = window[1] {
        if is_boundary(window) {
            each(start..here.at, length);
            length = 0;
        }
        if length == 0 {
            start = here.at;
        }
        length += 1;
        window = [window[1], window[2], window[3], letters.next()];
    }
    if length > 0 {
        each(start..word.len(), length);
    }
}

/// Returns the letters and digits of the word. Skips marks and joiners, which keeps them with the letter
/// before them. A decomposed accent makes no difference.
fn letters(word: &str) -> impl Iterator<Item = Letter> {
    word.char_indices()
        .filter(|&(_, c)| !matches!(chars::class(c), CharClass::Mark | CharClass::Joiner))
        .map(|(at, c)| Letter { at, c, case: case(c) })
}

fn case(c: char) -> Case {
    if c.is_lowercase() {
        Case::Lower
    } else if c.is_uppercase() || c.to_lowercase().next() != Some(c) {
        // The second test is for title-case letters, whose decomposition starts with a capital.
        Case::Upper
    } else if c.is_numeric() {
        Case::Digit
    } else {
        Case::None
    }
}

/// Returns the letter without its accents, whether or not they are composed with it.
fn base(c: char) -> char {
    let mut base = None;
    decompose_canonical(c, |part| base = base.or(Some(part)));
    base.unwrap_or(c)
}

/// True if a new piece starts at the second of these letters.
fn is_boundary([before, here, next, after]: [Option<Letter>; 4]) -> bool {
    let (Some(before), Some(here)) = (before, here) else { return false };
    let case = |letter: Option<Letter>| letter.map(|letter| letter.case);
    match (before.case, here.case) {
        (Case::Lower, Case::Upper) => true,
        // `Base64Encode` and `Base64URL` are two words, `H2O` and `A1B2` are one.
        (Case::Digit, Case::Upper) => matches!(case(next), Some(Case::Lower | Case::Upper)),
        // The last capital of an acronym belongs to the next word (`HTTPServer`), unless it's followed by a
        // plural s (`URLs`, `IDsToKeep`) or a letter before a number (`IPv4`).
        (Case::Upper, Case::Upper) if case(next) == Some(Case::Lower) => {
            let plural = next.is_some_and(|letter| base(letter.c) == 's') && case(after) != Some(Case::Lower);
            !plural && case(after) != Some(Case::Digit)
        }
        _ => false,
    }
}
