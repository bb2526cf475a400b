//! The values of the front matter and the tags: which documents have them, and how many.

use std::collections::{BTreeMap, BTreeSet};

use tantivy::DocId as EntryId;
use tantivy::schema::Field;

use super::postings::PostingsLocation;
use crate::error::Result;
use crate::index::storage::indexable_doc::PROPERTY_SEPARATOR;
use crate::index::storage::snapshot::Snapshot;
use crate::query::PropertyFilter;

/// How many documents have each value.
pub type ValueCounts = BTreeMap<String, usize>;

/// Whether the values of the matches are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FacetMode {
    /// They aren't.
    #[default]
    None,
    /// They are.
    Count,
}

/// How many of the matching documents are in each tree, language and format, and have each tag and each value of the
/// front matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// By tree.
    pub trees: ValueCounts,
    /// By the code of the language; `und` if it is unknown.
    pub languages: ValueCounts,
    /// By tag or parent tag.
    pub tags: ValueCounts,
    /// By key and value of the front matter.
    pub properties: BTreeMap<String, ValueCounts>,
    /// By the name of the format.
    pub kinds: ValueCounts,
    /// By the directory at the top of the tree, as `tree:directory`. Documents outside of one aren't counted.
    pub directories: ValueCounts,
}

impl Snapshot {
    /// Returns the records of a segment whose documents meet a condition on their front matter, in order.
    pub(crate) fn records_with(&self, segment: usize, filter: &PropertyFilter) -> Result<Vec<EntryId>> {
        let mut records = BTreeSet::new();
        self.property_values(segment, &filter.key, |value, location| {
            if filter.accepts(value) {
                records.extend(self.entries_at(segment, location)?);
            }
            Ok(())
        })?;
        Ok(records.into_iter().collect())
    }

    /// True if a document has this key in its front matter.
    pub fn has_property(&self, key: &str) -> Result<bool> {
        Ok(!self.values_of(key)?.is_empty())
    }

    /// Returns the values of a key, with the number of documents that have each.
    pub fn values_of(&self, key: &str) -> Result<ValueCounts> {
        let mut counts = ValueCounts::new();
        for segment in 0..self.segments.len() {
            self.property_values(segment, key, |value, location| {
                let number = self.entries_at(segment, location)?.len();
                if number > 0 {
                    *counts.entry(value.to_owned()).or_default() += number;
                }
                Ok(())
            })?;
        }
        Ok(counts)
    }

    /// Returns every key of the front matters.
    pub fn property_keys(&self) -> Result<BTreeSet<String>> {
        Ok(self.properties()?.into_keys().collect())
    }

    /// Returns every key of the front matters with its values.
    pub fn properties(&self) -> Result<BTreeMap<String, ValueCounts>> {
        self.count_properties(|_, _| true)
    }

    /// Returns every tag and parent tag, with the number of documents that have it.
    pub fn tags(&self) -> Result<ValueCounts> {
        self.count_tags(|_, _| true)
    }

    /// Counts the facets of the documents with these chunks. `chunks` has a list per segment.
    pub(crate) fn facets(&self, chunks: &[Vec<EntryId>]) -> Result<Facets> {
        let mut facets = Facets::default();
        let mut records: Vec<BTreeSet<EntryId>> = Vec::with_capacity(chunks.len());
        for (view, chunks) in self.segments.iter().zip(chunks) {
            let mut of_segment = BTreeSet::new();
            for chunk in chunks {
                let is_new = view.record_of(*chunk).is_some_and(|record| of_segment.insert(record));
                let id = view.id_of(*chunk).filter(|_| is_new).map(|id| view.id_text(id));
                let Some((tree, path)) = id.as_deref().and_then(|id| id.split_once(':')) else { continue };
                *facets.trees.entry(tree.to_owned()).or_default() += 1;
                let kind = self.kind_of(path).as_str();
                *facets.kinds.entry(kind.to_owned()).or_default() += 1;
                if let Some((directory, _)) = path.split_once('/') {
                    *facets.directories.entry(format!("{tree}:{directory}")).or_default() += 1;
                }
                *facets.languages.entry(view.language(*chunk).code().to_owned()).or_default() += 1;
            }
            records.push(of_segment);
        }
        let is_match = |segment: usize, record: EntryId| records[segment].contains(&record);
        facets.tags = self.count_tags(is_match)?;
        facets.properties = self.count_properties(is_match)?;
        Ok(facets)
    }

    fn count_properties(
        &self,
        counts: impl Fn(usize, EntryId) -> bool,
    ) -> Result<BTreeMap<String, ValueCounts>> {
        let mut all: BTreeMap<String, ValueCounts> = BTreeMap::new();
        for segment in 0..self.segments.len() {
            self.terms_with_prefix(segment, self.fields.property, "", |term, location| {
                let Some((key, value)) = term.split_once(PROPERTY_SEPARATOR) else { return Ok(()) };
                let records = self.entries_at(segment, location)?;
                let number = records.into_iter().filter(|record| counts(segment, *record)).count();
                if number > 0 {
                    *all.entry(key.to_owned()).or_default().entry(value.to_owned()).or_default() += number;
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    fn count_tags(&self, counts: impl Fn(usize, EntryId) -> bool) -> Result<ValueCounts> {
        let mut all = ValueCounts::new();
        for (segment, view) in self.segments.iter().enumerate() {
            self.terms_with_prefix(segment, self.fields.tag, "", |tag, location| {
                // Every chunk of a document has its tags.
                let chunks = self.entries_at(segment, location)?;
                let records: BTreeSet<EntryId> =
                    chunks.into_iter().filter_map(|chunk| view.record_of(chunk)).collect();
                let number = records.into_iter().filter(|record| counts(segment, *record)).count();
                if number > 0 {
                    *all.entry(tag.to_owned()).or_default() += number;
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    fn property_values(
        &self,
        segment: usize,
        key: &str,
        mut each: impl FnMut(&str, PostingsLocation) -> Result<()>,
    ) -> Result<()> {
        let prefix = format!("{}{PROPERTY_SEPARATOR}", key.to_lowercase());
        self.terms_with_prefix(segment, self.fields.property, &prefix, |term, location| {
            each(&term[prefix.len()..], location)
        })
    }

    /// Calls `each` with the terms of a field that start with a prefix, in order.
    pub(super) fn terms_with_prefix(
        &self,
        segment: usize,
        field: Field,
        prefix: &str,
        mut each: impl FnMut(&str, PostingsLocation) -> Result<()>,
    ) -> Result<()> {
        let index = self.inverted_index(segment, field)?;
        let terms = index.terms().range().ge(prefix.as_bytes()).into_stream();
        let mut terms = terms.map_err(|error| self.failed(error.into()))?;
        while let Some((term, info)) = terms.next() {
            let Ok(text) = std::str::from_utf8(term) else { continue };
            if !text.starts_with(prefix) {
                break;
            }
            each(text, PostingsLocation { index: index.clone(), term: info.clone() })?;
        }
        Ok(())
    }
}
