//! Answering a plan: the lists of the entries that have each word are combined as the plan says, and the
//! best entries become hits.

use std::borrow::Cow;

use tantivy::DocId as EntryId;

use super::compile::{Compiled, LONG_QUERY, Notice, compile};
use super::filter::{Filter, Scope};
use super::hit::{Excluded, Hit, Step};
use super::lists::{List, covering, difference, intersection, score_of, sum, union, with_more};
use super::plan::{Compound, Plan};
use super::read::Snapshot;
use super::score::{Scores, Word};
use super::sought::Sought;
use super::thesaurus::{Reach, may_have_related};
use crate::config::Search;
use crate::error::Result;
use crate::id::TreeName;
use crate::query::Expr;

/// How a question is to be answered.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Where to look.
    pub scope: &'a Scope,
    /// The settings of the search.
    pub search: &'a Search,
    /// The trees there are, in the order that hits count them by.
    pub trees: &'a [TreeName],
    /// How many hits to give.
    pub most: usize,
}

/// What the index found.
#[derive(Debug, Default)]
pub struct Retrieved {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// How many chunks match in all.
    pub total: usize,
    /// How many would match if the query excluded nothing.
    pub unexcluded: usize,
    /// Why not every word was required after all.
    pub relaxed: Option<Relaxed>,
    /// The words of the query, in order.
    pub words: Vec<Word>,
    /// Whether the index lacks a word that is looked for.
    pub has_unknown: bool,
    /// How the query was read where that is not obvious.
    pub notices: Vec<Notice>,
    /// What was looked for, for highlighting.
    pub sought: Sought,
    /// What must not be shown with the hits.
    pub excluded: Excluded,
}

/// Why a query's words became "most of these".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relaxed {
    /// No chunk has every word.
    NothingHasAll,
    /// The query is long: a question in prose, which no section needs to answer word for word.
    LongQuery,
}

/// Where fewer sections match, what means nearly the same is looked for as well.
const FEW: usize = 10;

/// How strongly a section with more of the words is preferred to one with fewer.
const COVERAGE: f32 = 0.3;

impl Snapshot {
    /// Finds the best chunks.
    pub fn retrieve(&self, query: &Expr, question: &Question<'_>) -> Result<Retrieved> {
        let compiled = compile(self, query, question.search, question.trees, Reach::Same)?;
        let found = self.answer(&compiled, question)?;
        // A question that has many words finds by the others what it does not find by one.
        if !question.search.thesaurus || found.relaxed == Some(Relaxed::LongQuery) || !found.is_poor() {
            return Ok(found);
        }
        // To compile a query costs more than to see that nothing would come of it.
        if !query.words().iter().any(|word| may_have_related(&question.search.stemmer, word)) {
            return Ok(found);
        }
        let related = compile(self, query, question.search, question.trees, Reach::Related)?;
        let forms = |compiled: &Compiled| compiled.leaves.iter().map(|leaf| leaf.forms.len()).sum::<usize>();
        if forms(&related) == forms(&compiled) {
            return Ok(found);
        }
        let mut wider = self.answer(&related, question)?;
        // It must bring more, and not take away what has at least some of the words.
        let least = if found.relaxed.is_some() { FEW } else { found.unexcluded + 1 };
        if wider.relaxed.is_some() || wider.unexcluded < least {
            return Ok(found);
        }
        let message =
            "few sections have this: words that mean nearly the same were looked for as well".to_owned();
        wider.notices.push(Notice { message, hint: None });
        Ok(wider)
    }

