//! The usual measures of a ranked list, from the grades of the results and of everything relevant.

/// The metrics of one ranked list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RankMetrics {
    /// Normalized discounted cumulative gain.
    pub ndcg: f64,
    /// The fraction of the relevant results that was returned.
    pub recall: f64,
    /// The inverse of the rank of the first relevant result.
    pub reciprocal_rank: f64,
    /// 1 if any relevant result was returned.
    pub hit: f64,
    /// 1 if nothing was returned.
    pub empty: f64,
}

impl RankMetrics {
    /// Scores the first `depth` results; `ideal` are the grades of all relevant results.
    pub fn of(given: &[f64], ideal: &[f64], depth: usize) -> Self {
        let top = &given[..given.len().min(depth)];
        let relevant = top.iter().any(|grade| *grade > 0.0);
        Self {
            ndcg: ndcg(top, ideal, depth),
            recall: recall(top, ideal),
            reciprocal_rank: reciprocal_rank(top),
            hit: f64::from(u8::from(relevant)),
            empty: f64::from(u8::from(given.is_empty())),
        }
    }

    /// Returns the mean of several metrics.
    pub fn mean(all: impl IntoIterator<Item = RankMetrics>) -> RankMetrics {
        let mut sum = RankMetrics::default();
        let mut count = 0.0f64;
        for scores in all {
            sum.ndcg += scores.ndcg;
            sum.recall += scores.recall;
            sum.reciprocal_rank += scores.reciprocal_rank;
            sum.hit += scores.hit;
            sum.empty += scores.empty;
            count += 1.0;
        }
        let count = count.max(1.0);
        RankMetrics {
            ndcg: sum.ndcg / count,
            recall: sum.recall / count,
            reciprocal_rank: sum.reciprocal_rank / count,
            hit: sum.hit / count,
            empty: sum.empty / count,
        }
    }
}

/// Returns the discounted cumulative gain of the given grades, divided by that of the best order of all relevant
/// grades.
pub fn ndcg(given: &[f64], ideal: &[f64], depth: usize) -> f64 {
    let gain = |grades: &[f64]| -> f64 {
        grades.iter().take(depth).enumerate().map(|(rank, grade)| grade / (rank as f64 + 2.0).log2()).sum()
    };
    let mut best = ideal.to_vec();
    best.sort_by(|a, b| b.total_cmp(a));
    let possible = gain(&best);
    if possible > 0.0 { gain(given) / possible } else { 0.0 }
}

/// Returns the fraction of the relevant results that was returned.
pub fn recall(given: &[f64], ideal: &[f64]) -> f64 {
    let relevant = |grades: &[f64]| grades.iter().filter(|grade| **grade > 0.0).count();
    match relevant(ideal) {
        0 => 0.0,
        all => relevant(given) as f64 / all as f64,
    }
}

/// Returns the inverse of the rank of the first relevant result; 0 if there is none.
pub fn reciprocal_rank(given: &[f64]) -> f64 {
    given.iter().position(|grade| *grade > 0.0).map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_computed_by_hand() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
        // One relevant result at rank 2 of 3, out of two: 1/log2(3) over 1 + 1/log2(3).
        let scores = RankMetrics::of(&[0.0, 1.0, 0.0], &[1.0, 1.0], 10);
        close(scores.ndcg, 0.630_929_753_571_457_4 / 1.630_929_753_571_457_4);
        close(scores.recall, 0.5);
        close(scores.reciprocal_rank, 0.5);
        close(scores.hit, 1.0);
        // Grades 3 and 1 in the wrong order: (1 + 3/log2(3)) over (3 + 1/log2(3)).
        close(ndcg(&[1.0, 3.0], &[3.0, 1.0], 10), 2.892_789_260_714_372 / 3.630_929_753_571_457_4);
        // Nothing counts beyond the depth.
        close(RankMetrics::of(&[0.0, 1.0], &[1.0], 1).hit, 0.0);
        close(RankMetrics::of(&[], &[1.0], 10).empty, 1.0);
        close(RankMetrics::mean([scores, RankMetrics::default()]).recall, 0.25);
    }
}
