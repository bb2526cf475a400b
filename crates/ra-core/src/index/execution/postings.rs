//! Where words and phrases stand: the lists of entries behind them, with their weighted occurrences.

use std::sync::Arc;

use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId as EntryId, DocSet, InvertedIndexReader, TERMINATED, Term};

use super::plan::Weights;
use super::score::idf;
use super::scored_docs::{ScoredDocs, add};
use crate::error::Result;
use crate::index::storage::schema::TEXTS;
use crate::index::storage::snapshot::Snapshot;
use crate::index::storage::term_table::TermEntry;

/// How often an entry has a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermFrequency {
    /// In all fields, each weighted and set against the field's length.
    pub(crate) all: f32,
    /// In the fields that are the chunk's own, weighted but not set against any length: for the document.
    pub(crate) own: f32,
}

impl TermFrequency {
    /// What counts where an entry has two forms of a word: the more of each.
    pub(crate) fn most(self, other: Self) -> Self {
        Self { all: self.all.max(other.all), own: self.own.max(other.own) }
    }
}

/// Where the list of a token stands.
struct PostingsLocation {
    index: Arc<InvertedIndexReader>,
    term: TermInfo,
}

impl Snapshot {
    /// The entries of a segment that have the token, or the tokens one after the other, in a field that has a
    /// weight.
    pub(crate) fn postings_of(
        &self,
        segment: usize,
        tokens: &[String],
        weights: &Weights,
    ) -> Result<Vec<(EntryId, TermFrequency)>> {
        let mut all = Vec::new();
        for (nr, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let lengths = &self.segments[segment].lengths[nr];
            let shares = &self.stats.shares[nr];
            let own = if TEXTS[nr].0.is_own() { weight } else { 0.0 };
            let has_length = TEXTS[nr].0.has_length();
            let counted = |entry: EntryId, count: f32| {
                let count = if has_length { count } else { 1.0 };
                let share = shares[usize::from(lengths.fieldnorm_id(entry))];
                TermFrequency { all: weight * count * share, own: own * count }
            };
            let list = match tokens {
                [token] => self.entries_with(segment, self.in_text(segment, nr, token)?, counted)?,
                _ => {
                    let list = self.entries_with_phrase(segment, nr, tokens)?;
                    list.into_iter().map(|(entry, count)| (entry, counted(entry, count))).collect()
                }
            };
            add(&mut all, list, |a, b| TermFrequency { all: a.all + b.all, own: a.own + b.own });
        }
        Ok(all)
    }

    /// Where the list of a token stands in a text field, by the number of the field. What is kept in memory saves looking
    /// into the dictionary.
    fn in_text(&self, segment: usize, nr: usize, token: &str) -> Result<Option<PostingsLocation>> {
        let field = self.fields.texts[nr];
        let Some(tables) = self.segments[segment].tables.get() else {
            return self.in_field(segment, field, token);
        };
        let Some(term) = tables.words.find(token).and_then(|known| known.term(nr)) else { return Ok(None) };
        Ok(Some(PostingsLocation { index: self.inverted_index(segment, field)?, term: term.clone() }))
    }

    /// Where the list of a token stands in a field.
    fn in_field(&self, segment: usize, field: Field, token: &str) -> Result<Option<PostingsLocation>> {
        let index = self.inverted_index(segment, field)?;
        let term = index.get_term_info(&Term::from_field_text(field, token));
        Ok(term.map_err(|error| self.failed(error.into()))?.map(|term| PostingsLocation { index, term }))
    }

    /// The entries of a list, with what `counted` makes of the number of times that each has the token.
    fn entries_with<T>(
        &self,
        segment: usize,
        place: Option<PostingsLocation>,
        counted: impl Fn(EntryId, f32) -> T,
    ) -> Result<Vec<(EntryId, T)>> {
        let Some(PostingsLocation { index, term }) = place else { return Ok(Vec::new()) };
        let postings = index.read_block_postings_from_terminfo(&term, IndexRecordOption::WithFreqs);
        let mut postings = postings.map_err(|error| self.failed(error.into()))?;
        let alive = self.segments[segment].reader.alive_bitset();
        let is_alive = |entry: EntryId| alive.is_none_or(|alive| alive.is_alive(entry));
        let mut list = Vec::with_capacity(term.doc_freq as usize);
        while !postings.docs().is_empty() {
            let block = postings.docs().iter().enumerate().filter(|(_, entry)| is_alive(**entry));
            list.extend(block.map(|(nr, &entry)| (entry, counted(entry, postings.freq(nr) as f32))));
            postings.advance();
        }
        Ok(list)
    }

