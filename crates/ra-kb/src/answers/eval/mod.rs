//! The answer of `ra eval`.

mod compare;
mod context;

use std::io;

use ra_core::eval::{BUDGETS, QueryScores, RankMetrics, paired_bootstrap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::compare::{Comparison, Saved};
pub(crate) use self::context::ContextEvaluation;
use crate::output::{Page, Present, Table};

/// How good the answers to judged queries are.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Evaluation {
    /// How many results of each query were scored.
    pub(crate) depth: usize,
    /// The sets, in the order they were named.
    pub(crate) sets: Vec<EvaluatedSet>,
    /// The average over the sets, which all have the same weight.
    pub(crate) overall: Measures,
    /// The changes since an earlier run; absent without `--compare`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) comparison: Option<Comparison>,
}

/// A set of judged queries.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EvaluatedSet {
    /// The name of the file or directory.
    pub(crate) set: String,
    #[serde(flatten)]
    pub(crate) measures: Measures,
    /// nDCG of the same queries, ranked in three ways; absent if `semantic` is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rankings: Option<Rankings>,
    /// The result of each query.
    pub(crate) per_query: Vec<QueryOutcome>,
}

/// nDCG of the same queries, ranked in three ways.
#[derive(Clone, Copy, JsonSchema, Serialize)]
pub(crate) struct Rankings {
    /// By words alone.
    pub(crate) words: f64,
    /// By the vectors of pages alone; a judgment of a section counts for its page.
    pub(crate) meaning: f64,
    /// By words and meaning, as searches do.
    pub(crate) both: f64,
    /// How much better ranking by both is than by words.
    pub(crate) gain: Difference,
}

/// A difference of nDCG with its 95 % interval, from 2,000 resamples of the queries (paired bootstrap).
#[derive(Clone, Copy, JsonSchema, Serialize)]
pub(crate) struct Difference {
    /// The mean difference.
    pub(crate) ndcg: f64,
    /// 2.5 % of the resamples have a lower one.
    pub(crate) low: f64,
    /// 2.5 % of the resamples have a higher one.
    pub(crate) high: f64,
}

impl Difference {
    pub(crate) fn between(before: &[f64], after: &[f64]) -> Self {
        let found = paired_bootstrap(before, after);
        Difference { ndcg: found.mean, low: found.low, high: found.high }
    }
}

impl Rankings {
    pub(crate) fn new(words: &[f64], meaning: &[f64], both: &[QueryScores]) -> Self {
        let both: Vec<f64> = both.iter().map(|outcome| outcome.scores.ndcg).collect();
        let mean = |scores: &[f64]| scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        Rankings {
            words: mean(words),
            meaning: mean(meaning),
            both: mean(&both),
            gain: Difference::between(words, &both),
        }
    }
}

/// The measures of a set of queries.
#[derive(Clone, Copy, JsonSchema, Serialize)]
pub(crate) struct Measures {
    /// The number of queries.
    pub(crate) queries: usize,
    /// nDCG: the discounted cumulative gain, divided by that of the best possible order, on average.
    pub(crate) ndcg: f64,
    /// The share of the relevant results that was found, on average.
    pub(crate) recall: f64,
    /// MRR: the reciprocal rank of the first relevant result, on average.
    pub(crate) mrr: f64,
    /// The share of queries with a relevant result.
    pub(crate) hit: f64,
    /// The number of queries without results.
    pub(crate) empty: usize,
    /// The number of tokens of an answer, on average.
    pub(crate) tokens: f64,
    /// Coherent recall under several token budgets.
    pub(crate) coherent: [Coherent; BUDGETS.len()],
    /// The number of runs of consecutive lines within 2,000 tokens, on average.
    pub(crate) fragments: f64,
    /// The share of shown tokens in runs under 60 tokens without a whole section, within 2,000 tokens.
    pub(crate) shredded: f64,
}

/// Coherent recall within a token budget.
#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
pub(crate) struct Coherent {
    /// The token budget.
    #[schemars(range(min = 1))]
    pub(crate) tokens: usize,
    /// The share of queries whose answer contains, within the budget, a passage of at least 100 tokens or a whole
    /// section of something relevant. For a single query, 0 or 1.
    pub(crate) recall: f64,
}

