//! How far a round of indexing is, counted while it runs.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use ra_core::kb::Progress;

/// How far a round is: documents read, of all that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indexing {
    pub(super) done: usize,
    pub(super) total: usize,
}

impl fmt::Display for Indexing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.total {
            0 => write!(f, "still comparing the index with the disk"),
            total => write!(f, "still indexing, {} of {total} documents read", self.done),
        }
    }
}

/// Counts the documents of a round as they are read.
#[derive(Default)]
pub(super) struct Counter {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Counter {
    pub(super) fn now(&self) -> Indexing {
        let total = self.total.load(Ordering::Relaxed);
        Indexing { done: self.done.load(Ordering::Relaxed).min(total), total }
    }
}

impl Progress for Counter {
    fn begin(&self, documents: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(documents, Ordering::Relaxed);
    }

    fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// What has been read is not yet written; the round says itself when it is over.
    fn end(&self) {}
}