    /// The entries that have the tokens one after the other in a field, with the number of times.
    fn entries_with_phrase(&self, segment: usize, nr: usize, tokens: &[String]) -> Result<ScoredDocs> {
        let mut postings: Vec<(u32, SegmentPostings)> = Vec::with_capacity(tokens.len());
        for (offset, token) in (0..).zip(tokens) {
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(found) = self.postings(segment, nr, token, option)? else {
                return Ok(ScoredDocs::new());
            };
            postings.push((offset, found));
        }
        // The rarest token leads, so that few entries are looked at.
        postings.sort_by_key(|(_, postings)| postings.doc_freq());
        let view = &self.segments[segment];
        let mut list = ScoredDocs::new();
        let mut starts = Vec::new();
        let mut positions = Vec::new();
        let Some(((first_offset, first), others)) = postings.split_first_mut() else { return Ok(list) };
        while first.doc() != TERMINATED {
            let entry = first.doc();
            if view.is_alive(entry) && others.iter_mut().all(|(_, other)| reaches(other, entry)) {
                first.positions(&mut starts);
                starts.retain(|&at| at >= *first_offset);
                starts.iter_mut().for_each(|at| *at -= *first_offset);
                for (offset, other) in others.iter_mut() {
                    if starts.is_empty() {
                        break;
                    }
                    other.positions(&mut positions);
                    starts.retain(|&start| positions.binary_search(&(start + *offset)).is_ok());
                }
                if !starts.is_empty() {
                    list.push((entry, starts.len() as f32));
                }
            }
            first.advance();
        }
        Ok(list)
    }

    /// The entries whose documents have a tag.
    pub(crate) fn tagged(&self, segment: usize, tag: &str) -> Result<Vec<EntryId>> {
        let place = self.in_field(segment, self.fields.tag, tag)?;
        let list = self.entries_with(segment, place, |_, _| ())?;
        Ok(list.into_iter().map(|(entry, ())| entry).collect())
    }

    /// Whether some entry has the tokens one after the other in its heading or its own text.
    pub(crate) fn has_phrase(&self, tokens: &[String]) -> Result<bool> {
        for token in tokens {
            if self.frequency(token)? == 0 {
                return Ok(false);
            }
        }
        for segment in 0..self.segments.len() {
            for (nr, _) in TEXTS.iter().enumerate().filter(|(_, (text, _))| text.has_length()) {
                if !self.entries_with_phrase(segment, nr, tokens)?.is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// How often a token stands in the index, counted in entries and fields. Deleted entries do not count:
    /// an updated index knows the same words as a rebuilt one.
    pub(crate) fn frequency(&self, token: &str) -> Result<u32> {
        let mut sum = 0;
        for (nr, segment) in self.segments.iter().enumerate() {
            if let (Some(tables), None) = (segment.tables.get(), segment.reader.alive_bitset()) {
                sum += tables.words.find(token).map_or(0, TermEntry::count);
                continue;
            }
            for field in 0..TEXTS.len() {
                if let Some(postings) = self.postings(nr, field, token, IndexRecordOption::Basic)? {
                    sum += match segment.reader.alive_bitset() {
                        None => postings.doc_freq(),
                        Some(alive) => postings.doc_freq_given_deletes(alive),
                    };
                }
            }
        }
        Ok(sum)
    }

    /// How rare a word is among the chunks, given as its tokens: of a compound, how rare its rarest part. None when
    /// no chunk has it.
    pub fn idf_of(&self, tokens: &[String]) -> Result<Option<f32>> {
        let mut fewest = None;
        for token in tokens {
            let with = self.frequency(token)?;
            if with == 0 {
                return Ok(None);
            }
            fewest = Some(fewest.map_or(with, |fewest: u32| fewest.min(with)));
        }
        Ok(fewest.map(|with| idf(with as usize, self.stats.chunks)))
    }

    /// The positions of a token in a text field of each entry, which are given in their order. None when the segment does
    /// not have it.
    pub(crate) fn positions(
        &self,
        segment: usize,
        nr: usize,
        token: &str,
        entries: &[EntryId],
    ) -> Result<Option<Vec<Vec<u32>>>> {
        let option = IndexRecordOption::WithFreqsAndPositions;
        let Some(mut postings) = self.postings(segment, nr, token, option)? else { return Ok(None) };
        let mut all = Vec::with_capacity(entries.len());
        for &entry in entries {
            let mut positions = Vec::new();
            if reaches(&mut postings, entry) {
                postings.positions(&mut positions);
            }
            all.push(positions);
        }
        Ok(Some(all))
    }

    fn postings(
        &self,
        segment: usize,
        nr: usize,
        token: &str,
        option: IndexRecordOption,
    ) -> Result<Option<SegmentPostings>> {
        let Some(PostingsLocation { index, term }) = self.in_text(segment, nr, token)? else {
            return Ok(None);
        };
        let postings = index.read_postings_from_terminfo(&term, option);
        postings.map(Some).map_err(|error| self.failed(error.into()))
    }

    fn inverted_index(&self, segment: usize, field: Field) -> Result<Arc<InvertedIndexReader>> {
        self.segments[segment].reader.inverted_index(field).map_err(|error| self.failed(error))
    }
}

/// Moves to `entry` or past it, and tells whether it is there.
fn reaches(postings: &mut SegmentPostings, entry: EntryId) -> bool {
    let at = if postings.doc() < entry { postings.seek(entry) } else { postings.doc() };
    at == entry
}
