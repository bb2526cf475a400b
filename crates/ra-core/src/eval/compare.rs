//! Compares two runs of the same judged queries, query by query.

use std::collections::BTreeMap;

use super::QueryScores;

/// The changes from one run to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunComparison<'a> {
    /// The scores of the queries that both runs have, before and after.
    pub shared: Vec<(&'a QueryScores, &'a QueryScores)>,
    /// How many queries are better now.
    pub won: usize,
    /// How many are worse.
    pub lost: usize,
    /// How many are unchanged.
    pub tied: usize,
    /// The largest gains, largest first.
    pub wins: Vec<QueryDelta<'a>>,
    /// The largest losses, largest first.
    pub losses: Vec<QueryDelta<'a>>,
    /// Queries that only the earlier run has.
    pub only_before: Vec<&'a str>,
    /// Queries that only the later run has.
    pub only_after: Vec<&'a str>,
}

/// The change in nDCG of one query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryDelta<'a> {
    /// The query.
    pub query: &'a str,
    /// The nDCG before.
    pub before: f64,
    /// The nDCG after.
    pub after: f64,
}

impl QueryDelta<'_> {
    fn gain(&self) -> f64 {
        self.after - self.before
    }
}

/// How many wins and losses are listed.
const MAX_NAMED_QUERIES: usize = 10;

/// A smaller difference isn't a change: a number may change in its last digit when it is written and read again.
const SCORE_EPSILON: f64 = 1e-9;

/// Compares the scores of a run with those of an earlier one. If a set contains a query several times, its n-th
/// occurrence is compared with the n-th occurrence in the other run.
pub fn compare<'a>(before: &'a [QueryScores], after: &'a [QueryScores]) -> RunComparison<'a> {
    let (earlier, later) = (by_turn(before), by_turn(after));
    let mut comparison = RunComparison::default();
    let mut changes = Vec::new();
    for ((key, turn), outcome) in in_turn(after) {
        match earlier.get(&(key, turn)) {
            None => comparison.only_after.push(key),
            Some(old) => {
                changes.push(QueryDelta { query: key, before: old.scores.ndcg, after: outcome.scores.ndcg });
                comparison.shared.push((*old, outcome));
            }
        }
    }
    let gone = in_turn(before).filter(|(key, _)| !later.contains_key(key));
    comparison.only_before = gone.map(|((query, _), _)| query).collect();
    // The sort is stable, so equal changes keep the order of the queries.
    let mut wins: Vec<QueryDelta<'_>> =
        changes.iter().copied().filter(|change| change.gain() > SCORE_EPSILON).collect();
    wins.sort_by(|a, b| b.gain().total_cmp(&a.gain()));
    let mut losses: Vec<QueryDelta<'_>> =
        changes.iter().copied().filter(|change| change.gain() < -SCORE_EPSILON).collect();
    losses.sort_by(|a, b| a.gain().total_cmp(&b.gain()));
    comparison.won = wins.len();
    comparison.lost = losses.len();
    comparison.tied = changes.len() - wins.len() - losses.len();
    wins.truncate(MAX_NAMED_QUERIES);
    losses.truncate(MAX_NAMED_QUERIES);
    RunComparison { wins, losses, ..comparison }
}

/// Returns scores by their query and its occurrence number among queries with the same text.
fn by_turn(outcomes: &[QueryScores]) -> BTreeMap<(&str, usize), &QueryScores> {
    in_turn(outcomes).collect()
}

fn in_turn(outcomes: &[QueryScores]) -> impl Iterator<Item = ((&str, usize), &QueryScores)> {
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    outcomes.iter().map(move |outcome| {
        let turn = turns.entry(&outcome.query).or_default();
        *turn += 1;
        ((outcome.query.as_str(), *turn), outcome)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{BUDGETS, RankMetrics};
    use super::*;

    fn run(queries: &[(&str, f64)]) -> Vec<QueryScores> {
        let outcome = |&(query, ndcg): &(&str, f64)| QueryScores {
            query: query.to_owned(),
            given: Vec::new(),
            scores: RankMetrics { ndcg, ..RankMetrics::default() },
            tokens: 0,
            coherent: [false; BUDGETS.len()],
            fragments: 0,
            shredded: 0.0,
        };
        queries.iter().map(outcome).collect()
    }

    #[test]
    fn queries_are_won_lost_and_tied() {
        type Run = &'static [(&'static str, f64)];
        type Names = &'static [&'static str];
        let cases: &[(Run, Run, [usize; 3], Names, Names)] = &[
            (&[], &[], [0, 0, 0], &[], &[]),
            (&[("a", 0.5)], &[("a", 0.7)], [1, 0, 0], &[], &[]),
            (&[("a", 0.5)], &[("a", 0.4)], [0, 1, 0], &[], &[]),
            (&[("a", 0.5)], &[("a", 0.5 + 1e-12)], [0, 0, 1], &[], &[]),
            (&[("a", 0.5), ("b", 1.0)], &[("c", 0.5), ("b", 1.0)], [0, 0, 1], &["a"], &["c"]),
            (&[("a", 0.1), ("a", 0.9)], &[("a", 0.1), ("a", 0.8)], [0, 1, 1], &[], &[]),
            (&[("a", 0.1)], &[("a", 0.1), ("a", 0.8)], [0, 0, 1], &[], &["a"]),
        ];
        for (before, after, counts, only_before, only_after) in cases {
            let (before, after) = (run(before), run(after));
            let found = compare(&before, &after);
            assert_eq!([found.won, found.lost, found.tied], *counts, "{before:?} {after:?}");
            assert_eq!(
                (found.only_before.as_slice(), found.only_after.as_slice()),
                (*only_before, *only_after)
            );
            assert_eq!(found.shared.len(), counts.iter().sum::<usize>());
        }
    }

    #[test]
    fn the_largest_changes_are_named_first_and_only_ten() {
        let names: Vec<String> = (0..24).map(|nr| format!("q{nr:02}")).collect();
        let before: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 0.5)).collect();
        let after: Vec<(&str, f64)> =
            (0..24).zip(&names).map(|(nr, name)| (name.as_str(), 0.5 + f64::from(nr - 12) / 100.0)).collect();
        let (before, after) = (run(&before), run(&after));
        let found = compare(&before, &after);
        assert_eq!((found.won, found.lost, found.tied), (11, 12, 1));
        let named =
            |changes: &[QueryDelta<'_>]| changes.iter().map(|it| it.query.to_owned()).collect::<Vec<_>>();
        assert_eq!(named(&found.wins), (14..24).rev().map(|nr| format!("q{nr:02}")).collect::<Vec<_>>());
        assert_eq!(named(&found.losses), (0..10).map(|nr| format!("q{nr:02}")).collect::<Vec<_>>());
    }
}
