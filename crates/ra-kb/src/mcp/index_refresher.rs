//! Keeps the index fresh for all requests together.
//!
//! Every answer is based on a refresh that began after its request arrived. Refreshes run one at a time, and
//! each serves all requests that arrived before it began. The first one begins when the server starts. A
//! request that would have to wait too long for a refresh is answered from the previous commit, and the answer
//! says so.
//!
//! If a change watcher can tell that nothing has changed, a refresh is over at once. Now and then a walk over
//! all files verifies the watcher; a watcher that was wrong is never used again.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;

use ra_core::config::{Config, SystemDirs};
use ra_core::kb::{Freshness, KnowledgeBase, Progress};
use tokio::sync::{Notify, watch};
use tokio::task;
use tokio::time::{self, Instant};

use super::change_watcher::{ChangeWatcher, ObservedChange, stamped};
use super::encoder::Encoder;
use super::instructions;
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

/// The maximum age of the last full walk while the watcher reports nothing, and the delay before a failed
/// watcher is tried again.
const FULL_WALK_INTERVAL: Duration = Duration::from_secs(30);

/// If there are more symlinks and hard-linked files than this, every request walks all files.
const MAX_SHARED_FILES: usize = 500;

/// The result of asking for a fresh index.
pub(super) enum Availability {
    /// An index to answer from.
    Ready(ServedIndex),
    /// There is no index yet.
    Indexing(RefreshProgress),
    /// There is no index; the text says why.
    Failed(String),
}

/// Runs the refreshes.
pub(super) struct IndexRefresher {
    places: SystemDirs,
    counter: Arc<Counter>,
    state: Mutex<State>,
    /// Locked while a refresh runs.
    refresh_state: Arc<Mutex<RefreshState>>,
    wake: Notify,
    finished: watch::Sender<u64>,
    encoder: Encoder,
}

#[derive(Default)]
struct State {
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
    pub(super) fn new(places: SystemDirs) -> Arc<Self> {
        Arc::new(Self {
            refresh_state: Arc::new(Mutex::new(RefreshState::new(places.clone()))),
            places,
            counter: Arc::default(),
            state: Mutex::default(),
            wake: Notify::new(),
            finished: watch::Sender::new(0),
            encoder: Encoder::default(),
        })
    }

    /// Runs refreshes, the first at once and then one whenever a request needs it; never returns. Requests that
    /// already have their index finish first: a refresh uses all cores, and the more requests it serves the
    /// better.
    pub(super) async fn refresh_forever(&self, workers: &Workers) {
        let (places, counter) = (self.places.clone(), self.counter.clone());
        // Ignore the error: the first refresh hits it again and reports it.
        let _ = task::spawn_blocking(move || begin(&places, &*counter)).await;
        self.counter.reset(0);
        loop {
            let began = Instant::now();
            let number = self.with(|state| {
                state.begun += 1;
                state.begun
            });
            let outcome = match self.unchanged() {
                Some(found) => Ok(found),
                None => self.walk().await,
            };
            self.with(|state| {
                if let Ok(found) = &outcome {
                    state.last = Some(found.clone());
                }
                state.outcome = Some(outcome);
            });
            self.finished.send_replace(number);
            let _ =
                time::timeout(MAX_REFRESH_DELAY.min(4 * began.elapsed()), workers.wait_until_idle()).await;
            self.wake.notified().await;
        }
    }

