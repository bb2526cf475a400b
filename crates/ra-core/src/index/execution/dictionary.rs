//! The words of the index: which of them are near a word, begin with one, or are not in ASCII.

use tantivy_fst::Automaton;

use super::fuzzy::{BeyondAscii, Levenshtein, Prefix};
use crate::error::Result;
use crate::index::storage::segment::Segment;
use crate::index::storage::snapshot::Snapshot;

impl Snapshot {
    /// Gives all words of the text fields that may be near one, with the number of entries that have them in a
    /// segment.
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

    /// Gives all words of the text fields that begin with a text, some of them several times.
    pub(crate) fn words_with_prefix(&self, prefix: &Prefix<'_>, mut each: impl FnMut(&str)) -> Result<()> {
        for segment in &self.segments {
            match segment.tables.get() {
                Some(tables) => tables.words.with_prefix(prefix.0).for_each(&mut each),
                None => self.dictionary(segment, || prefix, &mut |word, _| each(word))?,
            }
        }
        Ok(())
    }

    /// Gives all words of the text fields that do not begin with an ASCII character, some of them several times.
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

    /// Gives the words of the dictionaries of a segment that an automaton accepts, with the number of entries that have
    /// them in a field.
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
