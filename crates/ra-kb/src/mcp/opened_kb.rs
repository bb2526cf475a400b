//! A knowledge base with its index, opened at one commit.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ra_core::index::Snapshot;
use ra_core::kb::{KnowledgeBase, Status};

/// The knowledge base with its index, opened at one commit.
pub(super) struct OpenedKb {
    pub(super) kb: KnowledgeBase,
    pub(super) snapshot: Snapshot,
    /// Set when the index turned out to be damaged: the next round opens it again.
    pub(super) spoiled: AtomicBool,
    /// What the commit holds, counted when it is first asked for.
    status: OnceLock<Status>,
}

impl OpenedKb {
    pub(super) fn new(kb: KnowledgeBase, snapshot: Snapshot) -> Arc<Self> {
        Arc::new(Self { kb, snapshot, spoiled: AtomicBool::default(), status: OnceLock::new() })
    }

    /// What the commit holds. The manifest of 17,000 documents takes some milliseconds to read, so it is read once.
    pub(super) fn status(&self) -> Status {
        self.status.get_or_init(|| self.kb.status_in(&self.snapshot)).clone()
    }
}
