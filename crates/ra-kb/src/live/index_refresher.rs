//! Keeps the index fresh for all requests together.
//!
//! Every answer is based on a refresh that began after its request arrived. Refreshes run one at a time, and
//! each serves all requests that arrived before it began. The first one begins when the server starts. A
//! request that would have to wait too long for a refresh is answered from the previous commit, and the answer
//! says so.
//!
//! If the disk monitor can tell that nothing has changed, a refresh is over at once.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;

use ra_core::config::{Config, SystemDirs};
use ra_core::kb::{Freshness, KnowledgeBase, Progress};
use tokio::sync::{Notify, watch};
use tokio::task;
use tokio::time::{self, Instant};

use super::disk_monitor::{DiskMonitor, NextStep};
use super::encoder::Encoder;
use super::opened_kb::{OpenedKb, ServedIndex};
use super::refresh_progress::{Counter, RefreshProgress};
use super::worker_pool::{self, Workers};
use crate::error::{self, CliError};

/// How often a waiting request reports the progress of the refresh.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// How many documents of each tree the first, partial index contains. They take a fraction of a second.
const INITIAL_DOCUMENTS_PER_TREE: usize = 500;

/// How long the requests that one refresh has served may delay the next one.
const MAX_REFRESH_DELAY: Duration = Duration::from_millis(500);

/// The result of asking for a fresh index.
pub(crate) enum Availability {
    /// An index to answer from.
    Ready(ServedIndex),
    /// There is no index yet.
    Indexing(RefreshProgress),
    /// There is no index; the text says why.
    Failed(String),
}

/// Runs the refreshes.
pub(crate) struct IndexRefresher {
    places: SystemDirs,
    counter: Arc<Counter>,
    history: Mutex<RefreshHistory>,
    /// Locked while a refresh runs.
    refresh_state: Arc<Mutex<RefreshState>>,
    wake: Notify,
    finished: watch::Sender<u64>,
    encoder: Encoder,
}

/// The number and the results of the refreshes so far.
#[derive(Default)]
struct RefreshHistory {
    /// The number of the latest refresh that has begun.
    begun: u64,
    outcome: Option<Result<RefreshResult, String>>,
    /// The result of the last refresh that succeeded. Before the first one, the last commit on disk, once a
    /// request has opened it.
    last: Option<RefreshResult>,
}

/// The result of a refresh.
type RefreshResult = (Arc<OpenedKb>, Freshness);

impl IndexRefresher {
    pub(crate) fn new(places: SystemDirs) -> Arc<Self> {
        Arc::new(Self {
            refresh_state: Arc::new(Mutex::new(RefreshState {
                monitor: DiskMonitor::new(places.clone()),
                walked: None,
            })),
            places,
            counter: Arc::default(),
            history: Mutex::default(),
            wake: Notify::new(),
            finished: watch::Sender::new(0),
            encoder: Encoder::default(),
        })
    }

    /// Runs refreshes, the first at once and then one whenever a request needs it; never returns. Requests that
    /// already have their index finish first: a refresh uses all cores, and the more requests it serves the
    /// better.
    pub(crate) async fn refresh_forever(&self, workers: &Workers) {
        let (places, counter) = (self.places.clone(), self.counter.clone());
        // Ignore the error: the first refresh hits it again and reports it.
        let _ = task::spawn_blocking(move || begin(&places, &*counter)).await;
        self.counter.reset(0);
        loop {
            let began = Instant::now();
            let number = self.with(|history| {
                history.begun += 1;
                history.begun
            });
            let outcome = match self.unchanged() {
                Some(found) => Ok(found),
                None => self.walk().await,
            };
            self.with(|history| {
                if let Ok(found) = &outcome {
                    history.last = Some(found.clone());
                }
                history.outcome = Some(outcome);
            });
            self.finished.send_replace(number);
            let _ =
                time::timeout(MAX_REFRESH_DELAY.min(4 * began.elapsed()), workers.wait_until_idle()).await;
            self.wake.notified().await;
        }
    }

