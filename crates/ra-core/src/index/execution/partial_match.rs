//! Sections that contain most words of a query: finds them, and ranks them against those with more words.

use std::borrow::Cow;

use tantivy::DocId as EntryId;

use super::filter::Filter;
use super::plan::{Compound, Plan};
use super::retrieve::{Mode, PlanEvaluator};
use super::scored_docs::{
    ScoredDocs, add, covering, difference, intersection, score_of, sum, unscored, with_more,
};
use crate::error::Result;

/// How strongly a section with more of the words is preferred to one with fewer.
const COVERAGE_EXPONENT: f32 = 0.3;

/// The minimum share of the total idf of the query words that a section must have to be listed after the full
/// matches. A section with only the commonest word doesn't qualify. On two and three words of each judged
/// query, 0.5, 0.4, 0.3 and 0 are within .001 of each other in nDCG@10; with 0, answers have 1% more tokens.
const MIN_IDF_SHARE: f32 = 0.3;

impl PlanEvaluator<'_> {
    /// Returns the entries that match all items, or all but one of the `missable` ones.
    pub(crate) fn without_one(
        &self,
        items: &[Plan],
        missable: &[usize],
        segment: usize,
    ) -> Result<ScoredDocs> {
        let mut lists: Vec<(usize, Cow<'_, ScoredDocs>)> = Vec::new();
        for (nr, item) in items.iter().enumerate() {
            if matches!(item, Plan::Not(_) | Plan::Filter(_)) {
                continue;
            }
            let list = self.list(item, segment, Mode::Strict)?;
            // Alternatives that are all filters are a filter.
            lists.push((nr, if item.gives_score() { list } else { Cow::Owned(unscored(&list)) }));
        }
        let mut allowed = ScoredDocs::new();
        for &without in missable {
            let others = lists.iter().filter(|(nr, _)| *nr != without).map(|(_, list)| list.clone());
            let others = others.reduce(|all, list| Cow::Owned(intersection(&all, &list)));
            add(&mut allowed, others.unwrap_or_default().into_owned(), |score, _| score);
        }
        let lists: Vec<Cow<'_, ScoredDocs>> = lists.into_iter().map(|(_, list)| list).collect();
        Ok(with_more(&unscored(&allowed), &sum(&lists, self.entries(segment))))
    }

    /// Returns the numbers of the items that can be missing because the others have most of the idf.
    pub(crate) fn missable(&self, items: &[Plan]) -> Vec<usize> {
        let worths: Vec<f32> = items.iter().map(|item| self.worth(item)).collect();
        let total: f32 = worths.iter().sum();
        let optional: Vec<usize> = (0..items.len()).filter(|nr| self.may_be_missing(&items[*nr])).collect();
        let is_missable = |nr: &usize| total - worths[*nr] >= MIN_IDF_SHARE * total;
        // A single plain word next to a phrase or a field is their subject, so it stays required.
        if optional.len() < 2 { Vec::new() } else { optional.into_iter().filter(is_missable).collect() }
    }

    /// Returns the weight of a part of the query: the idf of its words.
    fn worth(&self, plan: &Plan) -> f32 {
        let idf = |leaf: &usize| self.scores.words[*leaf].idf;
        match plan {
            Plan::Leaf(leaf) => idf(leaf),
            Plan::Compound(compound) => compound.parts.iter().map(idf).fold(0.0, f32::max),
            Plan::All(items) => items.iter().map(|item| self.worth(item)).sum(),
            Plan::Any(items) => items.iter().map(|item| self.worth(item)).fold(0.0, f32::max),
            Plan::Boost(inner, _) => self.worth(inner),
            Plan::Not(_) | Plan::Filter(_) | Plan::Everything => 0.0,
        }
    }

    /// Returns the numbers of the query words that a match may lack.
    pub(crate) fn missable_words(&self) -> Vec<u16> {
        fn word(plan: &Plan) -> Option<usize> {
            match plan {
                Plan::Leaf(leaf) => Some(*leaf),
                Plan::Compound(compound) => Some(compound.whole),
                Plan::Boost(inner, _) => word(inner),
                _ => None,
            }
        }
        let Plan::All(items) = &self.compiled.plan else { return Vec::new() };
        let words = self.missable(items).into_iter().filter_map(|nr| word(&items[nr]));
        words.filter_map(|leaf| u16::try_from(leaf).ok()).collect()
    }

    /// Returns the matches that lack one word, without those in `found`.
    pub(crate) fn lacking_one(&self, found: &[ScoredDocs], scope: &[Filter]) -> Result<Vec<ScoredDocs>> {
        let all = self.matches(&self.compiled.plan, scope, Mode::MostWords)?;
        Ok(all.into_iter().zip(found).map(|(all, found)| difference(all, found)).collect())
    }

    pub(crate) fn may_be_missing(&self, plan: &Plan) -> bool {
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

    /// Lowers the scores of entries that lack some of the words.
    pub(crate) fn reward_coverage(&self, found: &mut [ScoredDocs]) {
        // Excluded words count as missing from all entries alike, which lowers the words relative to the
        // document score. Without them, the judged set with options in its queries (tldr) loses .0004.
        let leaves = self.compiled.leaves.iter().enumerate();
        let optional: Vec<usize> = leaves.filter(|(_, leaf)| leaf.may_be_missing).map(|(nr, _)| nr).collect();
        // An entry without any optional word contains a required one.
        let reward =
            |covered: usize| ((covered as f32).max(0.5) / optional.len() as f32).powf(COVERAGE_EXPONENT);
        let rewards: Vec<f32> = (0..=optional.len()).map(reward).collect();
        for (segment, list) in found.iter_mut().enumerate() {
            let lists = optional.iter().map(|leaf| self.scores.list(*leaf, segment));
            let mut covered = covering(lists, self.entries(segment));
            for Compound { whole, parts, .. } in self.compiled.plan.compounds() {
                // An entry with the compound as written has all of its parts.
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
}
