//! Reads from an index: one that is open already, or the one on the disk, which is refreshed first. An index that
//! turns out to be damaged is rebuilt here, and only here.

use std::panic::{self, AssertUnwindSafe};

use super::KnowledgeBase;
use super::freshness::{Freshness, NoProgress, Progress};
use super::refresh::UPDATE_LOCK_TIMEOUT;
use crate::error::{Error, Result};
use crate::index::Snapshot;

/// The index that a request reads from. Progress means the index on the disk, which is refreshed for the request;
/// a [`Snapshot`] is read as it is.
pub trait IndexSource {
    /// Returns the index if it is open already, and how fresh it is. `None` refreshes the one on the disk.
    fn opened(&self) -> Option<(&Snapshot, Freshness)> {
        None
    }

    /// Receives the progress of a refresh.
    fn progress(&self) -> &dyn Progress {
        &NoProgress
    }

    /// Called if the index can't be read. Returns true if it may be rebuilt and read again, which may take long.
    fn may_rebuild(&self) -> bool {
        true
    }

    /// True if nobody waits for the answer any more. It is then incomplete.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl<P: Progress> IndexSource for P {
    fn progress(&self) -> &dyn Progress {
        self
    }
}

impl IndexSource for Snapshot {
    fn opened(&self) -> Option<(&Snapshot, Freshness)> {
        Some((self, Freshness::of(self.commit())))
    }

    fn may_rebuild(&self) -> bool {
        false
    }
}

impl KnowledgeBase {
    /// Reads from an index. If it is damaged, the one on the disk is read instead. If that is damaged, too, it is moved
    /// aside and rebuilt.
    pub(super) fn read_index<T>(
        &self,
        index: &dyn IndexSource,
        read: impl Fn(&Snapshot) -> Result<T>,
    ) -> Result<(T, Freshness)> {
        if let Some((snapshot, freshness)) = index.opened()
            && let Some(done) = read_undamaged(index, snapshot, &read)?
        {
            return Ok((done, freshness));
        }
        let (snapshot, freshness) = self.refresh(index.progress())?;
        if let Some(done) = read_undamaged(index, &snapshot, &read)? {
            return Ok((done, freshness));
        }
        drop(snapshot);
        self.discard()?;
        let (snapshot, mut freshness) = self.refresh(index.progress())?;
        freshness.warnings.push("the index was damaged, so it was rebuilt".to_owned());
        Ok((read(&snapshot)?, freshness))
    }

    /// Moves the index aside.
    fn discard(&self) -> Result<()> {
        let (store, _) = self.store()?;
        let lock =
            store.lock(UPDATE_LOCK_TIMEOUT)?.ok_or_else(|| Error::Busy { path: store.dir().to_owned() })?;
        store.set_aside();
        drop(lock);
        Ok(())
    }
}

/// Reads from a snapshot. Returns `None` if it is damaged and may be rebuilt.
fn read_undamaged<T>(
    index: &dyn IndexSource,
    snapshot: &Snapshot,
    read: impl Fn(&Snapshot) -> Result<T>,
) -> Result<Option<T>> {
    // Checking every byte at every start would cost more than most searches. tantivy doesn't check either, and may
    // panic on damaged data.
    match panic::catch_unwind(AssertUnwindSafe(|| read(snapshot))) {
        Ok(Err(Error::Index { .. })) if index.may_rebuild() => Ok(None),
        Ok(done) => done.map(Some),
        Err(_) if index.may_rebuild() && snapshot.is_damaged() => Ok(None),
        Err(cause) => panic::resume_unwind(cause),
    }
}
