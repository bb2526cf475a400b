//! Fetches chunks, documents, outlines and lines by name.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::KnowledgeBase;
use super::block_name::{block_name, find_block};
use super::citation::Citation;
use super::document_name::LineSuffix;
use super::freshness::Freshness;
use super::index_source::IndexSource;
use super::resolve::{NameResolver, ResolvedName};
use crate::document::{self, Pages};
use crate::error::{Error, Hint, Result};
use crate::files;
use crate::id::ChunkId;
use crate::index::{Extent, Record, Snapshot};
use crate::kind::DocumentKind;
use crate::text::{Lines, Span};

/// How much of a document to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchExtent {
    /// The section that the id names, with its subsections, or the document.
    Named,
    /// The whole document, even if the id names a section.
    Document,
    /// These lines of the document, counted from 1.
    Lines(usize, usize),
    /// The outline of the named section or document, without text.
    Outline,
}

/// A fetched section, document, line range or outline.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The full id.
    pub id: ChunkId,
    /// The format of the document.
    pub kind: DocumentKind,
    /// The heading or title.
    pub title: String,
    /// The position in the document.
    pub breadcrumb: String,
    /// The source file.
    pub file: PathBuf,
    /// The first and last line of the text, counted from 1.
    pub lines: (usize, usize),
    /// The pages of the text, if the file has pages.
    pub pages: Option<Pages>,
    /// The text; `None` for an outline.
    pub content: Option<String>,
    /// The tokens of the text, as counted when it was indexed; `None` for lines.
    pub tokens: Option<usize>,
    /// The sections, for an outline.
    pub outline: Vec<OutlineSection>,
}

/// A section in an outline.
#[derive(Clone, Debug)]
pub struct OutlineSection {
    /// Its id.
    pub id: ChunkId,
    /// Its heading.
    pub title: String,
    /// Its depth below the top of the outline.
    pub depth: usize,
    /// Its first and last line.
    pub lines: (usize, usize),
    /// The tokens of its text and its subsections.
    pub tokens: usize,
}

impl KnowledgeBase {
    /// Fetches each name independently: one that isn't found doesn't affect the others.
    pub fn get(
        &self,
        names: &[String],
        want: FetchExtent,
        index: &dyn IndexSource,
    ) -> Result<(Vec<Result<Fetched>>, Freshness)> {
        self.read_index(index, |snapshot| self.fetch_all(snapshot, names, want))
    }

    /// Fetches by name from a snapshot of the index.
    pub(super) fn fetch_all(
        &self,
        snapshot: &Snapshot,
        names: &[String],
        want: FetchExtent,
    ) -> Result<Vec<Result<Fetched>>> {
        let known = NameResolver::of(snapshot);
        let fetch = |name: &String| match self.fetch(&known, name, want) {
            Err(error @ Error::Index { .. }) => Err(error),
            fetched => Ok(fetched),
        };
        names.iter().map(fetch).collect()
    }

    /// Resolves a name to a node, with its document and file.
    pub(super) fn locate(&self, names: &NameResolver<'_>, name: &str) -> Result<(Arc<Record>, PathBuf, u32)> {
        let named = names.resolve(name)?;
        let file = self.source_of(&named.record).ok_or_else(|| names.not_found(name))?;
        let at = named.first_line().and_then(|line| named.node_at(line));
        let ord = at.unwrap_or(named.ord);
        Ok((named.record, file, ord))
    }

    fn source_of(&self, record: &Record) -> Option<PathBuf> {
        Some(self.config.tree(record.doc.tree.as_str())?.root.join(&record.doc.path))
    }

    /// Explains why the text of a document couldn't be read as it was indexed.
    fn unread(&self, record: &Record, file: &Path, name: &str) -> Error {
        let root = self.config.tree(record.doc.tree.as_str()).map(|tree| &tree.root);
        if let Some(root) = root.filter(|root| !root.is_dir()) {
            return Error::NotFound {
                message: format!("{} is indexed, but {} is not there", record.doc, root.display()),
                candidates: Vec::new(),
                hint: Some("bring the directory back, or take the tree out of the configuration".into()),
            };
        }
        match files::open(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => Error::io("read", file, error),
            _ => Error::Changed { id: name.to_owned() },
        }
    }

    /// Fetches a block of a document by the id that it ends with.
    fn fetch_block(&self, names: &NameResolver<'_>, document: &str, id: &str) -> Result<Fetched> {
        let whole = self.fetch(names, document, FetchExtent::Document)?;
        let text = whole.content.as_deref().unwrap_or_default();
        let (first, last) = find_block(text, whole.kind, id).ok_or_else(|| Error::NotFound {
            message: format!("{} has no block `^{id}`", whole.id),
            candidates: Vec::new(),
            hint: Some(Hint::ListSections(whole.id.doc.clone())),
        })?;
        self.fetch(names, document, FetchExtent::Lines(first, last))
    }

