//! Search: the list of stages between a query and what is shown.
//!
//! | stage | does |
//! | --- | --- |
//! | retrieve | finds and scores the chunks (in `index`) |
//! | [`boost_titles`] | prefers the documents that the query, or the text at hand, names by their titles |
//! | [`normalize`], [`boost`] | put scores on one scale, and prefer local trees |
//! | [`cutoff`] | drops the tail behind the first steep fall in score |
//! | `fusion` | ranks by meaning as well as by words, and adds pages that say the same in other words |
//! | [`aggregate`] | gathers the hits of a document into the sections that stand for them |
//! | `tiers` | keeps what lacks a word behind what has them all |
//! | [`diversify`] | keeps one document from filling the page |
//! | order, limit | keeps what was asked for |
//! | `expand`, `passage` | read the text of what is left, with the sections around it if they are wanted |
//! | `block_order` | chooses the blocks of a long result that are shown |

mod aggregate;
mod block_order;
mod cutoff;
mod diversify;
mod expand;
mod fusion;
mod heading_match;
mod normalize;
mod passage;
#[cfg(test)]
mod test_outline;
mod tiers;
mod title_boost;

pub use self::aggregate::{Group, GroupHit, MergeFacts, Rules, aggregate};
pub use self::cutoff::{Cut, cutoff};
pub use self::diversify::diversify;
pub use self::expand::{Around, Expansion, expand, whole};
pub use self::fusion::{Meaning, Similarity};
pub use self::normalize::{boost, normalize};
pub use self::passage::{MatchingLine, Passage, PassagePart, PassageSection, Role, TextRun};
pub use self::tiers::PartialResults;
pub use self::title_boost::{TitleBoost, boost_titles};

use std::collections::HashMap;

use self::fusion::Fusion;
use self::heading_match::AskedHeading;
use self::tiers::Tiers;
use crate::config::{Config, MOST_CANDIDATES, Pipeline, SearchSettings, TreeScope};
use crate::error::Result;
use crate::id::TreeName;
use crate::index::{
    ExcludedChunks, Fill, MatchFinder, Notice, QueryWord, RecordId, RelaxReason, RetrievalRequest, Retrieved,
    Scope, Snapshot,
};
use crate::query::Expr;

/// How many results most people look at. Fewer are chosen as if there were so many.
const RESULTS_PER_PAGE: usize = 10;
/// How many raw matches enter aggregation unless `max_candidates` is set. 50, 100 and 200 rank the judged sets alike, and a
/// number that doesn't depend on how many results are asked for gives the same first results for all.
const CANDIDATES: usize = 200;
/// More are taken only where more results are asked for than these could give.
const CANDIDATES_PER_RESULT: usize = 5;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What to look for.
    pub what: QueryInput<'a>,
    /// Where to look.
    pub scope: &'a Scope,
    /// The settings of the search.
    pub search: &'a SearchSettings,
    /// How the raw matches are cut and joined.
    pub pipeline: &'a Pipeline,
    /// Results at the most.
    pub limit: usize,
    /// Whether matches are gathered into the sections that stand for them.
    pub aggregation: Aggregation,
    /// The text whose words the titles of documents are held against.
    pub titles: TitleBoost<'a>,
    /// The query as vectors; none when only its words count.
    pub meaning: Option<Meaning<'a>>,
    /// The order of the results.
    pub order: Order,
    /// When each document was last changed, as `tree:path`; only [`Order::Date`] looks.
    pub dates: &'a HashMap<String, i64>,
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub enum QueryInput<'a> {
    /// A parsed query.
    Query(&'a Expr),
    /// A query in tantivy's own syntax.
    Raw(&'a str),
}

/// Whether matches are gathered into the sections that stand for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregation {
    /// Sections stand for the matches in them.
    Sections,
    /// Every match is a result.
    Nothing,
}

/// The order of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The best first.
    Score,
    /// What changed last first.
    Date,
    /// By tree, path and place.
    Path,
}

