//! Turns the best matches into hits, and computes the highest possible score.

use tantivy::DocId as EntryId;

use super::hit::Hit;
use super::proximity;
use super::retrieve::{PlanEvaluator, RetrievalRequest};
use super::scored_docs::{ScoredDocs, score_of};
use crate::error::Result;
use crate::index::storage::lineage::LineageNode;

impl PlanEvaluator<'_> {
    /// Returns the highest score that any chunk could have: the maximum that every word adds, in the chunk
    /// and its document, and the proximity of adjacent words.
    pub(crate) fn best_possible(&self) -> f32 {
        let words = self.factors.iter().enumerate();
        let words: f32 = words.map(|(leaf, factor)| factor * self.scores.best_possible(leaf)).sum();
        words + proximity::best_possible(self.compiled, &self.scores.words)
    }

    /// Returns the best entries as hits. Ties are broken by id. The ids of one segment compare by number, so
    /// only those of possible results are read as text.
    pub(crate) fn best(
        &self,
        found: Vec<ScoredDocs>,
        question: &RetrievalRequest<'_>,
        most: usize,
    ) -> Result<Vec<Hit>> {
        if most == 0 || found.iter().all(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let mut best: Vec<(usize, EntryId, f32)> = Vec::new();
        for (segment, mut list) in found.into_iter().enumerate() {
            for (entry, score) in &mut list {
                *score += self.scores.of_document(segment, *entry);
            }
            let view = &self.snapshot.segments[segment];
            let ord = |entry: EntryId| view.place(entry).map_or(0, |packed| LineageNode::unpack(packed).ord);
            let rank = |a: &(EntryId, f32), b: &(EntryId, f32)| {
                b.1.total_cmp(&a.1)
                    .then_with(|| view.id_of(a.0).cmp(&view.id_of(b.0)))
                    .then_with(|| ord(a.0).cmp(&ord(b.0)))
            };
            if list.len() > most {
                // Most entries are ruled out by score alone, which is cheap to compare.
                let mut scores: Vec<f32> = list.iter().map(|(_, score)| *score).collect();
                let (_, &mut least, _) = scores.select_nth_unstable_by(most, |a, b| b.total_cmp(a));
                list.retain(|(_, score)| score.total_cmp(&least).is_ge());
                list.select_nth_unstable_by(most, rank);
                list.truncate(most);
            }
            best.extend(list.into_iter().map(|(entry, score)| (segment, entry, score)));
        }
        // The result must not depend on how documents are distributed over segments, so the best entries of
        // all segments are selected before any more data is read.
        best.sort_unstable_by(|a, b| b.2.total_cmp(&a.2));
        if let Some(&(_, _, last)) = most.checked_sub(1).and_then(|nr| best.get(nr)) {
            best.retain(|(_, _, score)| *score >= last);
        }
        let placed = |&(segment, entry, score): &(usize, EntryId, f32)| {
            Some((self.hit(segment, entry, score, question)?, segment, entry))
        };
        let mut hits: Vec<(Hit, usize, EntryId)> = best.iter().filter_map(placed).collect();
        hits.sort_by(|a, b| a.0.ranking(&b.0));
        hits.truncate(most);
        hits.sort_by_key(|(_, segment, entry)| (*segment, *entry));
        for part in hits.chunk_by_mut(|a, b| a.1 == b.1) {
            let entries: Vec<EntryId> = part.iter().map(|(_, _, entry)| *entry).collect();
            let close = self.snapshot.proximity(part[0].1, self.compiled, &self.scores.words, &entries)?;
            for ((hit, _, _), close) in part.iter_mut().zip(close) {
                hit.score += close;
                hit.proximity = close;
            }
        }
        let mut hits: Vec<Hit> = hits.into_iter().map(|(hit, _, _)| hit).collect();
        hits.sort_by(Hit::ranking);
        Ok(hits)
    }

    fn hit(
        &self,
        segment: usize,
        entry: EntryId,
        score: f32,
        question: &RetrievalRequest<'_>,
    ) -> Option<Hit> {
        let words = self.factors.iter().enumerate().filter_map(|(nr, factor)| {
            Some((u16::try_from(nr).ok()?, factor * score_of(self.scores.list(nr, segment), entry)?))
        });
        Some(Hit {
            document: self.scores.of_document(segment, entry),
            words: words.collect(),
            ..self.snapshot.hit(segment, entry, score, question.trees)?
        })
    }
}
