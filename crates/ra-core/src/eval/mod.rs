//! Evaluation: measures the quality of answers, on queries whose correct answers are known.
//!
//! - `bootstrap`: how certain the difference between two runs is.
//! - `coherence`: whether the printed text is readable, not made of shreds.
//! - `compare`: compares two runs, query by query.
//! - `retrievability`, `known_items`, `miss_reason`: whether sections are found by their own words, and why not.
//! - `judgments`: reads judged queries, and test sets with their own documents.
//! - `context_eval`: derives judged questions for `ra context` from the links between documents.
//! - `link_targets`: resolves links to documents.
//! - `metrics`: nDCG, recall, reciprocal rank and hits, from ranks and grades alone.

mod bootstrap;
mod coherence;
mod compare;
mod context_eval;
mod judgments;
mod known_items;
mod link_targets;
mod metrics;
mod miss_reason;
mod retrievability;

use rayon::prelude::*;

pub use self::bootstrap::{Difference, paired_bootstrap};
pub use self::coherence::{Fragment, Printed, SectionText};
pub use self::compare::{QueryDelta, RunComparison, compare};
pub use self::context_eval::{ContextScores, evaluate_context};
pub use self::judgments::{JudgedQuery, TestSet, document_path};
pub use self::known_items::KnownItemOrigin;
pub use self::metrics::{RankMetrics, ndcg, recall, reciprocal_rank};
pub use self::miss_reason::{LowRank, MissReason, RETRIEVABILITY_DEPTH};
pub use self::retrievability::{
    Asked, MissedSection, Retrievability, Tally, TreeRetrievability, measure_retrievability,
};

use crate::error::Result;
use crate::index::{FacetMode, Scope, Snapshot};
use crate::kb::{Answer, KnowledgeBase, QueryCombination, QuerySyntax, SearchRequest};
use crate::retrieval::{Aggregation, Order, Passage};

/// The result of one query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryScores {
    /// The query.
    pub query: String,
    /// The results, best first: each document or section once.
    pub given: Vec<String>,
    /// The metrics of these results.
    pub scores: RankMetrics,
    /// The tokens of the answer without a budget.
    pub tokens: usize,
    /// Whether the answer contains a readable passage of something relevant, within each of [`BUDGETS`].
    pub coherent: [bool; BUDGETS.len()],
    /// The number of fragments within [`FRAGMENTS_BUDGET`].
    pub fragments: usize,
    /// The fraction of the document tokens that is in shreds, within [`FRAGMENTS_BUDGET`].
    pub shredded: f64,
}

/// The token budgets at which answers are measured.
pub const BUDGETS: [usize; 3] = [1000, 2000, 4000];

/// The budget at which fragments are counted.
pub const FRAGMENTS_BUDGET: usize = BUDGETS[1];

/// Prints an answer, within a token budget if given.
pub type Print<'a> = &'a (dyn Fn(&Answer, Option<usize>) -> Printed + Sync);

/// Runs judged queries as a user would, and scores the first `depth` results and the part that `print` shows of them.
pub fn evaluate(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    judged: &[JudgedQuery],
    depth: usize,
    print: Print<'_>,
) -> Result<Vec<QueryScores>> {
    judged.par_iter().map(|judged| outcome(kb, snapshot, judged, depth, print)).collect()
}

fn outcome(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    judged: &JudgedQuery,
    depth: usize,
    print: Print<'_>,
) -> Result<QueryScores> {
    let answer = answer(kb, snapshot, judged)?;
    let given = named(&answer.passages, judged);
    let scores = RankMetrics::of(&grades(judged, &given), &judged.grades(), depth);
    let printed = BUDGETS.map(|budget| print(&answer, Some(budget)));
    let [_, counted, _] = &printed;
    let (fragments, shredded) = (counted.fragments.len(), counted.shredded());
    Ok(QueryScores {
        query: judged.query.clone(),
        given,
        scores,
        tokens: print(&answer, None).tokens,
        coherent: printed.map(|printed| printed.is_coherent_for(judged)),
        fragments,
        shredded,
    })
}

/// Returns the nDCG of each judged query, ranked as the settings of the knowledge base say.
pub fn ndcg_of_searches(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    judged: &[JudgedQuery],
    depth: usize,
) -> Result<Vec<f64>> {
    let ndcg = |judged: &JudgedQuery| {
        let given = named(&answer(kb, snapshot, judged)?.passages, judged);
        Ok(RankMetrics::of(&grades(judged, &given), &judged.grades(), depth).ndcg)
    };
    judged.par_iter().map(ndcg).collect()
}

/// Returns the nDCG of each judged query, ranked by page vectors alone. A judgment of a section counts for its page.
pub fn ndcg_by_meaning(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    judged: &[JudgedQuery],
    depth: usize,
) -> Vec<f64> {
    let ndcg = |judged: &JudgedQuery| {
        let judged = judged.by_page();
        let given = kb.nearest_pages(snapshot, &judged.query, depth);
        RankMetrics::of(&grades(&judged, &given), &judged.grades(), depth).ndcg
    };
    judged.par_iter().map(ndcg).collect()
}

fn answer(kb: &KnowledgeBase, snapshot: &Snapshot, judged: &JudgedQuery) -> Result<Answer> {
    let ask = SearchRequest {
        queries: vec![judged.query.clone()],
        topics: QueryCombination::Joined,
        syntax: QuerySyntax::Query,
        scope: Scope::default(),
        aggregation: Aggregation::Sections,
        order: Order::Score,
        facets: FacetMode::None,
    };
    Ok(kb.search(&ask, snapshot)?.answers.into_iter().next().unwrap_or_default())
}

fn grades(judged: &JudgedQuery, given: &[String]) -> Vec<f64> {
    given.iter().map(|id| judged.grade(id)).collect()
}

/// Returns the results by the kind of id that the judgment uses: a section counts as its document if only documents
/// were judged, and a result as the relevant one of the sections that are shown with it.
fn named<'a>(passages: impl IntoIterator<Item = &'a Passage>, judged: &JudgedQuery) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for passage in passages {
        let sections = std::iter::once(&passage.id).chain(passage.companions.iter().map(|part| &part.id));
        let is_judged = |section: &String| judged.relevant.iter().any(|(id, _)| id == section);
        let judged = sections.map(ToString::to_string).find(is_judged);
        let name = judged.unwrap_or_else(|| passage.id.doc.to_string());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
