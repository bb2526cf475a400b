//! A knowledge base with its index, opened at one commit, and what requests are answered from.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ra_core::index::Snapshot;
use ra_core::kb::{Freshness, KnowledgeBase, Status};

use super::refresh_progress::RefreshProgress;

/// The knowledge base with its index, opened at one commit.
pub(crate) struct OpenedKb {
    pub(crate) kb: KnowledgeBase,
    pub(crate) snapshot: Snapshot,
    /// Set if the index turned out to be damaged; the next refresh opens it again.
    pub(crate) is_spoiled: AtomicBool,
    /// The status of the commit, computed on first use.
    status: OnceLock<Status>,
}

impl OpenedKb {
    pub(crate) fn new(kb: KnowledgeBase, snapshot: Snapshot) -> Arc<Self> {
        Arc::new(Self { kb, snapshot, is_spoiled: AtomicBool::default(), status: OnceLock::new() })
    }

    /// Returns the status of the commit. Reading the manifest of 17,000 documents takes some milliseconds, so
    /// it is read only once.
    pub(crate) fn status(&self) -> Status {
        self.status.get_or_init(|| self.kb.commit_status(&self.snapshot)).clone()
    }
}

/// The index that an answer is based on.
pub(crate) struct ServedIndex {
    pub(crate) fresh: Arc<OpenedKb>,
    freshness: Freshness,
    /// The progress of the refresh that this answer did not wait for.
    pub(crate) indexing: Option<RefreshProgress>,
}

impl ServedIndex {
    pub(crate) fn new(
        (fresh, freshness): (Arc<OpenedKb>, Freshness),
        indexing: Option<RefreshProgress>,
    ) -> Self {
        Self { fresh, freshness, indexing }
    }

    /// Returns the freshness to report with the answer.
    pub(crate) fn freshness(&self) -> Freshness {
        let mut freshness = self.freshness.clone();
        if let Some(indexing) = &self.indexing {
            let missing = if self.fragment().is_some() { ", and most are missing from it" } else { "" };
            freshness.stale = Some(format!("{indexing}{missing}; ask again in a moment"));
        }
        freshness
    }

    /// Returns the progress of the refresh if the index is only the partial one: a document that is not in it
    /// may still exist.
    pub(crate) fn fragment(&self) -> Option<RefreshProgress> {
        self.indexing.filter(|_| self.fresh.snapshot.commit().is_fragment)
    }
}
