//! Makes the scores of several trees comparable.

use std::collections::HashMap;

use crate::index::Hit;

/// Divides each score by the best score of its tree, so that every tree's best hit scores 1, and ranks anew.
///
/// BM25 scores depend on the collection they come from: without this, a dense tree would push the best hits of
/// a sparse one below the cutoff. It is meant for searches over several trees; over one it would only discard
/// the magnitude of the scores. A tree whose hits all score zero keeps them.
pub fn normalize(hits: &mut [Hit]) {
    let mut best: HashMap<u16, f32> = HashMap::new();
    for hit in &*hits {
        let best = best.entry(hit.tree).or_default();
        *best = best.max(hit.score);
    }
    for hit in &mut *hits {
        if let Some(&best) = best.get(&hit.tree)
            && best > 0.0
        {
            hit.score /= best;
        }
    }
    hits.sort_unstable_by(Hit::ranking);
}

/// Multiplies each score by the factor of its tree and ranks anew.
///
/// This comes after [`normalize`], which would divide a factor common to a whole tree out again.
pub fn boost(hits: &mut [Hit], factor: impl Fn(u16) -> f32) {
    for hit in &mut *hits {
        hit.score *= factor(hit.tree);
    }
    hits.sort_unstable_by(Hit::ranking);
}

#[cfg(test)]
mod tests {
    use super::super::sample::document;
    use super::*;

    fn two_trees() -> Vec<Hit> {
        vec![
            document("tree-a:doc1", 0, 4500.0),
            document("tree-a:doc2", 0, 3200.0),
            document("tree-a:doc3", 0, 3000.0),
            document("tree-b:doc1", 1, 800.0),
            document("tree-b:doc2", 1, 600.0),
        ]
    }

    fn table(hits: &[Hit]) -> Vec<String> {
        hits.iter().map(|hit| format!("{} {:.2}", hit.doc, hit.score)).collect()
    }

    #[test]
    fn each_tree_is_measured_by_its_own_best_hit() {
        let mut hits = two_trees();
        normalize(&mut hits);
        assert_eq!(
            table(&hits),
            [
                "tree-a:doc1 1.00",
                "tree-b:doc1 1.00",
                "tree-b:doc2 0.75",
                "tree-a:doc2 0.71",
                "tree-a:doc3 0.67"
            ]
        );
    }

    #[test]
    fn normalizing_twice_changes_nothing() {
        let mut once = two_trees();
        normalize(&mut once);
        let mut twice = once.clone();
        normalize(&mut twice);
        assert_eq!(once, twice);
    }

    #[test]
    fn zero_scores_stay_zero() {
        let mut hits = vec![document("a:x", 0, 0.0), document("b:y", 1, 8.0), document("b:z", 1, 0.0)];
        normalize(&mut hits);
        assert_eq!(table(&hits), ["b:y 1.00", "a:x 0.00", "b:z 0.00"]);
        normalize(&mut []);
    }

    #[test]
    fn a_boost_lifts_its_tree() {
        let mut hits = two_trees();
        normalize(&mut hits);
        boost(&mut hits, |tree| if tree == 1 { 1.5 } else { 1.0 });
        assert_eq!(
            table(&hits),
            [
                "tree-b:doc1 1.50",
                "tree-b:doc2 1.12",
                "tree-a:doc1 1.00",
                "tree-a:doc2 0.71",
                "tree-a:doc3 0.67"
            ]
        );
    }
}
