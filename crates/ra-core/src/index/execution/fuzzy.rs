//! Finds terms that differ from a query word by a typo or an ending, in the term tables of the segments or by
//! running an automaton over their dictionaries.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};
use tantivy_fst::Automaton;

use crate::error::Result;
use crate::index::storage::snapshot::Snapshot;

/// A term of the index near a query word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NearTerm {
    pub(crate) token: String,
    pub(crate) distance: u8,
    pub(crate) frequency: u32,
}

/// Returns the terms within `distance` edits, without the word itself, nearest first: by distance, then by the
/// number of sections that contain them.
pub(crate) fn near(snapshot: &Snapshot, token: &str, distance: u8) -> Result<Vec<NearTerm>> {
    if distance == 0 {
        return Ok(Vec::new());
    }
    let is_known = snapshot.frequency(token)? > 0;
    let mut found = within(snapshot, token, distance)?;
    if !is_known {
        for stem in other_endings(snapshot, token)?.into_iter().chain(longer_and_shorter(snapshot, token)?) {
            found.entry(stem).or_insert((1, 0));
        }
    }
    let mut near = counted(snapshot, found)?;
    if near.is_empty() && !is_known {
        let stems = other_stems(snapshot, token)?;
        near = counted(snapshot, stems.into_iter().map(|stem| (stem, (1, 0))).collect())?;
    }
    near.sort_by(|a, b| {
        (a.distance, std::cmp::Reverse(a.frequency), &a.token).cmp(&(
            b.distance,
            std::cmp::Reverse(b.frequency),
            &b.token,
        ))
    });
    Ok(near)
}

/// Returns the bigrams that contain a single character. For a script without spaces, the index has bigrams,
/// and a single character only if it occurs alone.
pub(crate) fn pairs(snapshot: &Snapshot, token: &str) -> Result<Vec<NearTerm>> {
    let mut pairs: BTreeSet<String> = BTreeSet::new();
    snapshot.words_beyond_ascii(|word| {
        if word.contains(token) && word != token && !pairs.contains(word) {
            pairs.insert(word.to_owned());
        }
    })?;
    Ok(pairs.into_iter().map(|token| NearTerm { token, distance: 0, frequency: 0 }).collect())
}

/// Returns the terms that the index has, with their frequency.
fn counted(snapshot: &Snapshot, found: HashMap<String, (u8, u32)>) -> Result<Vec<NearTerm>> {
    let mut near: Vec<NearTerm> = Vec::with_capacity(found.len());
    for (token, (distance, counted)) in found {
        let is_counted = counted > 0 && !snapshot.has_deletes();
        let frequency = if is_counted { counted } else { snapshot.frequency(&token)? };
        if frequency > 0 {
            near.push(NearTerm { token, distance, frequency });
        }
    }
    Ok(near)
}

/// Returns the other terms within `distance` edits, with their distance and frequency.
fn within(snapshot: &Snapshot, token: &str, distance: u8) -> Result<HashMap<String, (u8, u32)>> {
    let wanted = Levenshtein::new(token, distance);
    let mut found: HashMap<String, (u8, u32)> = HashMap::new();
    snapshot.search_words(&wanted, |word, frequency| {
        if let Some(distance) = wanted.distance_to(word).filter(|distance| *distance > 0) {
            let entry = found.entry(word.to_owned()).or_insert((distance, 0));
            entry.1 = entry.1.saturating_add(frequency);
        }
    })?;
    Ok(found)
}

/// The maximum number of letters of an ending, and the minimum of a stem.
const MAX_ENDING_LETTERS: usize = 5;
const MIN_STEM_LETTERS: usize = 3;

/// Returns all splits of a word into a stem and an ending.
fn stems_and_endings(word: &str) -> impl Iterator<Item = (&str, &str)> {
    let splits = word.char_indices().skip(MIN_STEM_LETTERS).map(|(end, _)| word.split_at(end));
    splits.filter(|(_, ending)| ending.chars().count() <= MAX_ENDING_LETTERS)
}

/// Returns the stems of words that differ from an unknown one by a typo in the ending. The index has only
/// stems, and the stemmer doesn't strip a misspelled ending: `caching` becomes `cach`, but `cachng` stays as it
/// is, two letters longer.
fn other_endings(snapshot: &Snapshot, token: &str) -> Result<Vec<String>> {
    let mut analyzer = snapshot.analyzer();
    let mut stems = Vec::new();
    for (stem, rest) in stems_and_endings(token) {
        let rest: Vec<char> = rest.chars().collect();
        if snapshot.frequency(stem)? > 0
            && one_edit_from(&rest).any(|ending| analyzer.whole_tokens(&format!("{stem}{ending}")) == [stem])
        {
            stems.push(stem.to_owned());
        }
    }
    Ok(stems)
}

