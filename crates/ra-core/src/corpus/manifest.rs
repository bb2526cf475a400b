//! The manifest: every indexed document with its stamp and hash.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::stamp::FileStamp;
use crate::id::{DocId, TreeName};

/// The documents of one tree, by path.
pub type TreeEntries = BTreeMap<String, ManifestEntry>;

/// The documents of all trees. Every commit writes it in full.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// By tree and path.
    trees: BTreeMap<TreeName, TreeEntries>,
    /// The root directory of each tree.
    roots: BTreeMap<TreeName, String>,
}

/// A document as it was indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The stamp of the file.
    pub stamp: FileStamp,
    /// The first 16 bytes of the content hash.
    pub hash: [u8; 16],
    /// True if the file was read within the clock tick of its last change. It may have changed again with the same
    /// mtime.
    pub racy: bool,
    /// The number of its chunks; 0 for a file that isn't text.
    pub chunks: u32,
    /// True if the file has a format that is converted, and its conversion failed.
    pub failed: bool,
}

impl Manifest {
    /// Encodes the manifest. Each path is written as the length of the prefix it shares with the previous one,
    /// and the rest.
    pub fn encode(&self) -> Vec<u8> {
        let trees: Vec<(&TreeName, Vec<Row<'_>>)> =
            self.trees.iter().map(|(tree, entries)| (tree, rows(entries))).collect();
        // Encoding can't fail for these types.
        postcard::to_stdvec(&(&self.roots, trees)).unwrap_or_default()
    }

    /// Decodes a manifest; `None` if the bytes are damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (roots, trees): (_, Vec<(TreeName, Vec<Row<'_>>)>) = postcard::from_bytes(bytes).ok()?;
        let mut manifest = Self { roots, ..Self::default() };
        for (tree, rows) in trees {
            let mut path = String::new();
            let mut entries = Vec::with_capacity(rows.len());
            for row in rows {
                path.truncate(path.floor_char_boundary(row.shared));
                path.push_str(row.rest);
                entries.push((path.clone(), row.entry));
            }
            manifest.trees.insert(tree, entries.into_iter().collect());
        }
        Some(manifest)
    }

    /// Returns the documents of each tree.
    pub fn trees(&self) -> &BTreeMap<TreeName, TreeEntries> {
        &self.trees
    }

    /// True if a tree had another root; its entries then mean nothing.
    pub(crate) fn was_elsewhere(&self, tree: &TreeName, root: &Path) -> bool {
        self.roots.get(tree).is_some_and(|known| *known != root.to_string_lossy())
    }

    /// Sets the root directory of a tree.
    pub fn place(&mut self, tree: &TreeName, root: &Path) {
        self.roots.insert(tree.clone(), root.to_string_lossy().into_owned());
    }

    /// Returns the entry of a document.
    pub fn get(&self, doc: &DocId) -> Option<&ManifestEntry> {
        self.trees.get(&doc.tree)?.get(&doc.path)
    }

    /// Sets the entry of a document and returns the previous one.
    pub fn insert(&mut self, doc: DocId, entry: ManifestEntry) -> Option<ManifestEntry> {
        self.trees.entry(doc.tree).or_default().insert(doc.path, entry)
    }

    /// Removes a document and returns its entry.
    pub fn remove(&mut self, doc: &DocId) -> Option<ManifestEntry> {
        self.trees.get_mut(&doc.tree)?.remove(&doc.path)
    }

    /// Returns all documents, by tree and path.
    pub fn entries(&self) -> impl Iterator<Item = (&TreeName, &str, &ManifestEntry)> {
        self.trees
            .iter()
            .flat_map(|(tree, entries)| entries.iter().map(move |(path, entry)| (tree, path.as_str(), entry)))
    }

    /// Returns the documents that have text, by tree and path.
    pub fn documents(&self) -> impl Iterator<Item = (&TreeName, &str, &ManifestEntry)> {
        self.entries().filter(|(.., entry)| entry.has_text())
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.trees.values().map(BTreeMap::len).sum()
    }

    /// True if there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ManifestEntry {
    /// Creates the entry of a file that was read at the time `read`.
    pub fn new(stamp: FileStamp, hash: [u8; 16], read: i64, chunks: u32) -> Self {
        Self { stamp, hash, racy: !stamp.is_settled(read), chunks, failed: false }
    }

    /// True if the file has text, so it is a document.
    pub fn has_text(&self) -> bool {
        self.chunks > 0
    }

    /// True if a file with this stamp is certainly the one that was indexed.
    pub(super) fn is_current(&self, stamp: FileStamp) -> bool {
        self.stamp == stamp && !self.racy
    }
}

/// An encoded entry.
#[derive(Serialize, Deserialize)]
struct Row<'a> {
    shared: usize,
    rest: &'a str,
    entry: ManifestEntry,
}

fn rows(entries: &TreeEntries) -> Vec<Row<'_>> {
    let mut before = "";
    let mut rows = Vec::with_capacity(entries.len());
    for (path, entry) in entries {
        let shared = path.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
        let shared = path.floor_char_boundary(shared);
        rows.push(Row { shared, rest: &path[shared..], entry: entry.clone() });
        before = path;
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(number: u32) -> ManifestEntry {
        ManifestEntry::new(FileStamp { mtime: i64::from(number), ctime: 0, size: 7 }, [1; 16], 0, number)
    }

    fn manifest(paths: impl IntoIterator<Item = String>) -> Manifest {
        let mut manifest = Manifest::default();
        for (path, number) in paths.into_iter().zip(0..) {
            manifest.insert(DocId::new("docs".parse().unwrap(), &path), entry(number));
        }
        manifest
    }

    fn trees(manifest: Option<Manifest>) -> Option<BTreeMap<TreeName, TreeEntries>> {
        manifest.map(|manifest| manifest.trees)
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(paths in proptest::collection::btree_set("[aé/漢]{1,6}", 0..20)) {
            let manifest = manifest(paths);
            prop_assert_eq!(trees(Manifest::decode(&manifest.encode())), Some(manifest.trees));
        }

        #[test]
        fn damaged_bytes_are_refused_or_read_without_panic(bytes: Vec<u8>) {
            let _ = Manifest::decode(&bytes);
        }
    }
}
