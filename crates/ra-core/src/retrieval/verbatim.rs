//! Finds sections that repeat a part of the query word for word, such as a sentence or a message that was copied from
//! them.

use crate::index::Analyzer;

/// A shorter run of words is a coincidence, or a phrase of the topic.
const MIN_RUN_WORDS: usize = 5;
/// Function words follow each other in any text, so a run must have this many other words.
const MIN_CONTENT_WORDS: usize = 3;

/// The rest of a longer query is ignored.
const MAX_QUERY_WORDS: usize = 64;

/// Compares texts with the words of a query, in order and as they are written. Only case and punctuation may differ.
pub(super) struct VerbatimMatcher {
    words: Vec<WrittenWord>,
    content_words: usize,
}

struct WrittenWord {
    text: String,
    is_content: bool,
}

/// The number of words in a run, and how many of them aren't function words.
#[derive(Clone, Copy, Default)]
struct CommonRun {
    words: usize,
    content_words: usize,
}

impl VerbatimMatcher {
    pub(super) fn new(query: &str, analyzer: &Analyzer) -> Self {
        let word = |text: &str| {
            let text = text.to_lowercase();
            WrittenWord { is_content: !analyzer.is_function_word(&text), text }
        };
        let words: Vec<WrittenWord> = words(query).map(word).take(MAX_QUERY_WORDS).collect();
        let content_words = words.iter().filter(|word| word.is_content).count();
        Self { words, content_words }
    }

    /// Returns the share of the query's content words that are in the longest run that the text has in common with it.
    pub(super) fn share(&self, text: &str) -> f32 {
        if self.words.len() < MIN_RUN_WORDS || self.content_words < MIN_CONTENT_WORDS {
            return 0.0;
        }
        // For each word of the query, the run that ends with it and with the current word of the text.
        let mut runs = vec![CommonRun::default(); self.words.len()];
        let mut longest = 0;
        for word in words(text) {
            let word = word.to_lowercase();
            let mut before = CommonRun::default();
            for (wanted, run) in self.words.iter().zip(&mut runs) {
                let longer = if wanted.text == word { before.with(wanted) } else { CommonRun::default() };
                before = std::mem::replace(run, longer);
                if longer.words >= MIN_RUN_WORDS {
                    longest = longest.max(longer.content_words);
                }
            }
        }
        if longest < MIN_CONTENT_WORDS { 0.0 } else { longest as f32 / self.content_words as f32 }
    }
}

impl CommonRun {
    fn with(self, word: &WrittenWord) -> Self {
        Self { words: self.words + 1, content_words: self.content_words + usize::from(word.is_content) }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_counts_if_it_is_long_and_says_something() {
        let analyzer = Analyzer::new("english");
        let query = "Can I open the heron panel from any screen?";
        let matcher = VerbatimMatcher::new(query, &analyzer);
        for (text, share) in [
            ("You can\nopen the *heron* panel from any screen.", 1.0),
            ("can I OPEN the heron panel from any screen", 1.0),
            ("Open the heron panel from the menu.", 0.75),
            ("The heron panel of any screen.", 0.0),
            ("Can I do it? From any screen, open the heron panel.", 0.0),
            ("", 0.0),
        ] {
            assert_eq!(matcher.share(text), share, "{text}");
        }
        for query in ["heron panel", "what is the best of it all for you", ""] {
            assert_eq!(VerbatimMatcher::new(query, &analyzer).share(query), 0.0, "{query}");
        }
    }
}
