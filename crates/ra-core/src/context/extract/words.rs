//! Counts and weights the words of regions.

use std::collections::HashMap;

use super::{Region, RegionKind, keywords, regions, split_words, tokens, weight};

/// Words with more characters than this are data, or names of tests; only their parts are kept.
const MAX_WORD: usize = 64;

/// A word of a text, with all its occurrences.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceWord {
    /// The word as first spelled. Words that differ only in case are the same.
    pub text: String,
    /// How often it occurs, as a word or as part of an identifier.
    pub count: usize,
    /// The total weight of its occurrences.
    pub weight: f32,
    /// The region with the highest weight that contains it.
    pub kind: RegionKind,
}

/// Returns the words of a file, in the order of their first occurrence. Identifiers are kept whole and in parts.
pub fn words(path: &str, text: &str) -> Vec<SourceWord> {
    let mut counter = Counter::default();
    regions(path, text).into_iter().for_each(|region| counter.add_all(text, region));
    counter.words
}

#[derive(Default)]
struct Counter {
    /// Maps lower-case words to their indexes in `words`.
    places: HashMap<String, usize>,
    words: Vec<SourceWord>,
    /// The current word in lower case, reused so a known word needs no allocation.
    key: String,
}

impl Counter {
    /// Adds the words of a region.
    fn add_all(&mut self, text: &str, region: Region) {
        tokens::each(text, region, |place| {
            let word = &text[place];
            if is_noise(region, word) {
                return;
            }
            self.count(region.kind, word, weight::WHOLE);
            for part in split_words::parts(word) {
                self.count(region.kind, &word[part], weight::PART);
            }
        });
    }

    fn count(&mut self, kind: RegionKind, word: &str, factor: f32) {
        let length = word.chars().take(MAX_WORD + 1).count();
        let is_letter = length == 1 && word.is_ascii();
        if is_letter || length > MAX_WORD {
            return;
        }
        self.key.clear();
        self.key.extend(word.chars().flat_map(char::to_lowercase));
        let next = self.words.len();
        let index = self.places.get(&self.key).copied().unwrap_or(next);
        if index == next {
            self.places.insert(self.key.clone(), next);
            self.words.push(SourceWord { text: word.to_owned(), count: 0, weight: 0.0, kind });
        }
        let word = &mut self.words[index];
        word.count += 1;
        word.weight += kind.weight() * factor;
        if kind.weight() > word.kind.weight() {
            word.kind = kind;
        }
    }
}

/// True for words that belong to the language and not to the content. In running text, such a word may be
/// the subject.
fn is_noise(region: Region, word: &str) -> bool {
    match region.kind {
        RegionKind::Code => region.language.is_keyword(word) || keywords::NOISE.contains(&word),
        RegionKind::Comment | RegionKind::DocComment => keywords::MARKERS.contains(&word),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, text: &str) -> String {
        let words = words(path, text);
        words
            .iter()
            .map(|word| format!("{}*{}={}", word.text, word.count, word.weight))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn occurrences_are_weighed() {
        for (path, text, expected) in [
            ("x.rs", "fn parseConfig(a: Config) {}", "parseConfig*1=1 parse*1=0.5 Config*2=1.5"),
            ("x.rs", "/// Fn retry\nretry(\"retry now\")", "Fn*1=2 retry*3=4.5 now*1=1.5"),
            ("x.md", "# Retry policy\nretry `retry` fn", "Retry*3=3 policy*1=1 fn*1=1"),
            ("x.sql", "SELECT name FROM users -- Select all", "name*1=1 users*1=1 Select*1=2 all*1=2"),
            ("x.py", "self.main(args) # TODO fix todo", "fix*1=2 todo*1=2"),
            ("x.rs", "", ""),
        ] {
            assert_eq!(shown(path, text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_word_has_the_kind_of_its_heaviest_region() {
        let words = words("x.rs", "one\r\ntwo getTwo\n// two\n");
        let found: Vec<_> = words.iter().map(|word| (word.text.as_str(), word.kind)).collect();
        let (code, comment) = (RegionKind::Code, RegionKind::Comment);
        assert_eq!(found, [("one", code), ("two", comment), ("getTwo", code), ("get", code)]);
    }
}
