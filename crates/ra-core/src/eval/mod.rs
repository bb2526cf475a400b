//! Evaluation: how good the answers are, measured on queries whose right answers are known.
//!
//! - `judged`: reads judged queries, and the documents of a test set that brings its own.
//! - `metrics`: nDCG, recall, reciprocal rank and hits, from ranks and grades alone.

mod judged;
mod metrics;

use rayon::prelude::*;

pub use self::judged::{Judged, TestSet, documents_of};
pub use self::metrics::{Scores, ndcg, recall, reciprocal_rank};

use crate::error::Result;
use crate::index::{Scope, Snapshot};
use crate::kb::{Answer, Ask, KnowledgeBase, Syntax, Topics};
use crate::search::{Gather, Order};

/// What came of one query.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The query.
    pub query: String,
    /// What was given, best first: each document or section once.
    pub given: Vec<String>,
    /// How good that is.
    pub scores: Scores,
    /// The tokens of the answer.
    pub tokens: usize,
}

/// Runs judged queries against a knowledge base as a user would run them, and scores the first `depth` results.
pub fn evaluate(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    judged: &[Judged],
    depth: usize,
) -> Result<Vec<Outcome>> {
    judged.par_iter().map(|judged| outcome(kb, snapshot, judged, depth)).collect()
}

fn outcome(kb: &KnowledgeBase, snapshot: &Snapshot, judged: &Judged, depth: usize) -> Result<Outcome> {
    let ask = Ask {
        queries: vec![judged.query.clone()],
        topics: Topics::Joined,
        syntax: Syntax::Query,
        scope: Scope::default(),
        gather: Gather::Sections,
        order: Order::Score,
    };
    let answer = kb.search_in(snapshot, &ask)?.into_iter().next();
    let given = answer.as_ref().map(|answer| named(answer, judged)).unwrap_or_default();
    let grades: Vec<f64> = given.iter().map(|id| judged.grade(id)).collect();
    let tokens = answer.map_or(0, |answer| answer.passages.iter().map(|passage| passage.tokens).sum());
    let scores = Scores::of(&grades, &judged.grades(), depth);
    Ok(Outcome { query: judged.query.clone(), given, scores, tokens })
}

/// The results by the kind of name that the judgement uses: a section counts as its document where only
/// documents were judged.
fn named(answer: &Answer, judged: &Judged) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for passage in &answer.passages {
        let section = passage.id.to_string();
        let name = if judged.relevant.iter().any(|(id, _)| *id == section) {
            section
        } else {
            passage.id.doc.to_string()
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
