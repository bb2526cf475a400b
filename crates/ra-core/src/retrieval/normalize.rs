//! Puts scores on one scale, whatever the query and the tree.

use crate::index::Hit;

/// Divides each score by the highest score that the query could give, so 1 means a perfect match.
///
/// All trees share one index and one set of statistics, so their scores are comparable and have the same
/// divisor. Dividing by the best hit of each tree instead would let a footnote in one tree tie with the best
/// page of another.
pub fn normalize(hits: &mut [Hit], best_possible: f32) {
    if best_possible > 0.0 {
        for hit in &mut *hits {
            hit.score /= best_possible;
        }
    }
    hits.sort_unstable_by(Hit::ranking);
}

/// Multiplies each score by the factor of its tree and sorts again.
pub fn boost(hits: &mut [Hit], factor: impl Fn(u16) -> f32) {
    for hit in &mut *hits {
        hit.score *= factor(hit.tree);
    }
    hits.sort_unstable_by(Hit::ranking);
}

#[cfg(test)]
mod tests {
    use super::super::test_outline::document;
    use super::*;

    fn two_trees() -> Vec<Hit> {
        vec![
            document("tree-b:doc1", 1, 8.0),
            document("tree-a:doc1", 0, 5.0),
            document("tree-a:doc2", 0, 4.0),
            document("tree-b:doc2", 1, 0.0),
        ]
    }

    fn table(hits: &[Hit]) -> Vec<String> {
        hits.iter().map(|hit| format!("{} {:.2}", hit.doc, hit.score)).collect()
    }

    #[test]
    fn all_trees_have_one_scale() {
        let mut hits = two_trees();
        normalize(&mut hits, 10.0);
        assert_eq!(
            table(&hits),
            ["tree-b:doc1 0.80", "tree-a:doc1 0.50", "tree-a:doc2 0.40", "tree-b:doc2 0.00"]
        );
    }

    #[test]
    fn a_query_that_cannot_score_keeps_its_scores() {
        let mut hits = two_trees();
        normalize(&mut hits, 0.0);
        assert_eq!(hits, two_trees());
        normalize(&mut [], 1.0);
    }

    #[test]
    fn a_boost_lifts_its_tree() {
        let mut hits = two_trees();
        normalize(&mut hits, 10.0);
        boost(&mut hits, |tree| if tree == 0 { 2.0 } else { 1.0 });
        assert_eq!(
            table(&hits),
            ["tree-a:doc1 1.00", "tree-a:doc2 0.80", "tree-b:doc1 0.80", "tree-b:doc2 0.00"]
        );
    }
}
