//! Executes a plan: combines the lists of entries that contain each word, and turns the best entries into hits.

use std::borrow::Cow;

use tantivy::DocId as EntryId;

use super::compile::{Compiled, LONG_QUERY, compile};
use super::filter::{Filter, Scope};
use super::hit::{ExcludedChunks, Hit};
use super::match_finder::MatchFinder;
use super::notice::Notice;
use super::plan::{Compound, Plan};
use super::properties::{FacetMode, Facets};
use super::score::{QueryScorer, QueryWord};
use super::scored_docs::{ScoredDocs, difference, intersection, sum, union, with_more};
use super::translations::PageChoice;
use crate::config::SearchSettings;
use crate::error::Result;
use crate::id::TreeName;
use crate::index::analysis::LanguageId;
use crate::index::storage::snapshot::Snapshot;
use crate::query::Expr;

/// The parameters of a retrieval.
#[derive(Clone, Copy, Debug)]
pub struct RetrievalRequest<'a> {
    /// Which documents to search.
    pub scope: &'a Scope,
    /// The settings of the search.
    pub search: &'a SearchSettings,
    /// All trees, in the order in which hits number them.
    pub trees: &'a [TreeName],
    /// The maximum number of hits.
    pub most: usize,
    /// Whether hits that lack a word are added if fewer have every word.
    pub fill: Fill,
    /// Whether facets are counted.
    pub facets: FacetMode,
    /// The language of the question, if it is known.
    pub language: Option<LanguageId>,
}

/// Whether the hits of a short query are filled up with hits that have most of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Only hits with every word count.
    No,
    /// Hits that lack one word follow those with every word.
    Yes,
}

/// The result of a retrieval.
#[derive(Debug, Default)]
pub struct Retrieved {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// All matches, and how they were found.
    pub summary: MatchSummary,
    /// How many matches lack one of the words that the others all have.
    pub partial: usize,
    /// The numbers of the words of which each partial match lacks one. Empty if the query has alternatives.
    pub missable: Vec<u16>,
    /// The highest score that any chunk could have.
    pub best_possible: f32,
    /// The words of the query, in order.
    pub words: Vec<QueryWord>,
    /// Finds the matches in a text, for highlighting.
    pub match_finder: MatchFinder,
    /// Chunks that must not be shown with the hits.
    pub excluded: ExcludedChunks,
}

/// All matches of a query, and how they were found.
#[derive(Clone, Debug, Default)]
pub struct MatchSummary {
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
}

/// Why a query matches chunks with most of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelaxReason {
    /// No chunk has every word.
    NothingHasAll,
    /// Some chunks have every word, but fewer than requested.
    FewHaveAll,
    /// The query is long: a question in prose, which no section needs to match word for word.
    LongQuery,
}

impl Snapshot {
    /// Finds the best chunks.
    pub fn retrieve(&self, query: &Expr, question: &RetrievalRequest<'_>) -> Result<Retrieved> {
        self.answer(&compile(self, query, question.search, question.trees, question.language)?, question)
    }

