//! Reads from an index that may turn out to be damaged only when it is read.

use std::panic::{self, AssertUnwindSafe};

use super::KnowledgeBase;
use super::freshness::{Freshness, Progress};
use super::refresh::UPDATE_LOCK_TIMEOUT;
use crate::error::{Error, Result};
use crate::index::Snapshot;

impl KnowledgeBase {
    /// Brings the index up to date and reads from it. If the index can't be read, moves it aside, rebuilds it and
    /// reads again.
    pub(super) fn with_fresh_index<T>(
        &self,
        progress: &dyn Progress,
        read: impl Fn(&Snapshot) -> Result<T>,
    ) -> Result<(T, Freshness)> {
        let (snapshot, freshness) = self.refresh(progress)?;
        // Checking every byte at every start would cost more than most searches. tantivy doesn't check either, and may
        // panic on damaged data.
        match panic::catch_unwind(AssertUnwindSafe(|| read(&snapshot))) {
            Ok(Err(Error::Index { .. })) => {}
            Ok(done) => return Ok((done?, freshness)),
            Err(_) if snapshot.is_damaged() => {}
            Err(cause) => panic::resume_unwind(cause),
        }
        drop(snapshot);
        self.discard()?;
        let (snapshot, mut freshness) = self.refresh(progress)?;
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
