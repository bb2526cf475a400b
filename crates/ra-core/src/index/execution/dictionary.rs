//! Walks the terms of the index: those near a word, those with a prefix, and those that don't start with ASCII.

use tantivy_fst::Automaton;

use super::fuzzy::{BeyondAscii, Levenshtein, Prefix};
use crate::error::Result;
use crate::index::storage::segment::Segment;
use crate::index::storage::snapshot::Snapshot;

impl Snapshot {
    /// Calls `each` with the terms of the text fields that may be near a word, and the number of entries in a
    /// segment that contain the term.
    pub(crate) fn search_words(&self, near: &Levenshtein<'_>, mut each: impl FnMut(&str, u32)) -> Result<()> {
        for segment in &self.segments {
            if let Some(tables) = segment.tables.get() {
                tables.words.near(near.word(), near.distance(), &mut each);
                continue;
            }
            self.dictionary(segment, || near.automaton(), &mut each)?;
        }
        Ok(())
    }

    /// Calls `each` with all terms of the text fields that start with a prefix, some of them several times.
    pub(crate) fn words_with_prefix(&self, prefix: &Prefix<'_>, mut each: impl FnMut(&str)) -> Result<()> {
        for segment in &self.segments {
            match segment.tables.get() {
                Some(tables) => tables.words.with_prefix(prefix.0).for_each(&mut each),
                None => self.dictionary(segment, || prefix, &mut |word, _| each(word))?,
            }
        }
        Ok(())
    }

    /// Calls `each` with all terms of the text fields that don't start with an ASCII character, some of them
    /// several times.
    pub(crate) fn words_beyond_ascii(&self, mut each: impl FnMut(&str)) -> Result<()> {
        for segment in &self.segments {
            match segment.tables.get() {
                Some(tables) => tables
                    .words
                    .all()
                    .filter(|word| !word.starts_with(|c: char| c.is_ascii()))
                    .for_each(&mut each),
                None => self.dictionary(segment, || BeyondAscii, &mut |word, _| each(word))?,
            }
        }
        Ok(())
    }

    /// Calls `each` with the terms of a segment that an automaton accepts, and the number of entries that
    /// contain the term in a field.
    fn dictionary<A: Automaton>(
        &self,
        segment: &Segment,
        automaton: impl Fn() -> A,
        each: &mut dyn FnMut(&str, u32),
    ) -> Result<()>
    where
        A::State: Clone,
    {
        for field in self.fields.texts {
            let index = segment.reader.inverted_index(field).map_err(|error| self.failed(error))?;
            let words = index.terms().search(automaton()).into_stream();
            let mut words = words.map_err(|error| self.failed(error.into()))?;
            while let Some((word, info)) = words.next() {
                if let Ok(word) = std::str::from_utf8(word) {
                    each(word, info.doc_freq);
                }
            }
        }
        Ok(())
    }
}