/// The maximum number of letters of an ending in a language that isn't stemmed.
const MAX_UNSTEMMED_ENDING: usize = 3;
/// The minimum number of letters of the shorter of the two words.
const MIN_UNSTEMMED_STEM: usize = 6;

/// Returns the terms that differ from an unknown one by an additional or a missing ending: `Straßenbahn`
/// finds a text with `Straßenbahnen`, even if the stemmer is for another language. The shorter candidates may
/// not be in the index.
fn longer_and_shorter(snapshot: &Snapshot, token: &str) -> Result<Vec<String>> {
    let letters = token.chars().count();
    let mut words = Vec::new();
    if letters >= MIN_UNSTEMMED_STEM {
        snapshot.words_with_prefix(token, |word| {
            let ending = &word[token.len()..];
            let is_ending = ending.chars().count() <= MAX_UNSTEMMED_ENDING;
            if !ending.is_empty() && is_ending && ending.chars().all(char::is_alphabetic) {
                words.push(word.to_owned());
            }
        })?;
    }
    let ends = token.char_indices().skip(MIN_UNSTEMMED_STEM).map(|(end, _)| end);
    for end in ends.filter(|end| token[*end..].chars().count() <= MAX_UNSTEMMED_ENDING) {
        words.push(token[..end].to_owned());
    }
    Ok(words)
}

/// Returns the stems of words that differ from an unknown one by a typo in the stem, if the typo prevents the
/// stemmer from stripping the ending: `lephant` stays as it is, but `elephant` becomes `eleph`.
fn other_stems(snapshot: &Snapshot, token: &str) -> Result<Vec<String>> {
    let mut analyzer = snapshot.analyzer();
    let mut stems = Vec::new();
    for (beginning, ending) in stems_and_endings(token) {
        let near = within(snapshot, beginning, 1)?.into_keys();
        stems
            .extend(near.filter(|stem| analyzer.whole_tokens(&format!("{stem}{ending}")) == [stem.as_str()]));
    }
    Ok(stems)
}

/// Returns all strings that are one edit away: a letter inserted, removed or replaced, or two adjacent
/// letters swapped.
fn one_edit_from(letters: &[char]) -> impl Iterator<Item = String> {
    let alphabet = alphabet(letters.last().copied().unwrap_or_default());
    (0..=letters.len()).flat_map(move |at| {
        let (before, after) = letters.split_at(at);
        let with = |new: &[char], skipped: usize| -> String {
            before.iter().chain(new).chain(after.iter().skip(skipped)).collect()
        };
        let mut edited: Vec<String> = alphabet.iter().map(|letter| with(&[*letter], 0)).collect();
        if let [_, others @ ..] = after {
            edited.push(with(&[], 1));
            edited.extend(alphabet.iter().map(|letter| with(&[*letter], 1)));
            edited.extend(others.first().map(|other| with(&[*other, after[0]], 2)));
        }
        edited
    })
}

/// Returns the lower-case letters in the same Unicode block: those of the same script, if it is small.
fn alphabet(letter: char) -> Vec<char> {
    let block = u32::from(letter) & !0x7f;
    let letters = (block..block + 0x80).filter_map(char::from_u32);
    letters.filter(|letter| letter.is_alphabetic() && !letter.is_uppercase()).collect()
}

/// A misspelling occurs at most this often in an index.
const RARE_SPELLING: u32 = 10;
/// One edit often turns a shorter word into another word. A missing letter does so even for somewhat longer words.
const MIN_MISSPELLED_LETTERS: usize = 5;
const MIN_LETTER_MISSING: usize = 7;

/// True if one of two words with edit distance 1 is probably a misspelling of the other: one of them is rare,
/// and the edit is a common slip. Both may be terms of the index. `frequency` is that of `word`.
pub(crate) fn is_misspelling(word: &str, frequency: u32, near: &NearTerm) -> bool {
    near.distance == 1
        && frequency.min(near.frequency) <= RARE_SPELLING
        && is_slip(&word.chars().collect::<Vec<_>>(), &near.token.chars().collect::<Vec<_>>())
}

