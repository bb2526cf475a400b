//! The paired bootstrap: how certain the difference between two runs is.

/// A mean difference with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// The mean over all queries.
    pub mean: f64,
    /// 2.5 % of the resamples have a lower mean.
    pub low: f64,
    /// 2.5 % of the resamples have a higher mean.
    pub high: f64,
}

const RESAMPLES: usize = 2000;
const TAIL: f64 = 0.025;
/// Fixed, so the same scores always give the same interval.
const SEED: u64 = 1;

/// Resamples the queries and returns the mean of `after - before` with its interval. Both slices have one score per
/// query, in the same order.
pub fn paired_bootstrap(before: &[f64], after: &[f64]) -> Difference {
    let differences: Vec<f64> = before.iter().zip(after).map(|(before, after)| after - before).collect();
    if differences.is_empty() {
        return Difference::default();
    }
    let count = differences.len();
    let mean = |sum: f64| sum / count as f64;
    let mut random = SplitMix(SEED);
    let mut means: Vec<f64> =
        (0..RESAMPLES).map(|_| mean((0..count).map(|_| differences[random.below(count)]).sum())).collect();
    means.sort_by(f64::total_cmp);
    let quantile = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
    Difference { mean: mean(differences.iter().sum()), low: quantile(TAIL), high: quantile(1.0 - TAIL) }
}

/// The SplitMix64 generator: good enough for resampling, and the same on every platform.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_shows_whether_a_difference_is_sure() {
        let zeros = vec![0.0; 100];
        let steady = vec![0.1; 100];
        let noisy: Vec<f64> = (0..100).map(|nr| if nr % 2 == 0 { 0.5 } else { -0.49 }).collect();
        for (after, significant) in [(&zeros, false), (&steady, true), (&noisy, false)] {
            let found = paired_bootstrap(&zeros, after);
            assert_eq!(found.low > 0.0 || found.high < 0.0, significant, "{found:?}");
            assert!(found.low <= found.mean + 1e-12 && found.mean <= found.high + 1e-12, "{found:?}");
        }
        assert_eq!(paired_bootstrap(&[], &[]), Difference::default());
    }

    #[test]
    fn the_interval_is_that_of_the_normal_distribution() {
        // 400 differences with a variance of 1/12: the mean has a standard deviation of 0.01443, and 1.96 times that
        // is 0.0283.
        let after: Vec<f64> = (0..400).map(|nr| f64::from(nr) / 400.0).collect();
        let found = paired_bootstrap(&vec![0.0; 400], &after);
        assert!((found.mean - found.low - 0.0283).abs() < 0.002, "{found:?}");
        assert!((found.high - found.mean - 0.0283).abs() < 0.002, "{found:?}");
    }
}
