//! Reading from an index that may turn out to be damaged only where it is read.

use std::panic::{self, AssertUnwindSafe};

use super::KnowledgeBase;
use super::freshness::{Freshness, Progress};
use super::refresh::UPDATE_LOCK_TIMEOUT;
use crate::error::{Error, Result};
use crate::index::Snapshot;

impl KnowledgeBase {
    /// Brings the index up to date and reads from it. An index that cannot be read is moved aside and
    /// built anew, and the question is asked again.
    pub(super) fn with_fresh_index<T>(
        &self,
        progress: &dyn Progress,
        read: impl Fn(&Snapshot) -> Result<T>,
    ) -> Result<(T, Freshness)> {
        let (snapshot, freshness) = self.refresh(progress)?;
        // To check every byte at every start would cost more than most searches; tantivy itself does not, and
        // may panic on what it then finds.
        match panic::catch_unwind(AssertUnwindSafe(|| read(&snapshot))) {
            Ok(Err(Error::Index { .. })) => {}
            Ok(done) => return Ok((done?, freshness)),
            Err(_) if snapshot.is_damaged() => {}
            Err(cause) => panic::resume_unwind(cause),
        }
        drop(snapshot);
        self.discard()?;
        let (snapshot, mut freshness) = self.refresh(progress)?;
        freshness.warnings.push("the index was damaged and has been built anew".to_owned());
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
