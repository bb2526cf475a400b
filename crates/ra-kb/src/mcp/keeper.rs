//! Keeps the index fresh for all requests together.
//!
//! Every answer is based on a look at the disk that began after its question arrived. The looks are taken in
//! rounds, one at a time, and each serves everybody who asked before it began: a hundred questions at once
//! cost two rounds, not a hundred. The first round begins with the server, before anybody has asked. Whoever
//! asks during a long one does not wait for its end, but gets the commit before it, and is told so.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ra_core::config::{Config, Places};
use ra_core::index::Snapshot;
use ra_core::kb::{Freshness, KnowledgeBase, Progress};
use tokio::sync::{Notify, watch};
use tokio::task;
use tokio::time::{self, Instant};

use super::work::{self, Workers};
use crate::error::{self, CliError};

/// How long a question waits for a round before it is answered from the commit before it.
const PATIENCE: Duration = Duration::from_millis(2500);
/// How often one who waits is told how far the round is.
const TELL: Duration = Duration::from_millis(200);

/// How many documents of each tree the first index has. They take a part of a second.
const FIRST: usize = 500;

/// How long the questions of one round may keep the next from beginning, at the most.
const HEAD_START: Duration = Duration::from_millis(500);

/// The knowledge base with its index, opened at one commit.
pub(super) struct Fresh {
    pub(super) kb: KnowledgeBase,
    pub(super) snapshot: Snapshot,
    freshness: Freshness,
}

/// What an answer is based on.
pub(super) struct Basis {
    pub(super) fresh: Arc<Fresh>,
    /// How far the round is that this answer did not wait for.
    pub(super) indexing: Option<Indexing>,
}

/// How far a round is: documents read, of all that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indexing {
    pub(super) done: usize,
    pub(super) total: usize,
}

/// What comes of asking for a fresh index.
pub(super) enum Consulted {
    /// An index to answer from.
    Basis(Basis),
    /// There is none yet.
    Indexing(Indexing),
    /// There is none, and this is why.
    Failed(String),
}

/// Takes the rounds.
pub(super) struct Keeper {
    places: Places,
    counter: Arc<Counter>,
    state: Mutex<State>,
    wake: Notify,
    finished: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    /// The number of the round that began last.
    begun: u64,
    outcome: Option<Result<Arc<Fresh>, String>>,
    /// The last that came out well.
    last: Option<Arc<Fresh>>,
}

impl Keeper {
    pub(super) fn new(places: Places) -> Arc<Self> {
        Arc::new(Self {
            places,
            counter: Arc::default(),
            state: Mutex::default(),
            wake: Notify::new(),
            finished: watch::Sender::new(0),
        })
    }

    /// Takes rounds, the first at once and then one whenever somebody has asked; never ends. Questions that have
    /// their index are answered first: a round takes all cores, and the more it serves the better.
    pub(super) async fn keep(&self, workers: &Workers) {
        let (places, counter) = (self.places.clone(), self.counter.clone());
        // What goes wrong here goes wrong again in the first round, which says so.
        let _ = task::spawn_blocking(move || begin(&places, &*counter)).await;
        loop {
            let began = Instant::now();
            let number = self.with(|state| {
                state.begun += 1;
                state.begun
            });
            let (places, counter) = (self.places.clone(), self.counter.clone());
            let round = task::spawn_blocking(move || freshen(&places, &*counter)).await;
            self.counter.begin(0);
            let outcome = match round {
                Ok(Ok(fresh)) => Ok(Arc::new(fresh)),
                Ok(Err(error)) => Err(error::plain_text(&error)),
                Err(failed) => Err(work::stopped(failed).text()),
            };
            self.with(|state| {
                if let Ok(fresh) = &outcome {
                    state.last = Some(fresh.clone());
                }
                state.outcome = Some(outcome);
            });
            self.finished.send_replace(number);
            let _ = time::timeout(HEAD_START.min(4 * began.elapsed()), workers.drained()).await;
            self.wake.notified().await;
        }
    }

