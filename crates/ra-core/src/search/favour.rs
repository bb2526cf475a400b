//! A question prefers the documents that it names: those whose title it has the words of. A question that was
//! made of a text at hand does so strongly, because what a text is about and what it mentions are two things, and
//! both matter for it; a query only a little.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::error::Result;
use crate::id::DocId;
use crate::index::{Analyzer, Hit, Snapshot};

/// What titles are held against.
#[derive(Clone, Copy, Debug)]
pub enum Named<'a> {
    /// The words of a query.
    Query(&'a str),
    /// The tokens of a text at hand.
    Text(&'a BTreeSet<String>),
}

/// By how much a document counts for more whose whole title the query has, or the text.
const BY_QUERY: f32 = 0.1;
const BY_TEXT: f32 = 1.0;

impl Named<'_> {
    /// How many raw hits are retrieved for each result that is asked for: more where titles decide more.
    pub(super) fn candidates(self) -> usize {
        match self {
            Named::Query(_) => 5,
            Named::Text(_) => 20,
        }
    }
}

/// Raises the scores of documents by how much of their title is named, and sorts the hits anew. Gives the factor
/// of each document.
pub fn favour(hits: &mut [Hit], named: Named<'_>, snapshot: &Snapshot) -> Result<HashMap<Arc<str>, f32>> {
    let mut analyzer = snapshot.analyzer();
    let mut words = BTreeSet::new();
    let (known, most) = match named {
        Named::Text(tokens) => (tokens, BY_TEXT),
        Named::Query(query) => {
            analyzer.tokens(query, &mut |token| {
                words.insert(token.text.to_owned());
            });
            (&words, BY_QUERY)
        }
    };
    let mut factors: HashMap<Arc<str>, f32> = HashMap::new();
    for hit in hits.iter_mut() {
        if !factors.contains_key(&hit.doc) {
            let record = match DocId::from_column(&hit.doc) {
                Some(doc) => snapshot.record(&doc)?,
                None => None,
            };
            let part = record.map_or(0.0, |record| part_named(&mut analyzer, &record.title, known));
            factors.insert(hit.doc.clone(), 1.0 + most * part * part);
        }
        hit.score *= factors.get(&hit.doc).copied().unwrap_or(1.0);
    }
    hits.sort_by(Hit::ranking);
    Ok(factors)
}

/// The part of a title's words that the text has.
fn part_named(analyzer: &mut Analyzer, title: &str, at_hand: &BTreeSet<String>) -> f32 {
    let (mut all, mut named) = (0.0_f32, 0.0_f32);
    analyzer.tokens(title, &mut |token| {
        all += 1.0;
        named += f32::from(u8::from(at_hand.contains(token.text)));
    });
    if all > 0.0 { named / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_named_by_its_words_in_any_form() {
        let mut analyzer = Analyzer::new("english");
        let mut at_hand = BTreeSet::new();
        let text = "how pods use persistent volumes";
        analyzer.tokens(text, &mut |token| {
            at_hand.insert(token.text.to_owned());
        });
        for (title, part) in
            [("Persistent Volume", 1.0), ("Volume snapshots", 0.5), ("Nodes", 0.0), ("", 0.0)]
        {
            assert_eq!(part_named(&mut analyzer, title, &at_hand), part, "{title}");
        }
    }
}
