//! Skips the words of a text that can't be among the wanted tokens.
//!
//! Reading a word costs many times more than scanning its bytes, because its end is unpredictable. The bytes
//! are therefore scanned first, 64 at a time and without branches, and only words that may match are read.

use std::collections::BTreeSet;

/// The number of bytes scanned together.
const BLOCK: usize = 64;
/// A word of this many bytes may be too long for a term, and then its pieces become separate words.
const LONG_WORD_BYTES: u32 = 32;

/// The classes of a byte, one bit each. They are 8 bits apart, which leaves space for the bits of 8 bytes.
const WORD: u64 = 1;
const FIRST: u64 = 1 << 8;
const SECOND: u64 = 1 << 16;
const THIRD: u64 = 1 << 24;
const LATER: u64 = 1 << 32;
const HIGH: u64 = 1 << 40;

/// Tokens with at least this many letters start with the first three letters of their words.
const THREE: usize = 4;

/// The tokens to find in texts, and the bytes that indicate a word that may become one of them.
#[derive(Clone, Debug)]
pub struct TokenPrefilter<'a> {
    tokens: &'a BTreeSet<String>,
    kinds: [u64; 256],
}

impl<'a> TokenPrefilter<'a> {
    /// Creates a prefilter. `keeps_initials` says that the token of a word starts with the word's first two
    /// ASCII letters, and a token of more than three letters with the first three. Without it, every word is
    /// read.
    pub(super) fn new(tokens: &'a BTreeSet<String>, keeps_initials: bool) -> Self {
        let mut letters = [[false; 256]; 3];
        for token in tokens {
            for (nr, (letters, byte)) in letters.iter_mut().zip(token.bytes()).enumerate() {
                letters[usize::from(if nr == 0 { byte } else { alike(byte) })] = true;
            }
        }
        let [firsts, seconds, thirds] = letters;
        // Anything may follow the letter of a single-letter token.
        let any_second = !keeps_initials || tokens.iter().any(|token| token.len() < 2);
        let any_third = !keeps_initials || tokens.iter().any(|token| token.len() < THREE);
        let mut kinds = [0; 256];
        for (byte, kind) in (0..=u8::MAX).zip(&mut kinds) {
            let small = byte.to_ascii_lowercase();
            let may_begin = !keeps_initials || firsts[usize::from(small)];
            if byte.is_ascii_alphanumeric() || !byte.is_ascii() {
                *kind |= WORD;
            }
            if may_begin {
                *kind |= FIRST;
            }
            if any_second || seconds[usize::from(alike(small))] {
                *kind |= SECOND;
            }
            if any_third || thirds[usize::from(alike(small))] {
                *kind |= THIRD;
            }
            // A piece of a compound starts with a capital.
            if may_begin && byte.is_ascii_uppercase() {
                *kind |= LATER;
            }
            // Non-ASCII characters may be folded into anything.
            if !byte.is_ascii() {
                *kind |= FIRST | SECOND | THIRD | LATER | HIGH;
            }
        }
        Self { tokens, kinds }
    }

    /// True if a token is one of the wanted ones.
    pub(super) fn contains(&self, token: &str) -> bool {
        self.tokens.contains(token)
    }

    /// Calls `each` with offsets, in order, at least one of which is in every word that must be read.
    pub(super) fn skim(&self, text: &[u8], mut each: impl FnMut(usize)) {
        let mut before = Bits::default();
        for (nr, block) in text.chunks(BLOCK).enumerate() {
            let bits = self.bits(block);
            let Bits { word, first, second, third, later, high } = bits;
            // The bytes after the block aren't known yet and may be anything.
            let beyond = |bytes: usize| u64::MAX << block.len().saturating_sub(bytes);
            let followed = (second >> 1 | beyond(1)) & (third >> 2 | beyond(2));
            let start = word & !(word << 1 | before.word >> (BLOCK - 1));
            // A non-ASCII character may end a word, and the next byte may start another.
            let after = word & (high << 1 | before.high >> (BLOCK - 1));
            let begins = (start & first | word & later) & followed;
            let mut telling = begins | word & high | after | ends_of_long(before.word, word);
            before = bits;
            while telling != 0 {
                each(nr * BLOCK + telling.trailing_zeros() as usize);
                telling &= telling - 1;
            }
        }
    }

    /// Returns the positions of each class of bytes in a block.
    fn bits(&self, block: &[u8]) -> Bits {
        let mut bits = Bits::default();
        for (nr, part) in block.chunks(8).enumerate() {
            let kinds = part
                .iter()
                .enumerate()
                .fold(0, |kinds, (at, byte)| kinds | self.kinds[usize::from(*byte)] << at);
            let part = |kind: u64| ((kinds / kind) & 0xff) << (nr * 8);
            bits.word |= part(WORD);
            bits.first |= part(FIRST);
            bits.second |= part(SECOND);
            bits.third |= part(THIRD);
            bits.later |= part(LATER);
            bits.high |= part(HIGH);
        }
        bits
    }
}

/// One bit for each byte of a block.
#[derive(Clone, Copy, Default)]
struct Bits {
    word: u64,
    first: u64,
    second: u64,
    third: u64,
    later: u64,
    high: u64,
}

/// Maps letters that a stemmer may exchange to the same one: `dying` becomes `die`, and `skies` becomes `sky`.
fn alike(letter: u8) -> u8 {
    if letter == b'y' { b'i' } else { letter }
}

/// Returns the bytes of a block at which a word has at least [`LONG_WORD_BYTES`] bytes, given those of the
/// block before.
fn ends_of_long(before: u64, word: u64) -> u64 {
    let mut long = u128::from(before) | u128::from(word) << BLOCK;
    let mut by = 1;
    while by < LONG_WORD_BYTES {
        long &= long << by;
        by *= 2;
    }
    (long >> BLOCK) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_may_matter_are_told_of() {
        let tokens = BTreeSet::from(["error".to_owned()]);
        let hash = "0123456789abcdef".repeat(3);
        let text =
            format!("the Error of every erring getName getError naïve end {hash} {}errors", "- ".repeat(70));
        let mut words = Vec::new();
        TokenPrefilter::new(&tokens, true).skim(text.as_bytes(), |at| {
            let at = text.floor_char_boundary(at);
            let start = text[..at].rfind(' ').map_or(0, |space| space + 1);
            let end = text[at..].find(' ').map_or(text.len(), |space| at + space);
            words.push(&text[start..end]);
        });
        words.dedup();
        assert_eq!(words, ["Error", "erring", "getError", "naïve", &hash, "errors"]);
        let tokens = BTreeSet::from(["error".to_owned(), "end".to_owned()]);
        let mut places = Vec::new();
        TokenPrefilter::new(&tokens, true).skim(b"ending enough error", |at| places.push(at));
        assert_eq!(places, [0, 7, 14], "one that is short may have become another");
    }
}
