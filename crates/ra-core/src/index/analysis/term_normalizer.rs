//! The normal form of a word, with a cache in front.

use std::ops::Range;

use super::fold::{self, Casing};
use super::language::{Language, LanguageId};
use super::stem_cache::{Key, Long, Short};

/// The maximum number of characters of a term. Longer words are dropped.
pub(in crate::index) const MAX_CHARS: usize = 40;

/// The result of normalizing a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermStatus {
    /// [`TermNormalizer::text`] is its term.
    Term,
    /// Nothing is left, for example of a single tatweel.
    Empty,
    /// It has more than [`MAX_CHARS`] characters and is dropped.
    Long,
}

/// Turns words into terms: normalized, stemmed and folded.
#[derive(Clone, Debug)]
pub(super) struct TermNormalizer {
    language: Option<&'static Language>,
    /// The language of words that aren't in the script of `language`.
    fallback: Option<&'static Language>,
    /// The number of `language`, which tells the words of the cache apart.
    number: u8,
    short: Short,
    long: Long,
    current: Current,
    lowered: String,
    term: String,
}

/// The location of the current term: in the slot of a cache, or in `term`.
#[derive(Clone, Copy, Debug)]
enum Current {
    Short(usize),
    Long(usize),
    New,
}

impl TermNormalizer {
    /// Creates a normalizer with the stemmer of a language, or without one.
    pub(super) fn new(language: Option<LanguageId>) -> TermNormalizer {
        TermNormalizer {
            language: language.map(LanguageId::language),
            fallback: None,
            number: 0,
            short: Short::default(),
            long: Long::default(),
            current: Current::New,
            lowered: String::new(),
            term: String::new(),
        }
    }

    /// Stems the following words as texts in a language. Words in another script, such as the English ones in a Russian
    /// text, are stemmed as English.
    pub(super) fn set_language(&mut self, language: LanguageId) {
        let language = language.stemmed_as();
        self.language = Some(language.language());
        self.fallback = (language != LanguageId::ENGLISH).then(|| LanguageId::ENGLISH.language());
        self.number = language.number() as u8;
    }

    /// Returns the language whose stemmer is used.
    pub(super) fn language(&self) -> Option<&'static Language> {
        self.language
    }

    /// Returns the current term.
    pub(super) fn text(&self) -> &str {
        match self.current {
            Current::Short(slot) => self.short.term(slot),
            Current::Long(slot) => self.long.term(slot),
            Current::New => &self.term,
        }
    }

    /// Makes the term of a word the current one. The word is a range of `text` on character boundaries.
    pub(super) fn resolve(&mut self, text: &str, word: Range<usize>) -> TermStatus {
        if let Some(key) = Key::new(text, word.clone(), self.number) {
            if let Some(slot) = self.short.find(&key) {
                self.current = Current::Short(slot);
                return TermStatus::Term;
            }
            let outcome = self.derive(&text[word]);
            if outcome == TermStatus::Term {
                self.short.insert(&key, &self.term);
            }
            return outcome;
        }
        let key = Key::new(text, word.clone(), self.number);
        if let Some(slot) = key.as_ref().and_then(|key| self.long.find(key)) {
            self.current = Current::Long(slot);
            return TermStatus::Term;
        }
        let outcome = self.derive(&text[word]);
        if let (Some(key), TermStatus::Term) = (key, outcome) {
            self.long.insert(&key, &self.term);
        }
        outcome
    }

    /// Makes the unstemmed normal form of `text`, truncated to [`MAX_CHARS`], the current term.
    pub(super) fn resolve_plain(&mut self, text: &str) -> TermStatus {
        self.normalize(text);
        if let Some((end, _)) = self.term.char_indices().nth(MAX_CHARS) {
            self.term.truncate(end);
        }
        if self.term.is_empty() { TermStatus::Empty } else { TermStatus::Term }
    }

    fn derive(&mut self, word: &str) -> TermStatus {
        self.normalize(word);
        if self.term.is_empty() {
            return TermStatus::Empty;
        }
        if self.term.len() > MAX_CHARS && self.term.chars().count() > MAX_CHARS {
            return TermStatus::Long;
        }
        let stem = |language: &'static Language| language.stem(&self.lowered, &self.term);
        if let Some(stem) = self.language.and_then(stem).or_else(|| self.fallback.and_then(stem)) {
            self.term.clear();
            fold::fold(&stem, &mut self.term);
        }
        TermStatus::Term
    }

    /// Stores the lower-case form of `text` in `lowered`, and the folded form in `term`.
    fn normalize(&mut self, text: &str) {
        let casing = self.language.map_or(Casing::Common, |language| language.casing);
        self.current = Current::New;
        self.lowered.clear();
        self.term.clear();
        fold::lower(text, casing, &mut self.lowered);
        fold::fold(&self.lowered, &mut self.term);
    }
}
