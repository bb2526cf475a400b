//! The answer of `ra eval --context`.

use std::io;

use ra_core::eval::{ContextScores, RankMetrics};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{Page, Present, Table, count};

/// How good `ra context` is, compared with two simple methods.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ContextEvaluation {
    /// How many results were asked for and scored.
    #[schemars(range(min = 1))]
    pub(crate) depth: usize,
    /// The number of documents that link to others.
    pub(crate) documents: usize,
    /// The methods, `ra context` first.
    pub(crate) methods: Vec<Method>,
}

/// A method, and its quality.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Method {
    /// The name of the method.
    pub(crate) method: &'static str,
    /// The share of the linked documents that was found, on average.
    pub(crate) recall: f64,
    /// MRR: the reciprocal rank of the first linked document, on average.
    pub(crate) mrr: f64,
    /// nDCG: the discounted cumulative gain, divided by that of the best possible order, on average.
    pub(crate) ndcg: f64,
}

impl ContextEvaluation {
    pub(crate) fn new(depth: usize, measured: &ContextScores) -> Self {
        let method = |method, scores: &RankMetrics| Method {
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

impl Present for ContextEvaluation {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("{} that link to others", count(self.documents, "document")))?;
        let k = self.depth;
        let headings = ["method".to_owned(), format!(">recall@{k}"), ">MRR".to_owned(), format!(">nDCG@{k}")];
        let mut table = Table::new(&headings.each_ref().map(String::as_str));
        for method in &self.methods {
            let numbers = [method.recall, method.mrr, method.ndcg].map(|number| format!("{number:.4}"));
            table.row([method.method.to_owned()].into_iter().chain(numbers));
        }
        page.table(&table)
    }
}