    /// Finds the best chunks for a compiled query.
    fn answer(&self, compiled: &Compiled, question: &Question<'_>) -> Result<Retrieved> {
        let mut scores = Scores::new(self);
        let factors = compiled.factors();
        for (leaf, factor) in compiled.leaves.iter().zip(&factors) {
            scores.look_up(leaf, *factor)?;
        }
        let evaluation = Evaluation { snapshot: self, compiled, factors, scores };
        let scope = question.scope.filters(question.trees);
        let mut mode = Mode::Strict;
        // Exclusions never decide how a query is read: `a -x` finds nothing that `a` doesn't find.
        let positive = compiled.plan.without_exclusions();
        let unexcluding = positive.as_ref().unwrap_or(&compiled.plan);
        let mut found = evaluation.matches(unexcluding, &scope, mode)?;
        let mut unexcluded = count(&found);
        let mut relaxed = None;
        let looked_for = compiled.leaves.iter().zip(&evaluation.factors).filter(|(_, factor)| **factor > 0.0);
        let optional = looked_for.filter(|(leaf, _)| leaf.may_be_missing).count();
        let reason = match (unexcluded, optional, compiled.plan.words(&compiled.leaves)) {
            (_, 0 | 1, _) => None,
            (_, _, LONG_QUERY..) => Some(Relaxed::LongQuery),
            (0, _, _) => Some(Relaxed::NothingHasAll),
            _ => None,
        };
        if question.search.relax && reason.is_some() {
            let more = evaluation.matches(unexcluding, &scope, Mode::Relaxed)?;
            if count(&more) > unexcluded {
                (unexcluded, relaxed, mode) = (count(&more), reason, Mode::Relaxed);
                found = more;
            }
        }
        if positive.is_some() {
            found = evaluation.matches(&compiled.plan, &scope, mode)?;
        }
        if relaxed.is_some() {
            evaluation.reward_coverage(&mut found);
        }
        let total = count(&found);
        let mut notices = compiled.notices.clone();
        notices.extend(evaluation.left_out(&scope, mode, total)?);
        let words = evaluation.scores.words.iter().zip(&evaluation.factors);
        // What is excluded may well be in no section.
        notices.extend(words.filter(|(_, factor)| **factor > 0.0).filter_map(|(word, _)| word.absent()));
        let hits = evaluation.best(found, question)?;
        let excluded = evaluation.excluded_beside(&hits)?;
        let words = evaluation.scores.words;
        let weights = words.iter().zip(&evaluation.factors).map(|(word, factor)| word.rarity * factor);
        let sought = Sought::new(&compiled.plan, &compiled.leaves, weights.collect());
        let has_unknown =
            words.iter().zip(&evaluation.factors).any(|(word, factor)| *factor > 0.0 && !word.is_known);
        Ok(Retrieved { hits, total, unexcluded, relaxed, sought, words, has_unknown, notices, excluded })
    }
}

impl Retrieved {
    /// Whether little of what was asked for is there.
    fn is_poor(&self) -> bool {
        self.relaxed.is_some() || self.unexcluded < FEW || self.has_unknown
    }
}

/// The number of entries in the lists of all segments.
fn count(found: &[List]) -> usize {
    found.iter().map(Vec::len).sum()
}

/// Whether every word is required.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Strict,
    Relaxed,
}

pub(super) struct Evaluation<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) compiled: &'a Compiled,
    /// How much each leaf counts.
    factors: Vec<f32>,
    scores: Scores<'a>,
}

