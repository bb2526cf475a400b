//! Splits identifiers into parts.

use std::ops::Range;

use super::chars::{CharClass, class};
use crate::index::split_camel_case;

/// Digits after at least this many letters are a counter (`Server2`); after fewer they belong to the name (`utf8`,
/// `sha256`, `oauth2`, `Base64`).
const MIN_LETTERS_BEFORE_COUNTER: usize = 6;

/// Splits a word at hyphens, underscores and changes of case. Returns nothing for a word that isn't a compound, and
/// omits parts of a single letter.
pub(super) fn parts(word: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for piece in word.split(['_', '-']) {
        split_camel_case(piece, |range, _| parts.push(start + range.start..start + range.end));
        start += piece.len() + 1;
    }
    let uncounted = parts.into_iter().map(|part| without_count(word, part));
    uncounted.filter(|part| part.len() < word.len() && is_worth_it(&word[part.clone()])).collect()
}

/// Returns the part without the counter at its end.
fn without_count(word: &str, part: Range<usize>) -> Range<usize> {
    let letters = word[part.clone()].trim_end_matches(char::is_numeric);
    if letters.chars().count() >= MIN_LETTERS_BEFORE_COUNTER {
        part.start..part.start + letters.len()
    } else {
        part
    }
}

/// True for more than one character, if not all are digits.
fn is_worth_it(part: &str) -> bool {
    let visible = part.chars().filter(|&c| class(c) != CharClass::Mark).count();
    visible > 1 && part.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn identifiers_fall_into_words() {
        for (word, expected) in [
            ("HTTPServer2", "HTTP Server"),
            ("parse_config_file", "parse config file"),
            ("getUserName", "get User Name"),
            ("MAX_RETRY_COUNT", "MAX RETRY COUNT"),
            ("error-handling", "error handling"),
            ("XMLHttpRequest", "XML Http Request"),
            ("from_utf8_lossy", "from utf8 lossy"),
            ("Base64Encode", "Base64 Encode"),
            ("listURLs", "list URLs"),
            ("server2", "server"),
            ("example1", "example"),
            ("sha256", ""),
            ("word", ""),
            ("URLs", ""),
            ("iPhone", "Phone"),
            ("a_b_c", ""),
            ("x__y2_1", "y2"),
            ("größeÄndern", "größe Ändern"),
            ("e\u{301}tatFinal", "e\u{301}tat Final"),
            ("_", ""),
            ("", ""),
        ] {
            let found: Vec<&str> = parts(word).into_iter().map(|part| &word[part]).collect();
            assert_eq!(found.join(" "), expected, "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_word_can_be_split(word in "[a-zA-Z0-9_\\-é\u{301}語]{0,20}") {
            let mut end = 0;
            for part in parts(&word) {
                prop_assert!(part.start >= end && part.end <= word.len());
                prop_assert!(!word[part.clone()].is_empty());
                end = part.end;
            }
        }
    }
}
