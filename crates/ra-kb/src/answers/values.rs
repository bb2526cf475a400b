//! Counted values: the answers of `ra ls tags` and `ra ls fields`, and the facets of a search.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use ra_core::index::{self, ValueCounts};
use ra_core::kb::Freshness;
use schemars::JsonSchema;
use serde::Serialize;

use super::Index;
use crate::output::{Page, Present, Table, grouped};

/// How many values of a key the text shows, unless that key was asked for.
const SHOWN_VALUES: usize = 6;

/// How many values of a key the facets of a search have.
const MAX_FACET_VALUES: usize = 20;

/// The tags.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Tags {
    /// Every tag and parent tag, the most frequent first.
    pub(crate) tags: Vec<Counted>,
    pub(crate) index: Index,
}

/// The front matter.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Fields {
    /// The keys, in alphabetical order.
    pub(crate) fields: Vec<FieldValues>,
    pub(crate) index: Index,
    /// True if the text has all values.
    #[serde(skip)]
    is_complete: bool,
}

/// A key of the front matter.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FieldValues {
    /// The key, after those of the tables around it: `author.name`.
    pub(crate) key: String,
    /// Its values, the most frequent first.
    pub(crate) values: Vec<Counted>,
}

/// A value and its frequency.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Counted {
    /// The value.
    pub(crate) value: String,
    /// The number of documents that have it.
    pub(crate) documents: usize,
}

/// The trees, tags, directories, languages, types and front matter values of all matching documents, of each kind the
/// twenty most frequent; with `--facets` only.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Facets {
    /// The trees.
    pub(crate) trees: Vec<Counted>,
    /// The languages, by code; `und` if it is unknown.
    pub(crate) languages: Vec<Counted>,
    /// The tags and parent tags.
    pub(crate) tags: Vec<Counted>,
    /// The directories at the top of the trees, as `--path` takes them.
    pub(crate) paths: Vec<Counted>,
    /// The types, as `--type` takes them.
    pub(crate) types: Vec<Counted>,
    /// The keys of the front matter, in alphabetical order.
    pub(crate) fields: Vec<FieldValues>,
}

/// Returns the values, the most frequent first.
fn counted(counts: ValueCounts) -> Vec<Counted> {
    let mut all: Vec<Counted> =
        counts.into_iter().map(|(value, documents)| Counted { value, documents }).collect();
    all.sort_by_key(|counted| Reverse(counted.documents));
    all
}

fn field_values(fields: BTreeMap<String, ValueCounts>) -> Vec<FieldValues> {
    fields.into_iter().map(|(key, values)| FieldValues { key, values: counted(values) }).collect()
}

impl Tags {
    pub(crate) fn new(tags: ValueCounts, freshness: Freshness) -> Self {
        Tags { tags: counted(tags), index: Index::new(freshness) }
    }
}

impl Fields {
    pub(crate) fn new(
        fields: BTreeMap<String, ValueCounts>,
        freshness: Freshness,
        is_complete: bool,
    ) -> Self {
        Fields { fields: field_values(fields), index: Index::new(freshness), is_complete }
    }
}

impl Facets {
    pub(crate) fn new(facets: index::Facets) -> Self {
        let first = |mut values: Vec<Counted>| {
            values.truncate(MAX_FACET_VALUES);
            values
        };
        let fields = field_values(facets.properties).into_iter();
        Facets {
            trees: first(counted(facets.trees)),
            languages: first(counted(facets.languages)),
            tags: first(counted(facets.tags)),
            paths: first(counted(facets.directories)),
            types: first(counted(facets.kinds)),
            fields: fields.map(|field| FieldValues { values: first(field.values), ..field }).collect(),
        }
    }

    /// Writes the facets, a line for each kind. Many values that each belong to one document, such as titles, say
    /// nothing.
    pub(crate) fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.trees.is_empty() {
            return Ok(());
        }
        page.heading("Facets:")?;
        let fields = self.fields.iter().map(|field| (field.key.as_str(), &field.values));
        let ours = [
            ("tree", &self.trees),
            ("tag", &self.tags),
            ("path", &self.paths),
            ("lang", &self.languages),
            ("type", &self.types),
        ];
        for (key, values) in ours.into_iter().chain(fields) {
            let has_common = values.iter().any(|value| value.documents > 1);
            if !values.is_empty() && (has_common || values.len() <= SHOWN_VALUES) {
                page.line(format!("  {}: {}", page.clean(key), summary(values, SHOWN_VALUES, page)))?;
            }
        }
        Ok(())
    }
}

/// Returns the first values with their frequencies, and how many more there are.
fn summary(values: &[Counted], shown: usize, page: &Page<'_>) -> String {
    let named = values.iter().take(shown);
    let mut named: Vec<String> = named
        .map(|counted| format!("{} ({})", page.clean(&counted.value), grouped(counted.documents)))
        .collect();
    if values.len() > shown {
        named.push(format!("{} more", grouped(values.len() - shown)));
    }
    named.join(", ")
}

impl Present for Tags {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        if self.tags.is_empty() {
            return page.note("no document has tags");
        }
        let mut table = Table::new(&["tag", ">documents"]);
        for tag in &self.tags {
            table.row([page.clean(&tag.value), grouped(tag.documents)]);
        }
        page.table(&table)
    }
}

impl Present for Fields {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        match (self.fields.as_slice(), self.is_complete) {
            ([], false) => return page.note("no document has front matter to filter by"),
            ([], true) => return page.note("no document has this key in its front matter"),
            _ => {}
        }
        if self.is_complete {
            let mut table = Table::new(&["field", "value", ">documents"]);
            for field in &self.fields {
                for value in &field.values {
                    table.row([page.clean(&field.key), page.clean(&value.value), grouped(value.documents)]);
                }
            }
            return page.table(&table);
        }
        let mut table = Table::new(&["field", ">values", "most frequent"]);
        for field in &self.fields {
            table.row([
                page.clean(&field.key),
                grouped(field.values.len()),
                summary(&field.values, SHOWN_VALUES, page),
            ]);
        }
        page.table(&table)
    }
}
