//! The progress of a refresh, counted while it runs.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use ra_core::kb::{Progress, Work};

/// The progress of a refresh: documents read, of all that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RefreshProgress {
    pub(crate) done: usize,
    pub(crate) total: usize,
}

impl fmt::Display for RefreshProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.total {
            0 => write!(f, "still comparing the index with the disk"),
            total => write!(f, "still indexing, {} of {total} documents read", self.done),
        }
    }
}

/// Counts the documents of a refresh as they are read.
#[derive(Default)]
pub(super) struct Counter {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Counter {
    pub(super) fn now(&self) -> RefreshProgress {
        let total = self.total.load(Ordering::Relaxed);
        RefreshProgress { done: self.done.load(Ordering::Relaxed).min(total), total }
    }

    /// Restarts the count, with this many documents in total.
    pub(super) fn reset(&self, documents: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(documents, Ordering::Relaxed);
    }
}

impl Progress for Counter {
    fn begin(&self, _work: Work, documents: usize) {
        self.reset(documents);
    }

    fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Does nothing: the documents are read but not yet written, and the refresher itself resets the counter.
    fn end(&self) {}
}

/// Returns the next progress value to send to a client, and the total if it is known. The protocol requires the
/// value to increase every time, even if no more documents were read, and not to exceed the total.
pub(super) fn progress(last: f64, indexing: RefreshProgress) -> (f64, Option<f64>) {
    let (done, total) = (indexing.done as f64, indexing.total as f64);
    let next = if done > last {
        done
    } else if total > last {
        last + (total - last) / 1000.0
    } else {
        last + 0.001
    };
    (next, Some(total).filter(|total| *total >= next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_grows_and_never_exceeds_its_total() {
        let mut last = 0.0;
        let refresh_state = [
            (0, 0),
            (0, 0),
            (0, 3),
            (2, 3),
            (3, 3),
            (3, 3),
            (3, 3),
            (0, 0),
            (0, 2),
            (2, 2),
            (0, 900),
            (9, 900),
        ];
        for (done, total) in refresh_state.into_iter().flat_map(|round| [round; 50]) {
            let (now, of) = progress(last, RefreshProgress { done, total });
            assert!(now > last && of.is_none_or(|of| now <= of), "{now} of {of:?} after {last}");
            last = now;
        }
        assert_eq!(progress(1.0, RefreshProgress { done: 2, total: 3 }), (2.0, Some(3.0)));
        assert_eq!(progress(3.0, RefreshProgress { done: 3, total: 3 }).1, None);
    }
}
