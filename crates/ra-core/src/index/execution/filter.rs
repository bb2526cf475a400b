//! Conditions on a chunk that don't affect its score: the location, the tags, the front matter, the format and the
//! language of its document.

use std::ops::Range;

use super::scored_docs::ScoredDocs;
use crate::error::Result;
use crate::id::{DocId, TreeName};
use crate::index::analysis::LanguageId;
use crate::index::storage::indexable_doc::tag_term;
use crate::index::storage::snapshot::Snapshot;
use crate::kind::DocumentKind;
use crate::query::PropertyFilter;

/// Which documents to search.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Only these trees. Empty means all.
    pub trees: Vec<TreeName>,
    /// Only these files and directories, each as `tree:path` or as a path in any tree. Empty means all.
    pub paths: Vec<String>,
    /// Only documents with all of these tags.
    pub tags: Vec<String>,
    /// Only documents whose front matter meets all of these conditions.
    pub properties: Vec<PropertyFilter>,
    /// Only documents of these formats. Empty means all.
    pub kinds: Vec<DocumentKind>,
    /// The documents to leave out.
    pub except: Vec<DocId>,
}

/// A condition on a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// The document is in one of these sets.
    Within(Vec<DocIdSet>),
    /// The document is in none of these sets.
    Outside(Vec<DocIdSet>),
    /// The document has this tag or one below it.
    Tag(String),
    /// The front matter of the document meets this condition.
    Property(PropertyFilter),
    /// The document has one of these formats.
    Kind(Vec<DocumentKind>),
    /// The document is in this language. None is in `None`.
    Language(Option<LanguageId>),
}

/// A set of documents, by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DocIdSet {
    /// The ids with this prefix.
    Prefix(String),
    /// The document with this id.
    Exactly(String),
}

impl Scope {
    /// Returns the filters of the scope.
    pub(crate) fn filters(&self, trees: &[TreeName]) -> Vec<Filter> {
        let chosen = if self.trees.is_empty() { trees } else { &self.trees };
        let mut filters = Vec::new();
        if !self.paths.is_empty() {
            let places = self.paths.iter().flat_map(|path| {
                let in_tree = path.split_once(':');
                let in_tree = in_tree.filter(|(tree, _)| trees.iter().any(|known| known.as_str() == *tree));
                let (tree, path) = in_tree.map_or((None, path.as_str()), |(tree, path)| (Some(tree), path));
                let path = relative(path).trim_end_matches('/');
                let among = chosen.iter().filter(move |known| tree.is_none_or(|tree| known.as_str() == tree));
                among.flat_map(move |tree| match path {
                    "" | "." => vec![DocIdSet::Prefix(format!("{tree}:"))],
                    _ => vec![
                        DocIdSet::Prefix(format!("{tree}:{path}/")),
                        DocIdSet::Exactly(format!("{tree}:{path}")),
                    ],
                })
            });
            filters.push(Filter::Within(places.collect()));
        } else if !self.trees.is_empty() {
            let places = chosen.iter().map(|tree| DocIdSet::Prefix(format!("{tree}:")));
            filters.push(Filter::Within(places.collect()));
        }
        if !self.except.is_empty() {
            let places = self.except.iter().map(|doc| DocIdSet::Exactly(doc.index_id()));
            filters.push(Filter::Outside(places.collect()));
        }
        filters.extend(self.tags.iter().map(|tag| Filter::Tag(tag_term(tag))));
        filters.extend(self.properties.iter().cloned().map(Filter::Property));
        if !self.kinds.is_empty() {
            filters.push(Filter::Kind(self.kinds.clone()));
        }
        filters
    }
}

impl Filter {
    /// Returns the filter that keeps these documents.
    pub(crate) fn documents(ids: &[String]) -> Self {
        Self::Within(ids.iter().cloned().map(DocIdSet::Exactly).collect())
    }
}

