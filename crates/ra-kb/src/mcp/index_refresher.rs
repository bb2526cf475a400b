//! Keeps the index fresh for all requests together.
//!
//! Every answer is based on a look at the disk that began after its question arrived. The looks are taken in
//! rounds, one at a time, and each serves everybody who asked before it began. The first round begins with the
//! server. Whoever asks during a long one gets the commit before it, and is told so.
//!
//! Where a lookout can tell that nothing has changed, a round is over at once. A walk over all files proves it
//! right now and then; a lookout that was wrong is not asked again.

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
use super::opened_kb::OpenedKb;
use super::refresh_progress::{Counter, RefreshProgress};
use super::worker_pool::{self, Workers};
use crate::error::{self, CliError};

/// How long a question waits for a round before it is answered from the commit before it.
const REFRESH_WAIT: Duration = Duration::from_millis(2500);
/// How often one who waits is told how far the round is.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// How many documents of each tree the first index has. They take a part of a second.
const INITIAL_DOCUMENTS_PER_TREE: usize = 500;

/// How long the questions of one round may keep the next from beginning, at the most.
const MAX_REFRESH_DELAY: Duration = Duration::from_millis(500);

/// How old the last walk may get while the lookout sees nothing, and after which time one is tried again.
const FULL_WALK_INTERVAL: Duration = Duration::from_secs(30);

/// With more links and files with several names than this, there is a walk before every answer.
const MAX_SHARED_FILES: usize = 500;

/// What an answer is based on.
pub(super) struct ServedIndex {
    pub(super) fresh: Arc<OpenedKb>,
    freshness: Freshness,
    /// Whether a lookout has seen that nothing has changed: then everything is on disks of this machine.
    pub(super) unchanged: bool,
    /// How far the round is that this answer did not wait for.
    pub(super) indexing: Option<RefreshProgress>,
}

impl ServedIndex {
    fn new((fresh, freshness): RefreshResult, indexing: Option<RefreshProgress>) -> Self {
        Self { fresh, freshness, unchanged: false, indexing }
    }
}

/// What comes of asking for a fresh index.
pub(super) enum Availability {
    /// An index to answer from.
    Ready(ServedIndex),
    /// There is none yet.
    Indexing(RefreshProgress),
    /// There is none, and this is why.
    Failed(String),
}

/// Takes the rounds.
pub(super) struct IndexRefresher {
    places: SystemDirs,
    counter: Arc<Counter>,
    state: Mutex<State>,
    /// Held while a round is being taken.
    refresh_state: Arc<Mutex<RefreshState>>,
    wake: Notify,
    finished: watch::Sender<u64>,
    encoder: Encoder,
}

#[derive(Default)]
struct State {
    /// The number of the round that began last.
    begun: u64,
    outcome: Option<Result<RefreshResult, String>>,
    /// The last that came out well.
    last: Option<RefreshResult>,
}

