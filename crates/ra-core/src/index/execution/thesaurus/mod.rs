//! Synonyms: other spellings of a word, and other names of a thing.

use std::sync::OnceLock;

use super::plan::TermForm;
use crate::config::Synonyms;
use crate::index::analysis::Analyzer;

/// The weight of another spelling, and of another name.
const SPELLING: f32 = 0.9;
pub(crate) const NAME: f32 = 0.7;

const ENGLISH: [(f32, &str); 2] =
    [(SPELLING, include_str!("spellings.txt")), (NAME, include_str!("names.txt"))];

/// Words that are synonyms of each other.
#[derive(Clone, Debug)]
pub(crate) struct SynonymGroup<'a> {
    form_weight: f32,
    words: Vec<&'a str>,
}

/// Returns the synonym groups of English, the closest first. No other language has any.
pub(crate) fn groups() -> &'static [SynonymGroup<'static>] {
    static MADE: OnceLock<Vec<SynonymGroup<'static>>> = OnceLock::new();
    MADE.get_or_init(|| {
        let lists =
            ENGLISH.iter().flat_map(|(form_weight, list)| list.lines().map(move |line| (*form_weight, line)));
        let groups = lists.filter(|(_, line)| !line.starts_with('#'));
        groups
            .map(|(form_weight, line)| SynonymGroup { form_weight, words: line.split(", ").collect() })
            .collect()
    })
}

/// Returns the synonym groups of a configuration: names of one thing.
pub(crate) fn configured(synonyms: &[Synonyms]) -> impl Iterator<Item = SynonymGroup<'_>> {
    synonyms.iter().map(|group| SynonymGroup {
        form_weight: NAME,
        words: group.words.iter().map(String::as_str).collect(),
    })
}

impl SynonymGroup<'_> {
    /// Returns the synonyms of a word in this group, or nothing if the word isn't in the group. `token` is
    /// the index term of the word.
    pub(crate) fn synonyms_of(&self, word: &str, token: &str, analyzer: &mut Analyzer) -> Vec<TermForm> {
        let mut is_it = |known: &&&str| is_form(word, known) && analyzer.whole_tokens(known) == [token];
        let Some(known) = self.words.iter().find(&mut is_it) else { return Vec::new() };
        let others =
            self.words.iter().filter(|other| *other != known).map(|other| analyzer.whole_tokens(other));
        let others =
            others.filter(|tokens| !tokens.is_empty() && *tokens != [token] && !is_ambiguous(tokens));
        others.map(|tokens| TermForm::same(tokens, self.form_weight)).collect()
    }
}

/// True for terms so short that they name many things: `ns` expands to `namespace`, but not the reverse.
fn is_ambiguous(tokens: &[String]) -> bool {
    matches!(tokens, [token] if token.chars().count() < 3)
}

/// True if a word may be a form of another with a different ending. Words with the same stem may mean
/// different things: *author* isn't *authorization*.
fn is_form(word: &str, of: &str) -> bool {
    // The first letter alone rules out nearly all words.
    if let (Some(a), Some(b)) = (word.bytes().next(), of.bytes().next())
        && a.is_ascii()
        && b.is_ascii()
        && !a.eq_ignore_ascii_case(&b)
    {
        return false;
    }
    let mut rest = word.chars().flat_map(char::to_lowercase);
    let (letters, ending) = (of.chars().count(), 2);
    let mut beginning = of.chars().flat_map(char::to_lowercase).take(letters.saturating_sub(ending));
    beginning.all(|letter| rest.next() == Some(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_several_words_and_is_in_its_place() {
        let mut analyzer = Analyzer::new("english");
        for (_, list) in ENGLISH {
            let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(lines.is_sorted(), "not in alphabetical order");
        }
        for SynonymGroup { words, .. } in groups() {
            assert!(words.iter().all(|word| *word == word.trim().to_lowercase()), "{words:?}");
            let mut tokens: Vec<Vec<String>> = words.iter().map(|word| analyzer.whole_tokens(word)).collect();
            assert!(tokens.iter().any(|word| word.len() == 1), "no single word is in: {words:?}");
            tokens.sort();
            tokens.dedup();
            assert_eq!(tokens.len(), words.len(), "the stemmer folds words of: {words:?}");
            assert!(words.len() > 1, "{words:?}");
        }
    }

    #[test]
    fn a_word_is_known_with_other_endings_but_not_by_its_stem_alone() {
        let mut analyzer = Analyzer::new("english");
        for (word, closest) in [
            ("repositories", Some("repo")),
            ("Repository", Some("repo")),
            ("colours", Some("color")),
            ("configs", Some("conf")),
            ("authorizations", Some("authoris")),
            // The stemmer maps these to stems of words in the thesaurus.
            ("author", None),
            ("specific", None),
            ("product", None),
            ("initial", None),
            ("perform", None),
            ("local", None),
            ("set", None),
        ] {
            let token = analyzer.whole_tokens(word).concat();
            let mut forms = groups().iter().flat_map(|group| group.synonyms_of(word, &token, &mut analyzer));
            assert_eq!(forms.next().map(|form| form.tokens.concat()).as_deref(), closest, "{word}");
        }
    }
}