/// What was found, without its text.
#[derive(Debug)]
pub struct RankedResults {
    /// The results, in the order asked for.
    pub groups: Vec<Group>,
    /// The results that lack a word, where others have them all.
    pub filling: Option<PartialResults>,
    /// How many chunks match in all.
    pub total: usize,
    /// How many would match if the query excluded nothing.
    pub unexcluded: usize,
    /// Why not every word was required after all.
    pub relaxed: Option<RelaxReason>,
    /// How the query was read where that is not obvious.
    pub notices: Vec<Notice>,
    /// What was looked for, for highlighting.
    pub match_finder: MatchFinder,
    /// What must not be shown around the results.
    pub excluded: ExcludedChunks,
    /// What each stage did.
    pub trace: Trace,
}

/// What each stage did.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The words of the query.
    pub words: Vec<QueryWord>,
    /// Hits that were retrieved.
    pub retrieved: usize,
    /// The highest score that the query could give. All scores were divided by it.
    pub best_possible: f32,
    /// What the cut did.
    pub cut: Cut,
    /// Results after gathering, before the limit.
    pub gathered: usize,
    /// The hits that entered gathering: id of the document, place in it, score, and what each word gave.
    pub hits: Vec<TracedHit>,
}

/// A hit as the trace shows it.
#[derive(Clone, Debug)]
pub struct TracedHit {
    /// The document, as `tree:path`.
    pub doc: std::sync::Arc<str>,
    /// The place in it.
    pub ord: u32,
    /// The score that entered gathering.
    pub score: f32,
    /// What the document as a whole gave to the raw score.
    pub document: f32,
    /// What the closeness of neighbouring words gave to the raw score.
    pub proximity: f32,
    /// The factor that the title of the document gave.
    pub title: f32,
    /// The score that the words alone gave.
    pub lexical: f32,
    /// How near it is to the query in meaning.
    pub similarity: Similarity,
    /// What each word gave to the raw score, by its number.
    pub words: Vec<(u16, f32)>,
}

