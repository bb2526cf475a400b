//! A question prefers the documents that it names: those whose title it has the words of. A question that was
//! made of a text at hand does so strongly, because what a text is about and what it mentions are two things, and
//! both matter for it; a query only a little.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::index::{Analyzer, Hit, Word, name_hash};

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
pub fn favour(
    hits: &mut [Hit],
    named: Named<'_>,
    words: &[Word],
    analyzer: &mut Analyzer,
) -> HashMap<Arc<str>, f32> {
    let (known, most) = match named {
        Named::Text(tokens) => (tokens.iter().map(|token| name_hash(token)).collect(), BY_TEXT),
        Named::Query(query) => {
            let mut known: HashSet<u64> = hashes(analyzer, query).into_iter().collect();
            let nearly = words.iter().filter(|word| query.contains(&word.text)).flat_map(Word::nearly);
            known.extend(nearly.map(name_hash));
            (known, BY_QUERY)
        }
    };
    let mut factors: HashMap<Arc<str>, f32> = HashMap::new();
    for hit in hits.iter_mut() {
        let part = part_named(&hit.name, &known);
        let factor = 1.0 + most * part * part;
        hit.score *= factor;
        factors.insert(hit.doc.clone(), factor);
    }
    hits.sort_by(Hit::ranking);
    factors
}

fn hashes(analyzer: &mut Analyzer, text: &str) -> Vec<u64> {
    let mut hashes = Vec::new();
    analyzer.tokens(text, &mut |token| hashes.push(name_hash(token.text)));
    hashes
}

/// The part of a title's words that is known.
fn part_named(title: &[u64], known: &HashSet<u64>) -> f32 {
    let named = title.iter().filter(|word| known.contains(word)).count();
    if title.is_empty() { 0.0 } else { named as f32 / title.len() as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_named_by_its_words_in_any_form() {
        let mut analyzer = Analyzer::new("english");
        let text = "how pods use persistent volumes";
        let at_hand = hashes(&mut analyzer, text).into_iter().collect();
        for (title, part) in
            [("Persistent Volume", 1.0), ("Volume snapshots", 0.5), ("Nodes", 0.0), ("", 0.0)]
        {
            assert_eq!(part_named(&hashes(&mut analyzer, title), &at_hand), part, "{title}");
        }
    }
}
