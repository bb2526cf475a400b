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
    watch: Watch,
    state: MonitorState,
}

enum Watch {
    /// There is no watcher; contains when starting one last failed.
    Off(Option<Instant>),
    On(ChangeWatcher),
    /// The watcher missed a change once.
    Distrusted,
}

/// The state since the last walk.
#[derive(Clone, Copy)]
enum MonitorState {
    /// Something has changed, or may have.
    Unsettled,
    /// The walk succeeded at this time, and the watcher knew everything that it found.
    Settled(Instant),
    /// The next walk verifies the watcher.
    Verifying,
}

/// The next step to a fresh index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextStep {
    /// Nothing: the disk is as the last walk found it.
    Nothing,
    /// The watcher says the same, but a walk should verify it.
    Verify,
    /// Something has changed, or only a walk can tell.
    Walk,
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
        Self { places, watch: Watch::Off(None), state: MonitorState::Unsettled }
    }

    /// True if a watcher can tell whether something has changed, without a walk.
    pub(crate) fn is_watching(&self) -> bool {
        matches!(self.watch, Watch::On(_))
    }

    /// Asks the watcher what has changed since the last walk.
    pub(crate) fn next_step(&mut self) -> NextStep {
        let (MonitorState::Settled(walked), Watch::On(_)) = (self.state, &self.watch) else {
            return NextStep::Walk;
        };
        match self.look() {
            Some(ObservedChange::Nothing) if walked.elapsed() > FULL_WALK_INTERVAL => {
                self.state = MonitorState::Verifying;
                NextStep::Verify
            }
            Some(ObservedChange::Nothing) => NextStep::Nothing,
            _ => {
                self.state = MonitorState::Unsettled;
                NextStep::Walk
            }
        }
    }

    /// Returns what the watcher reports. One that watches the wrong places ends.
    fn look(&mut self) -> Option<ObservedChange> {
        let Watch::On(watcher) = &mut self.watch else { return None };
        let observed = watcher.look();
        if observed == ObservedChange::Places {
            self.watch = Watch::Off(None);
        }
        Some(observed)
    }

    /// Reads the configuration again and begins to watch what it names. The knowledge base takes over the caches
    /// of the `previous` one.
    pub(crate) fn begin_walk(&mut self, previous: Option<&KnowledgeBase>) -> Result<Walk> {
        let is_proof = matches!(self.state, MonitorState::Verifying);
        self.state = MonitorState::Unsettled;
        let observed = self.look();
        let files = stamped(self.places.files());
        let config = Config::load(&self.places, &[])?;
        let kb = match previous {
            Some(previous) => previous.with(config),
            None => KnowledgeBase::open(config),
        };
        // Start the watcher before the walk; otherwise a change during the walk would be missed.
        if let Watch::Off(failed) = self.watch
            && failed.is_none_or(|failed| failed.elapsed() > FULL_WALK_INTERVAL)
        {
            let watcher = ChangeWatcher::start(&kb, files);
            self.watch = watcher.map_or_else(|| Watch::Off(Some(Instant::now())), Watch::On);
        }
        Ok(Walk { kb, is_proof, observed })
    }

    /// Ends a walk that found this, and returns its knowledge base.
    pub(crate) fn end_walk(&mut self, walk: Walk, freshness: &Freshness) -> KnowledgeBase {
        let walked = Instant::now();
        let has_changed = freshness.added + freshness.modified + freshness.removed > 0;
        if walk.is_proof && has_changed && walk.observed == Some(ObservedChange::Nothing) {
            // A change made during the walk has been reported by now. If there is no report, the watcher missed
            // it.
            let has_missed = self.look() == Some(ObservedChange::Nothing);
            self.watch = if has_missed { Watch::Distrusted } else { Watch::Off(None) };
        }
        let is_known = self.watch_shared_files(&freshness.shared);
        self.state = if is_known { MonitorState::Settled(walked) } else { MonitorState::Unsettled };
        walk.kb
    }

    /// Makes the watcher check files that can change without a change in their directory. Returns true if it
    /// knew them all before the walk; a file that it did not know may have changed since.
    fn watch_shared_files(&mut self, shared: &[PathBuf]) -> bool {
        match &mut self.watch {
            Watch::On(_) if shared.len() > MAX_SHARED_FILES => {
                self.watch = Watch::Off(Some(Instant::now()));
                true
            }
            Watch::On(watcher) => watcher.watch_shared_files(shared),
            Watch::Off(_) | Watch::Distrusted => true,
        }
    }
}
