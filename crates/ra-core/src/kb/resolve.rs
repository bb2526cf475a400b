//! Resolves names to documents and sections.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use super::document_name::{LineSuffix, PageName, PathEnd, heading_key, line_suffix, without_brackets};
use super::heading_path::{PathHeading, find_path};
use super::manifest_of;
use crate::corpus::Manifest;
use crate::error::{Error, Hint, Result};
use crate::id::{ChunkId, DocId};
use crate::index::{Record, Snapshot, SourceReader};

/// Resolves the names of an index.
pub(super) struct NameResolver<'a> {
    snapshot: &'a Snapshot,
    /// Read when a name isn't a full id.
    manifest: OnceCell<Manifest>,
}

impl<'a> NameResolver<'a> {
    pub(super) fn of(snapshot: &'a Snapshot) -> Self {
        Self { snapshot, manifest: OnceCell::new() }
    }

    /// Returns a reader for the file of a document.
    pub(super) fn source_reader(&self, file: &'a Path) -> SourceReader<'a> {
        SourceReader::new(file, self.snapshot.conversions())
    }

    /// Returns the index that the names are from.
    pub(super) fn snapshot(&self) -> &'a Snapshot {
        self.snapshot
    }

    fn manifest(&self) -> &Manifest {
        self.manifest.get_or_init(|| manifest_of(self.snapshot).unwrap_or_default())
    }

    /// Resolves a name to a node. A full id takes precedence over the end of a path, then comes the name of a page. If
    /// none matches, the name is tried without its line suffix.
    pub(super) fn resolve(&self, name: &str) -> Result<ResolvedName> {
        let plain = without_brackets(name);
        let lines = line_suffix(&plain);
        match self.find(&plain, name) {
            Ok(Some(named)) => return Ok(named),
            // `guide.md#install:7` isn't a section of `guide.md` but line 7 of it.
            Err(error) if lines.is_none() || matches!(error, Error::Index { .. }) => return Err(error),
            _ => {}
        }
        match lines.map(|(before, lines)| (self.find(before, name), lines)) {
            Some((Ok(Some(named)), lines)) => Ok(ResolvedName { lines: Some(lines), ..named }),
            Some((Err(error), _)) => Err(error),
            _ => Err(self.not_found(name)),
        }
    }

    /// Resolves `plain`, which the user wrote as `name`.
    fn find(&self, plain: &str, name: &str) -> Result<Option<ResolvedName>> {
        let found = find(self, plain, name)?;
        found.map(|(record, slug)| section(record, slug.as_deref(), name)).transpose()
    }

    /// Returns the error for a name that refers to nothing.
    pub(super) fn not_found(&self, name: &str) -> Error {
        let path = name.split_once(':').map_or(name, |(_, path)| path);
        let path = path.split_once('#').map_or(path, |(path, _)| path);
        let file = path.rsplit('/').next().unwrap_or(path);
        let docs: Vec<DocId> =
            self.manifest().documents().map(|(tree, path, _)| DocId::new(tree.clone(), path)).collect();
        let names = docs.iter().map(|doc| doc.path.rsplit('/').next().unwrap_or(&doc.path));
        let near = closest(file, names);
        let by_name = |doc: &&DocId| near.contains(&doc.path.rsplit('/').next().unwrap_or(&doc.path));
        let mut near: Vec<&DocId> = docs.iter().filter(by_name).collect();
        let name_of = |path: &str| end_of(path.rsplit('/').next().unwrap_or(path)).to_owned();
        near.sort_by_cached_key(|doc| {
            let by_name = strsim::osa_distance(&name_of(path), &name_of(&doc.path));
            (by_name, strsim::osa_distance(end_of(path), end_of(&doc.path)))
        });
        let candidates = near.into_iter().take(NEAREST).map(ToString::to_string).collect();
        let message = format!("no document or section is called `{name}`");
        Error::NotFound { message, candidates, hint: Some(Hint::ListDocuments) }
    }
}

/// The documents that names may refer to.
pub(super) trait NameTargets {
    type Document;

    /// Returns the document with this id.
    fn by_id(&self, id: &DocId) -> Result<Option<Self::Document>>;

