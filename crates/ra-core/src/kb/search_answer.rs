//! The answer to a search, as data.

use std::collections::BTreeSet;

use super::freshness::Freshness;
use crate::index::{MatchSummary, QueryWord};
use crate::query::Diagnostic;
use crate::retrieval::{PartialResults, Passage, Trace};

/// The answer to a search.
#[derive(Clone, Debug, Default)]
pub struct SearchAnswers {
    /// One answer per question.
    pub answers: Vec<Answer>,
    /// The state of the index that they are based on.
    pub freshness: Freshness,
}

/// The answer to one question.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The question as the user wrote it.
    pub query: String,
    /// The question as it was parsed.
    pub read_as: String,
    /// The words that it searches for, without those that it excludes.
    pub asked: BTreeSet<String>,
    /// The results, in the requested order.
    pub passages: Vec<Passage>,
    /// The passages that lack a word, if others have all words.
    pub filling: Option<PartialResults>,
    /// All matches, and how they were found.
    pub summary: MatchSummary,
    /// Results whose file changed on the disk while they were read.
    pub vanished: usize,
    /// If the question is compared by meaning and most documents have no vector yet, the number of these.
    pub without_vector: usize,
    /// Warnings about the query.
    pub diagnostics: Vec<Diagnostic>,
    /// The words that no section has, each with the most similar words that exist.
    pub unknown: Vec<UnknownWord>,
    /// If nothing was found, looser questions that match.
    pub instead: Vec<Suggestion>,
    /// A record of each stage.
    pub trace: Trace,
}

/// A word that no section has, and similar words that some section has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// The word as the user wrote it.
    pub word: String,
    /// The most similar words that some section has, most similar first.
    pub nearest: Vec<String>,
    /// True if the search used these words instead and found them.
    pub is_replaced: bool,
}

/// A looser version of a question that found nothing. Something matches this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The condition that was dropped or loosened.
    pub without: Condition,
    /// The query; unchanged if only a filter was dropped.
    pub query: String,
    /// How many sections match it.
    pub matches: usize,
}

/// A condition that keeps a question from matching anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A part of the query, which was dropped.
    Part(String),
    /// A phrase, which was split into its words.
    Phrase(String),
    /// A part of the query that was limited to one field, and may now match in any.
    Field(String),
    /// The trees to search.
    Trees(Vec<String>),
    /// The paths to search.
    Paths(Vec<String>),
    /// The tags that documents must have.
    Tags(Vec<String>),
    /// The conditions that the front matter must meet.
    Properties(Vec<String>),
    /// The formats that documents may have.
    Kinds(Vec<String>),
}

impl Answer {
    /// Returns the words that the question searches for and that no section has.
    pub fn unknown_words(&self) -> BTreeSet<&str> {
        // A word missing from one field may occur in others.
        let is_unknown = |word: &&QueryWord| !word.is_known || word.matches == 0 && word.field.is_none();
        let words = self.trace.words.iter().filter(is_unknown);
        words.map(|word| word.text.as_str()).filter(|word| self.asked.contains(*word)).collect()
    }

    /// Returns the words that the question searches for and that none of the results has, although some section does.
    pub fn dropped_words(&self) -> BTreeSet<&str> {
        let numbers: BTreeSet<u16> =
            self.trace.hits.iter().flat_map(|hit| hit.words.iter().map(|(word, _)| *word)).collect();
        let text = |nr: &u16| Some(self.trace.words.get(usize::from(*nr))?.text.as_str());
        // The same word may be excluded from a field.
        let found: BTreeSet<&str> = numbers.iter().filter_map(text).collect();
        let known = self.trace.words.iter().filter(|word| word.is_known && word.matches > 0);
        let words = known.map(|word| word.text.as_str()).filter(|word| !found.contains(word));
        words.filter(|word| self.asked.contains(*word)).collect()
    }
}
