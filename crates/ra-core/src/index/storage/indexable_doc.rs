//! The entries of a document: the tantivy documents for each chunk, and for the document itself.
//!
//! The entries of a document share its text and refer to parts of it. A queued document takes little more
//! memory than its text, and no text is copied on its way into the index.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tantivy::schema::Field;
use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf, Value};

use super::lineage::LineageNode;
use super::link_terms::link_terms;
use super::record::{NodeStats, Record};
use super::schema::{Fields, TextField};
use crate::document::{Document, Node, Property, SourceHash};
use crate::id::DocId;
use crate::index::analysis::{DetectedLanguage, LanguageId, language_marker};

/// The data that the entries of a document share.
pub(crate) struct IndexableDoc {
    fields: Fields,
    record: Record,
    /// The record in serialized form.
    stored: Vec<u8>,
    text: String,
    /// The aliases and the description of the document.
    about: Vec<String>,
    /// The hashes of the tokens of the title.
    name: Vec<u64>,
    key: u64,
    /// The hash of the id without the language tag of the path, if there is a tag.
    page: Option<u64>,
    /// The setting that chooses the stemmer of each document.
    markers: LanguageMarkers,
    id: String,
    /// Every tag and its parent tags.
    tag_levels: Vec<String>,
    /// The properties, as [`property_term`] writes them.
    properties: Vec<String>,
    /// The links, as [`link_terms`] writes them.
    links: Vec<String>,
    _waiting: Waiting,
}

/// Whether the analyzer is told the language of each document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LanguageMarkers {
    /// Every text is stemmed in the language of its document.
    Yes,
    /// All texts are stemmed alike.
    No,
}

/// One entry of a document.
pub(crate) struct IndexEntry {
    document: Arc<IndexableDoc>,
    of: Of,
}

/// The kind of an entry.
#[derive(Clone, Copy)]
enum Of {
    /// The chunk of the node with this ord, `ahead` entries before the record.
    Chunk { ord: u32, ahead: u64 },
    /// The document.
    Record,
}

impl IndexableDoc {
    /// Creates the shared data of a document. `name` has the hashes of the tokens of its title.
    pub(crate) fn new(
        (fields, markers): (&Fields, LanguageMarkers),
        doc: &DocId,
        (document, language): (Document, DetectedLanguage),
        (text, source): (String, SourceHash),
        name: Vec<u64>,
        waiting: Waiting,
    ) -> postcard::Result<Self> {
        let page = language.tag.map(|tag| key(&without_tag(doc, tag)));
        let parts = NodeStats::all(&document.outline, &text);
        let about = document.aliases.iter().chain(&document.description).cloned().collect();
        let properties = document.properties.iter().map(property_term).collect();
        let links = link_terms(doc, &document, &text);
        let record = Record::new(doc.clone(), document, language.language, parts, source);
        Ok(Self {
            fields: fields.clone(),
            stored: postcard::to_stdvec(&record)?,
            text,
            about,
            name,
            key: key(doc),
            page,
            markers,
            id: doc.index_id(),
            tag_levels: record.tags.iter().flat_map(|tag| tag_levels(tag)).collect(),
            properties,
            links,
            record,
            _waiting: waiting,
        })
    }

    /// Returns the entries in their required order: the chunks, then the record.
    pub(crate) fn entries(self) -> Vec<IndexEntry> {
        let chunks: Vec<u32> = self.record.outline.chunks(&self.text).collect();
        let document = Arc::new(self);
        let ahead = (1..=chunks.len() as u64).rev();
        let chunks = chunks.into_iter().zip(ahead).map(|(ord, ahead)| Of::Chunk { ord, ahead });
        chunks.chain([Of::Record]).map(|of| IndexEntry { document: document.clone(), of }).collect()
    }

    fn chunk<'a>(&'a self, node: &'a Node, ahead: u64) -> Vec<(Field, Datum<'a>)> {
        let Self { fields, record: Record { doc, tags, outline, language, .. }, .. } = self;
        let mut values = vec![
            (fields.key, Datum::Number(self.key)),
            (fields.ahead, Datum::Number(ahead)),
            (fields.language, Datum::Number(language.number())),
        ];
        let mut add = |kind: TextField, texts: &mut dyn Iterator<Item = &'a str>| {
            let marker = (self.markers == LanguageMarkers::Yes).then_some(Datum::Language(*language));
            let mut texts = texts.map(Datum::Text).peekable();
            let marker = marker.filter(|_| texts.peek().is_some());
            values.extend(marker.into_iter().chain(texts).map(|value| (fields.text(kind), value)));
        };
        add(TextField::Path, &mut [doc.path.as_str()].into_iter());
        add(TextField::Title, &mut [node.title.as_str()].into_iter());
        add(TextField::Body, &mut outline.own_text(node.ord, &self.text));
        let above = node.parent.map(|parent| outline.hierarchy(parent)).unwrap_or_default();
        add(TextField::Hierarchy, &mut above.into_iter().map(beginning));
        add(TextField::Tags, &mut tags.iter().map(String::as_str));
        if node.level == 0 {
            add(TextField::About, &mut self.about.iter().map(String::as_str));
        }
        values.extend(self.tag_levels.iter().map(|level| (fields.tag, Datum::Text(level))));
        let above = |node: &&Node| node.parent.and_then(|parent| outline.node(parent));
        values.extend(std::iter::successors(Some(node), above).map(|node| {
            let step = LineageNode { ord: node.ord, end: node.end, children: node.children };
            (fields.lineage, Datum::Number(step.pack(outline.nodes.len())))
        }));
        values
    }

    fn record(&self) -> Vec<(Field, Datum<'_>)> {
        let fields = &self.fields;
        let mut values = vec![
            (fields.key, Datum::Number(self.key)),
            (fields.doc, Datum::Text(&self.id)),
            (fields.length, Datum::Number(self.record.tokens(0) as u64)),
            (fields.language, Datum::Number(self.record.language.number())),
            (fields.record, Datum::Bytes(&self.stored)),
        ];
        values.extend(self.properties.iter().map(|term| (fields.property, Datum::Text(term))));
        values.extend(self.links.iter().map(|term| (fields.link, Datum::Text(term))));
        values.extend(self.page.map(|page| (fields.page, Datum::Number(page))));
        values.extend(self.name.iter().map(|hash| (fields.name, Datum::Number(*hash))));
        values
    }
}

