//! Decides whether the heading of a section is exactly what a query asks for. Such a section is its own
//! result and isn't merged into a larger one.

use std::collections::BTreeSet;

use super::aggregate::MergeFacts;
use super::title_boost::TitleBoost;
use super::verbatim::VerbatimMatcher;
use crate::index::{Analyzer, RecordId, Snapshot};

/// Compares headings with the words of a query. The query is empty if it was built from a text.
pub(super) struct HeadingMatcher<'a> {
    query: &'a str,
}

impl<'a> HeadingMatcher<'a> {
    pub(super) fn new(titles: TitleBoost<'a>) -> Self {
        let query = match titles {
            TitleBoost::Query(query) => query,
            TitleBoost::Text(_) => "",
        };
        Self { query }
    }

    /// Returns the matcher for texts that say the query word for word.
    pub(super) fn verbatim(&self, snapshot: &Snapshot) -> VerbatimMatcher {
        VerbatimMatcher::new(self.query, &snapshot.analyzer())
    }

    /// Reads the facts that aggregation needs about a document with hits at these nodes.
    pub(super) fn facts(&self, snapshot: &Snapshot, record: RecordId, ords: &[u32]) -> MergeFacts {
        // An unreadable record is reported when its text is read.
        let Ok(record) = snapshot.record_at(record) else { return MergeFacts::default() };
        let mut analyzer = snapshot.analyzer_for(record.language);
        let words = content_words(&mut analyzer, self.query);
        let mut is_asked_for = |ord: &u32| {
            let title = record.outline.node(*ord).map(|node| node.title.as_str()).unwrap_or_default();
            !words.is_empty() && content_words(&mut analyzer, title) == words
        };
        let asked_for = [0].iter().chain(ords).copied().filter(|ord| is_asked_for(ord)).collect();
        MergeFacts { record: Some(record), asked_for }
    }
}

/// Returns the index terms of a text, without function words unless there are no others.
fn content_words(analyzer: &mut Analyzer, text: &str) -> BTreeSet<String> {
    let is_content = |word: &&str| !analyzer.is_function_word(&word.to_lowercase());
    let content: Vec<&str> = text.split_whitespace().filter(is_content).collect();
    let text = if content.is_empty() { text.to_owned() } else { content.join(" ") };
    analyzer.whole_tokens(&text).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_asked_for_in_any_form_and_with_any_function_words() {
        let mut analyzer = Analyzer::new("english");
        for (query, heading, is_same) in [
            ("borrow checker", "The Borrow Checker", true),
            ("what is the borrow checker", "Borrow checkers", true),
            ("borrow checker", "Borrow checker errors", false),
            ("borrow", "Borrow checker", false),
            ("error-handling", "Error handling", true),
            ("the the", "The The", true),
        ] {
            let (query, heading) =
                (content_words(&mut analyzer, query), content_words(&mut analyzer, heading));
            assert_eq!(query == heading, is_same, "{query:?} {heading:?}");
        }
    }
}
