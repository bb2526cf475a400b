//! A knowledge base with its index, opened at one commit.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ra_core::index::Snapshot;
use ra_core::kb::{KnowledgeBase, Status};

/// The knowledge base with its index, opened at one commit.
pub(super) struct OpenedKb {
    pub(super) kb: KnowledgeBase,
    pub(super) snapshot: Snapshot,
    /// Set if the index turned out to be damaged; the next refresh opens it again.
    pub(super) spoiled: AtomicBool,
    /// The status of the commit, computed on first use.
    status: OnceLock<Status>,
}

impl OpenedKb {
    pub(super) fn new(kb: KnowledgeBase, snapshot: Snapshot) -> Arc<Self> {
        Arc::new(Self { kb, snapshot, spoiled: AtomicBool::default(), status: OnceLock::new() })
    }

    /// Returns the status of the commit. Reading the manifest of 17,000 documents takes some milliseconds, so
    /// it is read only once.
    pub(super) fn status(&self) -> Status {
        self.status.get_or_init(|| self.kb.status_in(&self.snapshot)).clone()
    }
}
