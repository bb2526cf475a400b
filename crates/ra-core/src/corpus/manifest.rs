//! What the index was made from: every document with its time, size and hash.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::TreeName;

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
}

impl Manifest {
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
