//! The fields of the index. No other file names one.
//!
//! Every chunk is one tantivy document, and so is the record of every source document, which has everything
//! needed to show its sections without parsing it again. Text isn't stored: it is in the source files.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};

use crate::index::analysis::ANALYZER;

/// Changes whenever indexes written before can no longer be read.
pub(crate) const VERSION: u32 = 15;

/// The fields by name.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// The hash of the document's id, on all its chunks and its record, to find and delete them.
    pub(crate) key: Field,
    /// The serialized record.
    pub(crate) record: Field,
    /// The document's id, on its record, for filters by tree and path and for breaking ties.
    pub(crate) doc: Field,
    /// The packed nodes from the chunk up to its document.
    pub(crate) lineage: Field,
    /// The distance from the chunk to the record of its document, in entries.
    pub(crate) ahead: Field,
    /// The tokens of the whole document, on its record, for length normalization.
    pub(crate) length: Field,
    /// The hashes of the tokens of the document's title, on its record, to compare it with a query.
    pub(crate) name: Field,
    /// The number of the document's language, on all its chunks and its record.
    pub(crate) language: Field,
    /// The hash that the id of the document would have without the language tag of its path, on its record if there is
    /// a tag. The translations of a page have the same.
    pub(crate) page: Field,
    /// Every tag and its parent tags, untokenized.
    pub(crate) tag: Field,
    /// Every other key of the front matter with a value, on the record.
    pub(crate) property: Field,
    /// Every link to something that may be a document, on the record.
    pub(crate) link: Field,
    /// The text fields that are searched.
    pub(crate) texts: [Field; TEXTS.len()],
}

/// A text field that is searched. The order is that of [`Fields::texts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextField {
    /// The chunk's own heading; a document's title.
    Title,
    /// The headings above the chunk's own, from the document's title down.
    Hierarchy,
    /// The aliases and the description of the document, on its own chunk.
    About,
    /// The tags.
    Tags,
    /// The words of the path.
    Path,
    /// The text.
    Body,
}

impl TextField {
    /// True if the words of the field belong to the chunk alone, and not to all chunks of its document.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, TextField::Title | TextField::About | TextField::Body)
    }

    /// True if the length of the field and the term frequency in it count. Tags and paths are repeated on
    /// every chunk of a document, where neither says much.
    pub(crate) fn has_length(self) -> bool {
        !matches!(self, TextField::Tags | TextField::Path)
    }
}

/// All text fields with their names in the schema.
pub(crate) const TEXTS: [(TextField, &str); 6] = [
    (TextField::Title, "title"),
    (TextField::Hierarchy, "hierarchy"),
    (TextField::About, "about"),
    (TextField::Tags, "tags"),
    (TextField::Path, "path"),
    (TextField::Body, "body"),
];

/// Builds the schema and its fields.
pub(crate) fn build() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let text = |kind: TextField| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(ANALYZER)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions)
            .set_fieldnorms(kind.has_length());
        TextOptions::default().set_indexing_options(indexing)
    };
    let exact = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    let exact = TextOptions::default().set_indexing_options(exact);
    let fields = Fields {
        key: schema.add_u64_field("key", NumericOptions::default().set_indexed()),
        record: schema.add_bytes_field("record", STORED),
        doc: schema.add_text_field("doc", TextOptions::default().set_fast("raw")),
        lineage: schema.add_u64_field("lineage", FAST),
        ahead: schema.add_u64_field("ahead", FAST),
        length: schema.add_u64_field("length", FAST),
        name: schema.add_u64_field("name", FAST),
        language: schema.add_u64_field("language", FAST),
        page: schema.add_u64_field("page", NumericOptions::default().set_fast().set_indexed()),
        tag: schema.add_text_field("tag", exact.clone()),
        property: schema.add_text_field("property", exact.clone()),
        link: schema.add_text_field("link", exact),
        texts: TEXTS.map(|(kind, name)| schema.add_text_field(name, text(kind))),
    };
    (schema.build(), fields)
}

impl Fields {
    /// Returns the schema's field for a text field.
    pub(crate) fn text(&self, text: TextField) -> Field {
        self.texts[text as usize]
    }
}