    /// Returns the documents whose path is `path` or ends with it after a `/`.
    fn by_suffix(&self, path: &str) -> Vec<DocId>;

    /// Returns the documents that a page name may mean: those whose file has that name, else those with it as their
    /// title, else those with it as an alias, else those that are the page of a folder with that name.
    fn by_page(&self, page: &str) -> Result<Vec<DocId>>;
}

/// Returns the document and the section that `plain` names, which the user wrote as `name`. Fails if it could be any of
/// several documents.
pub(super) fn find<T: NameTargets>(
    targets: &T,
    plain: &str,
    name: &str,
) -> Result<Option<(T::Document, Option<String>)>> {
    if let Ok(id) = plain.parse::<ChunkId>() {
        // A path can contain `#`, so the whole name is tried as a document first.
        let whole = DocId::new(id.doc.tree.clone(), plain.split_once(':').map_or(plain, |(_, path)| path));
        if let Some(document) = targets.by_id(&whole)? {
            return Ok(Some((document, None)));
        }
        if let Some(document) = targets.by_id(&id.doc)? {
            return Ok(Some((document, id.slug)));
        }
    }
    // A path can contain `#`, and so can the name of a section.
    let last = plain.rsplit_once('#').map(|(path, slug)| (path, Some(slug)));
    let first = plain.split_once('#').map(|(path, slug)| (path, Some(slug))).filter(|it| Some(*it) != last);
    let readings = || [(plain, None)].into_iter().chain(last).chain(first);
    for (path, slug) in readings() {
        if let Some(document) = only(targets, targets.by_suffix(path), path, name)? {
            return Ok(Some((document, slug.map(str::to_owned))));
        }
    }
    for (page, slug) in readings() {
        if let Some(document) = only(targets, targets.by_page(page)?, page, name)? {
            return Ok(Some((document, slug.map(str::to_owned))));
        }
    }
    Ok(None)
}

/// Returns the only candidate; `None` if there is none, and an error if there are several. The user wrote `name`, of
/// which `path` is the part that names a document.
fn only<T: NameTargets>(
    targets: &T,
    docs: Vec<DocId>,
    path: &str,
    name: &str,
) -> Result<Option<T::Document>> {
    match docs.as_slice() {
        [] => Ok(None),
        [doc] => targets.by_id(doc),
        many => {
            let message = format!("`{name}` could be any of {} documents", many.len());
            let section = name.strip_prefix(path).unwrap_or_default();
            let candidates = many.iter().take(NEAREST).map(|doc| format!("{doc}{section}")).collect();
            Err(Error::NotFound { message, candidates, hint: None })
        }
    }
}

impl NameTargets for NameResolver<'_> {
    type Document = Arc<Record>;

    fn by_id(&self, id: &DocId) -> Result<Option<Arc<Record>>> {
        self.snapshot.record(id)
    }

    fn by_page(&self, page: &str) -> Result<Vec<DocId>> {
        let name = PageName::new(page);
        let entries = self.manifest().documents();
        let named = entries.filter(|(tree, path, _)| name.is_path(tree.as_str(), path));
        let files: Vec<DocId> = named.map(|(tree, path, _)| DocId::new(tree.clone(), path)).collect();
        if !files.is_empty() {
            return Ok(files);
        }
        let (mut titles, mut aliases) = (Vec::new(), Vec::new());
        self.snapshot.each_head(|head| {
            let tree = head.doc.tree.as_str();
            if name.is_title(tree, &head.title) {
                titles.push(head.doc);
            } else if head.aliases.iter().any(|alias| name.is_title(tree, alias)) {
                aliases.push(head.doc);
            }
        })?;
        let mut found = if titles.is_empty() { aliases } else { titles };
        if found.is_empty() {
            let folders =
                self.manifest().documents().filter(|(tree, path, _)| name.is_folder(tree.as_str(), path));
            found.extend(folders.map(|(tree, path, _)| DocId::new(tree.clone(), path)));
        }
        found.sort();
        Ok(found)
    }

    fn by_suffix(&self, path: &str) -> Vec<DocId> {
        let wanted = PathEnd::new(path);
        let entries = self.manifest().entries();
        let wanted = entries.filter(|(tree, known, _)| wanted.is_of(tree.as_str(), known));
        // An entry without chunks is an empty document, or no document at all.
        let is_document = |doc: &DocId| self.snapshot.record(doc).is_ok_and(|record| record.is_some());
        let docs = wanted.map(|(tree, path, entry)| (DocId::new(tree.clone(), path), entry.chunks));
        docs.filter(|(doc, chunks)| *chunks > 0 || is_document(doc)).map(|(doc, _)| doc).collect()
    }
}