/// Runs the stages.
pub fn run(snapshot: &Snapshot, config: &Config, request: &Request<'_>) -> Result<RankedResults> {
    let trees: Vec<TreeName> = config.trees.iter().map(|tree| tree.name.clone()).collect();
    let candidates = request.candidates();
    // Other orders than by score show what has every word, and nothing else.
    let fills = request.order == Order::Score && matches!(request.titles, TitleBoost::Query(_));
    let question = RetrievalRequest {
        fill: if fills { Fill::Yes } else { Fill::No },
        scope: request.scope,
        search: request.search,
        trees: &trees,
        most: request.titles.min_hits(request.limit).max(candidates),
    };
    let Retrieved {
        mut hits,
        mut total,
        partial,
        missable,
        mut best_possible,
        unexcluded,
        mut relaxed,
        words,
        mut notices,
        match_finder,
        excluded,
        ..
    } = match request.what {
        QueryInput::Query(query) => snapshot.retrieve(query, &question)?,
        QueryInput::Raw(text) => snapshot.retrieve_raw(text, &question)?,
    };
    if hits.len() < total.min(question.most) {
        return Err(snapshot.contradiction());
    }
    let titles = match request.what {
        QueryInput::Query(_) => {
            best_possible *= request.titles.best_factor();
            boost_titles(&mut hits, request.titles, &words, snapshot)
        }
        // Whoever asks tantivy directly wants its scores.
        QueryInput::Raw(_) => HashMap::new(),
    };
    let mut trace = Trace { words, retrieved: hits.len(), ..Trace::default() };
    // Filters alone give every match the same score, which no word bounds.
    trace.best_possible = hits.iter().map(|hit| hit.score).fold(best_possible, f32::max);
    normalize(&mut hits, trace.best_possible);
    let local = config.settings.local_boost as f32;
    boost(&mut hits, |tree| match config.trees.get(usize::from(tree)).map(|tree| tree.scope) {
        Some(TreeScope::Local) => local,
        _ => 1.0,
    });
    trace.cut = cutoff(&mut hits, request.pipeline.cutoff_ratio, candidates);
    let asked = AskedHeading::new(snapshot, request.titles);
    let lexical: HashMap<(RecordId, u32), f32> =
        hits.iter().map(|hit| ((hit.record, hit.ord()), hit.score)).collect();
    let similarities = match request.meaning {
        Some(meaning) if !hits.is_empty() => {
            let fusion = Fusion { snapshot, config, question: &question, meaning, asked: &asked };
            fusion.rank(&mut hits)?
        }
        _ => HashMap::new(),
    };
    trace.hits = hits
        .iter_mut()
        .map(|hit| TracedHit {
            doc: hit.doc.clone(),
            ord: hit.ord(),
            score: hit.score,
            document: hit.document,
            proximity: hit.proximity,
            title: titles.get(&hit.record).copied().unwrap_or(1.0),
            lexical: lexical.get(&(hit.record, hit.ord())).copied().unwrap_or_default(),
            similarity: similarities.get(&(hit.record, hit.ord())).copied().unwrap_or_default(),
            words: std::mem::take(&mut hit.words),
        })
        .collect();
    let full_hits = hits.iter().filter(|hit| !hit.is_partial).count();
    let facts = |record: RecordId, ords: &[u32]| asked.facts(snapshot, record, ords);
    let rules = request.rules(&excluded, &facts);
    let Tiers { full, partial: others } = tiers::aggregate_tiers(hits, request.aggregation, &rules);
    trace.gathered = full.len() + others.len();
    let full_groups = full.len();
    let mut groups = full;
    groups.extend(others);
    match request.order {
        Order::Score => {}
        Order::Date => groups.sort_by_key(|group| std::cmp::Reverse(request.dates.get(&*group.doc))),
        Order::Path => groups.sort_by(|a, b| (&a.doc, a.node.ord).cmp(&(&b.doc, b.node.ord))),
    }
    groups.truncate(request.limit);
    let filling = PartialResults::new(&groups, full_groups, &missable, &trace);
    if filling.is_none() && relaxed == Some(RelaxReason::FewHaveAll) {
        // Enough has every word after all, so nothing else counts.
        (relaxed, total) = (None, total - partial);
    }
    if matches!(request.titles, TitleBoost::Query(_)) && groups.len() < request.limit {
        let full = if filling.is_some() { total - partial } else { total };
        notices.extend(fewer_results_notice(&trace, full_hits, full));
    }
    Ok(RankedResults { groups, filling, total, unexcluded, relaxed, notices, match_finder, excluded, trace })
}

/// Why there are fewer results than were asked for, where more chunks have what was asked for.
fn fewer_results_notice(trace: &Trace, kept: usize, total: usize) -> Option<Notice> {
    let more = total.saturating_sub(kept);
    let (message, hint) = match (trace.cut.elbow, more) {
        (_, 0) => return None,
        (Some(_), _) => {
            let matches = match more {
                1 => "one match that scores far less is".to_owned(),
                more => format!("{more} matches that score far less are"),
            };
            let hint = "`cutoff_ratio = 0` under [search] keeps them".to_owned();
            (format!("{matches} left out (`cutoff_ratio`)"), hint)
        }
        (None, _) => (
            format!("the results are made of the best {kept} of {total} matches (`max_candidates`)"),
            format!(
                "`max_candidates = {}` under [search] looks at more of them",
                total.min(MOST_CANDIDATES as usize)
            ),
        ),
    };
    Some(Notice { message, hint: Some(hint) })
}

impl Request<'_> {
    /// How many hits may enter aggregation.
    fn candidates(&self) -> usize {
        let derived = self.limit.saturating_mul(CANDIDATES_PER_RESULT).max(CANDIDATES);
        self.pipeline.max_candidates.unwrap_or(derived).min(MOST_CANDIDATES as usize)
    }

    fn rules<'a>(
        &self,
        excluded: &'a ExcludedChunks,
        facts: &'a dyn Fn(RecordId, &[u32]) -> MergeFacts,
    ) -> Rules<'a> {
        Rules {
            excluded,
            facts,
            max_tokens: self.search.max_result_tokens,
            threshold: self.pipeline.aggregation_threshold,
            min_matches: self.search.min_aggregation_matches,
            cap: self.search.score_cap_multiplier,
        }
    }
}
