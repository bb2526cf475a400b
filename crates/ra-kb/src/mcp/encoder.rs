//! Encodes the meaning of pages in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use ra_core::kb::Silent;
use rayon::ThreadPoolBuilder;

use super::keeper::Fresh;

/// Encodes the pages of one commit at a time.
#[derive(Clone, Default)]
pub(super) struct Encoder {
    /// The number of the commit that is being encoded.
    current: Arc<AtomicU64>,
}

impl Encoder {
    /// Encodes the pages of a commit that have no vector yet, and stops with those of an earlier one. It takes one
    /// thread, so questions have the others, and ends with the process.
    pub(super) fn encode(&self, fresh: Arc<Fresh>) {
        let current = self.current.clone();
        let number = current.fetch_add(1, Ordering::Relaxed) + 1;
        thread::spawn(move || {
            let goes_on = || current.load(Ordering::Relaxed) == number;
            let encode = || fresh.kb.encode_pages(&fresh.snapshot, &goes_on, &Silent);
            // Pages that could not be encoded now are encoded after the next change, or by `ra update`.
            if let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).build() {
                let _ = pool.install(encode);
            }
        });
    }
}
