//! The search pipeline: the stages between a query and the results.
//!
//! | stage | does |
//! | --- | --- |
//! | retrieve | finds and scores the chunks (in `index`) |
//! | [`boost_titles`] | prefers documents whose titles the query, or the text at hand, names |
//! | [`normalize()`], [`boost()`] | put scores on one scale, and prefer local trees |
//! | [`cutoff()`] | drops the tail after the first steep drop in score |
//! | `fusion` | ranks by meaning as well as by words, and adds pages that say the same in other words |
//! | [`aggregate()`] | merges the hits of a document into the sections that represent them |
//! | `companions` | shows the best sections of a document together |
//! | `tiers` | ranks results that lack a word behind those that have every word |
//! | [`diversify()`] | keeps one document from filling the page |
//! | order, limit | apply the requested order and limit |
//! | `expand`, `passage` | read the text of the results, with the surrounding sections if requested |
//! | `block_order`, `block_units` | choose which blocks of a long result are shown, and which stay together |

mod aggregate;
mod block_order;
mod block_units;
mod companions;
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
use self::heading_match::HeadingMatcher;
use self::tiers::Tiers;
use crate::config::{Config, MOST_CANDIDATES, Pipeline, SearchSettings, TreeScope};
use crate::error::Result;
use crate::id::TreeName;
use crate::index::{
    ExcludedChunks, FacetMode, Facets, Fill, LanguageId, MatchFinder, Notice, QueryWord, RecordId,
    RelaxReason, RetrievalRequest, Retrieved, Scope, Snapshot,
};
use crate::query::Expr;
use crate::semantic::EncodedQuery;

/// The number of results that most users look at. A smaller limit doesn't change how they are chosen.
const RESULTS_PER_PAGE: usize = 10;
/// How many raw matches enter aggregation unless `max_candidates` is set. 50, 100 and 200 rank the judged
/// sets alike. A number that doesn't depend on the limit gives the same first results for every limit.
const CANDIDATES: usize = 200;
/// More candidates are taken only if the limit asks for more results than `CANDIDATES` could give.
const CANDIDATES_PER_RESULT: usize = 5;

/// A search request.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The query.
    pub what: QueryInput<'a>,
    /// Which documents to search.
    pub scope: &'a Scope,
    /// The settings of the search.
    pub search: &'a SearchSettings,
    /// How raw matches are cut off and aggregated.
    pub pipeline: &'a Pipeline,
    /// The maximum number of results.
    pub limit: usize,
    /// Whether matches are merged into the sections that represent them.
    pub aggregation: Aggregation,
    /// The text whose words are compared with the titles of documents.
    pub titles: TitleBoost<'a>,
    /// What to compare by meaning. `None` searches by words only.
    pub meaning: Option<Meaning<'a>>,
    /// The order of the results.
    pub order: Order,
    /// When each document, as `tree:path`, was last changed. Only [`Order::Date`] uses it.
    pub dates: &'a HashMap<String, i64>,
    /// Whether facets are counted.
    pub facets: FacetMode,
    /// The language of the question, if it is known. Pages are shown in it if they can be.
    pub language: Option<LanguageId>,
}

/// The query, parsed or raw.
#[derive(Clone, Copy, Debug)]
pub enum QueryInput<'a> {
    /// A parsed query.
    Query(&'a Expr),
    /// A query in tantivy's own syntax.
    Raw(&'a str),
}

/// Whether matches are merged into the sections that represent them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregation {
    /// Sections represent the matches in them.
    Sections,
    /// Every match is a result.
    Nothing,
}

/// The order of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Best score first.
    Score,
    /// Last changed first.
    Date,
    /// By tree, path and position in the document.
    Path,
}

/// The results, without their text.
#[derive(Debug)]
pub struct RankedResults {
    /// The results, in the requested order.
    pub groups: Vec<Group>,
    /// The results that lack a word, if others have every word.
    pub filling: Option<PartialResults>,
    /// The number of matching chunks.
    pub total: usize,
    /// The number of chunks that would match if the query excluded nothing.
    pub unexcluded: usize,
    /// Why not every word was required.
    pub relaxed: Option<RelaxReason>,
    /// How the query was interpreted, where that isn't obvious.
    pub notices: Vec<Notice>,
    /// The facets of all matches, if they were to be counted.
    pub facets: Option<Facets>,
    /// Finds the matches in a text, for highlighting.
    pub match_finder: MatchFinder,
    /// Chunks that must not be shown as context.
    pub excluded: ExcludedChunks,
    /// The effect of each stage.
    pub trace: Trace,
}