/// Returns the measure for each budget.
pub(super) fn coherent(recall: impl Fn(usize) -> f64) -> [Coherent; BUDGETS.len()] {
    std::array::from_fn(|nr| Coherent { tokens: BUDGETS[nr], recall: recall(nr) })
}

/// The result of one query. A later run reads it back, so it contains everything that the measures are computed
/// from.
#[derive(Clone, Deserialize, JsonSchema, Serialize)]
pub(crate) struct QueryOutcome {
    /// The query.
    pub(crate) query: String,
    /// nDCG: the discounted cumulative gain, divided by that of the best possible order.
    pub(crate) ndcg: f64,
    /// The share of the relevant results that was found.
    pub(crate) recall: f64,
    /// The reciprocal rank of the first relevant result; 0 without one.
    pub(crate) reciprocal_rank: f64,
    /// The number of tokens of the answer.
    pub(crate) tokens: usize,
    /// Coherent recall under several token budgets.
    pub(crate) coherent: [Coherent; BUDGETS.len()],
    /// The number of runs of consecutive lines within 2,000 tokens.
    pub(crate) fragments: usize,
    /// The share of shown tokens in runs under 60 tokens without a whole section, within 2,000 tokens.
    pub(crate) shredded: f64,
    /// The ids of the results, best first, each once.
    pub(crate) given: Vec<String>,
}

impl Evaluation {
    pub(crate) fn new(depth: usize, sets: Vec<EvaluatedSet>, saved: Option<Saved>) -> Self {
        let comparison = saved.map(|saved| Comparison::new(saved, &sets));
        // Every set has the same weight, however many queries it has.
        let count = sets.len().max(1) as f64;
        let mean =
            |of: &dyn Fn(&Measures) -> f64| sets.iter().map(|set| of(&set.measures)).sum::<f64>() / count;
        let overall = Measures {
            queries: sets.iter().map(|set| set.measures.queries).sum(),
            ndcg: mean(&|measures| measures.ndcg),
            recall: mean(&|measures| measures.recall),
            mrr: mean(&|measures| measures.mrr),
            hit: mean(&|measures| measures.hit),
            empty: sets.iter().map(|set| set.measures.empty).sum(),
            tokens: mean(&|measures| measures.tokens),
            coherent: coherent(|nr| mean(&|measures| measures.coherent[nr].recall)),
            fragments: mean(&|measures| measures.fragments),
            shredded: mean(&|measures| measures.shredded),
        };
        Evaluation { depth, sets, overall, comparison }
    }
}

impl EvaluatedSet {
    pub(crate) fn new(set: String, outcomes: Vec<QueryScores>, rankings: Option<Rankings>) -> Self {
        let measures = Measures::of(&outcomes.iter().collect::<Vec<_>>());
        let per_query = outcomes.into_iter().map(QueryOutcome::new).collect();
        EvaluatedSet { set, measures, rankings, per_query }
    }
}

impl Measures {
    /// Averages the scores of some queries.
    pub(super) fn of(outcomes: &[&QueryScores]) -> Self {
        let mean = RankMetrics::mean(outcomes.iter().map(|outcome| outcome.scores));
        let count = outcomes.len().max(1) as f64;
        let tokens: usize = outcomes.iter().map(|outcome| outcome.tokens).sum();
        Measures {
            queries: outcomes.len(),
            ndcg: mean.ndcg,
            recall: mean.recall,
            mrr: mean.reciprocal_rank,
            hit: mean.hit,
            empty: outcomes.iter().filter(|outcome| outcome.given.is_empty()).count(),
            tokens: tokens as f64 / count,
            coherent: coherent(|nr| {
                outcomes.iter().filter(|outcome| outcome.coherent[nr]).count() as f64 / count
            }),
            fragments: outcomes.iter().map(|outcome| outcome.fragments).sum::<usize>() as f64 / count,
            shredded: outcomes.iter().map(|outcome| outcome.shredded).sum::<f64>() / count,
        }
    }
}

