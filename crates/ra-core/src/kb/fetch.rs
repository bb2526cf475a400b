//! Fetching by name: chunks, documents, outlines and lines.

use std::path::PathBuf;
use std::sync::Arc;

use super::KnowledgeBase;
use super::freshness::{Freshness, Progress};
use crate::corpus::Manifest;
use crate::error::{Error, Result};
use crate::id::{ChunkId, DocId};
use crate::index::{Extent, Record, Snapshot, Source};
use crate::text::{Lines, Span};

/// How much of a document is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// What the id names: a section with all below it, or the document.
    Named,
    /// The whole document, whatever the id names of it.
    Document,
    /// These lines of the document, counted from 1.
    Lines(usize, usize),
    /// The outline of what the id names, without text.
    Outline,
}

/// What was fetched.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The id in full.
    pub id: ChunkId,
    /// The heading or title.
    pub title: String,
    /// The place in the document.
    pub breadcrumb: String,
    /// The source file.
    pub file: PathBuf,
    /// The first and last line of the text, counted from 1.
    pub lines: (usize, usize),
    /// The text; none for an outline.
    pub content: Option<String>,
    /// The tokens of the text, as counted when it was indexed; none for lines.
    pub tokens: Option<usize>,
    /// The sections, for an outline.
    pub outline: Vec<Section>,
}

/// A section in an outline.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its id.
    pub id: ChunkId,
    /// Its heading.
    pub title: String,
    /// How deep it lies in the document.
    pub depth: usize,
    /// Its first and last line.
    pub lines: (usize, usize),
    /// The tokens of its text and all below it.
    pub tokens: usize,
}

impl KnowledgeBase {
    /// Fetches by name, each name by itself: one that cannot be found does not keep the others away.
    pub fn get(
        &self,
        names: &[String],
        want: Want,
        progress: &dyn Progress,
    ) -> Result<(Vec<Result<Fetched>>, Freshness)> {
        self.consult(progress, |snapshot| self.get_in(snapshot, names, want))
    }

    /// Fetches by name from the index as it was at one commit.
    pub fn get_in(&self, snapshot: &Snapshot, names: &[String], want: Want) -> Result<Vec<Result<Fetched>>> {
        let manifest = Manifest::decode(snapshot.manifest()).unwrap_or_default();
        let fetch = |name: &String| match self.fetch(snapshot, &manifest, name, want) {
            Err(error @ Error::Index { .. }) => Err(error),
            fetched => Ok(fetched),
        };
        names.iter().map(fetch).collect()
    }

    /// The node that a name means, with its document and file.
    pub(super) fn locate(
        &self,
        snapshot: &Snapshot,
        manifest: &Manifest,
        name: &str,
    ) -> Result<(Arc<Record>, PathBuf, u32)> {
        let (record, ord, _) = resolve(snapshot, manifest, name)?;
        let file = self.source_of(&record).ok_or_else(|| not_found(name, manifest))?;
        Ok((record, file, ord))
    }

    fn source_of(&self, record: &Record) -> Option<PathBuf> {
        Some(self.config.tree(record.doc.tree.as_str())?.root.join(&record.doc.path))
    }

    fn fetch(&self, snapshot: &Snapshot, manifest: &Manifest, name: &str, want: Want) -> Result<Fetched> {
        let (record, ord, preamble) = resolve(snapshot, manifest, name)?;
        let file = self.source_of(&record).ok_or_else(|| not_found(name, manifest))?;
        let (ord, extent) = match want {
            Want::Document | Want::Lines(..) => (0, Extent::Subtree),
            Want::Named if preamble => (0, Extent::Own),
            Want::Named | Want::Outline => (ord, Extent::Subtree),
        };
        let node = record.outline.node(ord).ok_or_else(|| not_found(name, manifest))?;
        let mut fetched = Fetched {
            id: record.id(ord),
            title: node.title.clone(),
            breadcrumb: record.outline.breadcrumb(ord),
            file,
            lines: (node.lines.0 as usize, node.lines.1 as usize),
            content: None,
            tokens: None,
            outline: Vec::new(),
        };
        if want == Want::Outline {
            fetched.outline = sections(&record, ord);
            return Ok(fetched);
        }
        let pieces = record.read(&mut Source::new(&fetched.file), ord, extent);
        let pieces = pieces.ok_or_else(|| Error::Changed { id: name.to_owned() })?;
        if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
            fetched.lines = (first.lines.0, last.lines.1);
        }
        let text: String = pieces.into_iter().map(|piece| piece.text).collect();
        if let Want::Lines(from, to) = want {
            return lines(fetched, &text, from, to);
        }
        fetched.tokens = Some(match extent {
            Extent::Own => record.parts.first().map_or(0, |part| part.tokens as usize),
            Extent::Subtree => record.tokens(ord),
        });
        fetched.content = Some(text);
        Ok(fetched)
    }
}

