//! The score of a word: BM25F. Its occurrences in all fields, weighted and each set against the field's
//! length, are summed first and saturated once. So a word in a heading counts for more than one in the text,
//! but no number of headings lets one common word outweigh the others.
//!
//! Documents are scored as a whole by the same formula, and a chunk gets a share of its document's score: the
//! better of two equal sections stands in the better document.

use tantivy::DocId as EntryId;

use super::compile::Notice;
use super::plan::{FormKind, Leaf};
use super::postings::TermFrequency;
use super::scored_docs::{ScoredDocs, add};
use super::thesaurus::NAME;
use crate::error::Result;
use crate::index::storage::segment::Segment;
use crate::index::storage::snapshot::Snapshot;
use crate::index::storage::statistics::Norm;
use crate::query::Field;

/// The constant of BM25 that says how fast repetition stops counting.
const K1: f32 = 1.6;

/// How much the document as a whole counts beside the chunk.
const DOCUMENT_SCORE_WEIGHT: f32 = 0.5;

/// How close a form is at the least that may be what was meant; near words of a known one are less.
const MIN_SUBSTITUTE_WEIGHT: f32 = 0.4;

/// A word of the query and what became of it.
#[derive(Clone, Debug)]
pub struct QueryWord {
    /// As it was written.
    pub text: String,
    /// The forms that were looked for, with their weight.
    pub forms: Vec<(String, f32)>,
    /// How many chunks have it, or, where none does, what was looked for in its place.
    pub matches: usize,
    /// The only field that it was looked for in.
    pub field: Option<Field>,
    /// Whether the index has it as it was written.
    pub is_known: bool,
    /// How rare it is: what one strong match is worth.
    pub idf: f32,
    /// How rare it is among documents.
    pub(crate) document_idf: f32,
}

impl QueryWord {
    /// Says that a field does not have a word that the index knows.
    pub(crate) fn absent(&self) -> Option<Notice> {
        let place = match self.field? {
            Field::Title => "heading",
            Field::Tags => "tag",
            Field::Path => "path",
            Field::Body => "text",
            Field::Tree => return None,
        };
        let message = format!("no {place} has: {}", self.text);
        (self.is_known && self.matches == 0).then_some(Notice { message, hint: None })
    }

    /// The tokens that were taken for it: other names of it, and, where the index does not know it, what is near it or means
    /// nearly the same.
    pub fn nearly(&self) -> impl Iterator<Item = &str> {
        let least = if self.is_known { NAME } else { MIN_SUBSTITUTE_WEIGHT };
        let taken = self.forms.iter().filter(move |(_, form_weight)| (least..1.0).contains(form_weight));
        taken.map(|(token, _)| token.as_str())
    }
}

/// What there is of a word.
pub(crate) struct LeafPostings {
    /// For each segment, the entries that have it.
    pub(crate) lists: Vec<ScoredDocs>,
    /// The number of entries in all lists, and of those that have it as it was written, or its nearest form.
    pub(crate) matches: usize,
    written: usize,
    idf: f32,
    /// For each segment, what the word counts for in the documents that have it, by their numbers.
    documents: Vec<Vec<(u64, f32)>>,
    /// How rare the word is among documents.
    document_idf: f32,
}

/// What every word of a query gives to every entry.
pub(crate) struct QueryScorer<'a> {
    snapshot: &'a Snapshot,
    /// What there is of each leaf.
    pub(crate) found: Vec<LeafPostings>,
    /// The words in the order they were looked up.
    pub(crate) words: Vec<QueryWord>,
    /// For each segment, the score of every document as a whole.
    documents: Vec<Vec<f32>>,
}

impl<'a> QueryScorer<'a> {
    /// Scores of no words yet.
    pub(crate) fn new(snapshot: &'a Snapshot) -> Self {
        let documents = snapshot.segments.iter().map(|segment| vec![0.0; segment.documents()]).collect();
        Self { snapshot, found: Vec::new(), words: Vec::new(), documents }
    }

    /// Finds the entries that have a word, and their scores.
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

    /// The most that a leaf can add to a score: what its term score approaches as occurrences grow, in the chunk and in
    /// the document.
    pub(crate) fn best_possible(&self, leaf: usize) -> f32 {
        let QueryWord { idf, document_idf, .. } = self.words[leaf];
        (K1 + 1.0) * (idf + DOCUMENT_SCORE_WEIGHT * document_idf)
    }

    /// The entries of a segment that have a leaf.
    pub(crate) fn list(&self, leaf: usize, segment: usize) -> &ScoredDocs {
        &self.found[leaf].lists[segment]
    }

    /// What the document of an entry adds to its score.
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
            // Near words share the rarity of the word they stand for, or a rare typo would outrank it.
            let is_written = form.kind == FormKind::Same || written == 0;
            // They are few entries beside many, and are put to these once.
            let to = if is_written { &mut all } else { &mut others };
            for (segment, before) in to.iter_mut().enumerate() {
                let mut found = snapshot.postings_of(segment, &form.tokens, &leaf.weights)?;
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

/// What a word counts for in the documents of a segment, by the same formula as in chunks.
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

/// The same with ways to a document's number and to its length.
fn documents_by(
    snapshot: &Snapshot,
    list: &[(EntryId, TermFrequency)],
    id_of: impl Fn(EntryId) -> Option<u64>,
    length_of: impl Fn(u64, EntryId) -> u64,
) -> Vec<(u64, f32)> {
    let mut documents: Vec<(u64, f32)> = Vec::with_capacity(list.len());
    let norm = Norm::new(snapshot.stats.document);
    // The entries of a document stand side by side.
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

/// The more often a word occurs, the less another occurrence adds. The number of times is divided by `norm`.
fn saturated(count: f32, norm: f32) -> f32 {
    count * (K1 + 1.0) / (count + K1 * norm)
}

/// What a word is worth that `with` of `all` have.
pub(crate) fn idf(with: usize, all: u64) -> f32 {
    let (with, all) = (with as f32, all as f32);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}
