//! Splits a text into the pieces that are encoded separately.
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
//! Every character belongs to one of five classes, and the first one or two characters select the alternative.

include!(concat!(env!("OUT_DIR"), "/letters.rs"));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Number,
    /// Carriage return or line feed.
    Newline,
    /// Any other white space.
    Space,
    Other,
}

/// Returns the pieces of a text, which cover all of it.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at_checked(end(rest)?)?;
        rest = after;
        Some(piece)
    })
}

/// Returns where the first piece ends; `None` if the text is empty.
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

/// Returns where a piece of white space ends: after its last line break; else before its last character, which belongs
/// to the next word.
fn space(text: &str) -> usize {
    let end = run(text, 0, |class| matches!(class, Class::Newline | Class::Space));
    let space = &text[..end];
    if let Some(newline) = space.rfind(['\r', '\n']) {
        return newline + 1;
    }
    let last = space.char_indices().next_back().map_or(0, |(at, _)| at);
    if end == text.len() || last == 0 { end } else { last }
}

/// Returns the length of a contraction at the start. Case is ignored, and the long s is an s.
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

/// Returns the end of a run of characters of some classes that begins at `from`.
#[inline]
fn run(text: &str, from: usize, within: impl Fn(Class) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        // Nearly all characters are ASCII, and a loop for only those is much faster.
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

/// Returns the class and width of the character at this position.
#[inline]
fn class(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return Some((NARROW[usize::from(byte)], 1));
    }
    wide_class(text, at)
}

/// Like `class`, for a character of several bytes; `None` for any other.
fn wide_class(text: &str, at: usize) -> Option<(Class, usize)> {
    if text.as_bytes().get(at)?.is_ascii() {
        return None;
    }
    let char = text[at..].chars().next()?;
    Some((wide(char), char.len_utf8()))
}

/// The classes of the ASCII characters.
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
