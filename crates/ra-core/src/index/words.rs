//! A list of words in which those near a given one are found quickly.
//!
//! One edit leaves the beginning of a word as it is or its end, so only words with the same beginning or end are looked
//! at; two edits may leave neither. Every word has a mark for each letter in it besides: an edit changes few of the letters of a word and its length
//! by one at the most, so nearly all words are told apart by looking at two numbers.

use std::cmp::Ordering;
use std::ops::Range;

/// Words with the number of times that each was counted, and in which fields.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// All words, one after the other, the short ones first.
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<u32>,
    marks: Vec<u64>,
    counts: Vec<u32>,
    /// A bit for each field.
    fields: Vec<u8>,
    /// The numbers of the words, the short ones first, and those of one length by their letters from the last on.
    by_end: Vec<u32>,
    /// The number of words with fewer characters than the place in the list.
    shorter: Vec<usize>,
    /// The fields that may have a word which is not in the list.
    others: u8,
}

impl Words {
    /// A list of words, in any order; the counts of a word that comes several times are added, and so are its fields.
    pub(super) fn new(mut all: Vec<(String, u32, u8)>) -> Self {
        all.sort_by_cached_key(|(word, ..)| (word.chars().count(), word.clone()));
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
                kept.2 |= next.2;
            }
            same
        });
        let mut words = Self::default();
        for (nr, (word, count, fields)) in all.into_iter().enumerate() {
            // A list of more than 4 GB is not kept whole.
            let Ok(end) = u32::try_from(words.text.len() + word.len()) else {
                words.others = u8::MAX;
                break;
            };
            let length = word.chars().count();
            words.shorter.resize(words.shorter.len().max(length + 1), nr);
            words.text.push_str(&word);
            words.ends.push(end);
            words.marks.push(marks(&word));
            words.counts.push(count);
            words.fields.push(fields);
        }
        let mut by_end: Vec<u32> = (0..words.ends.len() as u32).collect();
        for length in 0..words.shorter.len() {
            let letters = |nr: &u32| words.word(*nr as usize).bytes().rev();
            by_end[words.with_lengths(length..length + 1)].sort_by(|a, b| letters(a).cmp(letters(b)));
        }
        words.by_end = by_end;
        words
    }

    /// Calls `each` with all words that may be within `distance` edits of `word`, and their counts. Few others are
    /// among them.
    pub(super) fn near(&self, word: &str, distance: u8, mut each: impl FnMut(&str, u32)) {
        let wanted = marks(word);
        let length = word.chars().count();
        let edits = usize::from(distance);
        let mut look_at = |nr: usize| {
            // A letter that takes the place of another unmarks one and marks one.
            if has_at_most(self.marks[nr] ^ wanted, 2 * edits) {
                each(self.word(nr), self.counts[nr]);
            }
        };
        let lengths = length.saturating_sub(edits)..length + edits + 1;
        if edits > 1 {
            self.with_lengths(lengths).for_each(look_at);
            return;
        }
        let at = |nr: usize| word.char_indices().nth(nr).map_or(word.len(), |(at, _)| at);
        // Two letters that have changed places may be the last of the one half and the first of the other.
        let half = length.div_ceil(2);
        let (beginning, end) = (&word[..at(half.saturating_sub(1))], &word[at(half)..]);
        for length in lengths {
            let range = self.with_lengths(length..length + 1);
            within(range.clone(), |nr| beginning_of(self.word(nr), beginning)).for_each(&mut look_at);
            within(range, |nr| end_of(self.word(self.by_end[nr] as usize), end))
                .map(|nr| self.by_end[nr] as usize)
                .filter(|nr| !self.word(*nr).starts_with(beginning))
                .for_each(&mut look_at);
        }
    }

    /// How often a word was counted.
    pub(super) fn count(&self, word: &str) -> u32 {
        self.find(word).map_or(0, |nr| self.counts[nr])
    }

    /// The fields that may have a word, a bit for each.
    pub(super) fn fields(&self, word: &str) -> u8 {
        self.find(word).map_or(self.others, |nr| self.fields[nr])
    }

    fn find(&self, word: &str) -> Option<usize> {
        let length = word.chars().count();
        within(self.with_lengths(length..length + 1), |nr| self.word(nr).cmp(word)).next()
    }

    /// All words.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|nr| self.word(nr))
    }

    fn with_lengths(&self, lengths: Range<usize>) -> Range<usize> {
        let before = |length: usize| self.shorter.get(length).copied().unwrap_or(self.ends.len());
        before(lengths.start)..before(lengths.end)
    }

    fn word(&self, nr: usize) -> &str {
        let start = nr.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[nr] as usize]
    }
}

/// The places of a range, in order, that are equal to what is looked for.
fn within(range: Range<usize>, order: impl Fn(usize) -> Ordering) -> Range<usize> {
    let start = partition_point(range.clone(), |nr| order(nr).is_lt());
    start..partition_point(start..range.end, |nr| order(nr).is_le())
}

/// The first place of a range for which `before` does not hold; it holds for all places before that one.
fn partition_point(range: Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// How the beginning of a word compares with another.
fn beginning_of(word: &str, beginning: &str) -> Ordering {
    word.bytes().take(beginning.len()).cmp(beginning.bytes())
}

/// How the end of a word compares with another, from the last letter on.
fn end_of(word: &str, end: &str) -> Ordering {
    word.bytes().rev().take(end.len()).cmp(end.bytes().rev())
}

/// Whether no more than `most` bits are set. For few, taking them away one by one is faster than counting.
fn has_at_most(mut bits: u64, most: usize) -> bool {
    for _ in 0..most {
        bits &= bits.wrapping_sub(1);
    }
    bits == 0
}

/// A bit for each letter of a word; letters that are far apart in the alphabet may share one.
fn marks(word: &str) -> u64 {
    word.chars().fold(0, |marks, letter| marks | 1 << (letter as u32 % u64::BITS))
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
            let list = Words::new((0..).zip(&words).map(|(nr, word)| (word.clone(), 1, 1 << (nr % 8))).collect());
            let mut found = Vec::new();
            list.near(&word, distance, |word, count| found.push((word.to_owned(), count)));
            prop_assert_eq!(list.count(&word) as usize, words.iter().filter(|other| **other == word).count());
            let mut once = found.clone();
            once.sort();
            once.dedup();
            prop_assert_eq!(once.len(), found.len());
            for other in &words {
                if strsim::osa_distance(&word, other) <= usize::from(distance) {
                    let count = words.iter().filter(|same| *same == other).count() as u32;
                    prop_assert!(found.contains(&(other.clone(), count)), "{} {:?}", other, found);
                }
                let with = (0..).zip(&words).filter(|(_, same)| *same == other);
                let fields = with.fold(0, |fields, (nr, _)| fields | 1u8 << (nr % 8));
                prop_assert_eq!(list.fields(other), fields);
            }
        }
    }
}
