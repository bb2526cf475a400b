//! Evaluation: how good the answers are, measured on queries whose right answers are known.
//!
//! - `compare`: sets two runs against each other, query by query.
//! - `findable`, `known`, `why`: whether sections are found by their own words, and why not.
//! - `judged`: reads judged queries, and the documents of a test set that brings its own.
//! - `linked`: makes judged questions for `ra context` out of the links between documents.
//! - `places`: which document a link means.
//! - `metrics`: nDCG, recall, reciprocal rank and hits, from ranks and grades alone.

mod compare;
mod findable;
mod judged;
mod known;
mod linked;
mod metrics;
mod places;
mod why;

use rayon::prelude::*;

pub use self::compare::{Change, Comparison, compare};
pub use self::findable::{Asked, DEPTH, Findable, FindableTree, Tally, Unfindable, findable};
pub use self::judged::{Judged, TestSet, documents_of};
pub use self::known::Origin;
pub use self::linked::{Linked, linked};
pub use self::metrics::{Scores, ndcg, recall, reciprocal_rank};
pub use self::why::{Place, Reason};

use crate::error::Result;
use crate::index::{Scope, Snapshot};
use crate::kb::{Ask, KnowledgeBase, Syntax, Topics};
use crate::search::{Budget, Gather, Look, Order, Passage, TEXTS, fit};
use crate::tokens;

/// What came of one query.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The query.
    pub query: String,
    /// What was given, best first: each document or section once.
    pub given: Vec<String>,
    /// How good that is.
    pub scores: Scores,
    /// The tokens of the answer as it is shown.
    pub tokens: usize,
    /// The part of what is relevant whose text is shown within each of [`BUDGETS`].
    pub within: [f64; BUDGETS.len()],
}

/// The token budgets under which answers are measured.
pub const BUDGETS: [usize; 3] = [1000, 2000, 4000];

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
    let answers = kb.search_in(snapshot, &ask)?;
    let mut passages: Vec<Passage> = answers.into_iter().flat_map(|answer| answer.passages).collect();
    let given = named(&passages, judged);
    let scores = Scores::of(&grades(judged, &given), &judged.grades(), depth);
    let tokens = passages.iter().map(|passage| tokens::count(&passage.text())).sum();
    // From the largest budget to the smallest, so that each finds what the one before it has left.
    let mut within = [0.0; BUDGETS.len()];
    for (budget, recalled) in BUDGETS.into_iter().zip(&mut within).rev() {
        let budget = Budget { tokens: budget, levels: TEXTS, look: Look::Text, rest: &|_| String::new() };
        fit(&mut passages.iter_mut().collect::<Vec<_>>(), &budget);
        let shown = passages.iter().filter(|passage| passage.shown.has_text());
        *recalled = recall(&grades(judged, &named(shown, judged)), &judged.grades());
    }
    Ok(Outcome { query: judged.query.clone(), given, scores, tokens, within })
}

fn grades(judged: &Judged, given: &[String]) -> Vec<f64> {
    given.iter().map(|id| judged.grade(id)).collect()
}

/// The results by the kind of name that the judgement uses: a section counts as its document where only
/// documents were judged.
fn named<'a>(passages: impl IntoIterator<Item = &'a Passage>, judged: &Judged) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for passage in passages {
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