    /// Returns the result of the last walk if the watcher knows that nothing has changed since. No walk is
    /// needed for this.
    pub(super) fn unchanged(&self) -> Option<RefreshResult> {
        let mut refresh_state = match self.refresh_state.try_lock() {
            Ok(refresh_state) => refresh_state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let found = refresh_state.unchanged();
        if found.is_some() && refresh_state.needs_full_walk() {
            self.wake.notify_one();
        }
        found
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
    pub(super) async fn fresh_index<F: Future<Output = ()>>(
        &self,
        wait: Duration,
        tell: impl Fn(RefreshProgress) -> F,
    ) -> Availability {
        if let Some(opened) = self.unchanged() {
            return Availability::Ready(ServedIndex::unchanged(opened));
        }
        let wanted = self.with(|state| state.begun + 1);
        let mut finished = self.finished.subscribe();
        self.wake.notify_one();
        let deadline = Instant::now() + wait;
        loop {
            let next = deadline.min(Instant::now() + PROGRESS_INTERVAL);
            let done = async { finished.wait_for(|number| *number >= wanted).await.is_ok() };
            match time::timeout_at(next, done).await {
                Ok(_) => break,
                Err(_) if Instant::now() >= deadline => return self.make_do().await,
                Err(_) => tell(self.counter.now()).await,
            }
        }
        match self.with(|state| state.outcome.clone()) {
            Some(Ok(refreshed)) => Availability::Ready(ServedIndex::new(refreshed, None)),
            Some(Err(error)) => Availability::Failed(error),
            None => Availability::Indexing(self.counter.now()),
        }
    }

    /// Returns the last commit: from an earlier refresh, or from disk.
    async fn make_do(&self) -> Availability {
        let indexing = self.counter.now();
        if let Some(refreshed) = self.with(|state| state.last.clone()) {
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
    pub(super) fn indexing(&self) -> Option<RefreshProgress> {
        Some(self.counter.now()).filter(|indexing| indexing.total > 0)
    }

    /// Keeps the last commit, which takes long to open, until the first refresh is done.
    fn remember(&self, committed: RefreshResult) -> RefreshResult {
        self.with(|state| state.last.get_or_insert(committed).clone())
    }

    /// Returns the instructions, from the last commit, or `None` if the configuration cannot be read.
    pub(super) fn instructions(&self) -> Option<String> {
        let opened = match self.with(|state| state.last.clone()) {
            None => last_commit(&self.places).ok()?.map(|committed| self.remember(committed)),
            last => last,
        };
        match opened {
            Some((fresh, _)) => {
                let whole = Some(&fresh.snapshot).filter(|snapshot| !snapshot.commit().is_fragment);
                Some(instructions::with_trees(&fresh.kb, whole))
            }
            None => {
                let kb = KnowledgeBase::open(Config::load(&self.places, &[]).ok()?);
                Some(instructions::with_trees(&kb, None))
            }
        }
    }

    /// The directories where the configuration is looked up.
    pub(super) fn places(&self) -> &SystemDirs {
        &self.places
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        // A panic while the lock was held cannot have left the state inconsistent.
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// State that one refresh leaves for the next.
struct RefreshState {
    places: SystemDirs,
    /// The result of the last walk, while it can be served without another walk.
    settled: Option<RefreshResult>,
    /// The last index that was opened; the next one takes over its caches.
    last: Option<Arc<OpenedKb>>,
    watcher: Option<ChangeWatcher>,
    /// When starting a watcher last failed.
    unwatchable: Option<Instant>,
    /// The time of the last full walk.
    walked: Instant,
    /// True if the next refresh must be a full walk that verifies the watcher.
    proving: bool,
    /// True if the watcher missed a change once.
    distrusted: bool,
}

impl RefreshState {
    fn new(places: SystemDirs) -> Self {
        let walked = Instant::now();
        Self {
            places,
            settled: None,
            last: None,
            watcher: None,
            unwatchable: None,
            walked,
            proving: false,
            distrusted: false,
        }
    }

    /// True if the last full walk is so old that the next refresh should be one, even though no request needs
    /// it.
    fn needs_full_walk(&mut self) -> bool {
        self.proving =
            self.settled.is_some() && self.watcher.is_some() && self.walked.elapsed() > FULL_WALK_INTERVAL;
        self.proving
    }

    /// Returns the result of the last walk if nothing has changed since.
    fn unchanged(&mut self) -> Option<RefreshResult> {
        if self.proving {
            return None;
        }
        let (fresh, freshness) = self.settled.as_ref()?;
        if fresh.spoiled.load(Ordering::Relaxed) {
            self.settled = None;
            return None;
        }
        let seen = self.watcher.as_mut()?.look();
        if seen == ObservedChange::Places {
            self.watcher = None;
        }
        if seen != ObservedChange::Nothing {
            self.settled = None;
            return None;
        }
        Some((fresh.clone(), freshness.rechecked()))
    }

    /// Walks all files. The configuration is read again, so a change to it takes effect with the next request.
    fn walk(&mut self, progress: &dyn Progress) -> Result<RefreshResult, CliError> {
        self.settled = None;
        let proving = std::mem::take(&mut self.proving);
        let before = self.watcher.as_mut().map(ChangeWatcher::look);
        if before == Some(ObservedChange::Places) {
            self.watcher = None;
        }
        let files = stamped(self.places.files());
        let config = Config::load(&self.places, &[])?;
        let kb = match &self.last {
            Some(last) => last.kb.with(config),
            None => KnowledgeBase::open(config),
        };
        // Start the watcher before the walk; otherwise a change during the walk would be missed.
        let worth_trying = self.unwatchable.is_none_or(|failed| failed.elapsed() > FULL_WALK_INTERVAL);
        if self.watcher.is_none() && !self.distrusted && worth_trying {
            self.watcher = ChangeWatcher::start(&kb, files);
            self.unwatchable = self.watcher.is_none().then(Instant::now);
        }
        let (snapshot, freshness) = kb.refresh(progress)?;
        self.walked = Instant::now();
        let changed = freshness.added + freshness.modified + freshness.removed > 0;
        if proving && changed && before == Some(ObservedChange::Nothing) {
            // A change made during the walk has been reported by now. If there is no report, the watcher missed
            // it.
            self.distrusted = self.watcher.as_mut().map(ChangeWatcher::look) == Some(ObservedChange::Nothing);
            self.watcher = None;
        }
        let known = self.watch_shared_files(&freshness.shared);
        let fresh = OpenedKb::new(kb, snapshot);
        self.last = Some(fresh.clone());
        let found = (fresh, freshness);
        if found.1.stale.is_none() && known {
            self.settled = Some(found.clone());
        }
        Ok(found)
    }

    /// Makes the watcher check files that can change without a change in their directory. Returns true if it
    /// knew them all before the walk; a file that it did not know may have changed since.
    fn watch_shared_files(&mut self, shared: &[PathBuf]) -> bool {
        match &mut self.watcher {
            Some(_) if shared.len() > MAX_SHARED_FILES => {
                self.watcher = None;
                self.unwatchable = Some(Instant::now());
                true
            }
            Some(watcher) => watcher.watch_shared_files(shared),
            None => true,
        }
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