/// What a round gives.
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

    /// Takes rounds, the first at once and then one whenever somebody has asked; never ends. Questions that have
    /// their index are answered first: a round takes all cores, and the more it serves the better.
    pub(super) async fn refresh_forever(&self, workers: &Workers) {
        let (places, counter) = (self.places.clone(), self.counter.clone());
        // What goes wrong here goes wrong again in the first round, which says so.
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

    /// What the last walk found, when a lookout can tell that nothing has changed since then. Such a look takes no round.
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

    /// A round that looks at every file, on a thread of its own.
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
            // Nobody waits for either, and an index that cannot be read says so where it is asked.
            self.encoder.encode(fresh.clone());
            let fresh = fresh.clone();
            task::spawn_blocking(move || fresh.snapshot.warm());
        }
        outcome
    }

    /// The index as the disk is now; or, when that takes long, the best there is. While the question waits,
    /// `tell` hears how far the round is.
    pub(super) async fn fresh_index<F: Future<Output = ()>>(
        &self,
        tell: impl Fn(RefreshProgress) -> F,
    ) -> Availability {
        if let Some((fresh, freshness)) = self.unchanged() {
            return Availability::Ready(ServedIndex { fresh, freshness, unchanged: true, indexing: None });
        }
        let wanted = self.with(|state| state.begun + 1);
        let mut finished = self.finished.subscribe();
        self.wake.notify_one();
        let deadline = Instant::now() + REFRESH_WAIT;
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

    /// The last commit: of an earlier round, or as it lies on the disk.
    async fn make_do(&self) -> Availability {
        let indexing = self.counter.now();
        if let Some(refreshed) = self.with(|state| state.last.clone()) {
            return Availability::Ready(ServedIndex::new(refreshed, Some(indexing)));
        }
        let places = self.places.clone();
        match task::spawn_blocking(move || last_commit(&places)).await {
            Ok(Ok(Some(refreshed))) => Availability::Ready(ServedIndex::new(refreshed, Some(indexing))),
            Ok(Ok(None)) => Availability::Indexing(indexing),
            Ok(Err(error)) => Availability::Failed(error::plain_text(&error)),
            Err(failed) => Availability::Failed(worker_pool::stopped(failed).text()),
        }
    }

    /// How far the round is that is being taken; none when there is nothing to read.
    pub(super) fn indexing(&self) -> Option<RefreshProgress> {
        Some(self.counter.now()).filter(|indexing| indexing.total > 0)
    }

    /// The instructions, from the last commit; none when the configuration cannot be read.
    pub(super) fn instructions(&self) -> Option<String> {
        match self.with(|state| state.last.clone()) {
            Some((fresh, _)) => Some(instructions::with_trees(&fresh.kb, Some(&fresh.snapshot))),
            None => instructions::from_disk(&self.places),
        }
    }

    /// Where the configuration is looked for.
    pub(super) fn places(&self) -> &SystemDirs {
        &self.places
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        // A panic while the lock was held cannot have left anything half done.
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What one round leaves for the next.
struct RefreshState {
    places: SystemDirs,
    /// What the last walk found, as long as it is as good as a new one.
    settled: Option<RefreshResult>,
    /// The last index that was opened, whose memory the next one takes over.
    last: Option<Arc<OpenedKb>>,
    watcher: Option<ChangeWatcher>,
    /// When there could be none the last time.
    unwatchable: Option<Instant>,
    /// When the last walk was.
    walked: Instant,
    /// Whether the next round has to prove the lookout right.
    proving: bool,
    /// Whether it was wrong once.
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

    /// Whether the lookout has been relied on for so long that the next round should be a walk, which then nobody
    /// has asked for.
    fn needs_full_walk(&mut self) -> bool {
        self.proving =
            self.settled.is_some() && self.watcher.is_some() && self.walked.elapsed() > FULL_WALK_INTERVAL;
        self.proving
    }

    /// What the last walk found, when nothing has changed since then.
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

    /// Looks at every file. The configuration is read again, so that a change to it counts from the next question
    /// on.
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
        // What is watched before the walk cannot change unnoticed after it.
        let worth_trying = self.unwatchable.is_none_or(|failed| failed.elapsed() > FULL_WALK_INTERVAL);
        if self.watcher.is_none() && !self.distrusted && worth_trying {
            self.watcher = ChangeWatcher::start(&kb, files);
            self.unwatchable = self.watcher.is_none().then(Instant::now);
        }
        let (snapshot, freshness) = kb.refresh(progress)?;
        self.walked = Instant::now();
        let changed = freshness.added + freshness.modified + freshness.removed > 0;
        if proving && changed && before == Some(ObservedChange::Nothing) {
            // Either the change came during the walk and is reported by now, or it never will be.
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

    /// Has the lookout attend to files that can change without a change in their directory. Whether it knew them all
    /// before the walk; a file that it did not may have changed since then.
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

/// Makes a small index where there is none, for the questions that come before the first round is over.
fn begin(places: &SystemDirs, progress: &dyn Progress) -> Result<(), CliError> {
    Ok(KnowledgeBase::open(Config::load(places, &[])?).begin(INITIAL_DOCUMENTS_PER_TREE, progress)?)
}

fn last_commit(places: &SystemDirs) -> Result<Option<RefreshResult>, CliError> {
    let kb = KnowledgeBase::open(Config::load(places, &[])?);
    let last = kb.last_commit()?;
    let fresh = |snapshot| OpenedKb::new(kb, snapshot);
    Ok(last.map(|(snapshot, freshness)| (fresh(snapshot), freshness)))
}

impl ServedIndex {
    /// What the answer has to say of the index.
    pub(super) fn freshness(&self) -> Freshness {
        let mut freshness = self.freshness.clone();
        if let Some(indexing) = &self.indexing {
            let missing = if self.fragment().is_some() { ", and most are missing from it" } else { "" };
            freshness.stale = Some(format!("{indexing}{missing}; ask again in a moment"));
        }
        freshness
    }

    /// How far the round is, where the index has only the first documents: what is not found in it may be there all the
    /// same.
    pub(super) fn fragment(&self) -> Option<RefreshProgress> {
        self.indexing.filter(|_| self.fresh.snapshot.commit().is_fragment)
    }
}
