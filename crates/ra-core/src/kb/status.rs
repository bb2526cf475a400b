//! What a knowledge base holds.

use super::KnowledgeBase;
use crate::corpus::{Extent, Skip};

/// What a knowledge base holds.
#[derive(Clone, Debug)]
pub struct Status {
    /// The trees, in the order of the configuration's.
    pub trees: Vec<TreeCounts>,
}

/// What a tree holds.
#[derive(Clone, Debug)]
pub struct TreeCounts {
    /// Documents on the disk.
    pub documents: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Why the tree cannot be read.
    pub problem: Option<String>,
}

impl KnowledgeBase {
    /// Counts what is there.
    pub fn status(&self) -> Status {
        let scans = self.scan(Extent::Documents);
        let trees = scans.values().map(|scan| TreeCounts {
            documents: scan.files.len(),
            bytes: scan.files.iter().map(|file| file.size).sum(),
            problem: match scan.skipped.get("") {
                Some(Skip::Unreadable(why)) => Some(why.clone()),
                _ => None,
            },
        });
        Status { trees: trees.collect() }
    }
}
