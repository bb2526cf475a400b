//! Ranks hits by meaning as well as by words, and adds pages that say the same in other words.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use super::RESULTS_PER_PAGE;
use super::heading_match::HeadingMatcher;
use super::verbatim::VerbatimMatcher;
use crate::config::Config;
use crate::error::Result;
use crate::id::DocId;
use crate::index::{Extent, Hit, Record, RecordId, RetrievalRequest, Snapshot, SourceReader};
use crate::semantic::{EncodedQuery, PageIndex, SectionTokens, readable_text, without_front_matter};

/// A query to be compared by meaning.
#[derive(Clone, Copy)]
pub struct Meaning<'a> {
    /// The query.
    pub text: &'a str,
    /// Reads the vectors of pages that it's compared with.
    pub pages: &'a (dyn Fn() -> Arc<PageIndex> + Sync),
}

impl fmt::Debug for Meaning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meaning").field("text", &self.text).finish_non_exhaustive()
    }
}

/// What [`Meaning`] becomes while words are looked up.
pub(super) struct EncodedMeaning {
    pub(super) query: EncodedQuery,
    /// The vectors that it's compared with.
    pub(super) pages: Arc<PageIndex>,
}

/// The similarity of a hit to the query in meaning. Unknown values are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Similarity {
    /// The cosine of the query and the page.
    pub page: Option<f32>,
    /// The cosine of the query and the nearest passage of the section.
    pub passage: Option<f32>,
}

/// The similarity of hits to the query, by record and ord.
pub(super) type SimilarityOfHits = HashMap<(RecordId, u32), Similarity>;

/// The number of best hits that are ranked by meaning. It doesn't depend on the limit of the results, because
/// similarities are scaled by the nearest and the farthest of these hits.
const FUSED_HITS: usize = 100;
/// The number of best hits whose passages are compared. That means reading and encoding them, so the others are
/// compared by their page alone.
const COMPARED_PASSAGES: usize = 30;
/// The number of nearest pages that are added even if no query word matches them.
const NEAREST_PAGES: usize = 10;

/// Pages with a lower cosine aren't added.
const MIN_PAGE_COSINE: f32 = 0.3;

/// The weight of meaning; words have weight 1. On the five judged sets, the mean nDCG@10 differs by less than
/// 0.005 from 0.5 to 0.9. A weight that falls with the score gap between the first and the second (or the
/// fifth) document by words loses 0.001 to 0.004.
const MEANING_WEIGHT: f32 = 0.6;
/// The similarity of a section is the higher of its page's and its nearest passage's, plus this share of the
/// lower. With a plain sum, a page that answers a question in one line of many loses to a page about the
/// general topic.
const FARTHER_WEIGHT: f32 = 0.6;

/// Ranks hits by words and meaning.
pub(super) struct Fusion<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) config: &'a Config,
    pub(super) question: &'a RetrievalRequest<'a>,
    pub(super) encoded: &'a EncodedMeaning,
    pub(super) headings: &'a HeadingMatcher<'a>,
    pub(super) verbatim: &'a VerbatimMatcher,
}

/// A hit while it's being ranked.
struct Candidate {
    hit: Hit,
    similarity: Similarity,
    literalness: f32,
    /// True if a query word matched.
    has_words: bool,
}

/// A section compared with the query. Its literalness is 1 if its heading is the query; otherwise it is the share of
/// the query's content words that the section contains in one run.
#[derive(Clone, Copy, Default)]
struct ComparedSection {
    /// The cosine of the nearest passage, or `None` if it wasn't compared or the disk no longer has the section.
    cosine: Option<f32>,
    literalness: f32,
}

/// A section as it's read from the disk.
#[derive(Default)]
struct ReadSection {
    /// Its tokens, or `None` if it isn't compared or the disk no longer has it.
    tokens: Option<SectionTokens>,
    literalness: f32,
}

