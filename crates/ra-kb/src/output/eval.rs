//! `ra eval` for people.

use std::io;

use ra_core::eval::BUDGETS;

use super::{Page, Present, Table};
use crate::wire::{Evaluation, Measures};

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
