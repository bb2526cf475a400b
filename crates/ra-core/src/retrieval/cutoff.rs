//! Cuts off the tail of less relevant hits.

use crate::index::Hit;

/// The effect of [`cutoff`], for the trace. At most one of `elbow` and `capped` is set: the one that decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The position of the first dropped hit, if a drop in score decided.
    pub elbow: Option<usize>,
    /// True if the maximum decided.
    pub capped: bool,
    /// The number of dropped hits.
    pub dropped: usize,
}

/// Truncates ranked hits before the first one that scores less than `ratio` times its predecessor, and at `max`.
///
/// With a ratio of 0, only the maximum applies. The step from hits with every query word to hits that lack
/// one doesn't count as a drop: the latter score less because they have fewer words to score.
pub fn cutoff(hits: &mut Vec<Hit>, ratio: f64, max: usize) -> Cut {
    let len = hits.len();
    // An elbow exactly at the maximum counts as the elbow's cut: a larger maximum would change nothing.
    let elbow = elbow(hits, ratio).filter(|&at| at <= max);
    hits.truncate(elbow.unwrap_or(max));
    Cut { elbow, capped: elbow.is_none() && len > max, dropped: len - hits.len() }
}

/// Returns the position of the first steep drop. A score of 0 can't drop any further.
fn elbow(hits: &[Hit], ratio: f64) -> Option<usize> {
    let falls = |pair: &[Hit]| match pair {
        [before, after] if before.is_partial != after.is_partial => false,
        [before, after] => before.score > 0.0 && f64::from(after.score) / f64::from(before.score) < ratio,
        _ => false,
    };
    hits.windows(2).position(falls).map(|before| before + 1)
}

#[cfg(test)]
mod tests {
    use super::super::test_outline::document;
    use super::*;

    fn cut(scores: &[f32], ratio: f64, max: usize) -> (usize, Cut) {
        let mut hits: Vec<Hit> = scores.iter().map(|&score| document("t:d", 0, score)).collect();
        let cut = cutoff(&mut hits, ratio, max);
        assert_eq!(hits.len() + cut.dropped, scores.len());
        (hits.len(), cut)
    }

    const CURVE: [f32; 7] = [100.0, 80.0, 60.0, 40.0, 15.0, 12.0, 3.0];

    #[test]
    fn cuts_before_the_first_steep_fall() {
        assert_eq!(cut(&CURVE, 0.3, 50), (6, Cut { elbow: Some(6), capped: false, dropped: 1 }));
        assert_eq!(cut(&CURVE, 0.5, 50).0, 4);
        assert_eq!(cut(&CURVE, 0.1, 50), (7, Cut::default()));
    }

    #[test]
    fn a_fall_to_exactly_the_ratio_is_kept() {
        assert_eq!(cut(&[100.0, 7.0], 0.07, 50).0, 2);
        assert_eq!(cut(&CURVE, 0.25, 50).0, 7);
    }

    #[test]
    fn a_ratio_of_zero_leaves_only_the_maximum() {
        assert_eq!(cut(&[100.0, 1e-30, 0.0, 0.0], 0.0, 50), (4, Cut::default()));
        assert_eq!(cut(&CURVE, 0.0, 5), (5, Cut { elbow: None, capped: true, dropped: 2 }));
    }

    #[test]
    fn the_nearer_of_elbow_and_maximum_decides() {
        assert_eq!(cut(&CURVE, 0.3, 5).1, Cut { elbow: None, capped: true, dropped: 2 });
        assert_eq!(cut(&CURVE, 0.3, 6).1, Cut { elbow: Some(6), capped: false, dropped: 1 });
        assert_eq!(cut(&CURVE, 0.3, 0), (0, Cut { elbow: None, capped: true, dropped: 7 }));
    }

    #[test]
    fn sections_that_lack_a_word_have_an_elbow_of_their_own() {
        let hit = |score, is_partial| Hit { is_partial, ..document("t:d", 0, score) };
        for (full, partial, kept) in [
            (&[100.0, 80.0][..], &[9.0, 8.0][..], 4),
            (&[100.0, 80.0], &[9.0, 1.0], 3),
            (&[100.0, 8.0], &[90.0], 1),
        ] {
            let full = full.iter().map(|score| hit(*score, false));
            let mut hits: Vec<Hit> = full.chain(partial.iter().map(|score| hit(*score, true))).collect();
            cutoff(&mut hits, 0.3, 50);
            assert_eq!(hits.len(), kept);
        }
    }

    #[test]
    fn zeros_are_cut_after_a_positive_score_and_kept_among_themselves() {
        assert_eq!(cut(&[1.0, 0.0, 0.0], 1e-9, 50).0, 1);
        assert_eq!(cut(&[0.0, 0.0], 0.3, 50), (2, Cut::default()));
        assert_eq!(cut(&[], 0.3, 50), (0, Cut::default()));
        assert_eq!(cut(&CURVE, f64::NAN, 50), (7, Cut::default()));
    }
}
