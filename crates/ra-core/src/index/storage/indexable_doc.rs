//! The entries of a document: what tantivy is given of each chunk, and of the document itself.
//!
//! The entries of a document share its text and say where in it they stand. So a document that waits for its turn takes
//! little more memory than its text, and no text is copied on its way into the index.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tantivy::schema::Field;
use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf, Value};

use super::lineage::LineageNode;
use super::record::{NodeStats, Record};
use super::schema::{Fields, Text};
use crate::document::{Document, Node};
use crate::id::DocId;

/// All that the entries of a document are made of.
pub(crate) struct IndexableDoc {
    fields: Fields,
    record: Record,
    /// The record as it is stored.
    stored: Vec<u8>,
    text: String,
    /// What the document says of itself beside its title.
    about: Vec<String>,
    /// The hashes of the tokens of the title.
    name: Vec<u64>,
    key: u64,
    id: String,
    /// Every tag and every tag above it.
    tag_levels: Vec<String>,
    _waiting: Waiting,
}

/// One entry of a document.
pub(crate) struct IndexEntry {
    material: Arc<IndexableDoc>,
    of: Of,
}

/// What an entry stands for.
#[derive(Clone, Copy)]
enum Of {
    /// The node with this number, so many entries before the record.
    Chunk { ord: u32, ahead: u64 },
    /// The document.
    Record,
}

impl IndexableDoc {
    /// What a document gives, whose title has tokens with the hashes in `name`.
    pub(crate) fn new(
        fields: &Fields,
        doc: &DocId,
        document: Document,
        text: String,
        name: Vec<u64>,
        waiting: Waiting,
    ) -> postcard::Result<Self> {
        let parts = NodeStats::all(&document.outline, &text);
        let about = document.aliases.iter().chain(&document.description).cloned().collect();
        let record = Record::new(doc.clone(), document, parts);
        Ok(Self {
            fields: fields.clone(),
            stored: postcard::to_stdvec(&record)?,
            text,
            about,
            name,
            key: key(doc),
            id: column_id(doc),
            tag_levels: record.tags.iter().flat_map(|tag| tag_levels(tag)).collect(),
            record,
            _waiting: waiting,
        })
    }

    /// The entries, in the order that they must stand in: the chunks, and then the record.
    pub(crate) fn entries(self) -> Vec<IndexEntry> {
        let chunks: Vec<u32> = self.record.outline.chunks(&self.text).collect();
        let material = Arc::new(self);
        let ahead = (1..=chunks.len() as u64).rev();
        let chunks = chunks.into_iter().zip(ahead).map(|(ord, ahead)| Of::Chunk { ord, ahead });
        chunks.chain([Of::Record]).map(|of| IndexEntry { material: material.clone(), of }).collect()
    }

    fn chunk<'a>(&'a self, node: &'a Node, ahead: u64) -> Vec<(Field, Datum<'a>)> {
        let Self { fields, record: Record { doc, tags, outline, .. }, .. } = self;
        let mut values = vec![
            (fields.key, Datum::Number(self.key)),
            (fields.ahead, Datum::Number(ahead)),
            (fields.text(Text::Path), Datum::Text(&doc.path)),
            (fields.text(Text::Title), Datum::Text(&node.title)),
        ];
        let mut add = |kind: Text, text: &'a str| values.push((fields.text(kind), Datum::Text(text)));
        outline.own_text(node.ord, &self.text).for_each(|piece| add(Text::Body, piece));
        let above = node.parent.map(|parent| outline.hierarchy(parent)).unwrap_or_default();
        above.into_iter().for_each(|title| add(Text::Hierarchy, beginning(title)));
        tags.iter().for_each(|tag| add(Text::Tags, tag));
        if node.level == 0 {
            self.about.iter().for_each(|about| add(Text::About, about));
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
            (fields.record, Datum::Bytes(&self.stored)),
        ];
        values.extend(self.name.iter().map(|hash| (fields.name, Datum::Number(*hash))));
        values
    }
}

impl tantivy::Document for IndexEntry {
    type Value<'a> = Datum<'a>;
    type FieldsValuesIter<'a> = std::vec::IntoIter<(Field, Datum<'a>)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let values = match self.of {
            Of::Record => self.material.record(),
            Of::Chunk { ord, ahead } => {
                let node = self.material.record.outline.node(ord);
                node.map(|node| self.material.chunk(node, ahead)).unwrap_or_default()
            }
        };
        values.into_iter()
    }
}

/// A value of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Datum<'a> {
    Text(&'a str),
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> for Datum<'a> {
    type ArrayIter = std::iter::Empty<Self>;
    type ObjectIter = std::iter::Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Datum::Text(text) => ReferenceValueLeaf::Str(text),
            Datum::Number(number) => ReferenceValueLeaf::U64(number),
            Datum::Bytes(bytes) => ReferenceValueLeaf::Bytes(bytes),
        })
    }
}

/// The documents that wait for tantivy. It queues them without telling how many there are; this is how whoever adds
/// them can tell.
#[derive(Clone, Default)]
pub(crate) struct Queue(Arc<AtomicUsize>);

impl Queue {
    /// The bytes of their text.
    pub(crate) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Puts a text of so many bytes in.
    pub(crate) fn join(&self, bytes: usize) -> Waiting {
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Waiting { queue: self.clone(), bytes }
    }
}

/// A text in the queue, which it leaves when the last entry of its document is indexed or dropped.
pub(crate) struct Waiting {
    queue: Queue,
    bytes: usize,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.queue.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// How much of a title is indexed with the sections below it. A title of any length is indexed whole with its own
/// section; repeated on every section below, a long one would make the index grow with the square of the file.
const MAX_TITLE_BYTES_ABOVE: usize = 1000;

fn beginning(title: &str) -> &str {
    &title[..title.floor_char_boundary(MAX_TITLE_BYTES_ABOVE)]
}

/// A tag as the index has it: without `#`, in lower case.
pub(crate) fn tag_term(tag: &str) -> String {
    tag.trim_start_matches('#').to_lowercase()
}

/// `a/b/c`, `a/b` and `a`, in lower case: a tag is found by each tag above it.
fn tag_levels(tag: &str) -> impl Iterator<Item = String> {
    let tag = tag_term(tag);
    let ends: Vec<usize> = tag.match_indices('/').map(|(at, _)| at).chain([tag.len()]).collect();
    ends.into_iter().map(move |end| tag[..end].to_owned())
}

/// A document's id as its column keeps it: without the mark that tells a document from a chunk.
pub(crate) fn column_id(doc: &DocId) -> String {
    format!("{}:{}", doc.tree, doc.path)
}

/// The number that stands for a document.
pub(crate) fn key(doc: &DocId) -> u64 {
    let hash = blake3::hash(column_id(doc).as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

/// The number that stands for a word of a title. Two words rarely share one, and then a title is taken to be
/// named where it is not.
pub fn name_hash(token: &str) -> u64 {
    let [a, b, c, d, ..] = *blake3::hash(token.as_bytes()).as_bytes();
    u64::from(u32::from_le_bytes([a, b, c, d]))
}
