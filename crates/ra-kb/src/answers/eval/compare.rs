//! The changes between two runs of `ra eval`. The earlier run is read from its JSON output.

use std::io;

use ra_core::eval::{self, BUDGETS, QueryScores, compare};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Coherent, Difference, EvaluatedSet, Measures, QueryOutcome, coherent, headings, interval, signed,
    unsigned_zero,
};
use crate::output::{HEADING, Page, Table, VERSION};

/// An earlier run.
pub(crate) struct Saved {
    /// Its display name: the file as the user named it.
    pub(crate) name: String,
    pub(crate) depth: usize,
    sets: Vec<(String, Vec<QueryScores>)>,
}

/// The part of a saved run that is read. The averages are computed again, over the queries that both runs have.
#[derive(Deserialize)]
struct SavedRun {
    depth: usize,
    sets: Vec<SavedSet>,
}

#[derive(Deserialize)]
struct SavedSet {
    set: String,
    per_query: Vec<QueryOutcome>,
}

impl Saved {
    /// Parses the output of `ra eval --json`; the error says what is wrong with it.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, String> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"))?;
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => return Err(format!("has version {version}; this ra reads version {VERSION}")),
            None => return Err("is not what `ra eval --json` prints: it has no version".to_owned()),
        }
        let run: SavedRun = serde_json::from_value(value)
            .map_err(|error| format!("is not what `ra eval --json` prints: {error}"))?;
        let outcomes = |set: SavedSet| (set.set, set.per_query.into_iter().map(QueryScores::from).collect());
        Ok(Saved {
            name: name.to_owned(),
            depth: run.depth,
            sets: run.sets.into_iter().map(outcomes).collect(),
        })
    }
}

/// The changes since an earlier run.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Comparison {
    /// The file of the earlier run.
    pub(crate) with: String,
    /// The sets that both runs have.
    pub(crate) sets: Vec<ComparedSet>,
    /// Sets that only the earlier run has; they are left out.
    pub(crate) only_before: Vec<String>,
    /// Sets that only this run has; they are left out.
    pub(crate) only_after: Vec<String>,
}

/// A set of queries that both runs have.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ComparedSet {
    /// The name of the file or directory.
    pub(crate) set: String,
    /// The measures of the earlier run, over the queries that both have.
    pub(crate) before: Measures,
    /// The measures of this run, over the same queries.
    pub(crate) after: Measures,
    /// The later measures minus the earlier ones.
    pub(crate) change: MeasureDelta,
    /// The change of nDCG with its interval.
    pub(crate) difference: Difference,
    /// The number of queries whose nDCG rose.
    pub(crate) won: usize,
    /// The number of queries whose nDCG fell.
    pub(crate) lost: usize,
    /// The number of queries whose nDCG stayed the same.
    pub(crate) tied: usize,
    /// Up to ten queries that gained most, the largest gain first.
    pub(crate) wins: Vec<QueryChange>,
    /// Up to ten queries that lost most, the largest loss first.
    pub(crate) losses: Vec<QueryChange>,
    /// Queries that only the earlier run has; they are left out.
    pub(crate) only_before: Vec<String>,
    /// Queries that only this run has; they are left out.
    pub(crate) only_after: Vec<String>,
}

/// The later measures minus the earlier ones.
#[derive(JsonSchema, Serialize)]
pub(crate) struct MeasureDelta {
    /// nDCG: the discounted cumulative gain, divided by that of the best possible order, on average.
    pub(crate) ndcg: f64,
    /// The share of the relevant results that was found, on average.
    pub(crate) recall: f64,
    /// MRR: the reciprocal rank of the first relevant result, on average.
    pub(crate) mrr: f64,
    /// The share of queries with a relevant result.
    pub(crate) hit: f64,
    /// The number of queries without results.
    pub(crate) empty: i64,
    /// The number of tokens of an answer, on average.
    pub(crate) tokens: f64,
    /// Coherent recall under several token budgets.
    pub(crate) coherent: [Coherent; BUDGETS.len()],
    /// The number of runs of consecutive lines within 2,000 tokens, on average.
    pub(crate) fragments: f64,
    /// The share of shown tokens in runs under 60 tokens without a whole section, within 2,000 tokens.
    pub(crate) shredded: f64,
}

/// A query whose nDCG changed.
#[derive(JsonSchema, Serialize)]
pub(crate) struct QueryChange {
    /// The query.
    pub(crate) query: String,
    /// Its nDCG in the earlier run.
    pub(crate) before: f64,
    /// Its nDCG in this run.
    pub(crate) after: f64,
}

impl Comparison {
    pub(super) fn new(saved: Saved, after: &[EvaluatedSet]) -> Self {
        let mut earlier = saved.sets;
        let mut sets = Vec::new();
        let mut only_after = Vec::new();
        for EvaluatedSet { set, per_query, .. } in after {
            // Sets with the same name are matched in order, each once.
            match earlier.iter().position(|(known, _)| known == set) {
                None => only_after.push(set.clone()),
                Some(nr) => {
                    let (_, before) = earlier.remove(nr);
                    let outcomes: Vec<QueryScores> =
                        per_query.iter().cloned().map(QueryScores::from).collect();
                    sets.push(ComparedSet::new(set, &compare(&before, &outcomes)));
                }
            }
        }
        let only_before = earlier.into_iter().map(|(name, _)| name).collect();
        Comparison { with: saved.name, sets, only_before, only_after }
    }
}

impl ComparedSet {
    fn new(set: &str, compared: &eval::RunComparison<'_>) -> Self {
        let (before, after): (Vec<&QueryScores>, Vec<&QueryScores>) = compared.shared.iter().copied().unzip();
        let ndcg = |outcomes: &[&QueryScores]| -> Vec<f64> {
            outcomes.iter().map(|outcome| outcome.scores.ndcg).collect()
        };
        let difference = Difference::between(&ndcg(&before), &ndcg(&after));
        let (before, after) = (Measures::of(&before), Measures::of(&after));
        let named = |changes: &[eval::QueryDelta<'_>]| {
            let change = |change: &eval::QueryDelta<'_>| QueryChange {
                query: change.query.to_owned(),
                before: change.before,
                after: change.after,
            };
            changes.iter().map(change).collect()
        };
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        ComparedSet {
            set: set.to_owned(),
            change: MeasureDelta::between(&before, &after),
            difference,
            before,
            after,
            won: compared.won,
            lost: compared.lost,
            tied: compared.tied,
            wins: named(&compared.wins),
            losses: named(&compared.losses),
            only_before: owned(&compared.only_before),
            only_after: owned(&compared.only_after),
        }
    }
}

impl MeasureDelta {
    fn between(before: &Measures, after: &Measures) -> Self {
        MeasureDelta {
            ndcg: after.ndcg - before.ndcg,
            recall: after.recall - before.recall,
            mrr: after.mrr - before.mrr,
            hit: after.hit - before.hit,
            empty: after.empty as i64 - before.empty as i64,
            tokens: after.tokens - before.tokens,
            coherent: coherent(|nr| after.coherent[nr].recall - before.coherent[nr].recall),
            fragments: after.fragments - before.fragments,
            shredded: after.shredded - before.shredded,
        }
    }
}

impl Comparison {
    pub(super) fn human(&self, depth: usize, page: &mut Page<'_>) -> io::Result<()> {
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
