//! The record of a document: everything needed to show its sections, except their text.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::document::{self, ConversionCache, Document, DocumentKind, Node, Outline, Pages, SourceHash};
use crate::error::{Error, Result, is_resource_exhausted};
use crate::files::{self, MAX_DOCUMENT_BYTES};
use crate::id::{ChunkId, DocId};
use crate::index::analysis::LanguageId;
use crate::text::{self, Lines, Span};
use crate::tokens;

/// The data that the index stores about a document. [`RecordHead`] relies on the order of the first fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The document.
    pub doc: DocId,
    /// Its format.
    pub kind: DocumentKind,
    /// Its title.
    pub title: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its language.
    pub language: LanguageId,
    /// The nodes of the document.
    pub outline: Outline,
    /// The token count and the checksum of each node.
    pub parts: Vec<NodeStats>,
    /// The hash of the file that the text was made from; `None` if the file itself is the text.
    pub source: Option<SourceHash>,
}

/// The start of a record, with the names of a document. It can be read without the rest.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordHead {
    /// The document.
    pub doc: DocId,
    /// Its format.
    pub kind: DocumentKind,
    /// Its title.
    pub title: String,
    _tags: Vec<String>,
    /// Its other names.
    pub aliases: Vec<String>,
}

/// The token count and the checksum of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStats {
    /// The tokens of its own text; 0 if it has none and isn't a chunk.
    pub tokens: u32,
    /// The checksum of its heading and its own text. It proves that shown text is what was indexed, by
    /// reading just that text.
    pub proof: u32,
}

impl NodeStats {
    /// Computes the stats of all nodes of a document.
    pub fn all(outline: &Outline, text: &str) -> Vec<NodeStats> {
        let part = |node: &Node| {
            let counts = outline.own_text(node.ord, text).map(tokens::count);
            let spans = own_spans(outline, node);
            NodeStats {
                tokens: u32::try_from(counts.sum::<usize>()).unwrap_or(u32::MAX),
                proof: proof(spans.iter().map(|span| span.of(text))),
            }
        };
        outline.nodes.iter().map(part).collect()
    }
}

/// How much of a node to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Its heading and its own text.
    Own,
    /// Everything from its heading to the end of its last descendant.
    Subtree,
}

/// A run of text from a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its byte range in the document.
    pub span: Span,
    /// Its first and last line, counted from 1.
    pub lines: (usize, usize),
    /// Its pages, if the file has pages.
    pub pages: Option<Pages>,
    /// The text.
    pub text: String,
}

impl Record {
    /// Creates the record of a parsed document. `parts` are those of [`NodeStats::all`].
    pub fn new(
        doc: DocId,
        document: Document,
        language: LanguageId,
        parts: Vec<NodeStats>,
        source: SourceHash,
    ) -> Self {
        let Document { kind, title, tags, aliases, outline, .. } = document;
        let source = kind.is_converted().then_some(source);
        Self { doc, kind, title, tags, aliases, language, outline, parts, source }
    }

    /// Reads the text of a node from the source file, in document order. Returns `None` if the file no longer
    /// contains the indexed text. Fails if the system is out of descriptors or memory, which says nothing
    /// about the file.
    pub fn read(
        &self,
        source: &mut SourceReader<'_>,
        ord: u32,
        extent: Extent,
    ) -> Result<Option<Vec<Piece>>> {
        let Some(node) = self.outline.node(ord) else { return Ok(None) };
        let whole = Span::new(if node.level == 0 { 0 } else { node.heading.start }, node.span.end);
        let (spans, nodes) = match extent {
            Extent::Own => (own_spans(&self.outline, node), node.ord..node.ord + 1),
            Extent::Subtree => (vec![whole], node.ord..node.end),
        };
        let Some(to) = spans.last() else { return Ok(Some(Vec::new())) };
        // Lines are counted from the start of the node, and its own text may start much later.
        let reach = Span::new(whole.start, to.end);
        let proved = |text: &String| {
            nodes.clone().all(|ord| {
                let Some(node) = self.outline.node(ord) else { return false };
                let own = own_spans(&self.outline, node);
                let known = self.parts.get(ord as usize).map(|part| part.proof);
                Some(proof(own.iter().map(|span| span.minus(reach.start).of(text)))) == known
            })
        };
        let mut text = match self.source {
            None => source.bytes(reach)?.filter(proved),
            Some(_) => None,
        };
        if text.is_none() {
            text = source.whole(self)?.map(|text| reach.of(text).to_owned()).filter(proved);
        }
        let Some(text) = text else { return Ok(None) };
        let pages = |span: Span| match self.kind {
            DocumentKind::Pdf => source.whole.as_ref().and_then(|whole| document::pages_of(whole, span)),
            _ => None,
        };
        let first = node.lines.0 as usize;
        if spans == [reach] {
            let lines = (first, first + text::breaks_inside(&text));
            return Ok(Some(vec![Piece { span: reach, lines, pages: pages(reach), text }]));
        }
        let lines = Lines::new(&text);
        let piece = |span: Span| {
            let here = span.minus(reach.start);
            let (from, to) = lines.range_of(here);
            let lines = (first + from - 1, first + to - 1);
            Piece { span, lines, pages: pages(span), text: here.of(&text).to_owned() }
        };
        Ok(Some(spans.into_iter().map(piece).collect()))
    }

