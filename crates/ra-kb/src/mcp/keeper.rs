//! Keeps the index fresh for all requests together.
//!
//! Every answer is based on a look at the disk that began after its question arrived. The looks are taken in
//! rounds, one at a time, and each serves everybody who asked before it began. The first round begins with the
//! server. Whoever asks during a long one gets the commit before it, and is told so.
//!
//! Where a lookout can tell that nothing has changed, a round is over at once. A walk over all files proves it
//! right now and then; a lookout that was wrong is not asked again.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use ra_core::config::{Config, Places};
use ra_core::index::Snapshot;
use ra_core::kb::{Freshness, KnowledgeBase, Progress, Status};
use tokio::sync::{Notify, watch};
use tokio::task;
use tokio::time::{self, Instant};

use super::encoder::Encoder;
use super::indexing::{Counter, Indexing};
use super::instructions;
use super::lookout::{Lookout, Seen, stamped};
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

/// How old the last walk may get while the lookout sees nothing, and after which time one is tried again.
const PROOF: Duration = Duration::from_secs(30);

/// With more links and files with several names than this, there is a walk before every answer.
const MOST_SHARED: usize = 500;

/// The knowledge base with its index, opened at one commit.
pub(super) struct Fresh {
    pub(super) kb: KnowledgeBase,
    pub(super) snapshot: Snapshot,
    /// Set when the index turned out to be damaged: the next round opens it again.
    pub(super) spoiled: AtomicBool,
    /// What the commit holds, counted when it is first asked for.
    status: OnceLock<Status>,
}

impl Fresh {
    fn new(kb: KnowledgeBase, snapshot: Snapshot) -> Arc<Self> {
        Arc::new(Self { kb, snapshot, spoiled: AtomicBool::default(), status: OnceLock::new() })
    }

    /// What the commit holds. The manifest of 17,000 documents takes some milliseconds to read, so it is read once.
    pub(super) fn status(&self) -> Status {
        self.status.get_or_init(|| self.kb.status_in(&self.snapshot)).clone()
    }
}

/// What an answer is based on.
pub(super) struct Basis {
    pub(super) fresh: Arc<Fresh>,
    freshness: Freshness,
    /// Whether a lookout has seen that nothing has changed: then everything is on disks of this machine.
    pub(super) unchanged: bool,
    /// How far the round is that this answer did not wait for.
    pub(super) indexing: Option<Indexing>,
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
    /// Held while a round is being taken.
    rounds: Arc<Mutex<Rounds>>,
    wake: Notify,
    finished: watch::Sender<u64>,
    encoder: Encoder,
}

#[derive(Default)]
struct State {
    /// The number of the round that began last.
    begun: u64,
    outcome: Option<Result<Found, String>>,
    /// The last that came out well.
    last: Option<Found>,
}

/// What a round gives.
type Found = (Arc<Fresh>, Freshness);