    fn fetch(&self, names: &NameResolver<'_>, name: &str, want: FetchExtent) -> Result<Fetched> {
        if let (Some(citation), FetchExtent::Named) = (Citation::parse(name), want) {
            let (first, last) = self.cited_lines(names, &citation)?;
            return self.fetch(names, &citation.id.doc.to_string(), FetchExtent::Lines(first, last));
        }
        if let (Some((document, id)), FetchExtent::Named) = (block_name(name), want) {
            return self.fetch_block(names, &document, id);
        }
        let named = names.resolve(name)?;
        let want = lines_wanted(&named, want, name)?;
        let (ord, extent) = match want {
            FetchExtent::Document | FetchExtent::Lines(..) => (0, Extent::Subtree),
            FetchExtent::Named | FetchExtent::Outline => extent_of(&named)?,
        };
        let record = named.record;
        let file = self.source_of(&record).ok_or_else(|| names.not_found(name))?;
        let node = record.outline.node(ord).ok_or_else(|| names.not_found(name))?;
        let mut fetched = Fetched {
            id: record.id(ord),
            kind: record.kind,
            title: node.title.clone(),
            breadcrumb: record.outline.breadcrumb(ord),
            file,
            lines: (node.lines.0 as usize, node.lines.1 as usize),
            pages: None,
            content: None,
            tokens: None,
            outline: Vec::new(),
        };
        if want == FetchExtent::Outline {
            fetched.outline = sections(&record, ord);
            return Ok(fetched);
        }
        let pieces = record.read(&mut names.source_reader(&fetched.file), ord, extent)?;
        let pieces = pieces.ok_or_else(|| self.unread(&record, &fetched.file, name))?;
        if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
            fetched.lines = (first.lines.0, last.lines.1);
            fetched.pages = first.pages.zip(last.pages).map(|(first, last)| (first.0, last.1));
        }
        let text: String = pieces.into_iter().map(|piece| piece.text).collect();
        if let FetchExtent::Lines(from, to) = want {
            return lines(fetched, &text, from, to);
        }
        fetched.tokens = Some(match extent {
            Extent::Own => record.parts.get(ord as usize).map_or(0, |part| part.tokens as usize),
            Extent::Subtree => record.tokens(ord),
        });
        fetched.content = Some(text);
        Ok(fetched)
    }
}

/// Combines the request with the line suffix of the name.
fn lines_wanted(named: &ResolvedName, want: FetchExtent, name: &str) -> Result<FetchExtent> {
    match (named.lines, want) {
        (Some(_), FetchExtent::Lines(..)) => {
            let message = format!("`{name}` says which lines are wanted, and so does the request");
            Err(Error::BadRequest { message, hint: "say it in one place" })
        }
        (Some(LineSuffix::Range(..)), FetchExtent::Document | FetchExtent::Outline) => {
            let message = format!("`{name}` names lines, not a whole document or an outline");
            Err(Error::BadRequest { message, hint: "leave out the lines, or ask for the lines alone" })
        }
        (Some(LineSuffix::Range(from, to)), FetchExtent::Named) => Ok(FetchExtent::Lines(from, to)),
        _ => Ok(want),
    }
}

/// Returns the node that a name refers to, and how much of it to read. For a line, that is the innermost section
/// around it, without subsections unless it has no text of its own.
fn extent_of(named: &ResolvedName) -> Result<(u32, Extent)> {
    let Some(line) = named.first_line() else {
        return Ok((named.ord, if named.is_preamble { Extent::Own } else { Extent::Subtree }));
    };
    let doc = &named.record.doc;
    let last = named.record.outline.node(0).map_or(0, |node| node.lines.1 as usize);
    let ord = named.node_at(line).ok_or_else(|| no_such_line(&doc.chunk(None), line, last))?;
    let has_text = named.record.parts.get(ord as usize).is_some_and(|part| part.tokens > 0);
    Ok((ord, if has_text { Extent::Own } else { Extent::Subtree }))
}

fn no_such_line(id: &ChunkId, line: usize, last: usize) -> Error {
    let message = format!("{id} has {last} lines; line {line} is not among them");
    Error::NotFound {
        message,
        candidates: Vec::new(),
        hint: Some(format!("ask for lines from 1 to {last}").into()),
    }
}

fn lines(fetched: Fetched, text: &str, from: usize, to: usize) -> Result<Fetched> {
    let lines = Lines::new(text);
    if from > lines.count() {
        return Err(no_such_line(&fetched.id, from, lines.count()));
    }
    let to = to.min(lines.count());
    let span = Span::new(lines.span_of(from).start, lines.span_of(to).end);
    let pages = fetched.pages.and_then(|_| document::pages_of(text, span));
    Ok(Fetched { lines: (from, to), pages, content: Some(span.of(text).to_owned()), ..fetched })
}

fn sections(record: &Record, top: u32) -> Vec<OutlineSection> {
    let nodes = record.outline.nodes.iter();
    let end = record.outline.node(top).map_or(top, |node| node.end);
    let mut depths = vec![0; record.outline.nodes.len()];
    let mut sections = Vec::new();
    for node in nodes.filter(|node| (top..end).contains(&node.ord)) {
        let depth = match node.parent {
            Some(parent) if node.ord > top => depths[parent as usize] + 1,
            _ => 0,
        };
        depths[node.ord as usize] = depth;
        sections.push(OutlineSection {
            id: record.id(node.ord),
            title: node.title.clone(),
            depth,
            lines: (node.lines.0 as usize, node.lines.1 as usize),
            tokens: record.tokens(node.ord),
        });
    }
    sections
}