impl tantivy::Document for IndexEntry {
    type Value<'a> = Datum<'a>;
    type FieldsValuesIter<'a> = std::vec::IntoIter<(Field, Datum<'a>)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let values = match self.of {
            Of::Record => self.document.record(),
            Of::Chunk { ord, ahead } => {
                let node = self.document.record.outline.node(ord);
                node.map(|node| self.document.chunk(node, ahead)).unwrap_or_default()
            }
        };
        values.into_iter()
    }
}

/// A field value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Datum<'a> {
    Text(&'a str),
    /// The language of the texts that follow in the same field.
    Language(LanguageId),
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> for Datum<'a> {
    type ArrayIter = std::iter::Empty<Self>;
    type ObjectIter = std::iter::Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Datum::Text(text) => ReferenceValueLeaf::Str(text),
            Datum::Language(language) => ReferenceValueLeaf::Str(language_marker(language)),
            Datum::Number(number) => ReferenceValueLeaf::U64(number),
            Datum::Bytes(bytes) => ReferenceValueLeaf::Bytes(bytes),
        })
    }
}

/// Counts the documents that wait for tantivy, which queues them without reporting how many there are.
#[derive(Clone, Default)]
pub(crate) struct Queue(Arc<AtomicUsize>);

impl Queue {
    /// Returns the size of the queued texts, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds a text of `bytes` bytes to the queue.
    pub(crate) fn join(&self, bytes: usize) -> Waiting {
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Waiting { queue: self.clone(), bytes }
    }
}

/// A text in the queue. It leaves the queue when the last entry of its document is indexed or dropped.
pub(crate) struct Waiting {
    queue: Queue,
    bytes: usize,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.queue.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// How much of a title is indexed with the sections below it. Its own section gets the whole title, but
/// repeating a long title on every section below would make the index grow with the square of the file size.
const MAX_TITLE_BYTES_ABOVE: usize = 1000;

fn beginning(title: &str) -> &str {
    &title[..title.floor_char_boundary(MAX_TITLE_BYTES_ABOVE)]
}

/// Normalizes a tag for the index: without `#`, in lower case.
pub(crate) fn tag_term(tag: &str) -> String {
    tag.trim_start_matches('#').to_lowercase()
}

/// Returns a tag and its parent tags, in lower case: `a/b/c`, `a/b` and `a`. A search for a parent tag finds the tag.
fn tag_levels(tag: &str) -> impl Iterator<Item = String> {
    let tag = tag_term(tag);
    let ends: Vec<usize> = tag.match_indices('/').map(|(at, _)| at).chain([tag.len()]).collect();
    ends.into_iter().map(move |end| tag[..end].to_owned())
}

/// Separates the key of a property from its value. No key contains it.
pub(crate) const PROPERTY_SEPARATOR: char = '\u{1f}';

/// Returns the term of a property. Values are compared when they are looked up, so they keep their case.
fn property_term(property: &Property) -> String {
    format!("{}{PROPERTY_SEPARATOR}{}", property.key, property.value)
}

/// Returns the id that a document would have without the language tag of its path.
fn without_tag(doc: &DocId, tag: Range<usize>) -> DocId {
    let mut page = doc.clone();
    page.path.replace_range(tag, "");
    page
}

/// Returns the hash of a document's id.
pub(crate) fn key(doc: &DocId) -> u64 {
    column_key(&doc.index_id())
}

/// Returns the hash of an id of the id column.
pub(crate) fn column_key(id: &str) -> u64 {
    let hash = blake3::hash(id.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

/// Returns the hash of a word of a title. Collisions are rare, and only make a title count as named if it isn't.
pub fn name_hash(token: &str) -> u64 {
    let [a, b, c, d, ..] = *blake3::hash(token.as_bytes()).as_bytes();
    u64::from(u32::from_le_bytes([a, b, c, d]))
}