    /// Finds the best chunks for a compiled query.
    fn answer(&self, compiled: &Compiled, question: &RetrievalRequest<'_>) -> Result<Retrieved> {
        let mut scores = QueryScorer::new(self);
        let factors = compiled.factors();
        for (leaf, factor) in compiled.leaves.iter().zip(&factors) {
            scores.look_up(leaf, *factor)?;
        }
        let evaluation = PlanEvaluator { snapshot: self, compiled, factors, scores };
        let scope = question.scope.filters(question.trees);
        let mut mode = Mode::Strict;
        // Exclusions never change how the rest is interpreted: `a -x` finds nothing that `a` doesn't find.
        let positive = compiled.plan.without_exclusions();
        let unexcluding = positive.as_ref().unwrap_or(&compiled.plan);
        let mut pages = PageChoice::new(self, question.language);
        let mut found = evaluation.matches(unexcluding, &scope, mode)?;
        pages.retain_chosen(&mut found);
        let mut unexcluded = count(&found);
        let mut relaxed = None;
        let looked_for = compiled.leaves.iter().zip(&evaluation.factors).filter(|(_, factor)| **factor > 0.0);
        let optional = looked_for.filter(|(leaf, _)| leaf.may_be_missing).count();
        let reason = match (unexcluded, optional, compiled.plan.words(&compiled.leaves)) {
            _ if !question.search.relax => None,
            (_, 0 | 1, _) => None,
            (_, _, words) if words >= LONG_QUERY || compiled.is_question => Some(RelaxReason::LongQuery),
            (0, _, _) => Some(RelaxReason::NothingHasAll),
            _ if unexcluded < question.most && question.fill == Fill::Yes => Some(RelaxReason::FewHaveAll),
            _ => None,
        };
        if matches!(reason, Some(RelaxReason::LongQuery | RelaxReason::NothingHasAll)) {
            let mut more = evaluation.matches(unexcluding, &scope, Mode::Relaxed)?;
            let mut other_pages = PageChoice::new(self, question.language);
            other_pages.retain_chosen(&mut more);
            if count(&more) > unexcluded {
                (unexcluded, relaxed, mode) = (count(&more), reason, Mode::Relaxed);
                (found, pages) = (more, other_pages);
            }
        }
        if positive.is_some() {
            found = evaluation.matches(&compiled.plan, &scope, mode)?;
            // An exclusion doesn't bring up the page in another language.
            pages.retain_chosen(&mut found);
        }
        if relaxed.is_some() {
            evaluation.reward_coverage(&mut found);
        }
        let mut total = count(&found);
        // If an exclusion removes every full match, partial matches don't replace them.
        let mut more = match reason {
            Some(RelaxReason::FewHaveAll) if total > 0 => evaluation.lacking_one(&found, &scope)?,
            _ => Vec::new(),
        };
        pages.retain_chosen(&mut more);
        let partial = count(&more);
        if partial > 0 {
            relaxed = reason;
        }
        let mut notices = compiled.notices.clone();
        notices.extend(evaluation.exclusion_notice(&scope, mode, total)?);
        let words = evaluation.scores.words.iter().zip(&evaluation.factors);
        // An excluded word that no section contains needs no notice.
        notices.extend(words.filter(|(_, factor)| **factor > 0.0).filter_map(|(word, _)| word.absent()));
        let facets = match question.facets {
            FacetMode::None => None,
            FacetMode::Count => Some(self.facets(&entries_of(&[&found, &more]))?),
        };
        let mut hits = evaluation.best(found, question, question.most)?;
        let rest = evaluation.best(more, question, question.most.saturating_sub(hits.len()))?;
        hits.extend(rest.into_iter().map(|hit| Hit { is_partial: true, ..hit }));
        total += partial;
        let best_possible = evaluation.best_possible();
        let missable = evaluation.missable_words();
        let excluded = evaluation.excluded_beside(&hits)?;
        let words = evaluation.scores.words;
        let weights = words.iter().zip(&evaluation.factors).map(|(word, factor)| word.idf * factor);
        let match_finder = MatchFinder::new(&compiled.plan, &compiled.leaves, weights.collect());
        let summary = MatchSummary { total, unexcluded, relaxed, notices, facets };
        Ok(Retrieved { hits, summary, partial, missable, best_possible, words, match_finder, excluded })
    }
}

/// Returns the number of entries in the lists of all segments.
fn count(found: &[ScoredDocs]) -> usize {
    found.iter().map(Vec::len).sum()
}

/// Returns the entries of every segment that are in one of the results.
fn entries_of(results: &[&[ScoredDocs]]) -> Vec<Vec<EntryId>> {
    let segments = results.iter().map(|lists| lists.len()).max().unwrap_or_default();
    let of = |segment: usize| results.iter().filter_map(move |lists| lists.get(segment)).flatten();
    (0..segments).map(|segment| of(segment).map(|(entry, _)| *entry).collect()).collect()
}

/// Whether every word is required.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Strict,
    /// One word may be missing, unless the others have too little idf.
    MostWords,
    /// Any word may be missing.
    Relaxed,
}

pub(crate) struct PlanEvaluator<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) compiled: &'a Compiled,
    /// The weight of each leaf.
    pub(crate) factors: Vec<f32>,
    pub(crate) scores: QueryScorer<'a>,
}

