//! What the index was made from: every document with its time, size and hash.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{DocId, TreeName};

/// The documents of one tree, by path.
pub type TreeEntries = BTreeMap<String, Entry>;

/// The documents of all trees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// By tree and path.
    pub trees: BTreeMap<TreeName, TreeEntries>,
}

/// One document as it was indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The time of the last change, in nanoseconds since 1970.
    pub mtime: i64,
    /// The size in bytes.
    pub size: u64,
    /// The beginning of the hash of the bytes.
    pub hash: [u8; 16],
    /// True when the file was read in the tick of its last change, so that it may have changed again without
    /// its time moving.
    pub racy: bool,
    /// The chunks it gave; 0 for a file that is not text.
    pub chunks: u32,
}

impl Manifest {
    /// The manifest as bytes. Each path is written as what it shares with the one before and the rest.
    pub fn encode(&self) -> Vec<u8> {
        let trees: Vec<(&TreeName, Vec<Row<'_>>)> =
            self.trees.iter().map(|(tree, entries)| (tree, rows(entries))).collect();
        // Nothing in a manifest is of a kind that cannot be written.
        postcard::to_stdvec(&trees).unwrap_or_default()
    }

    /// The inverse of [`Manifest::encode`]; none when the bytes are damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let trees: Vec<(TreeName, Vec<Row<'_>>)> = postcard::from_bytes(bytes).ok()?;
        let mut manifest = Self::default();
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

    /// The entry of a document.
    pub fn get(&self, doc: &DocId) -> Option<&Entry> {
        self.trees.get(&doc.tree)?.get(&doc.path)
    }

    /// Sets the entry of a document and gives the one before.
    pub fn insert(&mut self, doc: DocId, entry: Entry) -> Option<Entry> {
        self.trees.entry(doc.tree).or_default().insert(doc.path, entry)
    }

    /// Takes a document out and gives its entry.
    pub fn remove(&mut self, doc: &DocId) -> Option<Entry> {
        self.trees.get_mut(&doc.tree)?.remove(&doc.path)
    }

    /// All documents, by tree and path.
    pub fn entries(&self) -> impl Iterator<Item = (&TreeName, &str, &Entry)> {
        self.trees
            .iter()
            .flat_map(|(tree, entries)| entries.iter().map(move |(path, entry)| (tree, path.as_str(), entry)))
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.trees.values().map(BTreeMap::len).sum()
    }

    /// True when there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// File systems keep time in ticks of up to some milliseconds.
const TICK: i64 = 20_000_000;

impl Entry {
    /// The entry of a file that was read at the time `read`.
    pub fn new(mtime: i64, size: u64, hash: [u8; 16], read: i64, chunks: u32) -> Self {
        Self { mtime, size, hash, racy: read.saturating_sub(mtime) <= TICK, chunks }
    }

    /// True when a file of this time and size is surely the one that was indexed.
    pub(super) fn is_current(&self, mtime: i64, size: u64) -> bool {
        self.mtime == mtime && self.size == size && !self.racy
    }
}

/// An entry as it is written.
#[derive(Serialize, Deserialize)]
struct Row<'a> {
    shared: usize,
    rest: &'a str,
    entry: Entry,
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

    proptest! {
        #[test]
        fn decoding_undoes_encoding(paths in proptest::collection::btree_set("[aé/漢]{1,6}", 0..20), number: u32) {
            let entry = Entry::new(i64::from(number), 7, [1; 16], 0, number);
            let entries: TreeEntries = paths.into_iter().map(|path| (path, entry.clone())).collect();
            let manifest = Manifest { trees: BTreeMap::from([("docs".parse().unwrap(), entries)]) };
            prop_assert_eq!(Manifest::decode(&manifest.encode()), Some(manifest));
        }

        #[test]
        fn damaged_bytes_are_refused_or_read_without_panic(bytes: Vec<u8>) {
            let _ = Manifest::decode(&bytes);
        }
    }
}
