//! The forms of a word: joined or in parts, as two words, as a synonym, as part of a character bigram, or with a typo.

use std::collections::HashSet;

use super::compile::{Compiler, MAX_PHRASE_TOKENS};
use super::fuzzy::{self, NearTerm, is_misspelling};
use super::plan::{FormKind, TermForm};
use crate::error::Result;
use crate::index::analysis::{LanguageSet, TokenPart, is_unspaced_unit};
use crate::index::storage::snapshot::Stemming;

/// The weight of a compound in another notation.
const REWRITTEN_WEIGHT: f32 = 0.9;
/// The minimum number of letters of each of the two words.
const SHORTEST_PART: usize = 3;
/// The weight of a near term per edit, if the index has the word itself and if it doesn't.
const NEAR_KNOWN_WEIGHT: f32 = 0.1;
const NEAR_UNKNOWN_WEIGHT: f32 = 0.7;
/// The weight of a near term if the index has both, and one is probably a misspelling of the other.
const MISSPELLED_WEIGHT: f32 = 0.6;
/// The maximum number of near terms of a word.
const MAX_NEAR_TERMS: usize = 8;

impl Compiler<'_> {
    /// Returns the forms of a word, without near terms and synonyms. Those of the first stemming come first.
    pub(crate) fn forms(&mut self, text: &str) -> Vec<TermForm> {
        self.in_every_language(|compiler| compiler.forms_in_one_language(text))
    }

    /// Collects the forms of each way in which the index stems documents. A form is only valid in the documents that
    /// are stemmed in this way, so a document matches exactly the words that its own stemmer conflates.
    pub(crate) fn in_every_language(&mut self, forms: impl Fn(&mut Self) -> Vec<TermForm>) -> Vec<TermForm> {
        let mut all: Vec<TermForm> = Vec::new();
        for nr in 0..self.stemmings.len() {
            let Stemming { language, documents } = self.stemmings[nr];
            self.analyzer.set_language(language);
            for form in forms(self) {
                match all.iter_mut().find(|known| known.tokens == form.tokens) {
                    Some(known) => known.languages = known.languages.union(documents),
                    None => all.push(TermForm { languages: documents, ..form }),
                }
            }
        }
        self.analyzer.set_language(self.language);
        let everything =
            self.stemmings.iter().fold(LanguageSet::default(), |all, it| all.union(it.documents));
        for form in all.iter_mut().filter(|form| form.languages == everything) {
            form.languages = LanguageSet::ALL;
        }
        all
    }

    fn forms_in_one_language(&mut self, text: &str) -> Vec<TermForm> {
        let mut wholes = Vec::new();
        let mut pieces = Vec::new();
        let mut stream = self.analyzer.stream(text);
        while let Some(token) = stream.advance() {
            match token.part {
                TokenPart::Whole => wholes.push(token.text.to_owned()),
                TokenPart::Piece => pieces.push(token.text.to_owned()),
            }
        }
        wholes.truncate(MAX_PHRASE_TOKENS);
        pieces.truncate(MAX_PHRASE_TOKENS);
        let rewritten = match wholes.len() {
            0 => return Vec::new(),
            1 if pieces.len() > 1 => Some(pieces),
            1 => None,
            // `0.1` isn't `01`, and `v1.2` isn't `v12`; but `10_000` is `10000`.
            _ if joins_numbers(text) => None,
            // `error-handling` is also written `errorhandling`, and `get_user` is also `getUser`.
            _ => {
                let joined: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
                Some(self.whole_tokens(&joined.to_lowercase())).filter(|tokens| tokens.len() == 1)
            }
        };
        let mut forms = vec![TermForm::same(wholes, 1.0)];
        forms.extend(rewritten.map(|tokens| TermForm::same(tokens, REWRITTEN_WEIGHT)));
        forms
    }

    /// Returns the pairs of words that a word may be written as: `eventloop` is also `event loop`.
    pub(crate) fn apart(&mut self, text: &str) -> Result<Vec<TermForm>> {
        let mut forms = Vec::new();
        let word = text.to_lowercase();
        let letters: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        if letters.len() < 2 * SHORTEST_PART || !word.chars().all(char::is_alphabetic) {
            return Ok(forms);
        }
        for &at in &letters[SHORTEST_PART..=letters.len() - SHORTEST_PART] {
            let mut tokens = self.whole_tokens(&word[..at]);
            // Few prefixes of a word are words themselves.
            if tokens.len() != 1 || self.snapshot.frequency(&tokens[0])? == 0 {
                continue;
            }
            tokens.extend(self.whole_tokens(&word[at..]));
            if tokens.len() == 2 && self.snapshot.has_phrase(&tokens)? {
                forms.push(TermForm::same(tokens, REWRITTEN_WEIGHT));
            }
        }
        Ok(forms)
    }

    /// Returns the other spellings and names of a word that the index has.
    pub(crate) fn synonyms(&mut self, text: &str) -> Result<Vec<TermForm>> {
        let forms = self.in_every_language(|compiler| compiler.synonyms_in_one_language(text));
        let mut indexed = Vec::new();
        for form in forms {
            let is_indexed = match form.tokens.as_slice() {
                [token] => self.snapshot.frequency(token)? > 0,
                tokens => self.snapshot.has_phrase(tokens)?,
            };
            if is_indexed {
                indexed.push(form);
            }
        }
        Ok(indexed)
    }

    fn synonyms_in_one_language(&mut self, text: &str) -> Vec<TermForm> {
        let Ok([token]) = <[String; 1]>::try_from(self.whole_tokens(text)) else { return Vec::new() };
        let (own, known) = &self.synonyms;
        let known = if self.analyzer.stems_english() { *known } else { &[] };
        let groups = own.iter().chain(known);
        groups.flat_map(|group| group.synonyms_of(text, &token, &mut self.analyzer)).collect()
    }

    /// Returns the forms of a word that are a typo away from `token`, its stem. Numbers are never near each other: 2024
    /// is not 2025. Function words are near an unknown word only, and only if nothing else is.
    pub(crate) fn near(&mut self, text: &str, token: &str) -> Result<Vec<TermForm>> {
        let length = token.chars().count();
        if self.distance == 0 || length < 3 || token.chars().any(char::is_numeric) {
            return Ok(Vec::new());
        }
        let frequency = self.snapshot.frequency(token)?;
        if frequency > 0 && (length <= 4 || !self.is_written) || frequency == 0 && self.lookups_left == 0 {
            return Ok(Vec::new());
        }
        if frequency == 0 {
            self.lookups_left -= 1;
        }
        let near = fuzzy::near(self.snapshot, token, self.distance)?;
        let function_stems: HashSet<String> = self.analyzer.function_stems();
        let (function, content): (Vec<_>, Vec<_>) =
            near.into_iter().partition(|near| function_stems.contains(&near.token));
        let mut near = if content.is_empty() && frequency == 0 { function } else { content };
        near.truncate(MAX_NEAR_TERMS);
        // A common word that no document has is a word all the same: `night` isn't a typo of `right`.
        let word = text.trim_matches(|c: char| !c.is_alphanumeric());
        let is_word = frequency > 0 || ra_semantic::is_in_vocabulary(word);
        let form_weight = |near: &NearTerm| match frequency {
            0 if !is_word => Some(NEAR_UNKNOWN_WEIGHT.powi(i32::from(near.distance))),
            _ if is_misspelling(token, frequency, near) => Some(MISSPELLED_WEIGHT),
            _ => self.near_known.then(|| NEAR_KNOWN_WEIGHT.powi(i32::from(near.distance))),
        };
        let forms = near.iter().filter_map(|near| {
            let tokens = vec![near.token.clone()];
            let kind = FormKind::Near;
            form_weight(near).map(|form_weight| TermForm { kind, ..TermForm::same(tokens, form_weight) })
        });
        Ok(forms.collect())
    }

    /// Adds the bigrams that contain a single character of a script without spaces.
    pub(crate) fn add_pairs(&self, forms: &mut Vec<TermForm>) -> Result<()> {
        let [TermForm { tokens, .. }] = forms.as_slice() else { return Ok(()) };
        let [token] = tokens.as_slice() else { return Ok(()) };
        if is_unspaced_unit(token) {
            let pairs = fuzzy::pairs(self.snapshot, token)?;
            forms.extend(pairs.iter().map(|pair| TermForm::same(vec![pair.token.clone()], 1.0)));
        }
        Ok(())
    }
}

/// True if a text has a point between two digits.
fn joins_numbers(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let is_number =
        |pair: &[&str]| pair[0].ends_with(char::is_numeric) && pair[1].starts_with(char::is_numeric);
    parts.windows(2).any(is_number)
}
