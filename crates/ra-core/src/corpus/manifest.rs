//! What the index was made from: every document with its time, size and hash.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{DocId, TreeName};

/// The documents of one tree, by path.
pub type TreeEntries = BTreeMap<String, Entry>;

/// The documents of all trees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The hash of the bytes.
    pub hash: [u8; 32],
    /// When the file was read, in nanoseconds since 1970.
    pub read: i64,
    /// The chunks it gave; 0 for a file that is not text.
    pub chunks: u32,
}

impl Manifest {
    /// The manifest as bytes.
    pub fn encode(&self) -> Vec<u8> {
        // Nothing in a manifest is of a kind that cannot be written.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The inverse of [`Manifest::encode`]; none when the bytes are damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
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
        let entries = |(tree, entries)| (tree, entries);
        self.trees.iter().map(entries).flat_map(|(tree, entries): (&TreeName, &TreeEntries)| {
            entries.iter().map(move |(path, entry)| (tree, path.as_str(), entry))
        })
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

/// File systems keep time in ticks. A file that changed in the tick in which it was read may have changed
/// again without its time moving.
const TICK: i64 = 20_000_000;

impl Entry {
    /// True when a file of this time and size is surely the one that was indexed.
    pub(super) fn is_current(&self, mtime: i64, size: u64) -> bool {
        self.mtime == mtime && self.size == size && self.read.saturating_sub(self.mtime) > TICK
    }
}
