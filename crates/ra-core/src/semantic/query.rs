//! A query as vectors.

use ra_semantic::{PAGE_DIMENSIONS, QueryVectors, encode_query, encode_section};

/// A passage has so many words, and begins half as many after the one before.
const PASSAGE_WORDS: usize = 40;
/// The passages of a section that are looked at.
const MAX_PASSAGES: usize = 24;

/// A query as vectors.
#[derive(Clone, Debug)]
pub struct Query {
    vectors: QueryVectors,
}

impl Query {
    /// Encodes a query.
    pub fn new(text: &str) -> Self {
        Self { vectors: encode_query(text) }
    }

    /// The vector that is compared with those of pages.
    pub fn for_pages(&self) -> &[f32; PAGE_DIMENSIONS] {
        &self.vectors.page
    }

    /// How near the nearest passage of a section is. The title has the headings above the section, too: a long section
    /// is about many things, and a question about one of them.
    pub fn nearest_passage(&self, title: &str, body: &str) -> f32 {
        let passages = passages(body).take(MAX_PASSAGES);
        let cosine = |passage: &str| dot(&self.vectors.section, &encode_section(title, passage));
        passages.map(cosine).fold(-1.0, f32::max)
    }
}

/// Passages of consecutive words, each with half of the words of the one before. A text that is little longer than one
/// passage is one.
fn passages(text: &str) -> impl Iterator<Item = &str> {
    let words: Vec<(usize, &str)> = words(text).take(MAX_PASSAGES * PASSAGE_WORDS).collect();
    let step = PASSAGE_WORDS / 2;
    let is_short = words.len() <= PASSAGE_WORDS + step;
    let starts = if is_short { 1 } else { words.len().div_ceil(step) - 1 };
    (0..starts).map(move |nr| {
        let first = nr * step;
        let last = if is_short { words.len() } else { (first + PASSAGE_WORDS).min(words.len()) };
        let end = words.get(last.wrapping_sub(1)).map_or(0, |(at, word)| at + word.len());
        let start = words.get(first).map_or(end, |(at, _)| *at);
        &text[start..end]
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
    fn passages_overlap_and_are_all_of_the_text() {
        for (words, expected) in [(0, vec![""]), (1, vec!["0"])] {
            let text: Vec<String> = (0..words).map(|nr: usize| nr.to_string()).collect();
            assert_eq!(passages(&text.join(" ")).collect::<Vec<_>>(), expected);
        }
        for (words, ranges) in [
            (60, vec![(0, 60)]),
            (61, vec![(0, 40), (20, 60), (40, 61)]),
            (100, vec![(0, 40), (20, 60), (40, 80), (60, 100)]),
        ] {
            let text: Vec<String> = (0..words).map(|nr: usize| nr.to_string()).collect();
            let expected: Vec<String> = ranges.iter().map(|&(from, to)| text[from..to].join(" ")).collect();
            assert_eq!(passages(&text.join(" ")).collect::<Vec<_>>(), expected, "{words} words");
        }
    }

    #[test]
    fn a_passage_is_near_what_it_says_in_other_words() {
        let query = Query::new("how do I give a container more memory");
        let near = query.nearest_passage("Resources", "Raise the RAM limit of the pod in its specification.");
        let far = query.nearest_passage("Colours", "The palette of the page can be changed to dark.");
        assert!(near > far + 0.1, "{near} {far}");
    }
}
