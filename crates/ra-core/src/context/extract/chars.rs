//! Classifies characters for word splitting. A simplified version of the tables in the index analyzer.

/// The role of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Not part of a word.
    Other,
    Letter,
    Digit,
    /// A letter of a script that writes no spaces between words.
    Unspaced,
    /// A combining mark or a joiner: it continues a word but doesn't start one.
    Mark,
}

/// Classifies a character.
pub(super) fn class(c: char) -> CharClass {
    match c {
        'A'..='Z' | 'a'..='z' => CharClass::Letter,
        '0'..='9' => CharClass::Digit,
        '\0'..='\x7f' => CharClass::Other,
        _ if is_mark(c) => CharClass::Mark,
        _ if is_unspaced(c) => CharClass::Unspaced,
        _ if c.is_alphabetic() => CharClass::Letter,
        _ if c.is_numeric() => CharClass::Digit,
        _ => CharClass::Other,
    }
}

/// True for marks that Unicode doesn't count as alphabetic, so the standard library doesn't recognize them.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
        | '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05BD}' | '\u{0610}'..='\u{061A}'
        | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{06D6}'..='\u{06DC}' | '\u{06DF}'..='\u{06E4}'
        // Signs of the Indic scripts that suppress a vowel or change a consonant.
        | '\u{093C}' | '\u{094D}' | '\u{09BC}' | '\u{09CD}' | '\u{0A3C}' | '\u{0A4D}' | '\u{0ABC}' | '\u{0ACD}'
        | '\u{0B3C}' | '\u{0B4D}' | '\u{0BCD}' | '\u{0C4D}' | '\u{0CBC}' | '\u{0CCD}' | '\u{0D4D}' | '\u{0DCA}'
        | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}')
}

fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E01}'..='\u{0E3A}' | '\u{0E40}'..='\u{0E4E}' | '\u{0E81}'..='\u{0ECE}' | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17D3}' | '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '\u{AC00}'..='\u{D7FB}'
        | '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{3035}' | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}'
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{312F}' | '\u{31A0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