/// Strips `./` and `/` from the start of a path, which makes it relative to the root of the tree.
pub(crate) fn relative(path: &str) -> &str {
    path.trim_start_matches("./").trim_start_matches('/')
}

impl Snapshot {
    /// True if each filter of a scope matches at least one document.
    pub fn has_documents_in(&self, scope: &Scope, trees: &[TreeName]) -> Result<bool> {
        for filter in scope.filters(trees) {
            let mut known = false;
            for (nr, view) in self.segments.iter().enumerate() {
                known |= match &filter {
                    Filter::Outside(_) => true,
                    Filter::Within(places) => places.iter().any(|place| match place {
                        DocIdSet::Prefix(prefix) => !view.ids_with_prefix(prefix).is_empty(),
                        DocIdSet::Exactly(id) => !view.id_exactly(id).is_empty(),
                    }),
                    Filter::Tag(tag) => !self.tagged(nr, tag)?.is_empty(),
                    Filter::Property(property) => !self.records_with(nr, property)?.is_empty(),
                    Filter::Kind(kinds) => {
                        view.ids_with_prefix("").any(|id| self.kind_of(&view.id_text(id)).is_among(kinds))
                    }
                    Filter::Language(language) => {
                        self.languages().iter().any(|(known, _)| Some(*known) == *language)
                    }
                };
            }
            if !known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the entries of a list that match a filter.
    pub(crate) fn filtered(
        &self,
        mut list: ScoredDocs,
        filter: &Filter,
        segment: usize,
    ) -> Result<ScoredDocs> {
        let view = &self.segments[segment];
        match filter {
            Filter::Within(places) | Filter::Outside(places) => {
                let ranges = places.iter().map(|place| match place {
                    DocIdSet::Prefix(prefix) => view.ids_with_prefix(prefix),
                    DocIdSet::Exactly(id) => view.id_exactly(id),
                });
                let ranges = merged(ranges.collect());
                let inside = matches!(filter, Filter::Within(_));
                list.retain(|&(entry, _)| {
                    let id = view.id_of(entry);
                    id.is_some_and(|id| contains(&ranges, id) == inside)
                });
            }
            Filter::Tag(tag) => {
                let tagged = self.tagged(segment, tag)?;
                list.retain(|(entry, _)| tagged.binary_search(entry).is_ok());
            }
            Filter::Property(property) => {
                let records = self.records_with(segment, property)?;
                list.retain(|&(entry, _)| {
                    view.record_of(entry).is_some_and(|record| records.binary_search(&record).is_ok())
                });
            }
            Filter::Kind(kinds) => {
                // The chunks of a document are adjacent, so each id is read once.
                let mut last = None;
                list.retain(|&(entry, _)| {
                    let Some(id) = view.id_of(entry) else { return false };
                    match last {
                        Some((known, is_wanted)) if known == id => is_wanted,
                        _ => {
                            let is_wanted = self.kind_of(&view.id_text(id)).is_among(kinds);
                            last = Some((id, is_wanted));
                            is_wanted
                        }
                    }
                });
            }
            Filter::Language(language) => {
                list.retain(|(entry, _)| Some(view.language(*entry)) == *language);
            }
        }
        Ok(list)
    }
}

/// Sorts ranges and joins those that overlap or touch.
fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// True if one of the merged ranges contains a number.
fn contains(merged: &[Range<u64>], number: u64) -> bool {
    let after = merged.partition_point(|range| range.start <= number);
    after.checked_sub(1).is_some_and(|nr| merged[nr].contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_ranges_contain_the_same_numbers() {
        let ranges = vec![7..9, 0..2, 2..3, 8..12, 5..5, 20..21];
        let merged = merged(ranges.clone());
        assert_eq!(merged, [0..3, 7..12, 20..21]);
        for number in 0..25 {
            let is_inside = ranges.iter().any(|range| range.contains(&number));
            assert_eq!(contains(&merged, number), is_inside, "{number}");
        }
    }
}
