//! Encodes the meaning of pages in the background.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use ra_core::kb::NoProgress;
use rayon::ThreadPoolBuilder;

use super::opened_kb::OpenedKb;

/// Encoding begins once the index hasn't changed for this long: a user who is editing documents wants answers
/// first.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// Encodes the pages of the last commit that have no vector yet.
#[derive(Clone, Default)]
pub(crate) struct Encoder {
    state: Arc<EncoderState>,
}

#[derive(Default)]
struct EncoderState {
    /// The number of the last commit; a new one stops the work on earlier ones.
    number: AtomicU64,
    latest: Mutex<Option<Arc<OpenedKb>>>,
    is_running: AtomicBool,
}

impl Encoder {
    /// Encodes the pages of a commit in the background. It uses one thread, which leaves the others to
    /// requests, and ends with the process.
    pub(crate) fn encode(&self, fresh: Arc<OpenedKb>) {
        if let Ok(mut latest) = self.state.latest.lock() {
            *latest = Some(fresh);
        }
        self.state.number.fetch_add(1, Ordering::SeqCst);
        if !self.state.is_running.swap(true, Ordering::SeqCst) {
            let state = self.state.clone();
            thread::spawn(move || state.run());
        }
    }
}

impl EncoderState {
    fn run(&self) {
        loop {
            let number = self.number.load(Ordering::SeqCst);
            thread::sleep(QUIET_TIME);
            let is_last = || self.number.load(Ordering::SeqCst) == number;
            if !is_last() {
                continue;
            }
            self.encode_latest(&is_last);
            self.is_running.store(false, Ordering::SeqCst);
            // A commit that arrived just before `is_running` was cleared has not started another thread.
            if is_last() || self.is_running.swap(true, Ordering::SeqCst) {
                return;
            }
        }
    }

    /// Encodes while `goes_on` returns true. Pages that can't be encoded now are encoded after the next change,
    /// or by `ra update`.
    fn encode_latest(&self, goes_on: &(dyn Fn() -> bool + Sync)) {
        let fresh = self.latest.lock().ok().and_then(|mut latest| latest.take());
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        if let (Some(fresh), Ok(pool)) = (fresh, pool) {
            let _ = pool.install(|| fresh.kb.encode_pages(&fresh.snapshot, goes_on, &NoProgress));
        }
    }
}
