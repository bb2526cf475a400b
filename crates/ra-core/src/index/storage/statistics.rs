//! Statistics over all chunks. The totals of a segment are counted once and then stored next to the index.
//! Those of entries deleted since are subtracted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tantivy::DocId as EntryId;
use tantivy::fieldnorm::FieldNormReader;

use super::schema::TEXTS;
use super::segment::Segment;
use crate::index::analysis::LanguageId;

/// The BM25 constant that controls length normalization.
const B: f32 = 0.75;

/// Normalizes by the length of a text relative to the average: a term counts less in a long text than in a short one.
pub(crate) struct Norm {
    slope: f32,
}

impl Norm {
    pub(crate) fn new(average: f32) -> Self {
        Self { slope: B / average.max(1.0) }
    }

    /// Returns the divisor for term frequencies in a text of this length.
    pub(crate) fn of(&self, length: f32) -> f32 {
        1.0 - B + self.slope * length
    }
}

/// The corpus statistics that the ranking formula needs.
#[derive(Clone, Debug)]
pub(crate) struct Stats {
    /// The number of chunks.
    pub(crate) chunks: u64,
    /// For each text field and each fieldnorm id of tantivy, the weight of an occurrence.
    pub(crate) shares: [[f32; 256]; TEXTS.len()],
    /// The number of documents.
    pub(crate) documents: u64,
    /// The average length of a document.
    pub(crate) document: f32,
    /// The languages of the documents with the number of documents in each, the most frequent first. Undetermined
    /// languages come last.
    pub(crate) languages: Vec<(LanguageId, u64)>,
}

impl Stats {
    /// Computes the statistics of the live entries. An updated index ranks exactly as a rebuilt one.
    pub(crate) fn of(segments: &[Segment], totals: &BTreeMap<String, Totals>) -> Self {
        let mut live = Totals::default();
        for segment in segments {
            let id = segment.reader.segment_id().uuid_string();
            let all = totals.get(&id).cloned().unwrap_or_default();
            let gone = match segment.reader.has_deletes() {
                true => Totals::of(segment, segment.entries().filter(|&entry| !segment.is_alive(entry))),
                false => Totals::default(),
            };
            live.join(&all, |sum, all| sum + all);
            live.join(&gone, |sum, gone| sum.saturating_sub(gone));
        }
        let average = |total: u64, number: u64| (total as f64 / number.max(1) as f64) as f32;
        Self {
            chunks: live.chunks,
            shares: live.lengths.map(|total| {
                let norm = Norm::new(average(total, live.chunks));
                std::array::from_fn(|id| 1.0 / norm.of(FieldNormReader::id_to_fieldnorm(id as u8) as f32))
            }),
            documents: live.documents,
            document: average(live.tokens, live.documents),
            languages: live.languages(),
        }
    }
}

/// Sums over the entries of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Totals {
    chunks: u64,
    lengths: [u64; TEXTS.len()],
    documents: u64,
    tokens: u64,
    /// The number of documents in each language, by its number.
    languages: BTreeMap<u64, u64>,
}

impl Totals {
    /// Returns the totals of each segment over all its entries, deleted or not, by segment id.
    pub(crate) fn of_all(segments: &[Segment], known: &BTreeMap<String, Totals>) -> BTreeMap<String, Totals> {
        let of = |segment: &Segment| {
            let id = segment.reader.segment_id().uuid_string();
            let totals = known.get(&id).cloned();
            (id, totals.unwrap_or_else(|| Self::of(segment, segment.entries())))
        };
        segments.iter().map(of).collect()
    }

    fn of(segment: &Segment, entries: impl Iterator<Item = EntryId>) -> Self {
        let mut totals = Self::default();
        for entry in entries {
            match segment.own_length(entry) {
                Some(tokens) => {
                    totals.documents += 1;
                    *totals.languages.entry(segment.language(entry).number()).or_default() += 1;
                    totals.tokens += tokens;
                }
                None => {
                    totals.chunks += 1;
                    for (total, lengths) in totals.lengths.iter_mut().zip(&segment.lengths) {
                        *total += u64::from(lengths.fieldnorm(entry));
                    }
                }
            }
        }
        totals
    }

    fn languages(&self) -> Vec<(LanguageId, u64)> {
        let known = self.languages.iter().filter(|(_, count)| **count > 0);
        let mut languages: Vec<(LanguageId, u64)> =
            known.map(|(number, count)| (LanguageId::of_number(*number), *count)).collect();
        languages
            .sort_by_key(|(language, count)| (!language.is_known(), std::cmp::Reverse(*count), *language));
        languages
    }

    fn join(&mut self, other: &Totals, join: impl Fn(u64, u64) -> u64) {
        self.chunks = join(self.chunks, other.chunks);
        self.documents = join(self.documents, other.documents);
        self.tokens = join(self.tokens, other.tokens);
        for (language, there) in &other.languages {
            let here = self.languages.entry(*language).or_default();
            *here = join(*here, *there);
        }
        for (here, there) in self.lengths.iter_mut().zip(other.lengths) {
            *here = join(*here, there);
        }
    }
}
