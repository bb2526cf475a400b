//! Runs blocking work on threads of its own, a few jobs at a time. A panic in a job does not take
//! the server down.

use std::any::Any;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use tokio::sync::Semaphore;
use tokio::task::{self, JoinError};
use tokio_util::sync::CancellationToken;

/// Limits how many jobs run at once; further ones wait in order of arrival.
pub(crate) struct Workers {
    permits: Arc<Semaphore>,
    count: u32,
}

/// Why a job returned no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The client no longer waits for it.
    Cancelled,
    /// It panicked with this message.
    Panicked(String),
}

impl Workers {
    /// Allows one job per core, at least two, so a burst of requests doesn't thrash.
    pub(crate) fn new() -> Self {
        let cores = thread::available_parallelism().map_or(2, NonZero::get);
        let count = u32::try_from(cores).unwrap_or(2).max(2);
        Self { permits: Arc::new(Semaphore::new(count as usize)), count }
    }

    /// Waits until all jobs submitted so far are done.
    pub(crate) async fn wait_until_idle(&self) {
        // Permits are granted in order of arrival, so all earlier jobs are done once this has every permit.
        let _ = self.permits.acquire_many(self.count).await;
    }

    /// Runs a job on a blocking thread. A cancelled request returns at once; its job keeps its permit until it
    /// next checks the token and ends.
    pub(crate) async fn run<T: Send + 'static>(
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

/// Why a task on a blocking thread did not finish.
pub(crate) fn stopped(error: JoinError) -> Stopped {
    match error.try_into_panic() {
        Ok(cause) => Stopped::Panicked(message(&*cause)),
        Err(_) => Stopped::Cancelled,
    }
}

impl Stopped {
    /// Returns the error text for the client.
    pub(crate) fn text(&self) -> String {
        match self {
            Stopped::Cancelled => "error: the request was canceled\n".to_owned(),
            Stopped::Panicked(message) => {
                format!(
                    "error: this request failed inside ra, which is a bug: {message}\nhint: other requests still work; please report this one\n"
                )
            }
        }
    }
}

/// Returns the message of a panic.
fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

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
                let failed = workers.run(&token, panics).await;
                assert_eq!(failed, Err(Stopped::Panicked("so be it".to_owned())));
            }
            assert_eq!(workers.run(&token, || 7).await, Ok(7));
        });
    }

    #[test]
    fn who_is_cancelled_leaves_at_once_and_waiting_jobs_never_start() {
        runtime().block_on(async {
            let workers = Arc::new(Workers::new());
            let token = CancellationToken::new();
            let places = workers.permits.available_permits();
            let (started, mut starts) = tokio::sync::mpsc::unbounded_channel();
            let (running, end) = std::sync::mpsc::channel::<()>();
            let end = Arc::new(Mutex::new(end));
            let jobs: Vec<_> = (0..places + 20)
                .map(|_| {
                    let (workers, token) = (workers.clone(), token.clone());
                    let (started, end) = (started.clone(), end.clone());
                    tokio::spawn(async move {
                        let job = move || {
                            let _ = started.send(());
                            // Blocks until `running` is dropped.
                            let _ = end.lock().expect("no panic").recv();
                        };
                        workers.run(&token, job).await
                    })
                })
                .collect();
            for _ in 0..places {
                starts.recv().await.expect("a job");
            }
            token.cancel();
            for job in jobs {
                assert_eq!(job.await.expect("no panic"), Err(Stopped::Cancelled));
            }
            drop(running);
            workers.wait_until_idle().await;
            assert!(starts.try_recv().is_err(), "a waiting job was started");
        });
    }
}
