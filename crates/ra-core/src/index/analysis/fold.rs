//! Normal forms: compatibility characters, case and accents.

use unicode_normalization::char::decompose_canonical;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

use super::chars;

/// How capitals are lower-cased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Casing {
    /// The Unicode default for all languages but those below.
    Common,
    /// Turkish, where the lower case of `I` is `ı`. Stemmers need it; folding then turns both into `i`.
    Turkish,
}

/// Appends the NFKC, lower-case form of a word to `out`. Keeps accents, because stemmers use them.
pub(super) fn lower(word: &str, casing: Casing, out: &mut String) {
    if word.is_ascii() && casing == Casing::Common {
        let from = out.len();
        out.push_str(word);
        out[from..].make_ascii_lowercase();
        return;
    }
    let visible = word.chars().filter(|&c| chars::is_content(c));
    if is_nfkc_quick(visible.clone()) == IsNormalized::Yes {
        visible.for_each(|c| push_lower(c, casing, out));
    } else {
        // Compatibility forms may contain punctuation, such as the brackets of a parenthesized number.
        visible.nfkc().filter(|&c| chars::is_content(c)).for_each(|c| push_lower(c, casing, out));
    }
}

fn push_lower(c: char, casing: Casing, out: &mut String) {
    match c {
        'I' if casing == Casing::Turkish => out.push('ı'),
        'İ' => out.push('i'),
        // Arabic vowel points, and the tatweel that stretches a word, are only typography.
        '\u{064B}'..='\u{0652}' | '\u{0640}' => {}
        _ => out.extend(c.to_lowercase()),
    }
}

/// Appends a lower-case NFKC word to `out` with the accents of Latin, Greek and Cyrillic letters folded.
/// Keeps the marks of other scripts, such as vowel signs, which act as letters.
pub(super) fn fold(word: &str, out: &mut String) {
    if word.is_ascii() {
        out.push_str(word);
        return;
    }
    let from = out.len();
    for c in word.chars() {
        match c {
            '\0'..='\x7f' => out.push(c),
            // Only these blocks have letters that decompose into a base and a diacritic.
            '\u{80}'..='\u{052F}' | '\u{1E00}'..='\u{1FFF}' => {
                decompose_canonical(c, |c| push_folded(c, out))
            }
            _ => push_folded(c, out),
        }
    }
    // A removed diacritic may have kept two other characters from composing.
    if is_nfc_quick(out[from..].chars()) != IsNormalized::Yes {
        let composed: String = out[from..].nfc().collect();
        out.truncate(from);
        out.push_str(&composed);
    }
}

fn push_folded(c: char, out: &mut String) {
    match c {
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ø' => out.push('o'),
        'ł' => out.push('l'),
        'đ' | 'ð' => out.push('d'),
        'ħ' => out.push('h'),
        'ı' => out.push('i'),
        'ŧ' => out.push('t'),
        'ς' => out.push('σ'),
        _ if is_diacritic(c) => {}
        _ => out.push(c),
    }
}

/// Returns a word in lower case and folded.
pub(super) fn folded(word: &str) -> String {
    let (mut lowered, mut out) = (String::new(), String::new());
    lower(word, Casing::Common, &mut lowered);
    fold(&lowered, &mut out);
    out
}

/// True for the diacritics of Latin, Greek and Cyrillic, which have their own blocks.
fn is_diacritic(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{1AB0}'..='\u{1AFF}')
        || matches!(c, '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}
