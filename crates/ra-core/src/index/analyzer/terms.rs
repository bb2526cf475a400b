//! The normal form of a word, with a cache in front.

use std::ops::Range;

use super::cache::{Cache, Key};
use super::fold::{self, Casing};
use super::language::Language;

/// No term is longer than this many characters.
pub(super) const MAX_CHARS: usize = 40;

/// What became of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// [`Terms::text`] is its term.
    Term,
    /// Nothing is left of it, as of a lone tatweel.
    Empty,
    /// It has more than [`MAX_CHARS`] characters and must be cut.
    Long,
}

/// Turns words into terms: normalised, stemmed and folded.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    language: Option<&'static Language>,
    cache: Cache,
    /// Where in the cache the current term is; `None` when it is in `term`.
    slot: Option<usize>,
    lowered: String,
    term: String,
}

impl Terms {
    pub(super) fn new(language: Option<&'static Language>) -> Terms {
        let (lowered, term) = (String::new(), String::new());
        Terms { language, cache: Cache::default(), slot: None, lowered, term }
    }

    /// The language whose stemmer is in use.
    pub(super) fn language(&self) -> Option<&'static Language> {
        self.language
    }

    /// The current term.
    pub(super) fn text(&self) -> &str {
        match self.slot {
            Some(slot) => self.cache.term(slot),
            None => &self.term,
        }
    }

    /// Makes the term of a word the current one. The word is a range of `text` on character boundaries.
    pub(super) fn resolve(&mut self, text: &str, word: Range<usize>) -> Outcome {
        let key = Key::new(text, word.clone());
        if let Some(key) = &key {
            self.slot = self.cache.find(key);
            if self.slot.is_some() {
                return Outcome::Term;
            }
        }
        let outcome = self.derive(&text[word]);
        if let (Some(key), Outcome::Term) = (&key, outcome) {
            self.cache.insert(key, &self.term);
        }
        outcome
    }

    /// Makes the unstemmed normal form of `text`, cut to the longest length allowed, the current term.
    pub(super) fn resolve_plain(&mut self, text: &str) -> Outcome {
        self.normalise(text);
        if let Some((end, _)) = self.term.char_indices().nth(MAX_CHARS) {
            self.term.truncate(end);
        }
        if self.term.is_empty() { Outcome::Empty } else { Outcome::Term }
    }

    /// The number of characters in the normal form of `text`.
    pub(super) fn plain_chars(&mut self, text: &str) -> usize {
        self.normalise(text);
        self.term.chars().count()
    }

    fn derive(&mut self, word: &str) -> Outcome {
        self.normalise(word);
        if self.term.is_empty() {
            return Outcome::Empty;
        }
        if self.term.len() > MAX_CHARS && self.term.chars().count() > MAX_CHARS {
            return Outcome::Long;
        }
        if let Some(stem) = self.language.and_then(|language| language.stem(&self.lowered, &self.term)) {
            self.term.clear();
            fold::fold(&stem, &mut self.term);
        }
        Outcome::Term
    }

    /// Leaves the lower-case form of `text` in `lowered`, and the folded form in `term`.
    fn normalise(&mut self, text: &str) {
        let casing = self.language.map_or(Casing::Common, |language| language.casing);
        self.slot = None;
        self.lowered.clear();
        self.term.clear();
        fold::lower(text, casing, &mut self.lowered);
        fold::fold(&self.lowered, &mut self.term);
    }
}
