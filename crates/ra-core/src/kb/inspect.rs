//! Inspects one file: its parts, their sizes, and whether it is indexed.

use std::path::Path;

use super::KnowledgeBase;
use crate::config::Tree;
use crate::corpus::{self, Content, Skip};
use crate::document::{self, Document, DocumentKind, ParseOptions};
use crate::error::Result;
use crate::id::{DocId, TreeName};
use crate::index::{LanguageId, detect_document};
use crate::text::Lines;
use crate::tokens;

/// The result of inspecting a file.
#[derive(Debug)]
pub struct Inspection {
    /// Its format; `None` if it isn't text.
    pub kind: Option<DocumentKind>,
    /// The trees that contain the file; empty for a file outside all of them.
    pub memberships: Vec<Membership>,
    /// The document; `None` if the file isn't text.
    pub document: Option<Document>,
    /// Its language.
    pub language: Option<LanguageId>,
    /// Why a file of a converted format has no text that can be read.
    pub refused: Option<String>,
    /// The parts of the document, one for each node of its outline.
    pub nodes: Vec<NodeReport>,
    /// The 1-based line of the first bytes that are not valid UTF-8.
    pub invalid_line: Option<usize>,
}

/// The membership of a file in a tree.
#[derive(Debug)]
pub struct Membership {
    /// The tree.
    pub tree: TreeName,
    /// The id that the document has or would have.
    pub id: DocId,
    /// Why it isn't indexed; `None` if it is.
    pub skip: Option<Skip>,
}

/// The size of a node's own text.
#[derive(Debug)]
pub struct NodeReport {
    /// The number of characters.
    pub chars: usize,
    /// The number of tokens.
    pub tokens: usize,
    /// False if the text is only white space; the node is then not indexed by itself.
    pub is_chunk: bool,
    /// True if it has more characters than `max_chunk_size`.
    pub oversized: bool,
}

impl KnowledgeBase {
    /// Reads and parses the file at `path`.
    pub fn inspect(&self, path: &Path) -> Result<Inspection> {
        let loaded = corpus::load(path, &self.conversions())?;
        let memberships = self.trees_of(path);
        let memberships: Vec<Membership> =
            memberships.into_iter().map(|(tree, below)| membership(tree, &below)).collect();
        let unread = |refused: Option<String>| Inspection {
            kind: refused.is_some().then(|| self.config.converters.kind_of(&path.to_string_lossy())),
            memberships: Vec::new(),
            document: None,
            language: None,
            refused,
            nodes: Vec::new(),
            invalid_line: None,
        };
        let (text, invalid) = match loaded.content {
            Content::Text(text, invalid) => (text, invalid),
            Content::Binary => return Ok(Inspection { memberships, ..unread(None) }),
            Content::Refused(why) => return Ok(Inspection { memberships, ..unread(Some(why)) }),
        };
        let document = self.parse(path, &text);
        let nodes = document.outline.nodes.iter().map(|node| {
            let body = document.outline.body(node.ord, &text);
            let chars = body.chars().count();
            NodeReport {
                chars,
                tokens: tokens::count(&body),
                is_chunk: !body.trim().is_empty(),
                oversized: chars > self.config.settings.max_chunk_size,
            }
        });
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let below = memberships.first().map_or(&*name, |membership| membership.id.path.as_str());
        let language = detect_document(below, &document, &text).language;
        Ok(Inspection {
            kind: Some(document.kind),
            nodes: nodes.collect(),
            language: Some(language).filter(|language| language.is_known()),
            memberships,
            invalid_line: invalid.map(|offset| Lines::new(&text).line_of(offset)),
            document: Some(document),
            refused: None,
        })
    }

    /// Parses a text as the file at `path`.
    pub(super) fn parse(&self, path: &Path, text: &str) -> Document {
        self.parse_chunked(path, text, self.config.settings.chunk_at_headings)
    }

    /// Parses a text as the file at `path`, regardless of what the configuration says about headings.
    pub(super) fn parse_chunked(&self, path: &Path, text: &str, chunk_at_headings: bool) -> Document {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let kind = self.config.converters.kind_of(&name);
        document::parse(text, &ParseOptions { kind, file_name: &name, chunk_at_headings })
    }
}

fn membership(tree: &Tree, below: &str) -> Membership {
    let skip = corpus::skip_reason(tree, below);
    Membership { tree: tree.name.clone(), id: DocId::new(tree.name.clone(), below), skip }
}
