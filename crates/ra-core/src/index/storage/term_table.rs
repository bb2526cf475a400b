//! The terms of a segment in memory, for fast lookups of a term's postings and of terms near a word.
//!
//! One edit leaves either the start or the end of a word unchanged, so only words with the same start or end
//! are compared; two edits may change both. Each word also has a mark with its length and a bit for each of
//! its letters. An edit changes few bits and the length by at most one, so comparing two integers rules out
//! nearly all words.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};
use tantivy::postings::TermInfo;

/// Terms with the location of their postings.
#[derive(Debug, Default)]
pub(crate) struct TermTable {
    /// All words, concatenated in sorted order.
    text: String,
    /// The end of each word in `text`.
    ends: Vec<usize>,
    marks: Vec<u64>,
    /// The fields that contain each word, as a bit set.
    fields: Vec<u8>,
    /// The start of each word's entries in `terms`.
    starts: Vec<usize>,
    /// For each word, the location of its postings in each of its fields.
    terms: Vec<TermInfo>,
    /// Sorted by their letters from last to first.
    by_end: Order,
    by_length: Order,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

/// The numbers of the words in some order, and their marks.
#[derive(Debug, Default)]
struct Order {
    numbers: Vec<u32>,
    marks: Vec<u64>,
}

/// The postings of a term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermEntry<'a> {
    fields: u8,
    terms: &'a [TermInfo],
}

impl<'a> TermEntry<'a> {
    /// Returns the location of its postings in a field, given by number.
    pub(crate) fn term(self, field: usize) -> Option<&'a TermInfo> {
        let is_here = self.fields >> field & 1 == 1;
        let before = self.fields & !(u8::MAX << field);
        self.terms.get(before.count_ones() as usize).filter(|_| is_here)
    }

    /// Returns the number of entries that contain the term, counted per field.
    pub(crate) fn count(self) -> u32 {
        self.terms.iter().fold(0, |sum, term| sum.saturating_add(term.doc_freq))
    }
}

impl TermTable {
    /// Creates the table from the words of at most eight fields: each word with the number of the field and
    /// the location of its postings there.
    pub(crate) fn new(mut all: Vec<(String, usize, TermInfo)>) -> Self {
        // The input is sorted per field, which makes sorting fast.
        all.sort_by(|(a, a_field, _), (b, b_field, _)| (a, a_field).cmp(&(b, b_field)));
        let mut words = Self::default();
        for same in all.chunk_by(|(a, ..), (b, ..)| a == b) {
            let word = &same[0].0;
            words.text.push_str(word);
            words.ends.push(words.text.len());
            words.marks.push(mark(word));
            words.fields.push(same.iter().fold(0, |fields, (_, field, _)| fields | 1 << field));
            words.starts.push(words.terms.len());
            words.terms.extend(same.iter().map(|(.., term)| term.clone()));
        }
        let letters = |nr: u32| words.word(nr as usize).bytes().rev();
        let by_end = words.order(|a, b| letters(a).cmp(letters(b)));
        let by_length =
            words.order(|a, b| length(words.marks[a as usize]).cmp(&length(words.marks[b as usize])));
        let hash = |nr: &u32| words.hasher.hash_one(words.word(*nr as usize));
        let mut numbers = HashTable::with_capacity(words.ends.len());
        for nr in 0..words.ends.len() as u32 {
            numbers.insert_unique(hash(&nr), nr, hash);
        }
        Self { by_end, by_length, numbers, ..words }
    }

    fn order(&self, compare: impl Fn(u32, u32) -> Ordering) -> Order {
        let mut numbers: Vec<u32> = (0..self.ends.len() as u32).collect();
        numbers.sort_by(|a, b| compare(*a, *b));
        let marks = numbers.iter().map(|nr| self.marks[*nr as usize]).collect();
        Order { numbers, marks }
    }

    /// Calls `each` with all words that may be within `distance` edits of `word`, and their counts. Few of
    /// them are farther away.
    pub(crate) fn near(&self, word: &str, distance: u8, mut each: impl FnMut(&str, u32)) {
        let wanted = mark(word);
        let is_near = |nr: &usize, marks: &[u64]| is_near(wanted, marks[*nr], distance);
        let mut give = |nr: usize| each(self.word(nr), self.known(nr).count());
        if distance > 1 {
            let Order { numbers, marks } = &self.by_length;
            let first = length(wanted).saturating_sub(distance.into());
            let last = length(wanted).saturating_add(distance.into());
            let start = marks.partition_point(|mark| length(*mark) < first);
            let end = marks.partition_point(|mark| length(*mark) <= last);
            let near = (start..end).filter(|nr| is_near(nr, marks));
            near.for_each(|nr| give(numbers[nr] as usize));
            return;
        }
        let at = |nr: usize| word.char_indices().nth(nr).map_or(word.len(), |(at, _)| at);
        let half = word.chars().count().div_ceil(2);
        let (beginning, end) = word.split_at(at(half));
        let range = within(self.ends.len(), |nr| beginning_of(self.word(nr), beginning));
        range.filter(|nr| is_near(nr, &self.marks)).for_each(&mut give);
        let Order { numbers, marks } = &self.by_end;
        let range = within(numbers.len(), |nr| end_of(self.word(numbers[nr] as usize), end));
        let near = range.filter(|nr| is_near(nr, marks)).map(|nr| numbers[nr] as usize);
        near.filter(|nr| !self.word(*nr).starts_with(beginning)).for_each(&mut give);
        // Two swapped letters may be the last of one half and the first of the other.
        if let (Some(last), Some(first)) = (beginning.chars().next_back(), end.chars().next())
            && last != first
        {
            let beginning = &beginning[..beginning.len() - last.len_utf8()];
            let changed = format!("{beginning}{first}{last}{}", &end[first.len_utf8()..]);
            self.number(&changed).into_iter().for_each(give);
        }
    }

