//! The fields of the index. No other file names one.
//!
//! Every chunk is one tantivy document, and so is the record of every source document: what is needed to
//! show its sections without parsing it again. Text is not stored: it is on the disk.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};

use crate::index::analysis::ANALYZER;

/// Changes whenever an index that was written before can no longer be read.
pub(crate) const VERSION: u32 = 7;

/// The fields by their names.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// The hash of the document's id, on all its chunks and its record: what they are found and deleted by.
    pub(crate) key: Field,
    /// The record, as bytes.
    pub(crate) record: Field,
    /// The document's id, on its record, for filters by tree and path and for breaking ties.
    pub(crate) doc: Field,
    /// The packed steps from the chunk up to its document.
    pub(crate) lineage: Field,
    /// How many entries after the chunk the record of its document stands.
    pub(crate) ahead: Field,
    /// The tokens of the whole document, on its record, for setting its words against its length.
    pub(crate) length: Field,
    /// The hashes of the tokens of the document's title, on its record, for holding it against a question.
    pub(crate) name: Field,
    /// Every tag and every tag above it, exactly.
    pub(crate) tag: Field,
    /// The fields that words are looked for in.
    pub(crate) texts: [Field; TEXTS.len()],
}

/// A field that words are looked for in. The order is that of [`Fields::texts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// The chunk's own heading; a document's title.
    Title,
    /// The headings above the chunk's own, from the document's title down.
    Hierarchy,
    /// Aliases and description of the document, on its own chunk.
    About,
    /// Tags.
    Tags,
    /// The words of the path.
    Path,
    /// The text.
    Body,
}

impl Text {
    /// Whether the words of the field belong to the chunk alone, and not to all chunks of its document.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Text::Title | Text::About | Text::Body)
    }

    /// Whether the length of the field and the number of matches in it count. Tags and paths are repeated on every
    /// chunk of a document, and neither tells much.
    pub(crate) fn has_length(self) -> bool {
        !matches!(self, Text::Tags | Text::Path)
    }
}

/// All text fields with their names in the schema.
pub(crate) const TEXTS: [(Text, &str); 6] = [
    (Text::Title, "title"),
    (Text::Hierarchy, "hierarchy"),
    (Text::About, "about"),
    (Text::Tags, "tags"),
    (Text::Path, "path"),
    (Text::Body, "body"),
];

/// The schema and its fields.
pub(crate) fn build() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let text = |kind: Text| {
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
        tag: schema.add_text_field("tag", exact),
        texts: TEXTS.map(|(kind, name)| schema.add_text_field(name, text(kind))),
    };
    (schema.build(), fields)
}

impl Fields {
    /// The schema's field for a text field.
    pub(crate) fn text(&self, text: Text) -> Field {
        self.texts[text as usize]
    }
}
