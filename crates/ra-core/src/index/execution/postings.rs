//! Reads postings: the entries that contain a word or phrase, with their weighted term frequencies.

use std::sync::Arc;

use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId as EntryId, DocSet, InvertedIndexReader, TERMINATED, Term};

use super::plan::Weights;
use super::scored_docs::{ScoredDocs, add};
use crate::error::Result;
use crate::index::storage::schema::TEXTS;
use crate::index::storage::snapshot::Snapshot;
use crate::index::storage::term_table::TermEntry;

/// How often an entry contains a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermFrequency {
    /// The frequency in all fields, each weighted and normalized by the length of the field.
    pub(crate) all: f32,
    /// The frequency in the chunk's own fields, weighted but not normalized, for the score of the document.
    pub(crate) own: f32,
}

impl TermFrequency {
    /// Combines the frequencies of two forms of a word in an entry: the maximum of each.
    pub(crate) fn most(self, other: Self) -> Self {
        Self { all: self.all.max(other.all), own: self.own.max(other.own) }
    }
}

/// The location of a token's postings.
pub(crate) struct PostingsLocation {
    pub(crate) index: Arc<InvertedIndexReader>,
    pub(crate) term: TermInfo,
}

impl Snapshot {
    /// Returns the entries of a segment that contain the token, or the tokens one after the other, in a field
    /// with a weight above 0.
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

    /// Locates the postings of a token in a text field, given by its number. Uses the in-memory term table if
    /// there is one, which saves the dictionary lookup.
    fn in_text(&self, segment: usize, nr: usize, token: &str) -> Result<Option<PostingsLocation>> {
        let field = self.fields.texts[nr];
        let Some(tables) = self.segments[segment].tables.get() else {
            return self.in_field(segment, field, token);
        };
        let Some(term) = tables.words.find(token).and_then(|known| known.term(nr)) else { return Ok(None) };
        Ok(Some(PostingsLocation { index: self.inverted_index(segment, field)?, term: term.clone() }))
    }

    /// Locates the postings of a token in a field.
    fn in_field(&self, segment: usize, field: Field, token: &str) -> Result<Option<PostingsLocation>> {
        let index = self.inverted_index(segment, field)?;
        let term = index.get_term_info(&Term::from_field_text(field, token));
        Ok(term.map_err(|error| self.failed(error.into()))?.map(|term| PostingsLocation { index, term }))
    }

    /// Returns the entries of a postings list. `counted` maps the frequency of the token in each entry.
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

    /// Returns the entries that contain the tokens one after the other in a field, with the number of occurrences.
    fn entries_with_phrase(&self, segment: usize, nr: usize, tokens: &[String]) -> Result<ScoredDocs> {
        let mut postings: Vec<(u32, SegmentPostings)> = Vec::with_capacity(tokens.len());
        for (offset, token) in (0..).zip(tokens) {
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(found) = self.postings(segment, nr, token, option)? else {
                return Ok(ScoredDocs::new());
            };
            postings.push((offset, found));
        }
        // The rarest token leads, which visits the fewest entries.
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

    /// Returns the entries whose documents have a tag.
    pub(crate) fn tagged(&self, segment: usize, tag: &str) -> Result<Vec<EntryId>> {
        match self.in_field(segment, self.fields.tag, tag)? {
            Some(location) => self.entries_at(segment, location),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the entries of a postings list, without frequencies.
    pub(crate) fn entries_at(&self, segment: usize, location: PostingsLocation) -> Result<Vec<EntryId>> {
        let list = self.entries_with(segment, Some(location), |_, _| ())?;
        Ok(list.into_iter().map(|(entry, ())| entry).collect())
    }

    /// True if an entry contains the tokens one after the other in its heading or its own text.
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

    /// Returns the frequency of a token in the index, counted per entry and field. Deleted entries don't
    /// count, so an updated index gives the same result as a rebuilt one.
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

    /// Returns the idf of a word among the chunks, given as its tokens. For a compound, that of its rarest
    /// part. Returns `None` if the index lacks one of the tokens.
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

    /// Returns the positions of a token in a text field of each entry. `entries` must be sorted. Returns
    /// `None` if the segment doesn't have the token.
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

    pub(crate) fn inverted_index(&self, segment: usize, field: Field) -> Result<Arc<InvertedIndexReader>> {
        self.segments[segment].reader.inverted_index(field).map_err(|error| self.failed(error))
    }
}

/// Advances to `entry` or past it. Returns true if the postings contain it.
fn reaches(postings: &mut SegmentPostings, entry: EntryId) -> bool {
    let at = if postings.doc() < entry { postings.seek(entry) } else { postings.doc() };
    at == entry
}

/// Returns the idf of a word that `with` of `all` contain.
pub(crate) fn idf(with: usize, all: u64) -> f32 {
    let (with, all) = (with as f32, all as f32);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}
