//! Words that stand for each other: other spellings of a word, other names of a thing, and words that mean nearly the
//! same.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::analyzer::Analyzer;
use super::plan::Form;
use crate::config::Synonyms;

/// How much another spelling, another name and a related word count for.
const SPELLING: f32 = 0.9;
const NAME: f32 = 0.7;
const RELATED: f32 = 0.4;

const ENGLISH: [(f32, &str); 3] = [
    (SPELLING, include_str!("spellings.txt")),
    (NAME, include_str!("names.txt")),
    (RELATED, include_str!("related.txt")),
];

/// By each word, as the index has it, what else may be written for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Thesaurus(HashMap<String, Vec<Form>>);

/// How near to a word the others have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only what is the same.
    Same,
    /// Also what means nearly the same.
    Related,
}

impl Thesaurus {
    /// The one of a language, for those that have one.
    pub(super) fn of(language: &str) -> Option<&'static Self> {
        static MADE: OnceLock<Thesaurus> = OnceLock::new();
        (language == "english").then(|| {
            MADE.get_or_init(|| {
                let mut made = Thesaurus::default();
                let mut analyzer = Analyzer::new(language);
                for (closeness, groups) in ENGLISH {
                    for group in groups.lines().filter(|line| !line.starts_with('#')) {
                        made.add(group.split(", "), closeness, &mut analyzer);
                    }
                }
                made
            })
        })
    }

    /// What a configuration says; each group has names of one thing.
    pub(super) fn configured(groups: &[Synonyms], analyzer: &mut Analyzer) -> Self {
        let mut made = Self::default();
        for group in groups {
            made.add(group.words.iter().map(String::as_str), NAME, analyzer);
        }
        made
    }

    fn add<'a>(&mut self, group: impl Iterator<Item = &'a str>, closeness: f32, analyzer: &mut Analyzer) {
        let group: Vec<Vec<String>> = group.map(|word| analyzer.wholes(word)).collect();
        for word in &group {
            // Words of a query are looked up one by one.
            let [token] = word.as_slice() else { continue };
            let forms = self.0.entry(token.clone()).or_default();
            for other in group.iter().filter(|other| *other != word && !other.is_empty()) {
                if forms.iter().all(|form| form.tokens != *other) {
                    forms.push(Form { tokens: other.clone(), closeness });
                }
            }
        }
    }

    /// What stands for a word.
    pub(super) fn synonyms(&self, token: &str, reach: Reach) -> impl Iterator<Item = &Form> {
        let forms = self.0.get(token).into_iter().flatten();
        forms.filter(move |form| reach == Reach::Related || form.closeness > RELATED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_several_words_and_is_in_its_place() {
        for (_, groups) in ENGLISH {
            let groups: Vec<&str> = groups.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(groups.is_sorted(), "not in alphabetical order");
            for group in groups {
                let words: Vec<&str> = group.split(", ").collect();
                assert!(words.len() > 1, "{group}");
                assert!(words.iter().all(|word| *word == word.trim().to_lowercase()), "{group}");
                let mut analyzer = Analyzer::new("english");
                let mut tokens: Vec<Vec<String>> = words.iter().map(|word| analyzer.wholes(word)).collect();
                assert!(tokens.iter().any(|word| word.len() == 1), "no single word is in: {group}");
                tokens.sort();
                tokens.dedup();
                assert_eq!(tokens.len(), words.len(), "the stemmer folds words of: {group}");
            }
        }
    }

    #[test]
    fn words_stand_for_each_other() {
        let thesaurus = Thesaurus::of("english").expect("English has one");
        for (word, forms) in &thesaurus.0 {
            assert!(!forms.is_empty(), "{word}");
            for form in forms {
                let [other] = form.tokens.as_slice() else { continue };
                let back =
                    thesaurus.synonyms(other, Reach::Related).find(|form| form.tokens == [word.clone()]);
                assert_eq!(back.map(|form| form.closeness), Some(form.closeness), "{word}, {other}");
            }
        }
        assert!(Thesaurus::of("german").is_none());
    }
}