impl PlanEvaluator<'_> {
    /// Returns the entries of every segment that match the plan and the scope.
    pub(crate) fn matches(&self, plan: &Plan, scope: &[Filter], mode: Mode) -> Result<Vec<ScoredDocs>> {
        let mut all = Vec::with_capacity(self.snapshot.segments.len());
        for segment in 0..self.snapshot.segments.len() {
            let mut list = self.list(plan, segment, mode)?.into_owned();
            for filter in scope {
                list = self.snapshot.filtered(list, filter, segment)?;
            }
            all.push(list);
        }
        Ok(all)
    }

    pub(crate) fn list(&self, plan: &Plan, segment: usize, mode: Mode) -> Result<Cow<'_, ScoredDocs>> {
        Ok(Cow::Owned(match plan {
            Plan::Leaf(leaf) => return Ok(Cow::Borrowed(self.scores.list(*leaf, segment))),
            Plan::Compound(compound) => self.compound(compound, segment, mode),
            Plan::All(items) => self.all(items, segment, mode)?,
            Plan::Any(items) => {
                let lists = items.iter().map(|item| self.list(item, segment, mode));
                sum(&lists.collect::<Result<Vec<_>>>()?, self.entries(segment))
            }
            Plan::Not(inner) => {
                difference(self.everything(segment), &*self.list(inner, segment, Mode::Strict)?)
            }
            Plan::Boost(inner, factor) => {
                let mut list = self.list(inner, segment, mode)?.into_owned();
                for (_, score) in &mut list {
                    *score *= factor;
                }
                list
            }
            Plan::Filter(filter) => self.snapshot.filtered(self.everything(segment), filter, segment)?,
            Plan::Everything => self.everything(segment),
        }))
    }

    /// Returns the entries that contain a compound as written or, in relaxed mode, any of its parts. The
    /// scores of the whole and the parts are added.
    fn compound(&self, compound: &Compound, segment: usize, mode: Mode) -> ScoredDocs {
        let whole = self.scores.list(compound.whole, segment);
        let parts = compound.parts.iter().map(|part| Cow::Borrowed(self.scores.list(*part, segment)));
        let mut apart = sum(&parts.collect::<Vec<_>>(), self.entries(segment));
        for (_, score) in &mut apart {
            *score *= Compound::COMPOUND_PART_WEIGHT;
        }
        match mode {
            Mode::Strict | Mode::MostWords => with_more(whole, &apart),
            Mode::Relaxed => union(whole, &apart, |whole, parts| whole + parts),
        }
    }

    fn all(&self, items: &[Plan], segment: usize, mode: Mode) -> Result<ScoredDocs> {
        let mut required: Option<Cow<'_, ScoredDocs>> = None;
        let mut optional: Vec<Cow<'_, ScoredDocs>> = Vec::new();
        let gives_score = items.iter().any(Plan::gives_score);
        let missable = if mode == Mode::MostWords { self.missable(items) } else { Vec::new() };
        // Alternatives among the items are required as they are.
        let item_mode = if mode == Mode::MostWords { Mode::Strict } else { mode };
        for item in items.iter().filter(|item| !matches!(item, Plan::Not(_) | Plan::Filter(_))) {
            let mut list = self.list(item, segment, item_mode)?;
            if gives_score && !item.gives_score() {
                // Alternatives that are all filters are a filter.
                list.to_mut().iter_mut().for_each(|(_, score)| *score = 0.0);
            }
            if mode == Mode::Relaxed && self.may_be_missing(item) {
                optional.push(list);
            } else {
                required = Some(match required {
                    None => list,
                    Some(before) => Cow::Owned(intersection(&before, &list)),
                });
            }
        }
        let mut list = match (required, optional.as_slice()) {
            (Some(list), []) => list.into_owned(),
            (None, []) => self.everything(segment),
            (None, optional) => sum(optional, self.entries(segment)),
            (Some(required), optional) => with_more(&required, &sum(optional, self.entries(segment))),
        };
        if !missable.is_empty() {
            list = self.without_one(items, &missable, segment)?;
        }
        for item in items {
            list = match item {
                Plan::Filter(filter) => self.snapshot.filtered(list, filter, segment)?,
                Plan::Not(inner) => difference(list, &*self.list(inner, segment, Mode::Strict)?),
                _ => list,
            };
        }
        Ok(list)
    }

    /// Returns the number of entries in a segment.
    pub(crate) fn entries(&self, segment: usize) -> usize {
        self.snapshot.segments[segment].reader.max_doc() as usize
    }

    /// Returns every chunk, all with the same score.
    fn everything(&self, segment: usize) -> ScoredDocs {
        self.snapshot.segments[segment].chunks().map(|entry| (entry, 1.0)).collect()
    }
}
