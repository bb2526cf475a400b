//! The search pipeline: the stages between a query and the results.
//!
//! | stage | does |
//! | --- | --- |
//! | retrieve | finds and scores the chunks (in `index`) |
//! | [`boost_titles`] | prefers documents whose titles the query, or the text at hand, names |
//! | [`normalize()`], [`boost()`] | put scores on one scale, and prefer local trees |
//! | [`cutoff()`] | drops the tail after the first steep drop in score |
//! | `fusion` | ranks by meaning as well as by words, and adds pages that say the same in other words |
//! | `verbatim` | finds sections that say a part of the query word for word, which `fusion` prefers |
//! | [`aggregate()`] | merges the hits of a document into the sections that represent them |
//! | `companions` | shows the best sections of a document together |
//! | `tiers` | ranks results that lack a word behind those that have every word |
//! | [`diversify()`] | keeps one document from filling the page |
//! | order, limit | apply the requested order and limit |
//! | `expand`, `passage`, `passage_section` | read the text of the results, perhaps with the sections around them |
//! | `block_order`, `block_rating`, `block_units` | choose which blocks of a long result are shown |

mod aggregate;
mod block_order;
mod block_rating;
mod block_units;
mod companions;
mod cutoff;
mod diversify;
mod expand;
mod fusion;
mod heading_match;
mod normalize;
mod passage;
mod passage_section;
#[cfg(test)]
mod test_outline;
mod tiers;
mod title_boost;
mod verbatim;

pub use self::aggregate::{Group, GroupHit, MergeFacts, Rules, aggregate};
pub use self::cutoff::{Cut, cutoff};
pub use self::diversify::diversify;
pub use self::expand::{Around, Expansion, expand, whole};
pub use self::fusion::{Meaning, Similarity};
pub use self::normalize::{boost, normalize};
pub use self::passage::{MatchingLine, Passage, PassagePart, TextRun};
pub use self::passage_section::{PassageSection, Role};
pub use self::tiers::PartialResults;
pub use self::title_boost::{TitleBoost, boost_titles};

use std::collections::HashMap;
use std::sync::Arc;

use self::fusion::{EncodedMeaning, Fusion};
use self::heading_match::HeadingMatcher;
use self::tiers::Tiers;
use crate::config::{Config, MOST_CANDIDATES, Pipeline, SearchSettings, TreeScope};
use crate::error::Result;
use crate::id::TreeName;
use crate::index::{
    ExcludedChunks, FacetMode, Fill, Hit, LanguageId, MatchFinder, MatchSummary, Notice, QueryWord, RecordId,
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
    /// When each document, as `tree:path`, was last changed. Only [`Order::Date`] needs it.
    pub dates: Option<&'a HashMap<String, i64>>,
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
    /// All matches, and how they were found.
    pub summary: MatchSummary,
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
    pub doc: Arc<str>,
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
    let question = request.retrieval(&trees);
    let (retrieved, encoded) = request.retrieve(snapshot, &question)?;
    if retrieved.hits.len() < retrieved.summary.total.min(question.most) {
        return Err(snapshot.contradiction());
    }
    let Retrieved { mut hits, mut summary, partial, missable, best_possible, words, match_finder, excluded } =
        retrieved;
    let (titles, best_title_factor) = request.boost_titles(&mut hits, &words, snapshot);
    let mut trace = Trace { words, retrieved: hits.len(), ..Trace::default() };
    // Filters alone give every match the same score, which no word bounds.
    trace.best_possible = hits.iter().map(|hit| hit.score).fold(best_possible * best_title_factor, f32::max);
    normalize(&mut hits, trace.best_possible);
    prefer_local_trees(&mut hits, config);
    trace.cut = cutoff(&mut hits, request.pipeline.cutoff_ratio, request.candidates());
    let headings = HeadingMatcher::new(request.titles);
    let by_words: HashMap<(RecordId, u32), f32> = hits.iter().map(|hit| (hit.place(), hit.score)).collect();
    let similarities = match &encoded {
        Some(encoded) if !hits.is_empty() => {
            let question = &question;
            let verbatim = headings.verbatim(snapshot);
            let (headings, verbatim) = (&headings, &verbatim);
            Fusion { snapshot, config, question, encoded, headings, verbatim }.rank(&mut hits)?
        }
        _ => HashMap::new(),
    };
    let traced = |hit: &mut Hit| TracedHit {
        doc: hit.doc.clone(),
        ord: hit.ord(),
        score: hit.score,
        document: hit.document,
        proximity: hit.proximity,
        title: titles.get(&hit.record).copied().unwrap_or(1.0),
        lexical: by_words.get(&hit.place()).copied().unwrap_or_default(),
        similarity: similarities.get(&hit.place()).copied().unwrap_or_default(),
        words: std::mem::take(&mut hit.words),
    };
    trace.hits = hits.iter_mut().map(traced).collect();
    let full_hits = hits.iter().filter(|hit| !hit.is_partial).count();
    let facts = |record: RecordId, ords: &[u32]| headings.facts(snapshot, record, ords);
    let Tiers { full, partial: others } =
        tiers::aggregate_tiers(hits, request.aggregation, &request.rules(&excluded, &facts));
    trace.aggregated = full.len() + others.len();
    let full_groups = full.len();
    let mut groups = full;
    groups.extend(others);
    request.sort(&mut groups);
    groups.truncate(request.limit);
    let filling = PartialResults::new(&groups, full_groups, &missable, &trace);
    if filling.is_none() && summary.relaxed == Some(RelaxReason::FewHaveAll) {
        // Enough results have every word after all, so partial matches don't count.
        summary.relaxed = None;
        summary.total -= partial;
    }
    if matches!(request.titles, TitleBoost::Query(_)) && groups.len() < request.limit {
        let full = if filling.is_some() { summary.total - partial } else { summary.total };
        summary.notices.extend(fewer_results_notice(&trace, full_hits, full));
    }
    Ok(RankedResults { groups, filling, summary, match_finder, excluded, trace })
}