    /// Returns the number of tokens in a node and its descendants, without headings.
    pub fn tokens(&self, ord: u32) -> usize {
        let end = self.outline.node(ord).map_or(ord, |node| node.end);
        let parts = self.parts.get(ord as usize..end as usize).unwrap_or_default();
        parts.iter().map(|part| part.tokens as usize).sum()
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> usize {
        self.parts.iter().filter(|part| part.tokens > 0).count()
    }

    /// Returns the id of a node.
    pub fn id(&self, ord: u32) -> ChunkId {
        self.doc.chunk(self.outline.node(ord).and_then(|node| node.slug.as_deref()))
    }
}

/// Returns the spans of a node's heading and its own text, merged if they touch.
fn own_spans(outline: &Outline, node: &Node) -> Vec<Span> {
    let heading = if node.level == 0 { Span::default() } else { node.heading };
    let mut spans: Vec<Span> = Vec::new();
    for span in std::iter::once(heading).chain(outline.body_spans(node.ord)) {
        match spans.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ if span.is_empty() => {}
            _ => spans.push(span),
        }
    }
    spans
}

fn proof<'a>(texts: impl Iterator<Item = &'a str>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    texts.for_each(|text| hasher.update(text.as_bytes()));
    hasher.finalize()
}

/// Reads parts of the file of a document.
#[derive(Debug)]
pub struct SourceReader<'a> {
    path: &'a Path,
    conversions: ConversionCache,
    opened: Option<Opened>,
    whole: Option<String>,
}

/// The maximum capacity reserved before reading a text: a damaged record may ask for any length.
const MOST_AT_ONCE: usize = 1 << 20;

/// An open file. It's buffered, because the next section often follows.
#[derive(Debug)]
struct Opened {
    file: BufReader<File>,
    at: u64,
}

impl<'a> SourceReader<'a> {
    /// Creates a reader for the file at a path, which is opened on first use.
    pub fn new(path: &'a Path, conversions: ConversionCache) -> Self {
        Self { path, conversions, opened: None, whole: None }
    }

    /// Reads a part of the file. Returns `None` if it can't be read.
    fn bytes(&mut self, span: Span) -> Result<Option<String>> {
        let read = self.read_bytes(span);
        self.unless_resource_exhausted(read)
    }

    fn read_bytes(&mut self, span: Span) -> io::Result<String> {
        // After a failure, the position in the file is unknown, so the file is opened again.
        let mut opened = match self.opened.take() {
            Some(opened) => opened,
            None => Opened { file: BufReader::new(files::open(self.path)?), at: 0 },
        };
        opened.file.seek_relative(span.start as i64 - opened.at as i64)?;
        // The file may have become shorter than the span.
        let mut bytes = Vec::with_capacity(span.len().min(MOST_AT_ONCE));
        if opened.file.by_ref().take(span.len() as u64).read_to_end(&mut bytes)? < span.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        opened.at = span.end as u64;
        self.opened = Some(opened);
        String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    /// Reads the whole text. Returns `None` if it can't be read. Spans count bytes of the decoded text, which
    /// are those of the file unless it was decoded lossily or from UTF-16.
    fn whole(&mut self, record: &Record) -> Result<Option<&str>> {
        if self.whole.is_none() {
            self.whole = record.source.and_then(|hash| {
                self.conversions.get(record.kind, &self.conversions.cache_hash(self.path, &hash))
            });
        }
        if self.whole.is_none() {
            let bytes = self.unless_resource_exhausted(files::read(self.path, MAX_DOCUMENT_BYTES))?;
            let known = |bytes: &Vec<u8>| record.source.filter(|hash| document::source_hash(bytes) == *hash);
            let hash = bytes.as_ref().and_then(known);
            let text = bytes.and_then(|bytes| self.conversions.convert(self.path, record.kind, bytes).ok());
            self.whole = text.map(|source| source.text);
            // Somebody has removed the text that was kept.
            if let (Some(hash), Some(text)) = (hash, &self.whole) {
                self.conversions.put(record.kind, &self.conversions.cache_hash(self.path, &hash), text);
            }
        }
        Ok(self.whole.as_deref())
    }

    fn unless_resource_exhausted<T>(&self, read: io::Result<T>) -> Result<Option<T>> {
        match read {
            Err(error) if is_resource_exhausted(&error) => Err(Error::io("read", self.path, error)),
            read => Ok(read.ok()),
        }
    }
}
