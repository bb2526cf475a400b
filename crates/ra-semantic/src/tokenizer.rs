//! Turns text into token ids: BERT's uncased WordPiece, with the ids of the `tokenizers` crate.
//!
//! The text is read once, character by character, and no further than the wanted ids need. Canonical
//! reordering is left out after decomposition: nonspacing marks are removed, and a word with any other
//! combining character is unknown in every order.

mod char_ranges;
mod chars;
mod hash;
mod vocabulary;
mod words;

use unicode_normalization::char::decompose_canonical;

use self::{
    chars::{AsciiClass, ascii_class, is_cjk, is_mark, is_punctuation, is_removed},
    words::WordCutter,
};

/// Token id that begins the input of the query encoder.
pub(crate) const CLASSIFICATION_ID: u16 = 101;
/// Token id that ends the input of the query encoder.
pub(crate) const SEPARATOR_ID: u16 = 102;

/// Special tokens, recognized where the text contains their names literally.
const SPECIAL_TOKENS: [(&str, u16); 5] = [
    ("[PAD]", 0),
    ("[UNK]", words::UNKNOWN_ID),
    ("[CLS]", CLASSIFICATION_ID),
    ("[SEP]", SEPARATOR_ID),
    ("[MASK]", 103),
];

/// Returns the first `limit` token ids of a text, without the special tokens around it. Reads no more of the
/// text than that needs; the time is linear in what is read.
pub fn token_ids(text: &str, limit: usize) -> Vec<u16> {
    let mut cutter = WordCutter::new();
    let mut at = 0;
    while at < text.len() && cutter.id_count() < limit {
        at += match text.as_bytes()[at] {
            b'[' => push_bracket(&mut cutter, &text[at..]),
            byte if byte.is_ascii() => push_ascii(&mut cutter, byte),
            _ => push_other(&mut cutter, &text[at..]),
        };
    }
    cutter.finish(limit)
}

/// True if a text is one entry of the vocabulary, which has the most frequent words of English texts and some of other
/// languages.
pub fn is_in_vocabulary(text: &str) -> bool {
    matches!(token_ids(text, 2)[..], [id] if id != words::UNKNOWN_ID)
}

/// Adds a special token or a bracket and returns its length.
fn push_bracket(cutter: &mut WordCutter, rest: &str) -> usize {
    match SPECIAL_TOKENS.iter().find(|(name, _)| rest.starts_with(name)) {
        Some(&(name, id)) => {
            cutter.push_id(id);
            name.len()
        }
        None => push_ascii(cutter, b'['),
    }
}

/// Adds an ASCII character and returns its length.
#[inline]
fn push_ascii(cutter: &mut WordCutter, byte: u8) -> usize {
    match ascii_class(byte) {
        AsciiClass::Word => cutter.push_ascii(byte.to_ascii_lowercase()),
        AsciiClass::Space => cutter.end_word(),
        AsciiClass::Punctuation => cutter.push_single(char::from(byte)),
        AsciiClass::Removed => {}
    }
    1
}

/// Adds the first character of `rest` and returns its length.
fn push_other(cutter: &mut WordCutter, rest: &str) -> usize {
    let Some(next) = rest.chars().next() else { return 1 };
    if is_cjk(next) {
        cutter.end_word();
        push_decomposed(cutter, next);
        cutter.end_word();
    } else if !is_removed(next) {
        push_decomposed(cutter, next);
    }
    next.len_utf8()
}

/// Removes the accents of a character and adds it in lower case.
fn push_decomposed(cutter: &mut WordCutter, next: char) {
    decompose_canonical(next, |part| {
        if !is_mark(part) {
            part.to_lowercase().for_each(|lower| push_normalized(cutter, lower));
        }
    });
}

fn push_normalized(cutter: &mut WordCutter, next: char) {
    match next {
        _ if next.is_whitespace() => cutter.end_word(),
        _ if is_punctuation(next) => cutter.push_single(next),
        _ => cutter.push(next),
    }
}
