//! Cutting a text into the pieces that are encoded each for itself.
//!
//! The encoding defines the pieces by a regular expression, with these alternatives in this order:
//!
//! ```text
//! (?i:'s|'t|'re|'ve|'m|'ll|'d)
//! [^\r\n\p{L}\p{N}]?\p{L}+
//! \p{N}{1,3}
//!  ?[^\s\p{L}\p{N}]+[\r\n]*
//! \s*[\r\n]+
//! \s+(?!\S)
//! \s+
//! ```
//!
//! Every character falls into one of five classes, and the alternatives are told apart by the
//! first character or two.

include!(concat!(env!("OUT_DIR"), "/letters.rs"));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Number,
    /// Carriage return or line feed.
    Newline,
    /// White space of any other kind.
    Space,
    Other,
}

/// The pieces of a text, which together are the text.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at_checked(end(rest)?)?;
        rest = after;
        Some(piece)
    })
}

/// Where the first piece ends; nothing when there is no text.
fn end(text: &str) -> Option<usize> {
    use Class::*;

    let (first, width) = class(text, 0)?;
    if let Some(contraction) = contraction(text.as_bytes()) {
        return Some(contraction);
    }
    if first == Letter {
        return Some(run(text, width, |class| class == Letter));
    }
    let second = class(text, width);
    if let (Space | Other, Some((Letter, _))) = (first, second) {
        return Some(run(text, width, |class| class == Letter));
    }
    if first == Number {
        let mut at = width;
        for _ in 1..3 {
            match class(text, at) {
                Some((Number, width)) => at += width,
                _ => break,
            }
        }
        return Some(at);
    }
    if first == Other || (text.starts_with(' ') && matches!(second, Some((Other, _)))) {
        let marks = run(text, width, |class| class == Other);
        return Some(run(text, marks, |class| class == Newline));
    }
    Some(space(text))
}

/// Where a piece of white space ends: after its last line break; else before its last character,
/// which goes with the word after it.
fn space(text: &str) -> usize {
    let end = run(text, 0, |class| matches!(class, Class::Newline | Class::Space));
    let space = &text[..end];
    if let Some(newline) = space.rfind(['\r', '\n']) {
        return newline + 1;
    }
    let last = space.char_indices().next_back().map_or(0, |(at, _)| at);
    if end == text.len() || last == 0 { end } else { last }
}

/// The length of a contraction at the start. Case does not count, and the long s is an s.
fn contraction(text: &[u8]) -> Option<usize> {
    let [b'\'', after @ ..] = text else { return None };
    match after {
        [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => Some(2),
        [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] | [0xc5, 0xbf, ..] => {
            Some(3)
        }
        _ => None,
    }
}

/// Where a run of characters of some classes that begins at `from` ends.
#[inline]
fn run(text: &str, from: usize, within: impl Fn(Class) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        // Nearly all characters are of one byte, and a loop for nothing else is much faster.
        while let Some(byte) = bytes.get(at)
            && byte.is_ascii()
            && within(NARROW[usize::from(*byte)])
        {
            at += 1;
        }
        match wide_class(text, at) {
            Some((class, width)) if within(class) => at += width,
            _ => return at,
        }
    }
}

/// The class of the character at this place, and its width.
#[inline]
fn class(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return Some((NARROW[usize::from(byte)], 1));
    }
    wide_class(text, at)
}

/// The same for a character of several bytes; none for any other.
fn wide_class(text: &str, at: usize) -> Option<(Class, usize)> {
    if text.as_bytes().get(at)?.is_ascii() {
        return None;
    }
    let char = text[at..].chars().next()?;
    Some((wide(char), char.len_utf8()))
}

/// The classes of the characters of one byte.
static NARROW: [Class; 0x80] = {
    let mut classes = [Class::Other; 0x80];
    let mut byte = 0;
    while byte < 0x80 {
        classes[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Number,
            b'\r' | b'\n' => Class::Newline,
            b' ' | b'\t' | 0x0b | 0x0c => Class::Space,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

#[cold]
fn wide(char: char) -> Class {
    let letter = LETTERS.partition_point(|&(_, last)| last < char);
    if LETTERS.get(letter).is_some_and(|&(first, _)| first <= char) {
        Class::Letter
    } else if char.is_numeric() {
        Class::Number
    } else if char.is_whitespace() {
        Class::Space
    } else {
        Class::Other
    }
}