impl Evaluation<'_> {
    /// The entries of every segment that match the plan and the scope.
    pub(super) fn matches(&self, plan: &Plan, scope: &[Filter], mode: Mode) -> Result<Vec<List>> {
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

    pub(super) fn list(&self, plan: &Plan, segment: usize, mode: Mode) -> Result<Cow<'_, List>> {
        Ok(Cow::Owned(match plan {
            Plan::Leaf(leaf) => return Ok(Cow::Borrowed(self.scores.list(*leaf, segment))),
            Plan::Compound(compound) => self.compound(compound, segment, mode),
            Plan::All(items) => self.all(items, segment, mode)?,
            Plan::Any(items) => {
                let lists = items.iter().map(|item| self.list(item, segment, mode));
                sum(&lists.collect::<Result<Vec<_>>>()?, self.entries(segment))
            }
            Plan::Not(inner) => difference(self.everything(segment), &*self.list(inner, segment, mode)?),
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

    /// The entries that have a compound as it is written, or where not every word is required, any of its parts. All
    /// of it counts.
    fn compound(&self, compound: &Compound, segment: usize, mode: Mode) -> List {
        let whole = self.scores.list(compound.whole, segment);
        let parts = compound.parts.iter().map(|part| Cow::Borrowed(self.scores.list(*part, segment)));
        let mut apart = sum(&parts.collect::<Vec<_>>(), self.entries(segment));
        for (_, score) in &mut apart {
            *score *= Compound::PART;
        }
        match mode {
            Mode::Strict => with_more(whole, &apart),
            Mode::Relaxed => union(whole, &apart, |whole, parts| whole + parts),
        }
    }

    fn all(&self, items: &[Plan], segment: usize, mode: Mode) -> Result<List> {
        let mut required: Option<Cow<'_, List>> = None;
        let mut optional: Vec<Cow<'_, List>> = Vec::new();
        let gives_score = items.iter().any(Plan::gives_score);
        for item in items.iter().filter(|item| !matches!(item, Plan::Not(_) | Plan::Filter(_))) {
            let mut list = self.list(item, segment, mode)?;
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
        for item in items {
            list = match item {
                Plan::Filter(filter) => self.snapshot.filtered(list, filter, segment)?,
                Plan::Not(inner) => difference(list, &*self.list(inner, segment, mode)?),
                _ => list,
            };
        }
        Ok(list)
    }

    fn may_be_missing(&self, plan: &Plan) -> bool {
        match plan {
            Plan::Leaf(leaf) => self.compiled.leaves[*leaf].may_be_missing,
            Plan::Compound(_) => true,
            Plan::Boost(inner, _) => self.may_be_missing(inner),
            _ => false,
        }
    }

    fn has(&self, leaf: usize, segment: usize, entry: EntryId) -> bool {
        score_of(self.scores.list(leaf, segment), entry).is_some()
    }

    /// The number of entries of a segment.
    fn entries(&self, segment: usize) -> usize {
        self.snapshot.segments[segment].reader.max_doc() as usize
    }

    /// Every chunk, with nothing to choose between them.
    fn everything(&self, segment: usize) -> List {
        self.snapshot.segments[segment].chunks().map(|entry| (entry, 1.0)).collect()
    }

    /// Prefers the entries that have more of the words.
    fn reward_coverage(&self, found: &mut [List]) {
        // Excluded words count as missing from all entries alike, which sets the words against the document as a whole:
        // without them the judged set with options in its queries (tldr) loses .0004.
        let leaves = self.compiled.leaves.iter().enumerate();
        let optional: Vec<usize> = leaves.filter(|(_, leaf)| leaf.may_be_missing).map(|(nr, _)| nr).collect();
        // What has none of these has something that is required.
        let reward = |covered: usize| ((covered as f32).max(0.5) / optional.len() as f32).powf(COVERAGE);
        let rewards: Vec<f32> = (0..=optional.len()).map(reward).collect();
        for (segment, list) in found.iter_mut().enumerate() {
            let lists = optional.iter().map(|leaf| self.scores.list(*leaf, segment));
            let mut covered = covering(lists, self.entries(segment));
            for Compound { whole, parts, .. } in self.compiled.plan.compounds() {
                // Where it stands as it is written, however, all of its parts are.
                for (entry, _) in self.scores.list(*whole, segment) {
                    let more = parts.iter().filter(|part| !self.has(**part, segment, *entry)).count();
                    let covered = &mut covered[*entry as usize];
                    *covered = covered.saturating_add(u16::try_from(more).unwrap_or(u16::MAX));
                }
            }
            for (entry, score) in list {
                *score *= rewards[usize::from(covered[*entry as usize])];
            }
        }
    }

    /// The best entries as hits. Where scores are equal, the order of ids decides; ids of one segment
    /// compare by number, so only what may be in the answer is ever read as text.
    fn best(&self, found: Vec<List>, question: &Question<'_>) -> Result<Vec<Hit>> {
        let mut best: Vec<(usize, EntryId, f32)> = Vec::new();
        for (segment, mut list) in found.into_iter().enumerate() {
            for (entry, score) in &mut list {
                *score += self.scores.of_document(segment, *entry);
            }
            let view = &self.snapshot.segments[segment];
            let ord = |entry: EntryId| view.place(entry).map_or(0, |packed| Step::unpack(packed).ord);
            let rank = |a: &(EntryId, f32), b: &(EntryId, f32)| {
                b.1.total_cmp(&a.1)
                    .then_with(|| view.id_of(a.0).cmp(&view.id_of(b.0)))
                    .then_with(|| ord(a.0).cmp(&ord(b.0)))
            };
            if list.len() > question.most {
                // Most are out by their score alone, which is cheap to compare.
                let mut scores: Vec<f32> = list.iter().map(|(_, score)| *score).collect();
                let (_, &mut least, _) = scores.select_nth_unstable_by(question.most, |a, b| b.total_cmp(a));
                list.retain(|(_, score)| score.total_cmp(&least).is_ge());
                list.select_nth_unstable_by(question.most, rank);
                list.truncate(question.most);
            }
            best.extend(list.into_iter().map(|(entry, score)| (segment, entry, score)));
        }
        // How the documents are spread over segments must not show: the best of all are chosen before anything more
        // is asked of them.
        best.sort_unstable_by(|a, b| b.2.total_cmp(&a.2));
        if let Some(&(_, _, last)) = question.most.checked_sub(1).and_then(|nr| best.get(nr)) {
            best.retain(|(_, _, score)| *score >= last);
        }
        for (nr, segment) in self.snapshot.segments.iter().enumerate() {
            let here = best.iter().filter(|(segment, ..)| *segment == nr).map(|(_, entry, _)| *entry);
            segment.touch(&here.collect::<Vec<EntryId>>());
        }
        let placed = |&(segment, entry, score): &(usize, EntryId, f32)| {
            Some((self.hit(segment, entry, score, question)?, segment, entry))
        };
        let mut hits: Vec<(Hit, usize, EntryId)> = best.iter().filter_map(placed).collect();
        hits.sort_by(|a, b| a.0.ranking(&b.0));
        hits.truncate(question.most);
        hits.sort_by_key(|(_, segment, entry)| (*segment, *entry));
        for part in hits.chunk_by_mut(|a, b| a.1 == b.1) {
            let entries: Vec<EntryId> = part.iter().map(|(_, _, entry)| *entry).collect();
            let close = self.snapshot.closeness(part[0].1, self.compiled, &self.scores.words, &entries)?;
            for ((hit, _, _), close) in part.iter_mut().zip(close) {
                hit.score += close;
                hit.closeness = close;
            }
        }
        let mut hits: Vec<Hit> = hits.into_iter().map(|(hit, _, _)| hit).collect();
        hits.sort_by(Hit::ranking);
        Ok(hits)
    }

    fn hit(&self, segment: usize, entry: EntryId, score: f32, question: &Question<'_>) -> Option<Hit> {
        let view = &self.snapshot.segments[segment];
        let doc = view.id_text(view.id_of(entry)?);
        let tree = doc.split_once(':')?.0;
        let tree = question.trees.iter().position(|known| known.as_str() == tree)?;
        let words = self.factors.iter().enumerate().filter_map(|(nr, factor)| {
            Some((u16::try_from(nr).ok()?, factor * score_of(self.scores.list(nr, segment), entry)?))
        });
        Some(Hit {
            doc,
            tree: u16::try_from(tree).ok()?,
            score,
            record: self.snapshot.record_id(segment, entry)?,
            lineage: view.lineage(entry).iter().copied().map(Step::unpack).collect(),
            document: self.scores.of_document(segment, entry),
            closeness: 0.0,
            words: words.collect(),
        })
    }
}
