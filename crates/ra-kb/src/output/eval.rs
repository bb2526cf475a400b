//! `ra eval` for people.

use std::io;

use ra_core::eval::BUDGETS;

use super::{HEADING, Page, Present, Table, count};
use crate::wire::{
    Comparison, ContextEvaluation, Difference, EvaluatedSet, Evaluation, Measures, QueryChange, Rankings,
};

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

impl Comparison {
    fn human(&self, depth: usize, page: &mut Page<'_>) -> io::Result<()> {
        let with = page.clean(&self.with);
        page.heading(&format!("change since {with}"))?;
        let mut headings = headings(depth);
        headings.extend(["nDCG: 95 % interval", ">won", ">lost", ">tied"].map(str::to_owned));
        let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
        for set in &self.sets {
            let change = &set.change;
            let mut row = vec![page.clean(&set.set), set.after.queries.to_string()];
            row.extend([change.ndcg, change.recall, change.mrr, change.hit].map(signed));
            row.extend([format!("{:+}", change.empty), format!("{:+.0}", unsigned_zero(change.tokens, 0.5))]);
            row.extend(change.coherent.iter().map(|coherent| signed(coherent.recall)));
            row.extend([format!("{:+.1}", unsigned_zero(change.fragments, 0.05)), signed(change.shredded)]);
            row.push(interval(&set.difference));
            row.extend([set.won, set.lost, set.tied].map(|count| count.to_string()));
            table.row(row);
        }
        page.table(&table)?;
        for set in &self.sets {
            let name = page.clean(&set.set);
            changes(&format!("{name}: largest wins"), &set.wins, page)?;
            changes(&format!("{name}: largest losses"), &set.losses, page)?;
            list_uncompared(&format!("{name}: queries only in {with}"), &set.only_before, page)?;
            list_uncompared(&format!("{name}: queries only in this run"), &set.only_after, page)?;
        }
        list_uncompared(&format!("sets only in {with}"), &self.only_before, page)?;
        list_uncompared("sets only in this run", &self.only_after, page)
    }
}

/// Returns 0.0 for values that are printed as zero, so they have no minus sign.
fn unsigned_zero(value: f64, least: f64) -> f64 {
    if value.abs() < least { 0.0 } else { value }
}

fn changes(title: &str, changes: &[QueryChange], page: &mut Page<'_>) -> io::Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    page.heading(title)?;
    let mut table = Table::new(&[">before", ">after", "query"]);
    for change in changes {
        let query = page.clean(&change.query);
        table.row([format!("{:.4}", change.before), format!("{:.4}", change.after), query]);
    }
    page.table(&table)
}

/// Lists the names that could not be compared.
fn list_uncompared(title: &str, names: &[String], page: &mut Page<'_>) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    page.line(format!("\n{HEADING}{title}{HEADING:#} (left out of the comparison)"))?;
    for name in names {
        let name = page.clean(name);
        page.line(format!("  {name}"))?;
    }
    Ok(())
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