    /// Returns the postings of a word, or `None` if no field contains it.
    pub(crate) fn find(&self, word: &str) -> Option<TermEntry<'_>> {
        self.number(word).map(|nr| self.known(nr))
    }

    /// Returns all words.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|nr| self.word(nr))
    }

    /// Returns the words that start with a prefix.
    pub(crate) fn with_prefix(&self, prefix: &str) -> impl Iterator<Item = &str> {
        within(self.ends.len(), |nr| beginning_of(self.word(nr), prefix)).map(|nr| self.word(nr))
    }

    fn number(&self, word: &str) -> Option<usize> {
        let is_it = |nr: &u32| self.word(*nr as usize) == word;
        self.numbers.find(self.hasher.hash_one(word), is_it).map(|nr| *nr as usize)
    }

    fn word(&self, nr: usize) -> &str {
        let start = nr.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[nr]]
    }

    fn known(&self, nr: usize) -> TermEntry<'_> {
        let (fields, start) = (self.fields[nr], self.starts[nr]);
        TermEntry { fields, terms: &self.terms[start..start + fields.count_ones() as usize] }
    }
}

/// Returns the range of positions below `end` that compare as equal. The positions must be sorted by `order`.
fn within(end: usize, order: impl Fn(usize) -> Ordering) -> Range<usize> {
    let start = partition_point(0..end, |nr| order(nr).is_lt());
    // The range is short, so its end is nearby.
    let mut step = 1;
    while start + step < end && order(start + step).is_le() {
        step *= 2;
    }
    start..partition_point(start..end.min(start + step), |nr| order(nr).is_le())
}

/// Returns the first position of a range at which `before` is false. It must be true for all positions before
/// that one.
fn partition_point(range: Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Compares the start of a word with another.
fn beginning_of(word: &str, beginning: &str) -> Ordering {
    let word = word.as_bytes();
    word[..word.len().min(beginning.len())].cmp(beginning.as_bytes())
}

/// Compares the end of a word with another, from the last letter.
fn end_of(word: &str, end: &str) -> Ordering {
    word.bytes().rev().take(end.len()).cmp(end.bytes().rev())
}

/// The number of bits for letters in a mark. The length is stored above them.
const LETTERS: u32 = 56;

/// Returns the mark of a word: a bit for each letter, which distant letters of the alphabet may share, and its length.
fn mark(word: &str) -> u64 {
    let mut length = 0;
    let letters = word.chars().fold(0, |marks, letter| {
        length += 1;
        marks | 1 << (letter as u32 % LETTERS)
    });
    length.min(u64::MAX >> LETTERS) << LETTERS | letters
}

/// Returns the length in a mark. It is capped, so all long words have the same.
fn length(mark: u64) -> u64 {
    mark >> LETTERS
}

/// True if the words of two marks may be within `distance` edits of each other.
fn is_near(wanted: u64, mark: u64, distance: u8) -> bool {
    let mut other = (wanted ^ mark) << (u64::BITS - LETTERS);
    // Replacing a letter clears one bit and sets another. For few bits, clearing them one by one is faster
    // than counting.
    for _ in 0..2 * distance {
        other &= other.wrapping_sub(1);
    }
    other == 0 && length(wanted).abs_diff(length(mark)) <= u64::from(distance)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_near_word_is_missed(
            words in proptest::collection::vec("[a-dä語]{1,6}", 0..60),
            word in "[a-dä語]{1,6}",
            distance in 1u8..3,
        ) {
            // Each word is in the dictionary of a field once.
            let mut all: Vec<(String, usize)> = (0..).zip(&words).map(|(nr, word)| (word.clone(), nr % 8)).collect();
            all.sort();
            all.dedup();
            let term = |nr: usize| TermInfo { doc_freq: nr as u32 + 1, ..TermInfo::default() };
            let list = TermTable::new(all.iter().map(|(word, field)| (word.clone(), *field, term(*field))).collect());
            let mut found = Vec::new();
            list.near(&word, distance, |word, count| found.push((word.to_owned(), count)));
            let mut once = found.clone();
            once.sort();
            once.dedup();
            prop_assert_eq!(once.len(), found.len());
            prop_assert_eq!(list.find(&word).is_some(), words.contains(&word));
            for other in &words {
                let count: u32 =
                    all.iter().filter(|(same, _)| same == other).map(|(_, field)| *field as u32 + 1).sum();
                if strsim::osa_distance(&word, other) <= usize::from(distance) {
                    prop_assert!(found.contains(&(other.clone(), count)), "{} {:?}", other, found);
                }
                let known = list.find(other).expect("every word is found");
                prop_assert_eq!(known.count(), count);
                for field in 0..8 {
                    let expected = all.contains(&(other.clone(), field)).then(|| term(field));
                    prop_assert_eq!(known.term(field).cloned(), expected);
                }
            }
        }
    }
}
