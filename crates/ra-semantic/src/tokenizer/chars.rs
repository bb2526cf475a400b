//! Classifies characters the way BERT's uncased tokenizer does.

use super::char_ranges::{MARK_RANGES, PUNCTUATION_RANGES, REMOVED_RANGES};

/// Treatment of an ASCII character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AsciiClass {
    /// Part of a word.
    Word,
    /// Ends a word.
    Space,
    /// A word by itself.
    Punctuation,
    /// Ignored, also inside a word.
    Removed,
}

static ASCII_CLASSES: [AsciiClass; 128] = ascii_classes();

const fn ascii_classes() -> [AsciiClass; 128] {
    let mut classes = [AsciiClass::Word; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'\t' | b'\n' | b'\r' | b' ' => AsciiClass::Space,
            0..b' ' | 0x7f => AsciiClass::Removed,
            _ if byte.is_ascii_punctuation() => AsciiClass::Punctuation,
            _ => AsciiClass::Word,
        };
        byte += 1;
    }
    classes
}

/// Returns the class of a byte below 128.
pub(crate) fn ascii_class(byte: u8) -> AsciiClass {
    ASCII_CLASSES[usize::from(byte & 0x7f)]
}

/// Returns whether the tokenizer ignores this character, also inside a word. Expects no ASCII.
pub(crate) fn is_removed(c: char) -> bool {
    matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}')
        || contains(&REMOVED_RANGES, c)
}

/// Returns whether a character is removed after decomposition, as accents are.
pub(crate) fn is_mark(c: char) -> bool {
    contains(&MARK_RANGES, c)
}

/// Returns whether a character is a word by itself.
pub(crate) fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || contains(&PUNCTUATION_RANGES, c)
}

/// Returns whether a character is in one of the blocks that BERT takes for Chinese: each is a word. The
/// blocks are those of the original code, which leaves out U+2B820 to U+2B91F.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3400..=0x4dbf
            | 0x4e00..=0x9fff
            | 0xf900..=0xfaff
            | 0x2_0000..=0x2_a6df
            | 0x2_a700..=0x2_b81f
            | 0x2_b920..=0x2_ceaf
            | 0x2_f800..=0x2_fa1f
    )
}

fn contains(ranges: &[u32], c: char) -> bool {
    let code = u32::from(c);
    let after = ranges.partition_point(|range| range >> 8 <= code);
    after > 0 && code - (ranges[after - 1] >> 8) <= ranges[after - 1] & 0xff
}