    /// Returns the result of the last walk if the watcher knows that nothing has changed since. No walk is
    /// needed for this.
    pub(crate) fn unchanged(&self) -> Option<RefreshResult> {
        let mut refresh_state = match self.refresh_state.try_lock() {
            Ok(refresh_state) => refresh_state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let (found, next) = refresh_state.unchanged()?;
        if next == NextStep::Verify {
            self.wake.notify_one();
        }
        Some(found)
    }

    /// Refreshes the index by walking all files, on a blocking thread.
    async fn walk(&self) -> Result<RefreshResult, String> {
        let (refresh_state, counter) = (self.refresh_state.clone(), self.counter.clone());
        let walked = task::spawn_blocking(move || {
            refresh_state.lock().unwrap_or_else(PoisonError::into_inner).walk(&*counter)
        });
        let outcome = match walked.await {
            Ok(outcome) => outcome.map_err(|error| error::plain_text(&error)),
            Err(failed) => Err(worker_pool::stopped(failed).text()),
        };
        self.counter.reset(0);
        if let Ok((fresh, _)) = &outcome {
            // Nobody waits for either task. An index that cannot be read is reported by the request that reads
            // it.
            self.encoder.encode(fresh.clone());
            let fresh = fresh.clone();
            task::spawn_blocking(move || fresh.snapshot.warm());
        }
        outcome
    }

    /// Returns the up-to-date index, or the last commit if a refresh takes longer than `wait`. While the
    /// request waits, `tell` receives the progress of the refresh.
    pub(crate) async fn fresh_index<F: Future<Output = ()>>(
        &self,
        wait: Duration,
        tell: impl Fn(RefreshProgress) -> F,
    ) -> Availability {
        if let Some(opened) = self.unchanged() {
            return Availability::Ready(ServedIndex::new(opened, None));
        }
        let wanted = self.with(|history| history.begun + 1);
        let mut finished = self.finished.subscribe();
        self.wake.notify_one();
        let deadline = Instant::now() + wait;
        loop {
            let next = deadline.min(Instant::now() + PROGRESS_INTERVAL);
            let done = async { finished.wait_for(|number| *number >= wanted).await.is_ok() };
            match time::timeout_at(next, done).await {
                Ok(_) => break,
                Err(_) if Instant::now() >= deadline => return self.last_commit_or_progress().await,
                Err(_) => tell(self.counter.now()).await,
            }
        }
        match self.with(|history| history.outcome.clone()) {
            Some(Ok(refreshed)) => Availability::Ready(ServedIndex::new(refreshed, None)),
            Some(Err(error)) => Availability::Failed(error),
            None => Availability::Indexing(self.counter.now()),
        }
    }

    /// Returns the last commit, from an earlier refresh or from disk, or the progress if there is no index yet.
    async fn last_commit_or_progress(&self) -> Availability {
        let indexing = self.counter.now();
        if let Some(refreshed) = self.with(|history| history.last.clone()) {
            return Availability::Ready(ServedIndex::new(refreshed, Some(indexing)));
        }
        let places = self.places.clone();
        match task::spawn_blocking(move || last_commit(&places)).await {
            Ok(Ok(Some(committed))) => {
                Availability::Ready(ServedIndex::new(self.remember(committed), Some(indexing)))
            }
            Ok(Ok(None)) => Availability::Indexing(indexing),
            Ok(Err(error)) => Availability::Failed(error::plain_text(&error)),
            Err(failed) => Availability::Failed(worker_pool::stopped(failed).text()),
        }
    }

    /// Returns the progress of the running refresh, or `None` if it has no documents to read.
    pub(crate) fn indexing(&self) -> Option<RefreshProgress> {
        Some(self.counter.now()).filter(|indexing| indexing.total > 0)
    }

    /// Keeps the last commit, which takes long to open, until the first refresh is done.
    fn remember(&self, committed: RefreshResult) -> RefreshResult {
        self.with(|history| history.last.get_or_insert(committed).clone())
    }

    /// Returns the last commit without waiting for a refresh: from an earlier one, or from disk. Returns `None`
    /// if there is no index.
    pub(crate) fn last_commit(&self) -> Result<Option<Arc<OpenedKb>>, CliError> {
        let last = match self.with(|history| history.last.clone()) {
            None => last_commit(&self.places)?.map(|committed| self.remember(committed)),
            last => last,
        };
        Ok(last.map(|(opened, _)| opened))
    }

    /// The directories where the configuration is looked up.
    pub(crate) fn places(&self) -> &SystemDirs {
        &self.places
    }

    fn with<T>(&self, change: impl FnOnce(&mut RefreshHistory) -> T) -> T {
        // A panic while the lock was held cannot have left the history inconsistent.
        change(&mut self.history.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// State that one refresh leaves for the next.
struct RefreshState {
    monitor: DiskMonitor,
    /// The result of the last walk, which is served while the disk is unchanged.
    walked: Option<RefreshResult>,
}

impl RefreshState {
    /// Returns the result of the last walk if nothing has changed since, and what to do next.
    fn unchanged(&mut self) -> Option<(RefreshResult, NextStep)> {
        let (opened, freshness) = self.walked.as_ref()?;
        let is_usable = !opened.is_spoiled.load(Ordering::Relaxed) && freshness.stale.is_none();
        let next = if is_usable { self.monitor.next_step() } else { NextStep::Walk };
        (next != NextStep::Walk).then(|| ((opened.clone(), freshness.rechecked()), next))
    }

    /// Walks all files. The new index takes over the caches of the last one.
    fn walk(&mut self, progress: &dyn Progress) -> Result<RefreshResult, CliError> {
        let walk = self.monitor.begin_walk(self.walked.as_ref().map(|(opened, _)| &opened.kb))?;
        let (snapshot, freshness) = walk.kb.refresh(progress)?;
        let kb = self.monitor.end_walk(walk, &freshness);
        let found = (OpenedKb::new(kb, snapshot), freshness);
        self.walked = Some(found.clone());
        Ok(found)
    }
}

/// Writes a partial index if there is none, for requests that arrive before the first refresh is done.
fn begin(places: &SystemDirs, progress: &dyn Progress) -> Result<(), CliError> {
    Ok(KnowledgeBase::open(Config::load(places, &[])?).begin(INITIAL_DOCUMENTS_PER_TREE, progress)?)
}

fn last_commit(places: &SystemDirs) -> Result<Option<RefreshResult>, CliError> {
    let kb = KnowledgeBase::open(Config::load(places, &[])?);
    let last = kb.last_commit()?;
    let fresh = |snapshot| OpenedKb::new(kb, snapshot);
    Ok(last.map(|(snapshot, freshness)| (fresh(snapshot), freshness)))
}
