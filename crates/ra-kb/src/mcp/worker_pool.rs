//! Work that blocks: as a rule on threads of its own, a few at a time, and never able to take the server down.

use std::any::Any;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;

use tokio::sync::Semaphore;
use tokio::task::{self, JoinError};
use tokio_util::sync::CancellationToken;

/// Bounds how much is done at once; what comes on top waits in the order of its arrival.
pub(super) struct Workers {
    permits: Arc<Semaphore>,
    count: u32,
}

/// Why a piece of work gave no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// Nobody waits for it any more.
    Cancelled,
    /// It panicked, with this message.
    Panicked(String),
}

impl Workers {
    /// As many as there are cores, so that a burst of requests is worked through and not thrashed through.
    pub(super) fn new() -> Self {
        let cores = thread::available_parallelism().map_or(2, NonZero::get);
        let count = u32::try_from(cores).unwrap_or(2).max(2);
        Self { permits: Arc::new(Semaphore::new(count as usize)), count }
    }

    /// Waits until everything that was there to be done is done.
    pub(super) async fn wait_until_idle(&self) {
        // Those who wait are served in the order of their arrival, so all that came before are through.
        let _ = self.permits.acquire_many(self.count).await;
    }

    /// Runs a job. A cancelled request leaves at once; its job ends at its next look at the token, and keeps
    /// its place among the workers until then.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        cancelled: &CancellationToken,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let permit = tokio::select! {
            permit = self.permits.clone().acquire_owned() => permit.map_err(|_| Stopped::Cancelled)?,
            () = cancelled.cancelled() => return Err(Stopped::Cancelled),
        };
        let job = task::spawn_blocking(move || {
            let _permit = permit;
            job()
        });
        tokio::select! {
            done = job => done.map_err(stopped),
            () = cancelled.cancelled() => Err(Stopped::Cancelled),
        }
    }
}

/// Runs a job where it is asked for.
pub(super) fn run_inline<T>(job: impl FnOnce() -> T) -> Result<T, Stopped> {
    panic::catch_unwind(AssertUnwindSafe(job)).map_err(|cause| Stopped::Panicked(message(&*cause)))
}

/// Why a task on a thread of its own did not end.
pub(super) fn stopped(error: JoinError) -> Stopped {
    match error.try_into_panic() {
        Ok(cause) => Stopped::Panicked(message(&*cause)),
        Err(_) => Stopped::Cancelled,
    }
}

impl Stopped {
    /// As the client is told.
    pub(super) fn text(&self) -> String {
        match self {
            Stopped::Cancelled => "error: the request was cancelled\n".to_owned(),
            Stopped::Panicked(message) => {
                format!(
                    "error: this request failed inside ra, which is a bug: {message}\nhint: other requests still work; please report this one\n"
                )
            }
        }
    }
}

/// What a panic said.
fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime")
    }

    #[test]
    fn a_panic_is_an_answer_and_the_workers_live_on() {
        runtime().block_on(async {
            let workers = Workers::new();
            let token = CancellationToken::new();
            let panics = || -> u8 { panic!("so {}", "be it") };
            for _ in 0..50 {
                for failed in [workers.run(&token, panics).await, run_inline(panics)] {
                    assert_eq!(failed, Err(Stopped::Panicked("so be it".to_owned())));
                }
            }
            assert_eq!(workers.run(&token, || 7).await, Ok(7));
            assert_eq!(run_inline(|| 7), Ok(7));
        });
    }

    #[test]
    fn who_is_cancelled_leaves_at_once_and_waiting_jobs_never_start() {
        runtime().block_on(async {
            let workers = Arc::new(Workers::new());
            let started = Arc::new(AtomicUsize::new(0));
            let token = CancellationToken::new();
            let places = workers.permits.available_permits();
            let jobs: Vec<_> = (0..places + 20)
                .map(|_| {
                    let (workers, token, started) = (workers.clone(), token.clone(), started.clone());
                    tokio::spawn(async move {
                        let job = move || {
                            started.fetch_add(1, Ordering::SeqCst);
                            thread::sleep(Duration::from_millis(300));
                        };
                        workers.run(&token, job).await
                    })
                })
                .collect();
            tokio::time::sleep(Duration::from_millis(100)).await;
            token.cancel();
            for job in jobs {
                assert_eq!(job.await.expect("no panic"), Err(Stopped::Cancelled));
            }
            tokio::time::sleep(Duration::from_millis(400)).await;
            assert_eq!(started.load(Ordering::SeqCst), places);
        });
    }
}
