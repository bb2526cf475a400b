//! Classifies characters for finding word boundaries.

use unicode_normalization::char::is_combining_mark;

/// The role of a character in finding words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Neither a letter nor a digit: it ends a word and belongs to none.
    Separator,
    /// A letter or digit of a script that puts spaces between words.
    Letter,
    /// A letter of a script without spaces, in which finding words takes a dictionary.
    Unspaced,
    /// A combining mark: it continues a word but doesn't start one.
    Mark,
    /// An invisible joiner, soft hyphen or variation selector: it continues a word and is then dropped.
    Joiner,
}

/// Classifies a character. The most common blocks come first, because the general tables are slow to search.
pub(super) fn class(c: char) -> CharClass {
    match c {
        '0'..='9' | 'A'..='Z' | 'a'..='z' => CharClass::Letter,
        '\0'..='\x7f' => CharClass::Separator,
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ' | 'Ѐ'..='ҁ' => CharClass::Letter,
        // Kangxi radicals are symbols in Unicode, but PDF converters write them in place of the ideographs.
        '一'..='鿿' | '가'..='힣' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' | '\u{2F00}'..='\u{2FD5}' => {
            CharClass::Unspaced
        }
        _ if is_joiner(c) => CharClass::Joiner,
        _ if is_combining_mark(c) => CharClass::Mark,
        _ if !c.is_alphanumeric() => CharClass::Separator,
        _ if is_unspaced(c) => CharClass::Unspaced,
        _ => CharClass::Letter,
    }
}

/// True if the character belongs to a word and stays in it when the word is normalized.
pub(super) fn is_content(c: char) -> bool {
    !matches!(class(c), CharClass::Separator | CharClass::Joiner)
}

/// True if the character forms one unit with the one before it in a script without spaces: marks, the
/// halfwidth voicing marks of kana, and the vowels and finals of a decomposed Hangul syllable.
pub(super) fn extends(c: char) -> bool {
    matches!(c, '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FB}' | '\u{FF9E}' | '\u{FF9F}')
        || matches!(class(c), CharClass::Mark | CharClass::Joiner)
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{180B}'..='\u{180D}')
        || matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

fn is_unspaced(c: char) -> bool {
    matches!(c,
        // Thai and Lao, Myanmar with its extensions, Khmer.
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}'
        | '\u{1780}'..='\u{17FF}'
        // Hangul letters: conjoining, compatibility, extended and halfwidth.
        | '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '\u{A960}'..='\u{A97F}' | '\u{D7B0}'..='\u{D7FB}'
        | '\u{FFA0}'..='\u{FFDC}'
        // Iteration marks and numerals, kana, Bopomofo, and their extensions and halfwidth forms.
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{312F}' | '\u{31A0}'..='\u{31FF}'
        | '\u{FF66}'..='\u{FF9F}' | '\u{1AFF0}'..='\u{1B16F}'
        // Ideographs: extension A, compatibility, and the two planes set aside for them.
        | '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