/// The document and section that a name refers to.
pub(super) struct ResolvedName {
    pub(super) record: Arc<Record>,
    /// The ordinal of the node.
    pub(super) ord: u32,
    /// True if only the text before the first heading is meant.
    pub(super) is_preamble: bool,
    /// The lines that the name asks for.
    pub(super) lines: Option<LineSuffix>,
}

impl ResolvedName {
    fn document(record: Arc<Record>) -> Self {
        Self::node(record, 0)
    }

    fn node(record: Arc<Record>, ord: u32) -> Self {
        Self { record, ord, is_preamble: false, lines: None }
    }

    /// Returns the first line that the name asks for.
    pub(super) fn first_line(&self) -> Option<usize> {
        self.lines.map(|lines| match lines {
            LineSuffix::At(line) | LineSuffix::Range(line, _) => line,
        })
    }

    /// Returns the innermost node that contains a line; `None` if the document is shorter.
    pub(super) fn node_at(&self, line: usize) -> Option<u32> {
        let contains = |lines: (u32, u32)| (lines.0 as usize..=lines.1 as usize).contains(&line);
        let nodes = self.record.outline.nodes.iter();
        nodes.rev().find(|node| contains(node.lines)).map(|node| node.ord)
    }
}

fn section(record: Arc<Record>, slug: Option<&str>, name: &str) -> Result<ResolvedName> {
    let Some(slug) = slug.filter(|slug| !slug.is_empty()) else { return Ok(ResolvedName::document(record)) };
    if let Some(ord) = record.outline.find(slug).map(|node| node.ord) {
        return Ok(ResolvedName::node(record, ord));
    }
    if slug == "preamble" && record.parts.first().is_some_and(|part| part.tokens > 0) {
        return Ok(ResolvedName { is_preamble: true, ..ResolvedName::document(record) });
    }
    // A wiki link contains the heading as it is written.
    let key = heading_key(slug);
    let mut headings = record.outline.nodes.iter().filter(|node| node.level > 0 && !key.is_empty());
    if let Some(ord) = headings.find(|node| heading_key(&node.title) == key).map(|node| node.ord) {
        return Ok(ResolvedName::node(record, ord));
    }
    let nodes = record.outline.nodes.iter().filter(|node| node.level > 0);
    let headings: Vec<PathHeading> =
        nodes.map(|node| PathHeading { level: node.level, key: heading_key(&node.title) }).collect();
    if let Some(nr) = find_path(headings.iter(), slug) {
        return Ok(ResolvedName::node(record, nr as u32 + 1));
    }
    let slugs = record.outline.nodes.iter().filter_map(|node| node.slug.as_deref());
    let near = closest(slug, slugs).into_iter();
    let candidates = near.map(|slug| record.doc.chunk(Some(slug)).to_string()).collect();
    let message = format!("{} has no section `{slug}` (asked for as `{name}`)", record.doc);
    let hint = Some(Hint::ListSections(record.doc.clone()));
    Err(Error::NotFound { message, candidates, hint })
}

/// Returns the end of a path, limiting the cost of comparing names of any length.
fn end_of(path: &str) -> &str {
    const COMPARED: usize = 200;
    &path[path.ceil_char_boundary(path.len().saturating_sub(COMPARED))..]
}

/// How many similar names an error lists.
const NEAREST: usize = 5;

/// Returns the words most similar to `word`, if their similarity is above 0.8.
fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut scored: Vec<(f64, &str)> = known
        .map(|candidate| (strsim::jaro_winkler(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by_key(|(_, candidate)| *candidate);
    scored.truncate(NEAREST);
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}
