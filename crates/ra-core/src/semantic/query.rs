//! A query as vectors.

use ra_semantic::{PAGE_DIMENSIONS, PassageTokens, QueryVectors, encode_passages, encode_query};
use rayon::prelude::*;

/// A section is split into at most `MAX_PASSAGES` passages of at least `MIN_PASSAGE_WORDS` words. Encoding a
/// passage takes about 40 µs.
const MAX_PASSAGES: usize = 4;
const MIN_PASSAGE_WORDS: usize = 50;
/// The rest of a longer section is ignored.
const MAX_SECTION_WORDS: usize = 1200;

/// A thread encodes this many passages together, which share the loads of the weights.
const PASSAGES_AT_ONCE: usize = 16;

/// A query encoded as vectors, one to compare with pages and one to compare with passages.
#[derive(Clone, Debug)]
pub struct EncodedQuery {
    vectors: QueryVectors,
}

impl EncodedQuery {
    /// Encodes a query.
    pub fn new(text: &str) -> Self {
        Self { vectors: encode_query(text) }
    }

    /// Returns the vector to compare with page vectors.
    pub fn for_pages(&self) -> &[f32; PAGE_DIMENSIONS] {
        &self.vectors.page
    }

    /// Returns the similarity of the nearest passage of each section. A long section covers many topics, and a
    /// query asks for one of them.
    pub fn nearest_passages(&self, sections: &[&SectionTokens]) -> Vec<f32> {
        let passages: Vec<(usize, &PassageTokens)> = sections
            .iter()
            .enumerate()
            .flat_map(|(nr, section)| section.passages.iter().map(move |passage| (nr, passage)))
            .collect();
        let cosines = passages.par_chunks(PASSAGES_AT_ONCE).flat_map_iter(|passages| {
            let vectors = encode_passages(passages.iter().map(|(_, passage)| *passage));
            vectors.into_iter().map(|vector| dot(&self.vectors.section, &vector))
        });
        let cosines: Vec<f32> = cosines.collect();
        let mut nearest = vec![-1.0_f32; sections.len()];
        for ((nr, _), cosine) in passages.iter().zip(cosines) {
            nearest[*nr] = nearest[*nr].max(cosine);
        }
        nearest
    }
}

/// The passages of a section, ready to be compared with a query.
#[derive(Clone, Debug)]
pub struct SectionTokens {
    passages: Vec<PassageTokens>,
}

impl SectionTokens {
    /// Splits a section into passages. `title` includes the headings above the section.
    pub fn new(title: &str, body: &str) -> Self {
        Self { passages: PassageTokens::of_section(title, passages(body)) }
    }
}

/// Splits a text into passages of nearly equal length in words.
fn passages(text: &str) -> impl Iterator<Item = &str> {
    let words: Vec<(usize, &str)> = words(text).take(MAX_SECTION_WORDS).collect();
    let count = (words.len() / MIN_PASSAGE_WORDS).clamp(1, MAX_PASSAGES);
    (0..count).map(move |nr| {
        let (first, last) = (nr * words.len() / count, (nr + 1) * words.len() / count);
        match words.get(first..last) {
            Some([(start, _), .., (at, word)]) => &text[*start..at + word.len()],
            Some([(at, word)]) => &text[*at..at + word.len()],
            _ => "",
        }
    })
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_few_and_together_the_text() {
        for (words, expected) in [
            (0, vec![(0, 0)]),
            (1, vec![(0, 1)]),
            (99, vec![(0, 99)]),
            (101, vec![(0, 50), (50, 101)]),
            (800, vec![(0, 200), (200, 400), (400, 600), (600, 800)]),
        ] {
            let text: Vec<String> = (0..words).map(|nr: usize| nr.to_string()).collect();
            let expected: Vec<String> = expected.iter().map(|&(from, to)| text[from..to].join(" ")).collect();
            assert_eq!(passages(&text.join(" ")).collect::<Vec<_>>(), expected, "{words} words");
        }
    }

    #[test]
    fn a_passage_is_near_what_it_says_in_other_words() {
        let query = EncodedQuery::new("how do I give a container more memory");
        let near = SectionTokens::new("Resources", "Raise the RAM limit of the pod in its specification.");
        let far = SectionTokens::new("Colours", "The palette of the page can be changed to dark.");
        let cosines = query.nearest_passages(&[&near, &far]);
        assert!(cosines[0] > cosines[1] + 0.1, "{cosines:?}");
    }
}
