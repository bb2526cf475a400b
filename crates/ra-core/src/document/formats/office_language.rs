//! The language of an office document: the one that most of its text is marked with.

use std::collections::HashMap;

/// How many different languages are counted. A file with more of them is hostile.
const MAX_LANGUAGES: usize = 64;

/// Counts the characters of each language.
#[derive(Default)]
pub(super) struct OfficeLanguage {
    /// The language of text without a mark of its own.
    default: String,
    chars: HashMap<String, usize>,
}

impl OfficeLanguage {
    /// Sets the language of text without a mark of its own.
    pub(super) fn set_default(&mut self, language: String) {
        self.default = language;
    }

    /// Counts a text that is marked with a language; `None` if it has no mark.
    pub(super) fn count(&mut self, language: Option<&str>, text: &str) {
        let language = language.unwrap_or(&self.default);
        if let Some(chars) = self.chars.get_mut(language) {
            *chars += text.len();
        } else if self.chars.len() < MAX_LANGUAGES {
            self.chars.insert(language.to_owned(), text.len());
        }
    }

    /// Returns the tag of the language that most of the text is marked with; empty if that says nothing. Programs mark
    /// text as English unless they are told otherwise, so that mark isn't trusted. English is detected by its words.
    pub(super) fn tag(self) -> String {
        let most = self.chars.into_iter().max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0)));
        let tag = most.map(|(language, _)| language).unwrap_or_default();
        let code = tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let is_unknown = matches!(code.as_str(), "en" | "eng" | "none" | "zxx" | "und" | "x");
        if is_unknown { String::new() } else { tag }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_text_decides_and_english_says_nothing() {
        let tag = |default: &str, texts: &[(Option<&str>, &str)]| {
            let mut language = OfficeLanguage::default();
            language.set_default(default.to_owned());
            for (mark, text) in texts {
                language.count(*mark, text);
            }
            language.tag()
        };
        assert_eq!(tag("", &[]), "");
        assert_eq!(tag("de-DE", &[(None, "a")]), "de-DE");
        assert_eq!(tag("de-DE", &[(None, "ab"), (Some("fr"), "abc")]), "fr");
        assert_eq!(tag("en-US", &[(None, "ab"), (Some("fr"), "a")]), "");
        assert_eq!(tag("fr", &[(None, "a"), (Some("de"), "b")]), "de");
        assert_eq!(tag("none", &[(None, "a")]), "");
    }
}