fn prefer_local_trees(hits: &mut [Hit], config: &Config) {
    let local = config.settings.local_boost as f32;
    boost(hits, |tree| match config.trees.get(usize::from(tree)).map(|tree| tree.scope) {
        Some(TreeScope::Local) => local,
        _ => 1.0,
    });
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

impl<'a> Request<'a> {
    /// Asks for the best sections by words.
    pub fn new(
        what: QueryInput<'a>,
        titles: TitleBoost<'a>,
        scope: &'a Scope,
        search: &'a SearchSettings,
    ) -> Self {
        Self {
            what,
            scope,
            search,
            pipeline: &search.pipeline,
            limit: search.limit,
            aggregation: Aggregation::Sections,
            titles,
            meaning: None,
            order: Order::Score,
            dates: None,
            facets: FacetMode::None,
            language: None,
        }
    }

    fn retrieval<'b>(&self, trees: &'b [TreeName]) -> RetrievalRequest<'b>
    where
        'a: 'b,
    {
        // Only the order by score is filled up with results that lack a word.
        let fills = self.order == Order::Score && matches!(self.titles, TitleBoost::Query(_));
        RetrievalRequest {
            fill: if fills { Fill::Yes } else { Fill::No },
            facets: self.facets,
            scope: self.scope,
            search: self.search,
            trees,
            most: self.titles.min_hits(self.limit).max(self.candidates()),
            language: self.language,
        }
    }

    /// Finds hits by words. Encodes the query at the same time, if it's compared by meaning, and reads the vectors of
    /// pages.
    fn retrieve(
        &self,
        snapshot: &Snapshot,
        question: &RetrievalRequest<'_>,
    ) -> Result<(Retrieved, Option<EncodedMeaning>)> {
        let retrieve = || match self.what {
            QueryInput::Query(query) => snapshot.retrieve(query, question),
            QueryInput::Raw(text) => snapshot.retrieve_raw(text, question),
        };
        let Some(meaning) = self.meaning else { return Ok((retrieve()?, None)) };
        let ((retrieved, pages), query) =
            rayon::join(|| (retrieve(), (meaning.pages)()), || EncodedQuery::new(meaning.text));
        Ok((retrieved?, Some(EncodedMeaning { query, pages })))
    }

    /// Prefers the documents that are named. Returns their factors, and the largest that a document can have.
    fn boost_titles(
        &self,
        hits: &mut [Hit],
        words: &[QueryWord],
        snapshot: &Snapshot,
    ) -> (HashMap<RecordId, f32>, f32) {
        match self.what {
            QueryInput::Query(_) => {
                (boost_titles(hits, self.titles, words, snapshot), self.titles.best_factor())
            }
            // Raw queries keep tantivy's scores.
            QueryInput::Raw(_) => (HashMap::new(), 1.0),
        }
    }

    fn sort(&self, groups: &mut [Group]) {
        let date = |group: &Group| self.dates.and_then(|dates| dates.get(&*group.doc));
        match self.order {
            Order::Score => {}
            Order::Date => groups.sort_by_key(|group| std::cmp::Reverse(date(group))),
            Order::Path => groups.sort_by(|a, b| (&a.doc, a.node.ord).cmp(&(&b.doc, b.node.ord))),
        }
    }

    /// Returns the maximum number of hits that enter aggregation.
    fn candidates(&self) -> usize {
        let derived = self.limit.saturating_mul(CANDIDATES_PER_RESULT).max(CANDIDATES);
        self.pipeline.max_candidates.unwrap_or(derived).min(MOST_CANDIDATES as usize)
    }

    fn rules<'b>(
        &self,
        excluded: &'b ExcludedChunks,
        facts: &'b dyn Fn(RecordId, &[u32]) -> MergeFacts,
    ) -> Rules<'b> {
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
