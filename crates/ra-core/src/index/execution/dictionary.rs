//! Walks the terms of the index: those near a word, those with a prefix, and those that don't start with ASCII.

use super::fuzzy::Levenshtein;
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
            for field in self.fields.texts {
                let index = segment.reader.inverted_index(field).map_err(|error| self.failed(error))?;
                let words = index.terms().search(near.automaton()).into_stream();
                let mut words = words.map_err(|error| self.failed(error.into()))?;
                while let Some((word, info)) = words.next() {
                    if let Ok(word) = std::str::from_utf8(word) {
                        each(word, info.doc_freq);
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls `each` with all terms of the text fields that start with a prefix, some of them several times.
    pub(crate) fn words_with_prefix(&self, prefix: &str, mut each: impl FnMut(&str)) -> Result<()> {
        for segment in &self.segments {
            match segment.tables.get() {
                Some(tables) => tables.words.with_prefix(prefix).for_each(&mut each),
                None => self.words_from(segment, prefix.as_bytes(), |word| {
                    let has_prefix = word.starts_with(prefix);
                    if has_prefix {
                        each(word);
                    }
                    has_prefix
                })?,
            }
        }
        Ok(())
    }

    /// Calls `each` with all terms of the text fields that don't start with an ASCII character, some of them
    /// several times.
    pub(crate) fn words_beyond_ascii(&self, mut each: impl FnMut(&str)) -> Result<()> {
        for segment in &self.segments {
            match segment.tables.get() {
                Some(tables) => {
                    let words = tables.words.all();
                    words.filter(|word| !word.starts_with(|c: char| c.is_ascii())).for_each(&mut each);
                }
                // Terms are in the order of their bytes.
                None => self.words_from(segment, &[0x80], |word| {
                    each(word);
                    true
                })?,
            }
        }
        Ok(())
    }

    /// Calls `each` with the terms of each text field of a segment from `start` on, in order, while it returns true.
    fn words_from(&self, segment: &Segment, start: &[u8], mut each: impl FnMut(&str) -> bool) -> Result<()> {
        for field in self.fields.texts {
            let index = segment.reader.inverted_index(field).map_err(|error| self.failed(error))?;
            let words = index.terms().range().ge(start).into_stream();
            let mut words = words.map_err(|error| self.failed(error.into()))?;
            while let Some((word, _)) = words.next() {
                if std::str::from_utf8(word).is_ok_and(|word| !each(word)) {
                    break;
                }
            }
        }
        Ok(())
    }
}
