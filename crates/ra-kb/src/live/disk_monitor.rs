//! Tells whether the disk has changed since all files were last walked.
//!
//! Where a change watcher can be trusted, no walk is needed to tell. Now and then a walk verifies the watcher; a
//! watcher that missed a change is never used again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ra_core::config::{Config, SystemDirs};
use ra_core::kb::{Freshness, KnowledgeBase};

use super::change_watcher::{ChangeWatcher, ObservedChange, stamped};
use crate::error::Result;

/// The maximum age of the last walk while the watcher reports nothing, and the delay before a failed watcher is
/// tried again.
const FULL_WALK_INTERVAL: Duration = Duration::from_secs(30);

/// If there are more symlinks and hard-linked files than this, only a walk can tell what has changed.
const MAX_SHARED_FILES: usize = 500;

/// Watches the disk between walks.
pub(crate) struct DiskMonitor {
    places: SystemDirs,
    /// True if the last walk succeeded and the watcher knew everything that it found.
    is_settled: bool,
    watcher: Option<ChangeWatcher>,
    /// When starting a watcher last failed.
    unwatchable: Option<Instant>,
    /// The time of the last walk.
    walked: Instant,
    /// True if the next walk verifies the watcher.
    is_proving: bool,
    /// True if the watcher missed a change once.
    is_distrusted: bool,
}

/// A walk that has begun.
pub(crate) struct Walk {
    /// The knowledge base to refresh, with the configuration as it is now.
    pub(crate) kb: KnowledgeBase,
    is_proof: bool,
    /// The report of the watcher when the walk began.
    observed: Option<ObservedChange>,
}

impl DiskMonitor {
    pub(crate) fn new(places: SystemDirs) -> Self {
        Self {
            places,
            is_settled: false,
            watcher: None,
            unwatchable: None,
            walked: Instant::now(),
            is_proving: false,
            is_distrusted: false,
        }
    }

    /// True if a watcher can tell whether something has changed, without a walk.
    pub(crate) fn is_watching(&self) -> bool {
        self.watcher.is_some()
    }

    /// True if the last walk is so old that the watcher should be verified by another one.
    pub(crate) fn needs_full_walk(&mut self) -> bool {
        self.is_proving =
            self.is_settled && self.watcher.is_some() && self.walked.elapsed() > FULL_WALK_INTERVAL;
        self.is_proving
    }

    /// True if nothing has changed since the last walk. If only a walk can tell, the answer is false.
    pub(crate) fn is_unchanged(&mut self) -> bool {
        if self.is_proving || !self.is_settled {
            return false;
        }
        let Some(watcher) = &mut self.watcher else { return false };
        let observed = watcher.look();
        if observed == ObservedChange::Places {
            self.watcher = None;
        }
        self.is_settled = observed == ObservedChange::Nothing;
        self.is_settled
    }

    /// Reads the configuration again and begins to watch what it names. The knowledge base takes over the caches
    /// of the `previous` one.
    pub(crate) fn begin_walk(&mut self, previous: Option<&KnowledgeBase>) -> Result<Walk> {
        self.is_settled = false;
        let is_proof = std::mem::take(&mut self.is_proving);
        let observed = self.watcher.as_mut().map(ChangeWatcher::look);
        if observed == Some(ObservedChange::Places) {
            self.watcher = None;
        }
        let files = stamped(self.places.files());
        let config = Config::load(&self.places, &[])?;
        let kb = match previous {
            Some(previous) => previous.with(config),
            None => KnowledgeBase::open(config),
        };
        // Start the watcher before the walk; otherwise a change during the walk would be missed.
        let is_worth_trying = self.unwatchable.is_none_or(|failed| failed.elapsed() > FULL_WALK_INTERVAL);
        if self.watcher.is_none() && !self.is_distrusted && is_worth_trying {
            self.watcher = ChangeWatcher::start(&kb, files);
            self.unwatchable = self.watcher.is_none().then(Instant::now);
        }
        Ok(Walk { kb, is_proof, observed })
    }

    /// Ends a walk that found this, and returns its knowledge base.
    pub(crate) fn end_walk(&mut self, walk: Walk, freshness: &Freshness) -> KnowledgeBase {
        self.walked = Instant::now();
        let has_changed = freshness.added + freshness.modified + freshness.removed > 0;
        if walk.is_proof && has_changed && walk.observed == Some(ObservedChange::Nothing) {
            // A change made during the walk has been reported by now. If there is no report, the watcher missed
            // it.
            self.is_distrusted =
                self.watcher.as_mut().map(ChangeWatcher::look) == Some(ObservedChange::Nothing);
            self.watcher = None;
        }
        self.is_settled = self.watch_shared_files(&freshness.shared);
        walk.kb
    }

    /// Makes the watcher check files that can change without a change in their directory. Returns true if it
    /// knew them all before the walk; a file that it did not know may have changed since.
    fn watch_shared_files(&mut self, shared: &[PathBuf]) -> bool {
        match &mut self.watcher {
            Some(_) if shared.len() > MAX_SHARED_FILES => {
                self.watcher = None;
                self.unwatchable = Some(Instant::now());
                true
            }
            Some(watcher) => watcher.watch_shared_files(shared),
            None => true,
        }
    }
}