impl QueryOutcome {
    fn new(outcome: QueryScores) -> Self {
        QueryOutcome {
            query: outcome.query,
            ndcg: outcome.scores.ndcg,
            recall: outcome.scores.recall,
            reciprocal_rank: outcome.scores.reciprocal_rank,
            tokens: outcome.tokens,
            coherent: coherent(|nr| f64::from(u8::from(outcome.coherent[nr]))),
            fragments: outcome.fragments,
            shredded: outcome.shredded,
            given: outcome.given,
        }
    }
}

impl From<QueryOutcome> for QueryScores {
    fn from(outcome: QueryOutcome) -> Self {
        QueryScores {
            scores: RankMetrics {
                ndcg: outcome.ndcg,
                recall: outcome.recall,
                reciprocal_rank: outcome.reciprocal_rank,
                hit: f64::from(u8::from(outcome.reciprocal_rank > 0.0)),
                empty: f64::from(u8::from(outcome.given.is_empty())),
            },
            query: outcome.query,
            given: outcome.given,
            tokens: outcome.tokens,
            coherent: outcome.coherent.map(|coherent| coherent.recall > 0.0),
            fragments: outcome.fragments,
            shredded: outcome.shredded,
        }
    }
}

impl Present for Evaluation {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let headings = headings(self.depth);
        let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
        for set in &self.sets {
            table.row(row(&set.set, &set.measures));
        }
        if self.sets.len() > 1 {
            table.row(row("all", &self.overall));
        }
        page.table(&table)?;
        rankings(&self.sets, self.depth, page)?;
        match &self.comparison {
            None => Ok(()),
            Some(comparison) => comparison.human(self.depth, page),
        }
    }
}

/// Compares ranking by words, by meaning and by both.
fn rankings(sets: &[EvaluatedSet], depth: usize, page: &mut Page<'_>) -> io::Result<()> {
    let compared: Vec<(&EvaluatedSet, Rankings)> =
        sets.iter().filter_map(|set| Some((set, set.rankings?))).collect();
    if compared.is_empty() {
        return Ok(());
    }
    page.heading(&format!("nDCG@{depth} by words, by meaning, and by both"))?;
    let mut table = Table::new(&["set", ">words", ">meaning", ">both", ">gain", "95 % interval"]);
    for (set, rankings) in compared {
        let numbers = [rankings.words, rankings.meaning, rankings.both].map(|number| format!("{number:.4}"));
        let mut row = vec![page.clean(&set.set)];
        row.extend(numbers);
        row.extend([signed(rankings.gain.ndcg), interval(&rankings.gain)]);
        table.row(row);
    }
    page.table(&table)
}

fn interval(difference: &Difference) -> String {
    format!("{} to {}", signed(difference.low), signed(difference.high))
}

fn signed(number: f64) -> String {
    format!("{:+.4}", unsigned_zero(number, 0.000_05))
}

/// The names of the measures.
fn headings(k: usize) -> Vec<String> {
    let mut headings = vec![
        "set".to_owned(),
        ">queries".to_owned(),
        format!(">nDCG@{k}"),
        format!(">recall@{k}"),
        ">MRR".to_owned(),
        format!(">hit@{k}"),
        ">empty".to_owned(),
        ">tokens".to_owned(),
    ];
    headings.extend(BUDGETS.map(|tokens| format!(">coherent@{tokens}")));
    headings.extend([">fragments", ">shredded"].map(str::to_owned));
    headings
}

fn row(name: &str, measures: &Measures) -> Vec<String> {
    let number = |value: f64| format!("{value:.4}");
    let mut row = vec![
        name.to_owned(),
        measures.queries.to_string(),
        number(measures.ndcg),
        number(measures.recall),
        number(measures.mrr),
        number(measures.hit),
        measures.empty.to_string(),
        format!("{:.0}", measures.tokens),
    ];
    row.extend(measures.coherent.iter().map(|coherent| number(coherent.recall)));
    row.extend([format!("{:.1}", measures.fragments), number(measures.shredded)]);
    row
}

/// Returns 0.0 for values that are printed as zero, so they have no minus sign.
fn unsigned_zero(value: f64, least: f64) -> f64 {
    if value.abs() < least { 0.0 } else { value }
}
