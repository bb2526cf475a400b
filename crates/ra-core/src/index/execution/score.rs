//! The score of a word: BM25F. Its frequencies in all fields, weighted and normalized by field length, are
//! summed first and saturated once. A word in a heading counts more than one in the text, but no number of
//! headings lets one common word outweigh the others.
//!
//! Documents are scored as a whole by the same formula, and a chunk gets a share of its document's score: of
//! two equal sections, the one in the better document wins.

use tantivy::DocId as EntryId;

use super::notice::Notice;
use super::plan::{FormKind, Leaf};
use super::postings::{TermFrequency, idf};
use super::scored_docs::{ScoredDocs, add};
use super::thesaurus::NAME;
use crate::error::Result;
use crate::index::analysis::LanguageSet;
use crate::index::storage::segment::Segment;
use crate::index::storage::snapshot::Snapshot;
use crate::index::storage::statistics::Norm;
use crate::query::Field;

/// The BM25 constant that controls term frequency saturation.
const K1: f32 = 1.6;

/// The weight of the document score relative to the chunk score.
const DOCUMENT_SCORE_WEIGHT: f32 = 0.5;

/// The minimum weight of a form that may be taken for an unknown word.
const MIN_SUBSTITUTE_WEIGHT: f32 = 0.4;

/// A word of the query and its statistics.
#[derive(Clone, Debug)]
pub struct QueryWord {
    /// The word as written.
    pub text: String,
    /// The forms that were searched for, with their weight.
    pub forms: Vec<(String, f32)>,
    /// The number of chunks that contain the word, or its substitutes if the index doesn't have the word.
    pub matches: usize,
    /// The only field that was searched, if any.
    pub field: Option<Field>,
    /// True if the index has the word as written.
    pub is_known: bool,
    /// The idf among chunks: the value of one strong match.
    pub idf: f32,
    /// The idf among documents.
    pub(crate) document_idf: f32,
}

impl QueryWord {
    /// Returns a notice if no entry has a known word in the field that the query names.
    pub(crate) fn absent(&self) -> Option<Notice> {
        let place = match self.field? {
            Field::Title => "heading",
            Field::Tags => "tag",
            Field::Path => "path",
            Field::Body => "text",
            Field::Tree | Field::Lang | Field::Linked => return None,
        };
        let message = format!("no {place} has: {}", self.text);
        (self.is_known && self.matches == 0).then_some(Notice { message, hint: None })
    }

    /// Returns the tokens that were used in place of the word: its other names and, if the index doesn't have
    /// the word, near terms.
    pub fn nearly(&self) -> impl Iterator<Item = &str> {
        let least = if self.is_known { NAME } else { MIN_SUBSTITUTE_WEIGHT };
        let taken = self.forms.iter().filter(move |(_, form_weight)| (least..1.0).contains(form_weight));
        taken.map(|(token, _)| token.as_str())
    }
}

/// The entries that contain a leaf, with its statistics.
pub(crate) struct LeafPostings {
    /// For each segment, the entries that contain the word.
    pub(crate) lists: Vec<ScoredDocs>,
    /// The number of entries in all lists, and of those with the word as written, or its nearest form.
    pub(crate) matches: usize,
    written: usize,
    idf: f32,
    /// For each segment, the saturated frequency of the word in each document that contains it, by document number.
    documents: Vec<Vec<(u64, f32)>>,
    /// The idf of the word among documents.
    document_idf: f32,
}

/// The scores of every query word in every entry.
pub(crate) struct QueryScorer<'a> {
    snapshot: &'a Snapshot,
    /// The postings of each leaf.
    pub(crate) found: Vec<LeafPostings>,
    /// The words, in lookup order.
    pub(crate) words: Vec<QueryWord>,
    /// For each segment, the score of every document as a whole.
    documents: Vec<Vec<f32>>,
}

impl<'a> QueryScorer<'a> {
    /// Creates a scorer without words.
    pub(crate) fn new(snapshot: &'a Snapshot) -> Self {
        let documents = snapshot.segments.iter().map(|segment| vec![0.0; segment.documents()]).collect();
        Self { snapshot, found: Vec::new(), words: Vec::new(), documents }
    }

    /// Finds the entries that contain a word, and their scores.
    pub(crate) fn look_up(&mut self, leaf: &Leaf, factor: f32) -> Result<()> {
        let found = LeafPostings::new(self.snapshot, leaf)?;
        if factor > 0.0 {
            for (scores, documents) in self.documents.iter_mut().zip(&found.documents) {
                for &(id, count) in documents {
                    if let Some(score) = scores.get_mut(id as usize) {
                        *score += factor * found.document_idf * count;
                    }
                }
            }
        }
        let forms = leaf.forms.iter().map(|form| (form.tokens.join(" "), form.form_weight)).collect();
        let Leaf { text, field, is_known, .. } = leaf;
        let LeafPostings { matches, written, idf, document_idf, .. } = found;
        let matches = if *is_known { written } else { matches };
        let (text, field, is_known) = (text.clone(), *field, *is_known);
        self.words.push(QueryWord { text, forms, matches, field, is_known, idf, document_idf });
        self.found.push(found);
        Ok(())
    }