impl Fusion<'_> {
    /// Ranks the best hits again. Adds a page without hits if it ranks among the first `RESULTS_PER_PAGE`.
    pub(super) fn rank(&self, hits: &mut Vec<Hit>) -> Result<SimilarityOfHits> {
        let rest = hits.split_off(hits.len().min(FUSED_HITS));
        let mut candidates = self.candidates(std::mem::take(hits))?;
        let top = candidates.iter().map(|candidate| candidate.hit.score).fold(0.0, f32::max);
        let top = if top > 0.0 { top } else { 1.0 };
        for (candidate, score) in scores(&candidates).into_iter().enumerate() {
            candidates[candidate].hit.score = top * score;
        }
        candidates.sort_by(|a, b| a.hit.ranking(&b.hit));
        let mut nr = 0;
        candidates.retain(|candidate| {
            nr += 1;
            candidate.has_words || nr <= RESULTS_PER_PAGE
        });
        let is_new = |candidate: &&mut Candidate| !candidate.has_words;
        candidates.par_iter_mut().filter(is_new).try_for_each(|candidate| self.choose_section(candidate))?;
        let least = candidates.last().map_or(0.0, |last| last.hit.score);
        let similarities: SimilarityOfHits =
            candidates.iter().map(|candidate| (candidate.hit.place(), candidate.similarity)).collect();
        hits.extend(candidates.into_iter().map(|candidate| candidate.hit));
        let best = rest.first().map_or(0.0, |hit| hit.score);
        let factor = if best > least { least / best } else { 1.0 };
        // The section chosen for a page may also be one of the hits in `rest`.
        let rest = rest.into_iter().filter(|hit| !similarities.contains_key(&hit.place()));
        hits.extend(rest.map(|hit| Hit { score: hit.score * factor, ..hit }));
        Ok(similarities)
    }

    /// Returns the hits with their similarities, and the nearest pages that contain no hit.
    fn candidates(&self, hits: Vec<Hit>) -> Result<Vec<Candidate>> {
        let pages = self.encoded.pages.similarities(self.encoded.query.for_pages());
        let known: HashSet<String> = hits.iter().map(|hit| hit.doc.to_string()).collect();
        let mut known_pages: HashSet<u64> =
            hits.iter().filter_map(|hit| self.snapshot.page_of(hit.record)).collect();
        let has_full = hits.iter().any(|hit| !hit.is_partial);
        let sections = self.compared(&hits)?;
        let mut candidates: Vec<Candidate> = Vec::new();
        for (hit, ComparedSection { cosine, literalness }) in hits.into_iter().zip(sections) {
            let similarity = Similarity { page: pages.of(&hit.doc), passage: cosine };
            candidates.push(Candidate { hit, similarity, literalness, has_words: true });
        }
        let is_short = candidates.iter().any(|candidate| candidate.hit.is_partial) && has_full;
        for (id, cosine) in
            pages.nearest(NEAREST_PAGES).into_iter().filter(|(_, cosine)| *cosine >= MIN_PAGE_COSINE)
        {
            let Some(doc) = DocId::of_index_id(id).filter(|_| !known.contains(&**id)) else { continue };
            let preferred = self.snapshot.preferred_translation(&doc, self.question.language)?;
            let mut hit = self.snapshot.chunk_hits(&preferred, self.question)?.into_iter().next();
            if hit.is_none() && preferred != doc {
                // The scope of the question doesn't contain the preferred one.
                hit = self.snapshot.chunk_hits(&doc, self.question)?.into_iter().next();
            }
            // A page is added once, and not if it was found by its words in another language.
            let is_new =
                |hit: &Hit| self.snapshot.page_of(hit.record).is_none_or(|page| known_pages.insert(page));
            let hit = hit.filter(is_new);
            let similarity = Similarity { page: Some(cosine), passage: None };
            candidates.extend(hit.map(|hit| Candidate {
                hit: Hit { is_partial: is_short, ..hit },
                similarity,
                literalness: 0.0,
                has_words: false,
            }));
        }
        Ok(candidates)
    }

    /// Compares the section of each hit with the query.
    fn compared(&self, hits: &[Hit]) -> Result<Vec<ComparedSection>> {
        let mut by_record: BTreeMap<RecordId, Vec<usize>> = BTreeMap::new();
        for (nr, hit) in hits.iter().enumerate() {
            by_record.entry(hit.record).or_default().push(nr);
        }
        let of_record = |(record, numbers): (&RecordId, &Vec<usize>)| {
            let ords: Vec<u32> = numbers.iter().map(|nr| hits[*nr].ord()).collect();
            let asked_for = self.headings.facts(self.snapshot, *record, &ords).asked_for;
            let is_read = numbers.partition_point(|nr| *nr < COMPARED_PASSAGES);
            let mut read = self.sections(&*self.snapshot.record_at(*record)?, &ords[..is_read])?;
            read.resize_with(ords.len(), ReadSection::default);
            for (_, section) in ords.iter().zip(&mut read).filter(|(ord, _)| asked_for.contains(ord)) {
                section.literalness = 1.0;
            }
            Ok(numbers.iter().copied().zip(read).collect())
        };
        let read: Vec<Vec<(usize, ReadSection)>> =
            by_record.par_iter().map(of_record).collect::<Result<_>>()?;
        let read: Vec<(usize, ReadSection)> = read.into_iter().flatten().collect();
        let cosines = self.cosines(read.iter().map(|(_, section)| section));
        let mut compared = vec![ComparedSection::default(); hits.len()];
        for ((nr, ReadSection { literalness, .. }), cosine) in read.iter().zip(cosines) {
            compared[*nr] = ComparedSection { cosine, literalness: *literalness };
        }
        Ok(compared)
    }

    /// Reads sections.
    fn sections(&self, record: &Record, ords: &[u32]) -> Result<Vec<ReadSection>> {
        let Some(tree) = self.config.tree(record.doc.tree.as_str()) else {
            return Ok(ords.iter().map(|_| ReadSection::default()).collect());
        };
        let path = tree.root.join(&record.doc.path);
        let mut source = SourceReader::new(&path, self.snapshot.conversions());
        let mut section = |ord: &u32| {
            let Some(pieces) = record.read(&mut source, *ord, Extent::Own)? else {
                return Ok(ReadSection::default());
            };
            let body: String = pieces.into_iter().map(|piece| piece.text).collect();
            let headings = record.outline.hierarchy(*ord);
            let text = readable_text(without_front_matter(&body, *ord));
            let heading = headings.last().map_or("", |heading| heading);
            let literalness = self.verbatim.share(&text).max(self.verbatim.share(heading));
            Ok(ReadSection { tokens: Some(SectionTokens::new(&headings.join(" "), &text)), literalness })
        };
        ords.iter().map(&mut section).collect()
    }

    /// Returns the similarity of the nearest passage of each section.
    fn cosines<'s>(&self, sections: impl Iterator<Item = &'s ReadSection> + Clone) -> Vec<Option<f32>> {
        let read: Vec<&SectionTokens> =
            sections.clone().filter_map(|section| section.tokens.as_ref()).collect();
        let mut cosines = self.encoded.query.nearest_passages(&read).into_iter();
        sections.map(|section| section.tokens.as_ref().and_then(|_| cosines.next())).collect()
    }

    /// Selects the section of a page that is nearest to the query.
    fn choose_section(&self, candidate: &mut Candidate) -> Result<()> {
        let Some(doc) = DocId::of_index_id(&candidate.hit.doc) else { return Ok(()) };
        let sections: Vec<Hit> =
            self.snapshot.chunk_hits(&doc, self.question)?.into_iter().take(MAX_SECTIONS).collect();
        let ords: Vec<u32> = sections.iter().map(Hit::ord).collect();
        let record = self.snapshot.record_at(candidate.hit.record)?;
        let read = self.sections(&record, &ords)?;
        let cosines = self.cosines(read.iter());
        let nearest = cosines.iter().enumerate().rev().filter_map(|(nr, cosine)| Some((nr, (*cosine)?)));
        let Some((nr, cosine)) = nearest.max_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(()) };
        candidate.hit.lineage = sections[nr].lineage.clone();
        candidate.similarity.passage = Some(cosine);
        Ok(())
    }
}

