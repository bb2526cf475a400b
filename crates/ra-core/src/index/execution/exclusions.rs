//! Exclusions of a query: how many sections they leave out, and which chunks must not be shown next to hits.

use std::collections::BTreeSet;

use tantivy::DocId as EntryId;

use super::filter::Filter;
use super::hit::{ExcludedChunks, Hit};
use super::notice::Notice;
use super::plan::Plan;
use super::retrieve::{Mode, PlanEvaluator};
use super::scored_docs::{ScoredDocs, add, difference};
use crate::error::Result;
use crate::index::storage::lineage::{LineageNode, RecordId};

impl PlanEvaluator<'_> {
    /// Returns a notice of how many matches the excluded words leave out. A command-line option looks like an
    /// exclusion, which makes this easy to do by mistake.
    pub(crate) fn exclusion_notice(
        &self,
        scope: &[Filter],
        mode: Mode,
        total: usize,
    ) -> Result<Option<Notice>> {
        let Plan::All(items) = &self.compiled.plan else { return Ok(None) };
        // Excluding a tree or path isn't a mistyped option.
        let excludes = |plan: &&Plan| matches!(plan, Plan::Not(inner) if inner.gives_score());
        let others: Vec<Plan> = items.iter().filter(|item| !excludes(item)).cloned().collect();
        if others.len() == items.len() {
            return Ok(None);
        }
        let word = |plan: &Plan| match plan {
            Plan::Not(inner) => match **inner {
                Plan::Leaf(leaf) => Some(&self.compiled.leaves[leaf]),
                _ => None,
            },
            _ => None,
        };
        let excluded = items.iter().find_map(word);
        let all: usize = self.matches(&Plan::All(others), scope, mode)?.iter().map(Vec::len).sum();
        Ok((all > total).then(|| Notice {
            message: format!("what `-` excludes leaves out {} of {all} sections", all - total),
            hint: excluded
                .filter(|leaf| leaf.field.is_none() && !leaf.text.contains(char::is_whitespace))
                .map(|leaf| format!("`\\-{}` looks for an option of this name", leaf.text)),
        }))
    }

    /// Returns the chunks that the query excludes in the documents of the hits.
    pub(crate) fn excluded_beside(&self, hits: &[Hit]) -> Result<ExcludedChunks> {
        if !self.compiled.plan.excludes() {
            return Ok(ExcludedChunks::NONE);
        }
        let records: BTreeSet<RecordId> = hits.iter().map(|hit| hit.record).collect();
        let mut found = Vec::new();
        for (nr, segment) in (0..).zip(&self.snapshot.segments) {
            let list = self.excluded(&self.compiled.plan, nr as usize)?;
            for record in records.iter().filter(|record| record.segment == nr) {
                // The entries of a document precede its record.
                let before = &list[..list.partition_point(|(entry, _)| *entry < record.entry)];
                let here = |(entry, _): &&(EntryId, f32)| segment.record_of(*entry) == Some(record.entry);
                let entries = before.iter().rev().take_while(here);
                found.extend(entries.filter_map(|(entry, _)| {
                    Some((*record, LineageNode::unpack(segment.place(*entry)?).ord))
                }));
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Returns the entries that a plan excludes by their words. Of alternatives: those that one excludes and
    /// none finds.
    fn excluded(&self, plan: &Plan, segment: usize) -> Result<ScoredDocs> {
        let mut all = ScoredDocs::new();
        match plan {
            Plan::All(items) => {
                for item in items {
                    let more = match item {
                        Plan::Not(inner) if inner.gives_score() => {
                            self.list(inner, segment, Mode::Strict)?.into_owned()
                        }
                        other => self.excluded(other, segment)?,
                    };
                    add(&mut all, more, |score, _| score);
                }
            }
            Plan::Any(items) => {
                for item in items {
                    add(&mut all, self.excluded(item, segment)?, |score, _| score);
                }
                all = difference(all, &*self.list(plan, segment, Mode::Strict)?);
            }
            Plan::Boost(inner, _) => all = self.excluded(inner, segment)?,
            Plan::Leaf(_) | Plan::Compound(_) | Plan::Not(_) | Plan::Filter(_) | Plan::Everything => {}
        }
        Ok(all)
    }
}