impl Keeper {
    pub(super) fn new(places: Places) -> Arc<Self> {
        Arc::new(Self {
            rounds: Arc::new(Mutex::new(Rounds::new(places.clone()))),
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
    pub(super) async fn keep(&self, workers: &Workers) {
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
            let _ = time::timeout(HEAD_START.min(4 * began.elapsed()), workers.drained()).await;
            self.wake.notified().await;
        }
    }

    /// What the last walk found, when a lookout can tell that nothing has changed since then. Such a look takes no round.
    pub(super) fn unchanged(&self) -> Option<Found> {
        let mut rounds = match self.rounds.try_lock() {
            Ok(rounds) => rounds,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let found = rounds.unchanged();
        if found.is_some() && rounds.wants_proof() {
            self.wake.notify_one();
        }
        found
    }

    /// A round that looks at every file, on a thread of its own.
    async fn walk(&self) -> Result<Found, String> {
        let (rounds, counter) = (self.rounds.clone(), self.counter.clone());
        let walked = task::spawn_blocking(move || {
            rounds.lock().unwrap_or_else(PoisonError::into_inner).walk(&*counter)
        });
        let outcome = match walked.await {
            Ok(outcome) => outcome.map_err(|error| error::plain_text(&error)),
            Err(failed) => Err(work::stopped(failed).text()),
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
    pub(super) async fn consult<F: Future<Output = ()>>(&self, tell: impl Fn(Indexing) -> F) -> Consulted {
        if let Some((fresh, freshness)) = self.unchanged() {
            return Consulted::Basis(Basis { fresh, freshness, unchanged: true, indexing: None });
        }
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
            Some(Ok((fresh, freshness))) => {
                Consulted::Basis(Basis { fresh, freshness, unchanged: false, indexing: None })
            }
            Some(Err(error)) => Consulted::Failed(error),
            None => Consulted::Indexing(self.counter.now()),
        }
    }

    /// The last commit: of an earlier round, or as it lies on the disk.
    async fn make_do(&self) -> Consulted {
        let indexing = self.counter.now();
        if let Some((fresh, freshness)) = self.with(|state| state.last.clone()) {
            return Consulted::Basis(Basis { fresh, freshness, unchanged: false, indexing: Some(indexing) });
        }
        let places = self.places.clone();
        match task::spawn_blocking(move || last_commit(&places)).await {
            Ok(Ok(Some((fresh, freshness)))) => {
                Consulted::Basis(Basis { fresh, freshness, unchanged: false, indexing: Some(indexing) })
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

    /// The instructions, from the last commit; none when the configuration cannot be read.
    pub(super) fn instructions(&self) -> Option<String> {
        match self.with(|state| state.last.clone()) {
            Some((fresh, _)) => Some(instructions::with_trees(&fresh.kb, Some(&fresh.snapshot))),
            None => instructions::from_disk(&self.places),
        }
    }

    /// Where the configuration is looked for.
    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        // A panic while the lock was held cannot have left anything half done.
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What one round leaves for the next.
struct Rounds {
    places: Places,
    /// What the last walk found, as long as it is as good as a new one.
    settled: Option<Found>,
    /// The last index that was opened, whose memory the next one takes over.
    last: Option<Arc<Fresh>>,
    lookout: Option<Lookout>,
    /// When there could be none the last time.
    unwatchable: Option<Instant>,
    /// When the last walk was.
    walked: Instant,
    /// Whether the next round has to prove the lookout right.
    proving: bool,
    /// Whether it was wrong once.
    distrusted: bool,
}

impl Rounds {
    fn new(places: Places) -> Self {
        let walked = Instant::now();
        Self {
            places,
            settled: None,
            last: None,
            lookout: None,
            unwatchable: None,
            walked,
            proving: false,
            distrusted: false,
        }
    }

    /// Whether the lookout has been relied on for so long that the next round should be a walk, which then nobody
    /// has asked for.
    fn wants_proof(&mut self) -> bool {
        self.proving = self.settled.is_some() && self.lookout.is_some() && self.walked.elapsed() > PROOF;
        self.proving
    }

    /// What the last walk found, when nothing has changed since then.
    fn unchanged(&mut self) -> Option<Found> {
        if self.proving {
            return None;
        }
        let (fresh, freshness) = self.settled.as_ref()?;
        if fresh.spoiled.load(Ordering::Relaxed) {
            self.settled = None;
            return None;
        }
        let seen = self.lookout.as_mut()?.look();
        if seen == Seen::Places {
            self.lookout = None;
        }
        if seen != Seen::Nothing {
            self.settled = None;
            return None;
        }
        Some((fresh.clone(), freshness.again()))
    }

    /// Looks at every file. The configuration is read again, so that a change to it counts from the next question
    /// on.
    fn walk(&mut self, progress: &dyn Progress) -> Result<Found, CliError> {
        self.settled = None;
        let proving = std::mem::take(&mut self.proving);
        let before = self.lookout.as_mut().map(Lookout::look);
        if before == Some(Seen::Places) {
            self.lookout = None;
        }
        let files = stamped(self.places.files());
        let config = Config::load(&self.places, &[])?;
        let kb = match &self.last {
            Some(last) => last.kb.with(config),
            None => KnowledgeBase::open(config),
        };
        // What is watched before the walk cannot change unnoticed after it.
        let worth_trying = self.unwatchable.is_none_or(|failed| failed.elapsed() > PROOF);
        if self.lookout.is_none() && !self.distrusted && worth_trying {
            self.lookout = Lookout::over(&kb, files);
            self.unwatchable = self.lookout.is_none().then(Instant::now);
        }
        let (snapshot, freshness) = kb.freshen(progress)?;
        self.walked = Instant::now();
        let changed = freshness.added + freshness.modified + freshness.removed > 0;
        if proving && changed && before == Some(Seen::Nothing) {
            // Either the change came during the walk and is reported by now, or it never will be.
            self.distrusted = self.lookout.as_mut().map(Lookout::look) == Some(Seen::Nothing);
            self.lookout = None;
        }
        let known = self.attend(&freshness.shared);
        let fresh = Fresh::new(kb, snapshot);
        self.last = Some(fresh.clone());
        let found = (fresh, freshness);
        if found.1.stale.is_none() && known {
            self.settled = Some(found.clone());
        }
        Ok(found)
    }

    /// Has the lookout attend to files that can change without a change in their directory. Whether it knew them all
    /// before the walk; a file that it did not may have changed since then.
    fn attend(&mut self, shared: &[PathBuf]) -> bool {
        match &mut self.lookout {
            Some(_) if shared.len() > MOST_SHARED => {
                self.lookout = None;
                self.unwatchable = Some(Instant::now());
                true
            }
            Some(lookout) => lookout.attend(shared),
            None => true,
        }
    }
}

/// Makes a small index where there is none, for the questions that come before the first round is over.
fn begin(places: &Places, progress: &dyn Progress) -> Result<(), CliError> {
    Ok(KnowledgeBase::open(Config::load(places, &[])?).begin(FIRST, progress)?)
}

fn last_commit(places: &Places) -> Result<Option<Found>, CliError> {
    let kb = KnowledgeBase::open(Config::load(places, &[])?);
    let last = kb.last_commit()?;
    let fresh = |snapshot| Fresh::new(kb, snapshot);
    Ok(last.map(|(snapshot, freshness)| (fresh(snapshot), freshness)))
}

impl Basis {
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
    pub(super) fn fragment(&self) -> Option<Indexing> {
        self.indexing.filter(|_| self.fresh.snapshot.commit().is_fragment)
    }
}
