//! Selects the most significant words of a source: frequent in it, and rare in the documents.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::extract::{RegionKind, SourceWord};
use crate::config::ContextSettings;
use crate::error::Result;
use crate::index::{LanguageId, Snapshot};
use crate::query::{self, Expr};

/// The origin of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// The path of a file.
    Path,
    /// A pattern or rule of the configuration, by its glob.
    Pattern(String),
    /// The text: the region kind with the highest weight, and the number of occurrences.
    Content(RegionKind, usize),
    /// The target of a link.
    Link,
}

/// A word to search for.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The word as first written.
    pub text: String,
    /// Its weight in the query.
    pub weight: f32,
    /// Its idf in the documents.
    pub idf: f32,
    /// Its origins, each with the file.
    pub signals: Vec<(String, Signal)>,
}

/// The words of all sources, before the selection.
#[derive(Clone, Debug, Default)]
pub struct TermCollector {
    /// By the word in lower case, so the order doesn't depend on that of the sources.
    found: BTreeMap<String, TermCandidate>,
}

#[derive(Clone, Debug, Default)]
struct TermCandidate {
    text: String,
    /// The weight of the occurrences in texts and links.
    content: f32,
    /// The weight of paths.
    named: f32,
    /// True if the configuration asks for it.
    asked: bool,
    signals: Vec<(String, Signal)>,
}

/// How many words of the texts are searched for.
const CONTENT_TERMS: usize = 40;
/// The maximum number of words of paths and the configuration: there may be many files.
const NAMED_TERMS: usize = 80;
/// How many are looked up in the index: those with the highest weight.
const CANDIDATES: usize = 400;
/// The weight of a word of the path, relative to one occurrence in the text.
const PATH: f32 = 3.0;
/// The weight of a word that the configuration adds.
const PATTERN: f32 = 1.5;
/// A source with fewer distinct words than this is short: all of them may count, however rarely they occur.
const SHORT_SOURCE_WORDS: usize = 40;

impl TermCollector {
    /// Adds a word of a path.
    pub fn path(&mut self, file: &str, word: &str) {
        let found = self.entry(word);
        found.named = PATH;
        found.signals.push((file.to_owned(), Signal::Path));
    }

    /// Adds a word from the target of a link. A page may have hundreds of links, so these words compete with those of
    /// the text.
    pub fn link(&mut self, file: &str, word: &str) {
        let found = self.entry(word);
        found.content += PATH;
        found.signals.push((file.to_owned(), Signal::Link));
    }

    /// Adds a term that the configuration sets for a file.
    pub fn pattern(&mut self, file: &str, glob: &str, term: &str) {
        let found = self.entry(term);
        found.asked = true;
        found.signals.push((file.to_owned(), Signal::Pattern(glob.to_owned())));
    }

    /// Adds the words of a text, each occurrence times `factor`. Omits words that are too short, too long or too rare.
    pub fn content(&mut self, file: &str, words: &[SourceWord], factor: f32, settings: &ContextSettings) {
        let least = if words.len() < SHORT_SOURCE_WORDS { 1 } else { settings.min_term_frequency };
        for word in words.iter().filter(|word| word.count >= least && has_length(&word.text, settings)) {
            let found = self.entry(&word.text);
            found.content += factor * word.weight;
            found.signals.push((file.to_owned(), Signal::Content(word.kind, word.count)));
        }
    }

    fn entry(&mut self, word: &str) -> &mut TermCandidate {
        let found = self.found.entry(word.to_lowercase()).or_default();
        if found.text.is_empty() {
            word.clone_into(&mut found.text);
        }
        found
    }

    /// Returns the terms to search for, highest weight first. Omits words that no document has. `language` is that of
    /// the words.
    pub fn choose(self, snapshot: &Snapshot, language: LanguageId) -> Result<Vec<Term>> {
        let mut analyzer = snapshot.analyzer_for(language);
        let common: HashSet<String> = analyzer.function_words().collect();
        let mut heaviest: Vec<(String, TermCandidate)> =
            self.found.into_iter().filter(|(key, found)| found.asked || !common.contains(key)).collect();
        let weight =
            |found: &TermCandidate| found.content + found.named + if found.asked { f32::MAX } else { 0.0 };
        heaviest.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1)).then_with(|| a.0.cmp(&b.0)));
        heaviest.truncate(CANDIDATES);
        // The forms of a word are one term, under the form with the highest weight.
        let mut by_tokens: HashMap<Vec<String>, usize> = HashMap::new();
        let mut distinct: Vec<(Vec<String>, TermCandidate)> = Vec::new();
        for (_, found) in heaviest {
            let tokens = analyzer.whole_tokens(&found.text);
            match by_tokens.get(&tokens).and_then(|&nr| distinct.get_mut(nr)) {
                Some((_, known)) => known.absorb(found),
                None => {
                    by_tokens.insert(tokens.clone(), distinct.len());
                    distinct.push((tokens, found));
                }
            }
        }
        let mut terms: Vec<(bool, Term)> = Vec::new();
        for (tokens, found) in distinct {
            let Some(idf) = snapshot.idf_of(&tokens)? else { continue };
            let named = found.asked || found.named > 0.0;
            let weight = (found.content + found.named).ln_1p() + if found.asked { PATTERN } else { 0.0 };
            terms.push((named, Term { text: found.text, weight, idf, signals: found.signals }));
        }
        let value = |term: &Term| term.weight * term.idf;
        terms.sort_by(|a, b| value(&b.1).total_cmp(&value(&a.1)).then_with(|| a.1.text.cmp(&b.1.text)));
        let (mut content, mut others) = (0, 0);
        terms.retain(|(named, _)| {
            let (count, most) =
                if *named { (&mut others, NAMED_TERMS) } else { (&mut content, CONTENT_TERMS) };
            *count += 1;
            *count <= most
        });
        Ok(terms.into_iter().map(|(_, term)| term).collect())
    }
}

impl TermCandidate {
    fn absorb(&mut self, other: TermCandidate) {
        self.content += other.content;
        self.named = self.named.max(other.named);
        self.asked |= other.asked;
        self.signals.extend(other.signals);
    }
}

fn has_length(word: &str, settings: &ContextSettings) -> bool {
    let length = word.chars().count();
    // A character of a script without spaces carries as much meaning as several letters.
    let wide = word.chars().any(|c| c as u32 >= 0x2E80);
    (wide || length >= settings.min_word_length) && length <= settings.max_word_length
}

/// Returns the query for terms: it matches any of them, each with its weight.
pub fn question(terms: &[Term]) -> Option<Expr> {
    Expr::any(terms.iter().filter_map(|term| {
        let expr = match query::parse(&term.text) {
            Ok(parsed) if parsed.diagnostics.is_empty() => parsed.query,
            _ => Expr::Phrase(term.text.clone()),
        };
        // The configuration may add any query, but exclusions are ignored here.
        if expr.only_excludes() {
            return None;
        }
        Some(Expr::Boost { expr: Box::new(expr), factor: term.weight.max(0.01) })
    }))
}