/// True if two words differ by two swapped letters, a doubled letter, one vowel for another, or, in longer
/// words, a missing letter. The first letter must be the same, because slips rarely affect it.
fn is_slip(a: &[char], b: &[char]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.len() < MIN_MISSPELLED_LETTERS || short[0] != long[0] {
        return false;
    }
    let Some(at) = short.iter().zip(long).position(|(a, b)| a != b) else {
        // Only the last letter differs.
        return long.len() >= MIN_LETTER_MISSING || long.last() == short.last();
    };
    if short.len() == long.len() {
        let is_vowel = |letter: char| "aeiouyäöü".contains(letter);
        let has_other_vowel = is_vowel(short[at]) && is_vowel(long[at]) && short[at + 1..] == long[at + 1..];
        let is_swapped = short.get(at + 1) == Some(&long[at]) && long.get(at + 1) == Some(&short[at]);
        return has_other_vowel || is_swapped && short[at + 2..] == long[at + 2..];
    }
    let is_doubled = long[at] == long[at - 1] || long.get(at + 1) == Some(&long[at]);
    short[at..] == long[at + 1..] && (is_doubled || long.len() >= MIN_LETTER_MISSING)
}

impl Snapshot {
    /// Returns terms similar to a word that isn't in the index, the likeliest first: near and frequent.
    pub fn near_words(&self, word: &str) -> Result<Vec<String>> {
        let mut unknown = None;
        for token in self.analyzer().whole_tokens(word) {
            if unknown.is_none() && self.frequency(&token)? == 0 {
                unknown = Some(token);
            }
        }
        let Some(token) = unknown else { return Ok(Vec::new()) };
        let length = token.chars().count();
        if length < 3 || token.chars().any(char::is_numeric) {
            return Ok(Vec::new());
        }
        let distance = if length < 5 { 1 } else { 2 };
        let mut found = near(self, &token, distance)?.to_vec();
        let likely = |near: &NearTerm| (near.frequency as f32).ln() - 2.0 * f32::from(near.distance);
        found.sort_by(|a, b| likely(b).total_cmp(&likely(a)).then_with(|| a.token.cmp(&b.token)));
        let mut seen = HashSet::new();
        Ok(found.into_iter().map(|near| near.token).filter(|token| seen.insert(token.clone())).collect())
    }
}

/// The words within an edit distance of a word.
pub(crate) struct Levenshtein<'a> {
    word: &'a str,
    distance: u8,
    dfa: OnceLock<DFA>,
}

impl<'a> Levenshtein<'a> {
    fn new(word: &'a str, distance: u8) -> Self {
        Self { word, distance, dfa: OnceLock::new() }
    }

    pub(crate) fn word(&self) -> &str {
        self.word
    }

    pub(crate) fn distance(&self) -> u8 {
        self.distance
    }

    /// Returns the edit distance to another word, or `None` if it is too large.
    fn distance_to(&self, other: &str) -> Option<u8> {
        let edits = u8::try_from(strsim::osa_distance(self.word, other)).ok()?;
        (edits <= self.distance).then_some(edits)
    }

    pub(crate) fn automaton(&self) -> Walk<'_> {
        Walk(self.dfa.get_or_init(|| builder(self.distance).build_dfa(self.word)))
    }
}

/// Returns the builder for a distance. Building its tables takes long compared with a query, so each is built once.
fn builder(distance: u8) -> &'static LevenshteinAutomatonBuilder {
    static ONE: OnceLock<LevenshteinAutomatonBuilder> = OnceLock::new();
    static TWO: OnceLock<LevenshteinAutomatonBuilder> = OnceLock::new();
    match distance {
        1 => ONE.get_or_init(|| LevenshteinAutomatonBuilder::new(1, true)),
        _ => TWO.get_or_init(|| LevenshteinAutomatonBuilder::new(2, true)),
    }
}

/// Adapts the automaton to tantivy's dictionaries.
pub(crate) struct Walk<'a>(&'a DFA);

impl Automaton for Walk<'_> {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_slips_are_told_from_other_words() {
        let is_misspelling = |a: &str, b: &str, frequencies: (u32, u32)| {
            let near = |token: &str, frequency| NearTerm { token: token.to_owned(), distance: 1, frequency };
            let forth = is_misspelling(a, frequencies.0, &near(b, frequencies.1));
            assert_eq!(forth, is_misspelling(b, frequencies.1, &near(a, frequencies.0)), "{a} {b}");
            forth
        };
        for (a, b) in [
            ("reciev", "receiv"),
            ("seper", "separ"),
            ("comit", "commit"),
            ("untill", "until"),
            ("govern", "govenr"),
            ("goverment", "government"),
        ] {
            assert!(is_misspelling(a, b, (1, 1)) && is_misspelling(a, b, (3, 900)), "{a} {b}");
            assert!(!is_misspelling(a, b, (40, 900)), "{a} {b}");
        }
        for (a, b) in
            [("handl", "candl"), ("rust", "trust"), ("paper", "pager"), ("form", "from"), ("count", "court")]
        {
            assert!(!is_misspelling(a, b, (1, 1)), "{a} {b}");
        }
    }
}