    /// Returns the highest score that a leaf can add: the limit of its term score for many occurrences, in
    /// the chunk and in the document.
    pub(crate) fn best_possible(&self, leaf: usize) -> f32 {
        let QueryWord { idf, document_idf, .. } = self.words[leaf];
        (K1 + 1.0) * (idf + DOCUMENT_SCORE_WEIGHT * document_idf)
    }

    /// Returns the entries of a segment that contain a leaf.
    pub(crate) fn list(&self, leaf: usize, segment: usize) -> &ScoredDocs {
        &self.found[leaf].lists[segment]
    }

    /// Returns the score that its document adds to an entry.
    pub(crate) fn of_document(&self, segment: usize, entry: EntryId) -> f32 {
        let id = self.snapshot.segments[segment].id_of(entry);
        id.and_then(|id| self.documents[segment].get(id as usize))
            .map_or(0.0, |score| DOCUMENT_SCORE_WEIGHT * score)
    }
}

impl LeafPostings {
    fn new(snapshot: &Snapshot, leaf: &Leaf) -> Result<Self> {
        let mut all: Vec<Vec<(EntryId, TermFrequency)>> = vec![Vec::new(); snapshot.segments.len()];
        let mut others = all.clone();
        let mut written = 0;
        for form in &leaf.forms {
            // Near terms share the idf of the word as written. Otherwise, a rare typo would outrank it.
            let is_written = form.kind == FormKind::Same || written == 0;
            // Near terms have few entries, so they are merged into the longer lists once, at the end.
            let to = if is_written { &mut all } else { &mut others };
            for (segment, before) in to.iter_mut().enumerate() {
                let mut found = snapshot.postings_of(segment, &form.tokens, &leaf.weights)?;
                if form.languages != LanguageSet::ALL {
                    let view = &snapshot.segments[segment];
                    found.retain(|(entry, _)| form.languages.contains(view.language(*entry)));
                }
                for (_, here) in &mut found {
                    here.all = form.form_weight * saturated(here.all, 1.0);
                    here.own *= form.form_weight;
                }
                add(before, found, TermFrequency::most);
            }
            if is_written {
                written = all.iter().map(Vec::len).sum();
            }
        }
        all.iter_mut().zip(others).for_each(|(all, others)| add(all, others, TermFrequency::most));
        let documents: Vec<Vec<(u64, f32)>> = snapshot
            .segments
            .iter()
            .zip(&all)
            .map(|(segment, list)| documents(snapshot, segment, list))
            .collect();
        let document_idf = idf(documents.iter().map(Vec::len).sum(), snapshot.stats.documents);
        let idf = idf(written, snapshot.stats.chunks);
        let scored = |list: &Vec<(EntryId, TermFrequency)>| -> ScoredDocs {
            list.iter().map(|(entry, here)| (*entry, here.all * idf)).collect()
        };
        let lists: Vec<ScoredDocs> = all.iter().map(scored).collect();
        let matches = lists.iter().map(Vec::len).sum();
        Ok(Self { lists, matches, written, idf, documents, document_idf })
    }
}

/// Returns the saturated frequency of a word in the documents of a segment, by the same formula as in chunks.
fn documents(snapshot: &Snapshot, segment: &Segment, list: &[(EntryId, TermFrequency)]) -> Vec<(u64, f32)> {
    match segment.tables.get() {
        Some(tables) => {
            documents_by(snapshot, list, |entry| tables.document(entry), |id, _| tables.length(id))
        }
        None => documents_by(
            snapshot,
            list,
            |entry| segment.id_of(entry),
            |_, entry| segment.document_length(entry),
        ),
    }
}

/// Same as [`documents`], with functions for the number and the length of a document.
fn documents_by(
    snapshot: &Snapshot,
    list: &[(EntryId, TermFrequency)],
    id_of: impl Fn(EntryId) -> Option<u64>,
    length_of: impl Fn(u64, EntryId) -> u64,
) -> Vec<(u64, f32)> {
    let mut documents: Vec<(u64, f32)> = Vec::with_capacity(list.len());
    let norm = Norm::new(snapshot.stats.document);
    // The entries of a document are adjacent.
    let mut entries = list.iter().filter(|(_, here)| here.own > 0.0).peekable();
    while let Some(&(entry, TermFrequency { own: mut count, .. })) = entries.next() {
        let Some(id) = id_of(entry) else { continue };
        while let Some((_, here)) = entries.next_if(|(entry, _)| id_of(*entry) == Some(id)) {
            count += here.own;
        }
        documents.push((id, saturated(count, norm.of(length_of(id, entry) as f32))));
    }
    documents
}

/// Saturates a frequency, after dividing it by `norm`: each further occurrence adds less.
fn saturated(count: f32, norm: f32) -> f32 {
    count * (K1 + 1.0) / (count + K1 * norm)
}
