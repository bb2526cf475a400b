//! Lists documents and chunks by name.

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::freshness::Freshness;
use super::index_source::IndexSource;
use super::{KnowledgeBase, manifest_of};
use crate::corpus::ManifestEntry;
use crate::error::{Error, Result};
use crate::id::{ChunkId, DocId, TreeName};
use crate::index::{Record, Snapshot, ValueCounts};
use crate::kind::DocumentKind;

/// A document in a list.
#[derive(Clone, Debug)]
pub struct ListedDocument {
    /// Its id.
    pub id: DocId,
    /// Its format.
    pub kind: DocumentKind,
    /// Its title.
    pub title: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// The number of its chunks.
    pub chunks: usize,
    /// The tokens of its text.
    pub tokens: usize,
    /// Its size in bytes.
    pub bytes: u64,
    /// The file's mtime, in nanoseconds since 1970.
    pub modified: i64,
}

/// A document with only the facts that the manifest has.
#[derive(Clone, Debug)]
pub struct NamedDocument {
    /// Its id.
    pub id: DocId,
    /// Its size in bytes.
    pub bytes: u64,
    /// The file's mtime, in nanoseconds since 1970.
    pub modified: i64,
}

/// A chunk in a list.
#[derive(Clone, Debug)]
pub struct ListedChunk {
    /// Its id.
    pub id: ChunkId,
    /// Its position in the document.
    pub breadcrumb: String,
    /// Its first and last line.
    pub lines: (usize, usize),
    /// The tokens of its own text.
    pub tokens: usize,
}

impl KnowledgeBase {
    /// Lists the documents whose id or path matches one of the globs; all documents if there are none.
    pub fn documents(
        &self,
        globs: &[String],
        index: &dyn IndexSource,
    ) -> Result<(Vec<ListedDocument>, Freshness)> {
        self.each_record(globs, index, |record, entry, listed| {
            listed.push(ListedDocument {
                title: record.title.clone(),
                tags: record.tags.clone(),
                chunks: record.chunks(),
                tokens: record.tokens(0),
                bytes: entry.stamp.size,
                modified: entry.stamp.mtime,
                id: record.doc.clone(),
                kind: record.kind,
            });
        })
    }

    /// Lists the chunks of the documents whose id or path matches one of the globs; all chunks if there are none.
    pub fn chunks(&self, globs: &[String], index: &dyn IndexSource) -> Result<(Vec<ListedChunk>, Freshness)> {
        self.each_record(globs, index, |record, _, listed| {
            for (node, part) in
                record.outline.nodes.iter().zip(&record.parts).filter(|(_, part)| part.tokens > 0)
            {
                listed.push(ListedChunk {
                    id: record.id(node.ord),
                    breadcrumb: record.outline.breadcrumb(node.ord),
                    lines: record.outline.own_lines(node.ord),
                    tokens: part.tokens as usize,
                });
            }
        })
    }

    /// Lists every tag and parent tag, with the number of documents that have it.
    pub fn tags(&self, index: &dyn IndexSource) -> Result<(ValueCounts, Freshness)> {
        self.read_index(index, Snapshot::tags)
    }

    /// Lists the keys of the front matters with their values, each with the number of documents that have it.
    pub fn properties(&self, index: &dyn IndexSource) -> Result<(BTreeMap<String, ValueCounts>, Freshness)> {
        self.read_index(index, Snapshot::properties)
    }

    /// Lists all documents of a snapshot in the order of their ids. Reads only the manifest.
    pub fn document_names(&self, snapshot: &Snapshot) -> Vec<NamedDocument> {
        let manifest = manifest_of(snapshot).unwrap_or_default();
        let documents = manifest.documents();
        let named = |(tree, path, entry): (&TreeName, &str, &ManifestEntry)| NamedDocument {
            id: DocId::new(tree.clone(), path),
            bytes: entry.stamp.size,
            modified: entry.stamp.mtime,
        };
        documents.map(named).collect()
    }

    fn each_record<T>(
        &self,
        globs: &[String],
        index: &dyn IndexSource,
        each: impl Fn(&Record, &ManifestEntry, &mut Vec<T>),
    ) -> Result<(Vec<T>, Freshness)> {
        let globs = compile(globs)?;
        self.read_index(index, |snapshot| {
            let mut listed = Vec::new();
            let manifest = manifest_of(snapshot).unwrap_or_default();
            for (tree, path, entry) in manifest.documents() {
                let doc = DocId::new(tree.clone(), path);
                let names = [path.to_owned(), doc.to_string(), format!("{tree}:/{path}")];
                let wanted = globs.is_empty() || names.iter().any(|name| globs.is_match(name));
                if wanted && let Some(record) = snapshot.record(&doc)? {
                    each(&record, entry, &mut listed);
                }
            }
            Ok(listed)
        })
    }
}

/// Compiles globs over paths and ids. `**` only works between `/`, so an id is also matched as `tree:/path`, and a
/// glob that begins with a tree is rewritten the same way. A glob without `/` and `:` matches a name at any depth, and
/// one that names a directory matches everything below it.
fn compile(globs: &[String]) -> Result<GlobSet> {
    let bad = |message: String| Error::Flag { flag: "GLOB", message };
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let name = glob.trim_start_matches("./").trim_end_matches('/');
        let plain = if name.contains(['/', ':']) { name.to_owned() } else { format!("**/{name}") };
        let in_tree = name.split_once(':').map(|(tree, path)| format!("{tree}:/{path}"));
        for full in [Some(plain), in_tree].into_iter().flatten() {
            let last = full.rsplit('/').next().unwrap_or_default();
            let below = (!last.contains(['*', '?', '[', '{'])).then(|| format!("{full}/**"));
            for full in [Some(full), below].into_iter().flatten() {
                let built = GlobBuilder::new(&full).literal_separator(true).build();
                set.add(
                    built.map_err(|error| bad(format!("`{glob}` is not a valid glob: {}", error.kind())))?,
                );
            }
        }
    }
    set.build().map_err(|error| bad(error.to_string()))
}
