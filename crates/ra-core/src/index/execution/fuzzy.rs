//! Words that are a typo or an ending away from the one that was asked for: those of the index itself, found by running
//! an automaton over its dictionaries.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};
use tantivy_fst::Automaton;

use crate::error::Result;
use crate::index::storage::snapshot::Snapshot;

/// A word of the index near the one asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NearTerm {
    pub(crate) token: String,
    pub(crate) distance: u8,
    pub(crate) frequency: u32,
}

/// How many near words are worth their time.
const MAX_NEAR_TERMS: usize = 8;

/// The nearest words within `distance` edits, the word itself not among them: by distance, then by how many
/// sections have them.
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
    near.truncate(MAX_NEAR_TERMS);
    Ok(near)
}

/// The pairs of characters that have a single one. The index has pairs of a script without spaces, and a character by
/// itself only where it stands alone.
pub(crate) fn pairs(snapshot: &Snapshot, token: &str) -> Result<Vec<NearTerm>> {
    let mut pairs: BTreeSet<String> = BTreeSet::new();
    snapshot.words_beyond_ascii(|word| {
        if word.contains(token) && word != token && !pairs.contains(word) {
            pairs.insert(word.to_owned());
        }
    })?;
    Ok(pairs.into_iter().map(|token| NearTerm { token, distance: 0, frequency: 0 }).collect())
}

/// Those of the words that the index has, with how often it has them.
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

/// The other words within `distance` edits, with their distance and how often they were counted.
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

/// How many letters an ending has at the most, and how many a stem at the least.
const ENDING: usize = 5;
const STEM: usize = 3;

/// The ways to take a word for a stem and an ending.
fn stems_and_endings(word: &str) -> impl Iterator<Item = (&str, &str)> {
    let splits = word.char_indices().skip(STEM).map(|(end, _)| word.split_at(end));
    splits.filter(|(_, ending)| ending.chars().count() <= ENDING)
}

/// The stems of words that differ from an unknown one by a typo in the ending. The index knows stems only, and what
/// is no ending is not taken off: `caching` becomes `cach`, but `cachng` stays as it is, two letters longer.
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

/// A word of a language that is not stemmed may differ from another by an ending of this many letters.
const MAX_UNSTEMMED_ENDING: usize = 3;
/// The shorter of the two has at least this many letters.
const MIN_UNSTEMMED_STEM: usize = 6;

/// The words that an unknown one begins with, or that begin with it, up to an ending: `Straßenbahn` is found in a text
/// that has `Straßenbahnen`, also where the stemmer is that of another language.
fn longer_and_shorter(snapshot: &Snapshot, token: &str) -> Result<Vec<String>> {
    let letters = token.chars().count();
    let mut words = Vec::new();
    if letters >= MIN_UNSTEMMED_STEM {
        snapshot.words_with_prefix(&Prefix(token), |word| {
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

/// The stems of words that differ from an unknown one by a typo in the stem, and have an ending that the typo keeps from
/// being taken off: `lephant` stays as it is, but `elephant` becomes `eleph`.
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

/// What a few letters may have been before a typo: one letter more, less or other, or two the other way round.
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

/// The small letters that stand with one in the tables of Unicode: those of its script, where that has few.
fn alphabet(letter: char) -> Vec<char> {
    let block = u32::from(letter) & !0x7f;
    let letters = (block..block + 0x80).filter_map(char::from_u32);
    letters.filter(|letter| letter.is_alphabetic() && !letter.is_uppercase()).collect()
}

/// A misspelling has at most this many occurrences in an index.
const RARE_SPELLING: u32 = 10;
/// Words of fewer letters are too often other words by one edit; by a letter more or less even somewhat longer ones.
const MIN_MISSPELT: usize = 5;
const MIN_LETTER_MISSING: usize = 7;

/// Whether one of two words that are one edit apart is likely a misspelling of the other: one of them is rare, and the
/// edit is a common slip. Both may be words of the index, of which `frequency` is how often it has the first.
pub(crate) fn is_misspelling(word: &str, frequency: u32, near: &NearTerm) -> bool {
    near.distance == 1
        && frequency.min(near.frequency) <= RARE_SPELLING
        && is_slip(&word.chars().collect::<Vec<_>>(), &near.token.chars().collect::<Vec<_>>())
}

/// Whether two words differ by two letters that changed places, a letter that is doubled, one vowel for another, or, in
/// longer words, a letter too few. The first letter is nearly always right.
fn is_slip(a: &[char], b: &[char]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.len() < MIN_MISSPELT || short[0] != long[0] {
        return false;
    }
    let Some(at) = short.iter().zip(long).position(|(a, b)| a != b) else {
        // The last letter is all that differs.
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
    /// Words of the index that are like a word which it does not have, the likeliest first: near, and common.
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

/// What is near a word: the words within some edits.
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

    /// The number of edits between the word and another; none when they are too many.
    fn distance_to(&self, other: &str) -> Option<u8> {
        let edits = u8::try_from(strsim::osa_distance(self.word, other)).ok()?;
        (edits <= self.distance).then_some(edits)
    }

    pub(crate) fn automaton(&self) -> Walk<'_> {
        Walk(self.dfa.get_or_init(|| builder(self.distance).build_dfa(self.word)))
    }
}

/// Building the tables takes long compared with a query, so each distance is built once.
fn builder(distance: u8) -> &'static LevenshteinAutomatonBuilder {
    static ONE: OnceLock<LevenshteinAutomatonBuilder> = OnceLock::new();
    static TWO: OnceLock<LevenshteinAutomatonBuilder> = OnceLock::new();
    match distance {
        1 => ONE.get_or_init(|| LevenshteinAutomatonBuilder::new(1, true)),
        _ => TWO.get_or_init(|| LevenshteinAutomatonBuilder::new(2, true)),
    }
}

/// The automaton as the dictionaries want it.
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

/// All words that begin with a text.
pub(crate) struct Prefix<'a>(pub(crate) &'a str);

impl Automaton for &Prefix<'_> {
    /// How many bytes of the text a word has, as long as it has no others.
    type State = Option<usize>;

    fn start(&self) -> Option<usize> {
        Some(0)
    }

    fn is_match(&self, state: &Option<usize>) -> bool {
        *state == Some(self.0.len())
    }

    fn can_match(&self, state: &Option<usize>) -> bool {
        state.is_some()
    }

    fn accept(&self, state: &Option<usize>, byte: u8) -> Option<usize> {
        let at = (*state)?;
        match self.0.as_bytes().get(at) {
            None => Some(at),
            Some(wanted) => (*wanted == byte).then_some(at + 1),
        }
    }
}

/// All words that do not begin with an ASCII character.
pub(crate) struct BeyondAscii;

impl Automaton for BeyondAscii {
    /// Whether the word may be one; at its beginning nothing is known.
    type State = Option<bool>;

    fn start(&self) -> Option<bool> {
        None
    }

    fn is_match(&self, state: &Option<bool>) -> bool {
        *state == Some(true)
    }

    fn can_match(&self, state: &Option<bool>) -> bool {
        *state != Some(false)
    }

    fn accept(&self, state: &Option<bool>, byte: u8) -> Option<bool> {
        state.or(Some(!byte.is_ascii()))
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
