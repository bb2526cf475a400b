//! What a name means: a document or a section of one.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use super::manifest_of;
use crate::corpus::Manifest;
use crate::error::{Error, Hint, Result};
use crate::id::{ChunkId, DocId};
use crate::index::{Record, Snapshot};
use crate::text::composed;

/// The names of an index.
pub(super) struct Names<'a> {
    snapshot: &'a Snapshot,
    /// Read when a name is not an id in full.
    manifest: OnceCell<Manifest>,
}

impl<'a> Names<'a> {
    pub(super) fn of(snapshot: &'a Snapshot) -> Self {
        Self { snapshot, manifest: OnceCell::new() }
    }

    fn manifest(&self) -> &Manifest {
        self.manifest.get_or_init(|| manifest_of(self.snapshot).unwrap_or_default())
    }

    /// The node that a name means: exactly, or as the only document whose path ends with it.
    pub(super) fn resolve(&self, name: &str) -> Result<(Arc<Record>, u32, bool)> {
        if let Ok(id) = name.parse::<ChunkId>() {
            // A path may itself contain `#`: the whole name is tried as a document first.
            let whole = DocId::new(id.doc.tree.clone(), name.split_once(':').map_or(name, |(_, path)| path));
            if let Some(record) = self.snapshot.record(&whole)? {
                return Ok((record, 0, false));
            }
            if let Some(record) = self.snapshot.record(&id.doc)? {
                return section(record, id.slug.as_deref(), name);
            }
        }
        let (path, slug) = match name.rsplit_once('#') {
            Some((path, slug)) => (path, Some(slug)),
            None => (name, None),
        };
        for (path, slug) in [(name, None), (path, slug)] {
            let docs = self.by_suffix(path);
            match docs.as_slice() {
                [] => {}
                [doc] => {
                    let record = self.snapshot.record(doc)?.ok_or_else(|| self.not_found(name))?;
                    return section(record, slug, name);
                }
                many => {
                    let message = format!("`{name}` could be any of {} documents", many.len());
                    let candidates = many.iter().take(NEAREST).map(ToString::to_string).collect();
                    return Err(Error::NotFound { message, candidates, hint: None });
                }
            }
        }
        Err(self.not_found(name))
    }

    /// The documents whose path is `path` or ends with it after a `/`.
    fn by_suffix(&self, path: &str) -> Vec<DocId> {
        let wanted = PathEnd::new(path);
        let entries = self.manifest().entries();
        let wanted = entries.filter(|(tree, known, _)| wanted.is_of(tree.as_str(), known));
        // What has no chunk is an empty document, or none at all.
        let is_document = |doc: &DocId| self.snapshot.record(doc).is_ok_and(|record| record.is_some());
        let docs = wanted.map(|(tree, path, entry)| (DocId::new(tree.clone(), path), entry.chunks));
        docs.filter(|(doc, chunks)| *chunks > 0 || is_document(doc)).map(|(doc, _)| doc).collect()
    }

    /// The error for a name that means nothing.
    pub(super) fn not_found(&self, name: &str) -> Error {
        let path = name.split_once(':').map_or(name, |(_, path)| path);
        let path = path.split_once('#').map_or(path, |(path, _)| path);
        let file = path.rsplit('/').next().unwrap_or(path);
        let docs: Vec<DocId> = self
            .manifest()
            .entries()
            .filter(|(_, _, entry)| entry.chunks > 0)
            .map(|(tree, path, _)| DocId::new(tree.clone(), path))
            .collect();
        let names = docs.iter().map(|doc| doc.path.rsplit('/').next().unwrap_or(&doc.path));
        let near = closest(file, names);
        let by_name = |doc: &&DocId| near.contains(&doc.path.rsplit('/').next().unwrap_or(&doc.path));
        let mut near: Vec<&DocId> = docs.iter().filter(by_name).collect();
        near.sort_by_cached_key(|doc| strsim::osa_distance(end_of(path), end_of(&doc.path)));
        let candidates = near.into_iter().take(NEAREST).map(ToString::to_string).collect();
        let message = format!("no document or section is called `{name}`");
        Error::NotFound { message, candidates, hint: Some(Hint::ListDocuments) }
    }
}

/// A path, or the end of one after a `/`, in a tree that may be named before it.
pub(super) struct PathEnd<'a> {
    tree: Option<&'a str>,
    path: Cow<'a, str>,
}

impl<'a> PathEnd<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        let name = name.trim_start_matches("./");
        let (tree, path) = match name.split_once(':') {
            Some((tree, path)) => (Some(tree), path),
            None => (None, name),
        };
        // People type composed letters, also where the name of a file has them decomposed.
        Self { tree, path: composed(path) }
    }

    /// Whether a document is meant.
    pub(super) fn is_of(&self, tree: &str, path: &str) -> bool {
        let path = composed(path);
        let before = path.strip_suffix(&*self.path).filter(|_| !self.path.is_empty());
        self.tree.is_none_or(|wanted| wanted == tree)
            && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    }
}

fn section(record: Arc<Record>, slug: Option<&str>, name: &str) -> Result<(Arc<Record>, u32, bool)> {
    let Some(slug) = slug.filter(|slug| !slug.is_empty()) else { return Ok((record, 0, false)) };
    if let Some(node) = record.outline.find(slug) {
        let ord = node.ord;
        return Ok((record, ord, false));
    }
    if slug == "preamble" && record.parts.first().is_some_and(|part| part.tokens > 0) {
        return Ok((record, 0, true));
    }
    let slugs = record.outline.nodes.iter().filter_map(|node| node.slug.as_deref());
    let near = closest(slug, slugs).into_iter();
    let candidates = near.map(|slug| record.doc.chunk(Some(slug)).to_string()).collect();
    let message = format!("{} has no section `{slug}` (asked for as `{name}`)", record.doc);
    let hint = Some(Hint::ListSections(record.doc.clone()));
    Err(Error::NotFound { message, candidates, hint })
}

/// The end of a path, which is as much as is compared: a name may be of any length.
fn end_of(path: &str) -> &str {
    const COMPARED: usize = 200;
    &path[path.ceil_char_boundary(path.len().saturating_sub(COMPARED))..]
}

/// How many near names an error lists.
const NEAREST: usize = 5;

/// The words most like the one asked for, as long as they are somewhat like it.
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
