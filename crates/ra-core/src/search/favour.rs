//! A question prefers the documents that it names: those whose title it has the words of. A question that was
//! made of a text at hand does so strongly, because what a text is about and what it mentions are two things, and
//! both matter for it; a query only a little.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::index::{Analyzer, Hit, RecordId, Snapshot, Word, name_hash};

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

/// Fewer results than this are chosen as if there were this many.
const FEW: usize = 10;

impl Named<'_> {
    /// How many raw hits are retrieved for so many results: more where titles decide more. Few results are the first of
    /// more, and are chosen among as many.
    pub(super) fn candidates(self, results: usize) -> usize {
        let each = match self {
            Named::Query(_) => 5,
            Named::Text(_) => 20,
        };
        results.max(FEW).saturating_mul(each)
    }
}

/// Raises the scores of documents by how much of their title is named, and sorts the hits anew. Gives the factor
/// of each document.
pub fn favour(
    hits: &mut [Hit],
    named: Named<'_>,
    words: &[Word],
    snapshot: &Snapshot,
) -> HashMap<RecordId, f32> {
    let (known, most) = match named {
        Named::Text(tokens) => (tokens.iter().map(|token| name_hash(token)).collect(), BY_TEXT),
        Named::Query(query) => {
            let mut known: HashSet<u64> = hashes(&mut snapshot.analyzer(), query).into_iter().collect();
            let nearly = words.iter().filter(|word| query.contains(&word.text)).flat_map(Word::nearly);
            known.extend(nearly.map(name_hash));
            (known, BY_QUERY)
        }
    };
    let factor = |record: RecordId| {
        let part = part_named(snapshot.name(record), &known);
        1.0 + most * part * part
    };
    let mut factors: HashMap<RecordId, f32> = HashMap::new();
    for hit in hits.iter_mut() {
        hit.score *= *factors.entry(hit.record).or_insert_with_key(|record| factor(*record));
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
fn part_named(title: impl IntoIterator<Item = u64>, known: &HashSet<u64>) -> f32 {
    let (mut all, mut named) = (0, 0);
    for word in title {
        all += 1;
        named += usize::from(known.contains(&word));
    }
    if all == 0 { 0.0 } else { named as f32 / all as f32 }
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
            assert_eq!(part_named(hashes(&mut analyzer, title), &at_hand), part, "{title}");
        }
    }
}
