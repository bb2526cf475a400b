//! What `ra eval` measured.

use ra_core::eval::{BUDGETS, Linked, Outcome, Scores};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Evaluation {
    /// How many results of each query were scored.
    pub(crate) depth: usize,
    pub(crate) sets: Vec<EvaluatedSet>,
    pub(crate) overall: Measures,
}

#[derive(Serialize)]
pub(crate) struct EvaluatedSet {
    pub(crate) set: String,
    #[serde(flatten)]
    pub(crate) measures: Measures,
    pub(crate) per_query: Vec<QueryOutcome>,
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Measures {
    pub(crate) queries: usize,
    pub(crate) ndcg: f64,
    pub(crate) recall: f64,
    pub(crate) mrr: f64,
    pub(crate) hit: f64,
    /// Queries that got nothing.
    pub(crate) empty: usize,
    /// Tokens of an answer, on average.
    pub(crate) tokens: f64,
    /// The part of what is relevant whose text is shown within a token budget.
    pub(crate) within: [Within; BUDGETS.len()],
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Within {
    pub(crate) tokens: usize,
    pub(crate) recall: f64,
}

/// The measure for each budget.
fn within(recall: impl Fn(usize) -> f64) -> [Within; BUDGETS.len()] {
    std::array::from_fn(|nr| Within { tokens: BUDGETS[nr], recall: recall(nr) })
}

#[derive(Serialize)]
pub(crate) struct QueryOutcome {
    pub(crate) query: String,
    pub(crate) ndcg: f64,
    pub(crate) reciprocal_rank: f64,
    pub(crate) tokens: usize,
    pub(crate) given: Vec<String>,
}

impl Evaluation {
    pub(crate) fn new(depth: usize, sets: Vec<EvaluatedSet>) -> Self {
        // Every set counts the same, however many queries it has.
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
            within: within(|nr| mean(&|measures| measures.within[nr].recall)),
        };
        Evaluation { depth, sets, overall }
    }
}

impl EvaluatedSet {
    pub(crate) fn new(set: String, outcomes: Vec<Outcome>) -> Self {
        let mean = Scores::mean(outcomes.iter().map(|outcome| outcome.scores));
        let tokens: usize = outcomes.iter().map(|outcome| outcome.tokens).sum();
        let measures = Measures {
            queries: outcomes.len(),
            ndcg: mean.ndcg,
            recall: mean.recall,
            mrr: mean.reciprocal_rank,
            hit: mean.hit,
            empty: outcomes.iter().filter(|outcome| outcome.given.is_empty()).count(),
            tokens: tokens as f64 / outcomes.len().max(1) as f64,
            within: within(|nr| {
                outcomes.iter().map(|outcome| outcome.within[nr]).sum::<f64>() / outcomes.len().max(1) as f64
            }),
        };
        let per_query = outcomes
            .into_iter()
            .map(|outcome| QueryOutcome {
                query: outcome.query,
                ndcg: outcome.scores.ndcg,
                reciprocal_rank: outcome.scores.reciprocal_rank,
                tokens: outcome.tokens,
                given: outcome.given,
            })
            .collect();
        EvaluatedSet { set, measures, per_query }
    }
}

/// How good `ra context` is, beside two simple ways of asking.
#[derive(Serialize)]
pub(crate) struct ContextEvaluation {
    pub(crate) depth: usize,
    pub(crate) documents: usize,
    pub(crate) methods: Vec<Method>,
}

#[derive(Serialize)]
pub(crate) struct Method {
    pub(crate) method: &'static str,
    pub(crate) recall: f64,
    pub(crate) mrr: f64,
    pub(crate) ndcg: f64,
}

impl ContextEvaluation {
    pub(crate) fn new(depth: usize, measured: &Linked) -> Self {
        let method = |method, scores: &Scores| Method {
            method,
            recall: scores.recall,
            mrr: scores.reciprocal_rank,
            ndcg: scores.ndcg,
        };
        let methods = vec![
            method("ra context", &measured.context),
            method("first 50 words as a query", &measured.first_words),
            method("file name as a query", &measured.file_name),
        ];
        ContextEvaluation { depth, documents: measured.documents, methods }
    }
}