fn lines(fetched: Fetched, text: &str, from: usize, to: usize) -> Result<Fetched> {
    let lines = Lines::new(text);
    if from > lines.count() {
        let message = format!("{} has {} lines; line {from} is not among them", fetched.id, lines.count());
        return Err(Error::NotFound { message, candidates: Vec::new(), hint: None });
    }
    let to = to.min(lines.count());
    let span = Span::new(lines.span_of(from).start, lines.span_of(to).end);
    Ok(Fetched { lines: (from, to), content: Some(span.of(text).to_owned()), ..fetched })
}

fn sections(record: &Record, top: u32) -> Vec<Section> {
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
        sections.push(Section {
            id: record.id(node.ord),
            title: node.title.clone(),
            depth,
            lines: (node.lines.0 as usize, node.lines.1 as usize),
            tokens: record.tokens(node.ord),
        });
    }
    sections
}

/// The node that a name means: exactly, or as the only document whose path ends with it.
fn resolve(snapshot: &Snapshot, manifest: &Manifest, name: &str) -> Result<(Arc<Record>, u32, bool)> {
    if let Ok(id) = name.parse::<ChunkId>() {
        // A path may itself contain `#`: the whole name is tried as a document first.
        let whole = DocId::new(id.doc.tree.clone(), name.split_once(':').map_or(name, |(_, path)| path));
        if let Some(record) = snapshot.record(&whole)? {
            return Ok((record, 0, false));
        }
        if let Some(record) = snapshot.record(&id.doc)? {
            return section(record, id.slug.as_deref(), name);
        }
    }
    let (path, slug) = match name.rsplit_once('#') {
        Some((path, slug)) => (path, Some(slug)),
        None => (name, None),
    };
    for (path, slug) in [(name, None), (path, slug)] {
        let docs = by_suffix(manifest, path);
        match docs.as_slice() {
            [] => {}
            [doc] => {
                let record = snapshot.record(doc)?.ok_or_else(|| not_found(name, manifest))?;
                return section(record, slug, name);
            }
            many => {
                let message = format!("`{name}` could be any of {} documents", many.len());
                let candidates = many.iter().take(NEAREST).map(ToString::to_string).collect();
                return Err(Error::NotFound { message, candidates, hint: None });
            }
        }
    }
    Err(not_found(name, manifest))
}

/// The documents whose path is `path` or ends with it after a `/`.
fn by_suffix(manifest: &Manifest, path: &str) -> Vec<DocId> {
    let path = path.trim_start_matches("./");
    let (tree, path) = match path.split_once(':') {
        Some((tree, path)) => (Some(tree), path),
        None => (None, path),
    };
    let matches =
        |known: &str| known == path || known.strip_suffix(path).is_some_and(|before| before.ends_with('/'));
    let wanted = manifest.entries().filter(|(name, known, entry)| {
        entry.chunks > 0
            && !path.is_empty()
            && tree.is_none_or(|tree| name.as_str() == tree)
            && matches(known)
    });
    wanted.map(|(tree, path, _)| DocId::new(tree.clone(), path)).collect()
}

fn section(record: Arc<Record>, slug: Option<&str>, name: &str) -> Result<(Arc<Record>, u32, bool)> {
    let Some(slug) = slug.filter(|slug| !slug.is_empty()) else { return Ok((record, 0, false)) };
    if let Some(node) = record.outline.find(slug) {
        let ord = node.ord;
        return Ok((record, ord, false));
    }
    if slug == "preamble" {
        return Ok((record, 0, true));
    }
    let slugs = record.outline.nodes.iter().filter_map(|node| node.slug.as_deref());
    let near = closest(slug, slugs).into_iter();
    let candidates = near.map(|slug| record.doc.chunk(Some(slug)).to_string()).collect();
    let message = format!("{} has no section `{slug}` (asked for as `{name}`)", record.doc);
    let hint = Some(format!("`ra get {} --outline` lists its sections", record.doc));
    Err(Error::NotFound { message, candidates, hint })
}

/// How many near names an error lists.
const NEAREST: usize = 5;

fn not_found(name: &str, manifest: &Manifest) -> Error {
    let path = name.split_once(':').map_or(name, |(_, path)| path);
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    let file = path.rsplit('/').next().unwrap_or(path);
    let docs: Vec<DocId> = manifest
        .entries()
        .filter(|(_, _, entry)| entry.chunks > 0)
        .map(|(tree, path, _)| DocId::new(tree.clone(), path))
        .collect();
    let names = docs.iter().map(|doc| doc.path.rsplit('/').next().unwrap_or(&doc.path));
    let near = closest(file, names);
    let by_name = |doc: &&DocId| near.contains(&doc.path.rsplit('/').next().unwrap_or(&doc.path));
    let candidates = docs.iter().filter(by_name).take(NEAREST).map(ToString::to_string).collect();
    let message = format!("no document or section is called `{name}`");
    Error::NotFound { message, candidates, hint: Some("`ra ls docs` lists every document".to_owned()) }
}

/// The words most like the one asked for, as long as they are somewhat like it.
fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut scored: Vec<(f64, &str)> = known
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by_key(|(_, candidate)| *candidate);
    scored.truncate(NEAREST);
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}
