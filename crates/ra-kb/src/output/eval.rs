//! `ra eval` for people.

use std::io;

use ra_core::eval::BUDGETS;

use super::{Page, Present, Table, count};
use crate::wire::{ContextEvaluation, Evaluation, Measures};

impl Present for Evaluation {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let k = self.depth;
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
        headings.extend(BUDGETS.map(|tokens| format!(">in {tokens}")));
        let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
        for set in &self.sets {
            table.row(row(&set.set, &set.measures));
        }
        if self.sets.len() > 1 {
            table.row(row("all", &self.overall));
        }
        page.table(&table)
    }
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
    row.extend(measures.within.iter().map(|within| number(within.recall)));
    row
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
