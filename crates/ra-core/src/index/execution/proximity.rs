//! Raises the score of entries in which adjacent query words are close to each other. Only the best entries
//! are checked: reading positions takes time, and entries far down stay there anyway.

use tantivy::DocId as EntryId;

use super::compile::Compiled;
use super::plan::{Compound, Leaf, Plan};
use super::score::QueryWord;
use crate::error::Result;
use crate::index::storage::schema::{TEXTS, TextField};
use crate::index::storage::snapshot::Snapshot;

/// The score of two adjacent words, as a share of the lower of their idfs.
const ADJACENT_WEIGHT: f32 = 0.6;
/// The longest distance that counts.
const MAX_PROXIMITY_DISTANCE: u32 = 5;

impl Snapshot {
    /// Returns the score that the proximity of adjacent query words adds to each entry. `entries` must be sorted.
    pub(crate) fn proximity(
        &self,
        segment: usize,
        compiled: &Compiled,
        words: &[QueryWord],
        entries: &[EntryId],
    ) -> Result<Vec<f32>> {
        let mut sums = vec![0.0; entries.len()];
        for (left, right) in neighbors(&compiled.plan) {
            let tokens = (token(&compiled.leaves[left]), token(&compiled.leaves[right]));
            let (Some(first), Some(second)) = tokens else { continue };
            let mut shortest = vec![u32::MAX; entries.len()];
            for (nr, (text, _)) in TEXTS.iter().enumerate() {
                if !matches!(text, TextField::Title | TextField::Body) {
                    continue;
                }
                let Some(before) = self.positions(segment, nr, first, entries)? else { continue };
                let Some(after) = self.positions(segment, nr, second, entries)? else { continue };
                for ((shortest, before), after) in shortest.iter_mut().zip(&before).zip(&after) {
                    *shortest = (*shortest).min(distance(before, after));
                }
            }
            let idf = words[left].idf.min(words[right].idf);
            for (sum, distance) in sums.iter_mut().zip(shortest) {
                if distance <= MAX_PROXIMITY_DISTANCE {
                    *sum += ADJACENT_WEIGHT * idf / distance as f32;
                }
            }
        }
        Ok(sums)
    }
}

/// Returns the highest score that the proximity of adjacent words can add.
pub(crate) fn best_possible(compiled: &Compiled, words: &[QueryWord]) -> f32 {
    let is_word = |leaf: usize| token(&compiled.leaves[leaf]).is_some();
    let pairs = neighbors(&compiled.plan).into_iter().filter(|pair| is_word(pair.0) && is_word(pair.1));
    pairs.map(|(left, right)| ADJACENT_WEIGHT * words[left].idf.min(words[right].idf)).sum()
}

/// Returns the pairs of adjacent query words that must all match, by their numbers.
fn neighbors(plan: &Plan) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    match plan {
        Plan::All(items) => {
            let looked_for = items.iter().filter(|item| !matches!(item, Plan::Not(_) | Plan::Filter(_)));
            let ends: Vec<Option<(usize, usize)>> = looked_for.map(ends).collect();
            pairs.extend(ends.windows(2).filter_map(|pair| Some((pair[0]?.1, pair[1]?.0))));
            pairs.extend(items.iter().flat_map(neighbors));
        }
        Plan::Any(items) => pairs.extend(items.iter().flat_map(neighbors)),
        Plan::Boost(inner, _) => pairs.extend(neighbors(inner)),
        // A phrase or compound already requires proximity.
        Plan::Leaf(_) | Plan::Compound(_) | Plan::Not(_) | Plan::Filter(_) | Plan::Everything => {}
    }
    pairs
}

/// Returns the first and the last word of an item.
fn ends(plan: &Plan) -> Option<(usize, usize)> {
    match plan {
        Plan::Leaf(leaf) => Some((*leaf, *leaf)),
        Plan::Compound(Compound { parts, .. }) => Some((*parts.first()?, *parts.last()?)),
        Plan::Boost(inner, _) => ends(inner),
        _ => None,
    }
}

/// Returns the token of a plain word, or `None` for a phrase, which already requires proximity.
fn token(leaf: &Leaf) -> Option<&str> {
    match leaf.forms.first()?.tokens.as_slice() {
        [token] if leaf.may_be_missing => Some(token),
        _ => None,
    }
}

/// Returns the shortest distance from a word to the next occurrence of the second. The reverse order counts
/// as one step more.
fn distance(first: &[u32], second: &[u32]) -> u32 {
    let mut shortest = u32::MAX;
    for &at in first {
        let next = second.partition_point(|&other| other <= at);
        if let Some(after) = second.get(next) {
            shortest = shortest.min(after - at);
        }
        if let Some(before) = next.checked_sub(1).and_then(|nr| second.get(nr)) {
            shortest = shortest.min((at - before + 1).max(2));
        }
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_way_counts_and_forwards_is_shorter() {
        for (first, second, expected) in [
            (&[3][..], &[4][..], 1),
            (&[4], &[3], 2),
            (&[1, 10], &[5, 12], 2),
            (&[7], &[7], 2),
            (&[1], &[], u32::MAX),
            (&[], &[1], u32::MAX),
            (&[9], &[2, 20], 8),
        ] {
            assert_eq!(distance(first, second), expected, "{first:?} {second:?}");
        }
    }

    #[test]
    fn only_words_that_are_looked_for_together_are_neighbors() {
        let leaf = Plan::Leaf;
        let not = |inner| Plan::Not(Box::new(inner));
        let boosted = |inner| Plan::Boost(Box::new(inner), 2.0);
        for (plan, expected) in [
            (Plan::All(vec![leaf(0), leaf(1), boosted(leaf(2))]), &[(0, 1), (1, 2)][..]),
            (Plan::All(vec![leaf(0), not(leaf(1)), leaf(2)]), &[(0, 2)]),
            (Plan::Any(vec![leaf(0), leaf(1)]), &[]),
            (Plan::All(vec![leaf(0), Plan::Any(vec![leaf(1), leaf(2)]), leaf(3)]), &[]),
            (Plan::Any(vec![Plan::All(vec![leaf(0), leaf(1)]), leaf(2)]), &[(0, 1)]),
        ] {
            assert_eq!(neighbors(&plan), expected, "{plan:?}");
        }
    }
}