    /// The index as the disk is now; or, when that takes long, the best there is. While the question waits,
    /// `tell` hears how far the round is.
    pub(super) async fn consult<F: Future<Output = ()>>(&self, tell: impl Fn(Indexing) -> F) -> Consulted {
        let wanted = self.with(|state| state.begun + 1);
        let mut finished = self.finished.subscribe();
        self.wake.notify_one();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let next = deadline.min(Instant::now() + TELL);
            let done = async { finished.wait_for(|number| *number >= wanted).await.is_ok() };
            match time::timeout_at(next, done).await {
                Ok(_) => break,
                Err(_) if Instant::now() >= deadline => return self.make_do().await,
                Err(_) => tell(self.counter.now()).await,
            }
        }
        match self.with(|state| state.outcome.clone()) {
            Some(Ok(fresh)) => Consulted::Basis(Basis { fresh, indexing: None }),
            Some(Err(error)) => Consulted::Failed(error),
            None => Consulted::Indexing(self.counter.now()),
        }
    }

    /// The last commit: of an earlier round, or as it lies on the disk.
    async fn make_do(&self) -> Consulted {
        let indexing = self.counter.now();
        if let Some(fresh) = self.with(|state| state.last.clone()) {
            return Consulted::Basis(Basis { fresh, indexing: Some(indexing) });
        }
        let places = self.places.clone();
        match task::spawn_blocking(move || last_commit(&places)).await {
            Ok(Ok(Some(fresh))) => {
                Consulted::Basis(Basis { fresh: Arc::new(fresh), indexing: Some(indexing) })
            }
            Ok(Ok(None)) => Consulted::Indexing(indexing),
            Ok(Err(error)) => Consulted::Failed(error::plain_text(&error)),
            Err(failed) => Consulted::Failed(work::stopped(failed).text()),
        }
    }

    /// How far the round is that is being taken; none when there is nothing to read.
    pub(super) fn indexing(&self) -> Option<Indexing> {
        Some(self.counter.now()).filter(|indexing| indexing.total > 0)
    }

    /// Where the configuration is looked for.
    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        // A panic while the lock was held cannot have left anything half done.
        change(&mut self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

/// A round. The configuration is read again, so that a change to it counts from the next question on.
fn freshen(places: &Places, progress: &dyn Progress) -> Result<Fresh, CliError> {
    let kb = KnowledgeBase::open(Config::load(places, &[])?);
    let (snapshot, freshness) = kb.freshen(progress)?;
    Ok(Fresh { kb, snapshot, freshness })
}

/// Makes a small index where there is none, for the questions that come before the first round is over.
fn begin(places: &Places, progress: &dyn Progress) -> Result<(), CliError> {
    Ok(KnowledgeBase::open(Config::load(places, &[])?).begin(FIRST, progress)?)
}

fn last_commit(places: &Places) -> Result<Option<Fresh>, CliError> {
    let kb = KnowledgeBase::open(Config::load(places, &[])?);
    let last = kb.last_commit()?;
    Ok(last.map(|(snapshot, freshness)| Fresh { kb, snapshot, freshness }))
}

impl Basis {
    /// What the answer has to say of the index.
    pub(super) fn freshness(&self) -> Freshness {
        let mut freshness = self.fresh.freshness.clone();
        if let Some(indexing) = &self.indexing {
            freshness.stale = Some(format!("{indexing}; ask again in a moment"));
        }
        freshness
    }
}

impl std::fmt::Display for Indexing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.total {
            0 => write!(f, "still comparing the index with the disk"),
            total => write!(f, "still indexing, {} of {total} documents read", self.done),
        }
    }
}

/// Counts the documents of a round as they are read.
#[derive(Default)]
struct Counter {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Counter {
    fn now(&self) -> Indexing {
        let total = self.total.load(Ordering::Relaxed);
        Indexing { done: self.done.load(Ordering::Relaxed).min(total), total }
    }
}

impl Progress for Counter {
    fn begin(&self, documents: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(documents, Ordering::Relaxed);
    }

    fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// What has been read is not yet written; the round says itself when it is over.
    fn end(&self) {}
}