/// At most this many sections of a page are compared.
const MAX_SECTIONS: usize = 32;

/// Returns the score of each candidate, from 0 to 1.
fn scores(candidates: &[Candidate]) -> Vec<f32> {
    let best = candidates.iter().map(|candidate| candidate.hit.score).fold(f32::MIN_POSITIVE, f32::max);
    let words = candidates.iter().map(|candidate| candidate.hit.score / best).collect::<Vec<f32>>();
    let pages = scaled(candidates.iter().map(|candidate| candidate.similarity.page), &[]);
    let passages = scaled(candidates.iter().map(|candidate| candidate.similarity.passage), &pages);
    let score = |nr: usize| {
        // A section that repeats the query word for word is as near as any other.
        let literalness = candidates[nr].literalness;
        let (page, passage) = (pages[nr].max(literalness), passages[nr].max(literalness));
        let meaning = page.max(passage) + FARTHER_WEIGHT * page.min(passage);
        (words[nr] + MEANING_WEIGHT * meaning) / (1.0 + MEANING_WEIGHT * (1.0 + FARTHER_WEIGHT))
    };
    (0..candidates.len()).map(score).collect()
}

/// A smaller range of cosines carries no information, so it isn't stretched to 0..1.
const MIN_SPREAD: f32 = 0.2;

/// Scales cosines to 1 for the largest and 0 for the smallest, if their range is large enough. An unknown value is
/// replaced by its substitute, or by the mean of the others if there is none, which makes it neutral.
fn scaled(values: impl Iterator<Item = Option<f32>>, substitutes: &[f32]) -> Vec<f32> {
    let values: Vec<Option<f32>> = values.collect();
    let known: Vec<f32> = values.iter().copied().flatten().collect();
    let (low, high) =
        known.iter().fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    let scale = |value: f32| 1.0 - (high - value) / (high - low).max(MIN_SPREAD);
    let mean = known.iter().copied().map(scale).sum::<f32>() / known.len().max(1) as f32;
    let of = |(nr, value): (usize, Option<f32>)| {
        value.map_or_else(|| substitutes.get(nr).copied().unwrap_or(mean), scale)
    };
    values.into_iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_scaled_and_the_unknown_is_neutral() {
        let with = |values: &[Option<f32>], substitutes: &[f32]| scaled(values.iter().copied(), substitutes);
        let scaled = |values: &[Option<f32>]| with(values, &[]);
        assert_eq!(scaled(&[Some(0.25), Some(0.75), Some(0.5), None]), [0.0, 1.0, 0.5, 0.5]);
        assert_eq!(scaled(&[Some(0.5), Some(0.4)]), [1.0, 0.5]);
        assert_eq!(scaled(&[Some(0.5), Some(0.5)]), [1.0, 1.0]);
        assert_eq!(scaled(&[None, None]), [0.0, 0.0]);
        assert_eq!(with(&[Some(0.25), Some(0.75), None], &[0.1, 0.2, 0.3]), [0.0, 1.0, 0.3]);
    }
}