/// The effect of each stage.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The words of the query.
    pub words: Vec<QueryWord>,
    /// The number of retrieved hits.
    pub retrieved: usize,
    /// The highest score that the query could give. All scores were divided by it.
    pub best_possible: f32,
    /// The effect of the cutoff.
    pub cut: Cut,
    /// The number of results after aggregation, before the limit.
    pub aggregated: usize,
    /// The hits that entered aggregation.
    pub hits: Vec<TracedHit>,
}

/// A hit in the trace.
#[derive(Clone, Debug)]
pub struct TracedHit {
    /// The document, as `tree:path`.
    pub doc: std::sync::Arc<str>,
    /// The ord of the chunk in the document.
    pub ord: u32,
    /// The score that entered aggregation.
    pub score: f32,
    /// The part of the raw score that comes from the document as a whole.
    pub document: f32,
    /// The part of the raw score that comes from the proximity of adjacent query words.
    pub proximity: f32,
    /// The factor for the title of the document.
    pub title: f32,
    /// The score by words alone.
    pub lexical: f32,
    /// The similarity to the query in meaning.
    pub similarity: Similarity,
    /// The part of the raw score that comes from each word, by word number.
    pub words: Vec<(u16, f32)>,
}

/// Runs the stages.
pub fn run(snapshot: &Snapshot, config: &Config, request: &Request<'_>) -> Result<RankedResults> {
    let trees: Vec<TreeName> = config.trees.iter().map(|tree| tree.name.clone()).collect();
    let candidates = request.candidates();
    // Only the order by score is filled up with results that lack a word.
    let fills = request.order == Order::Score && matches!(request.titles, TitleBoost::Query(_));
    let question = RetrievalRequest {
        fill: if fills { Fill::Yes } else { Fill::No },
        facets: request.facets,
        scope: request.scope,
        search: request.search,
        trees: &trees,
        most: request.titles.min_hits(request.limit).max(candidates),
        language: request.language,
    };
    let retrieve = || match request.what {
        QueryInput::Query(query) => snapshot.retrieve(query, &question),
        QueryInput::Raw(text) => snapshot.retrieve_raw(text, &question),
    };
    let (retrieved, encoded) = match request.meaning {
        // Encoding a query takes as long as looking up its words and reading the vectors of pages.
        Some(meaning) => {
            let retrieve = || (retrieve(), (meaning.pages)());
            let ((retrieved, pages), query) = rayon::join(retrieve, || EncodedQuery::new(meaning.text));
            (retrieved, Some((query, pages)))
        }
        None => (retrieve(), None),
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
        facets,
        match_finder,
        excluded,
        ..
    } = retrieved?;
    if hits.len() < total.min(question.most) {
        return Err(snapshot.contradiction());
    }
    let titles = match request.what {
        QueryInput::Query(_) => {
            best_possible *= request.titles.best_factor();
            boost_titles(&mut hits, request.titles, &words, snapshot)
        }
        // Raw queries keep tantivy's scores.
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
    let headings = HeadingMatcher::new(request.titles);
    let lexical: HashMap<(RecordId, u32), f32> =
        hits.iter().map(|hit| ((hit.record, hit.ord()), hit.score)).collect();
    let similarities = match &encoded {
        Some((query, pages)) if !hits.is_empty() => {
            let fusion = Fusion { snapshot, config, question: &question, query, pages, headings: &headings };
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
    let facts = |record: RecordId, ords: &[u32]| headings.facts(snapshot, record, ords);
    let rules = request.rules(&excluded, &facts);
    let Tiers { full, partial: others } = tiers::aggregate_tiers(hits, request.aggregation, &rules);
    trace.aggregated = full.len() + others.len();
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
        // Enough results have every word after all, so partial matches don't count.
        (relaxed, total) = (None, total - partial);
    }
    if matches!(request.titles, TitleBoost::Query(_)) && groups.len() < request.limit {
        let full = if filling.is_some() { total - partial } else { total };
        notices.extend(fewer_results_notice(&trace, full_hits, full));
    }
    Ok(RankedResults {
        groups,
        filling,
        total,
        unexcluded,
        relaxed,
        notices,
        facets,
        match_finder,
        excluded,
        trace,
    })
}

/// Returns the reason for getting fewer results than requested although more chunks match.
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
    /// Returns the maximum number of hits that enter aggregation.
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
