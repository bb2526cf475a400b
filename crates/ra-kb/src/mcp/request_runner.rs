//! Runs every request: gives it a fresh index, a worker thread and a time limit.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ra_core::Error;
use ra_core::config::{Config, SystemDirs};
use ra_core::index::Snapshot;
use ra_core::kb::{Freshness, IndexSource, IndexState, KnowledgeBase, Status};
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use tokio::{task, time};
use tokio_util::sync::CancellationToken;

use super::instructions;
use crate::error::{self, CliError};
use crate::hints::Surface;
use crate::live::worker_pool::Workers;
use crate::live::{self, Availability, IndexRefresher, OpenedKb, RefreshProgress, ServedIndex};
use crate::request::Caller;

/// The time limit of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a request waits for a refresh before it is answered from the previous commit.
const REFRESH_WAIT: Duration = Duration::from_millis(2500);

/// The same for the list of sources, which agents ask for first, while the server still compares the index
/// with the disk.
const SOURCES_WAIT: Duration = Duration::from_millis(10);

/// How long the handshake may wait for the list of trees.
const INSTRUCTIONS_TIMEOUT: Duration = Duration::from_secs(1);

/// Runs requests; shared by all clients.
pub(crate) struct RequestRunner {
    refresher: Arc<IndexRefresher>,
    workers: Workers,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) enum RequestError {
    /// There is no index to answer from yet.
    Indexing(RefreshProgress),
    /// The request failed; the text contains the error and its hint.
    Error(String),
}

impl From<CliError> for RequestError {
    fn from(error: CliError) -> Self {
        RequestError::Error(error::plain_text(&error))
    }
}

impl From<Error> for RequestError {
    fn from(error: Error) -> Self {
        CliError::from(error).into()
    }
}

impl RequestError {
    /// Creates an error with a hint.
    pub(super) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        CliError::new(message).hint(hint).into()
    }
}

/// Who waits for the answer to a request.
pub(crate) trait Requester {
    /// Cancelled when nobody waits for the answer any more.
    fn cancelled(&self) -> &CancellationToken;

    /// Receives the progress of the refresh that the request waits for. `last` is the last value that was sent.
    fn tell(&self, last: &Mutex<f64>, indexing: RefreshProgress) -> impl Future<Output = ()>;
}

/// A client of the protocol, which may have asked for progress notifications.
impl Requester for RequestContext<RoleServer> {
    fn cancelled(&self) -> &CancellationToken {
        &self.ct
    }

    fn tell(&self, last: &Mutex<f64>, indexing: RefreshProgress) -> impl Future<Output = ()> {
        tell(self, last, indexing)
    }
}

/// A caller that only wants the answer.
impl Requester for CancellationToken {
    fn cancelled(&self) -> &CancellationToken {
        self
    }

    async fn tell(&self, _last: &Mutex<f64>, _indexing: RefreshProgress) {}
}

/// The index that one request reads from.
pub(crate) struct RequestIndex {
    pub(super) served: ServedIndex,
    /// The directory that paths are relative to.
    cwd: PathBuf,
    /// Cancelled when the client no longer waits for the answer; checked between the steps of long work.
    pub(super) cancelled: CancellationToken,
}

impl RequestRunner {
    pub(super) fn new(places: SystemDirs) -> Arc<Self> {
        Arc::new(Self { refresher: IndexRefresher::new(places), workers: Workers::new() })
    }

    /// Keeps the index fresh; never returns.
    pub(super) async fn refresh_forever(self: Arc<Self>) {
        self.refresher.refresh_forever(&self.workers).await;
    }

    /// Runs a request that reads the index.
    pub(crate) async fn run_with_index<T: Send + 'static>(
        &self,
        context: &impl Requester,
        job: impl FnOnce(&RequestIndex) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let work = async {
            let reader = self.reader(context).await?;
            let done = self.workers.run(context.cancelled(), move || job(&reader)).await;
            done.unwrap_or_else(|stopped| Err(RequestError::Error(stopped.text())))
        };
        self.in_time(context, work).await
    }

    /// Returns an index for a request, as fresh as is available.
    async fn reader(&self, context: &impl Requester) -> Result<RequestIndex, RequestError> {
        let last = Mutex::new(0.0);
        match self.refresher.fresh_index(REFRESH_WAIT, |indexing| context.tell(&last, indexing)).await {
            Availability::Ready(served) => {
                let (cwd, cancelled) = (self.refresher.places().cwd.clone(), context.cancelled().clone());
                Ok(RequestIndex { served, cwd, cancelled })
            }
            Availability::Indexing(indexing) => Err(RequestError::Indexing(indexing)),
            Availability::Failed(text) => Err(RequestError::Error(text)),
        }
    }

    /// Runs a request that reads the disk and not the index.
    pub(crate) async fn run_without_index<T: Send + 'static>(
        &self,
        context: &impl Requester,
        job: impl FnOnce(&SystemDirs) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let places = self.refresher.places().clone();
        let work = async {
            let done = self.workers.run(context.cancelled(), move || job(&places)).await;
            done.unwrap_or_else(|stopped| Err(RequestError::Error(stopped.text())))
        };
        self.in_time(context, work).await
    }

    /// Returns the status of the index without walking the disk: the index as a refresh has just left it, or
    /// the last commit. Returns `None` if only a walk can tell what there is: no index exists, or something
    /// could not be read.
    pub(crate) async fn known_status(&self) -> Option<(Arc<OpenedKb>, Status)> {
        let found = self.refresher.fresh_index(SOURCES_WAIT, |_| std::future::ready(())).await;
        let Availability::Ready(served) = found else { return None };
        let freshness = served.freshness();
        if !freshness.warnings.is_empty() {
            return None;
        }
        let mut status = served.fresh.status();
        if served.fragment().is_some() {
            status.index.state = IndexState::Partial;
        } else if freshness.stale.is_some() {
            status.index.state = IndexState::Unchecked;
        }
        Some((served.fresh, status))
    }

    /// Returns the instructions for a client that connects. It uses the last commit and does not wait for a
    /// refresh.
    pub(crate) async fn instructions(&self) -> String {
        let refresher = self.refresher.clone();
        let written = task::spawn_blocking(move || match refresher.last_commit().ok()? {
            Some(opened) => {
                let whole = Some(&opened.snapshot).filter(|snapshot| !snapshot.commit().is_fragment);
                Some(instructions::with_trees(&opened.kb, whole))
            }
            None => {
                let config = Config::load(refresher.places(), &[]).ok()?;
                Some(instructions::with_trees(&KnowledgeBase::open(config), None))
            }
        });
        match time::timeout(INSTRUCTIONS_TIMEOUT, written).await {
            Ok(Ok(Some(text))) => text,
            _ => instructions::introduction(),
        }
    }

    /// Looks for changes, and returns the number of the commit that is now served. Returns `None` if there is no
    /// index yet.
    pub(crate) async fn generation(&self) -> Option<u64> {
        match self.refresher.fresh_index(REFRESH_WAIT, |_| std::future::ready(())).await {
            Availability::Ready(served) => Some(served.freshness().generation),
            Availability::Indexing(_) | Availability::Failed(_) => None,
        }
    }

    /// Returns the progress of the running refresh, if there is one.
    pub(crate) fn indexing(&self) -> Option<RefreshProgress> {
        self.refresher.indexing()
    }

    async fn in_time<T>(
        &self,
        context: &impl Requester,
        work: impl Future<Output = Result<T, RequestError>>,
    ) -> Result<T, RequestError> {
        tokio::select! {
            done = time::timeout(REQUEST_TIMEOUT, work) => done.unwrap_or_else(|_| {
                context.cancelled().cancel();
                let message = format!("the request took longer than {} seconds", REQUEST_TIMEOUT.as_secs());
                Err(RequestError::new(message, "ask for less at once"))
            }),
            () = context.cancelled().cancelled() => Err(RequestError::Error("error: the request was canceled\n".to_owned())),
        }
    }
}

/// Sends a progress notification to a client that asked for it.
async fn tell(context: &RequestContext<RoleServer>, last: &Mutex<f64>, indexing: RefreshProgress) {
    let Some(token) = context.meta.get_progress_token() else { return };
    let (now, total) = {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, total) = live::progress(*last, indexing);
        *last = now;
        (now, total)
    };
    let mut progress = ProgressNotificationParam::new(token, now);
    progress.total = total;
    // Ignore the error: a disconnected client is noticed when its answer is sent.
    let _ = context.peer.notify_progress(progress.with_message(indexing.to_string())).await;
}

impl IndexSource for RequestIndex {
    fn opened(&self) -> Option<(&Snapshot, Freshness)> {
        Some((&self.served.fresh.snapshot, self.served.freshness()))
    }

    fn may_rebuild(&self) -> bool {
        self.served.fresh.is_spoiled.store(true, Ordering::Relaxed);
        true
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }
}

impl RequestIndex {
    /// The knowledge base, with the limits of the configuration.
    pub(crate) fn kb(&self) -> &KnowledgeBase {
        &self.served.fresh.kb
    }

    /// Who asks.
    pub(super) fn caller(&self) -> Caller<'_> {
        Caller { surface: Surface::Tools, cwd: &self.cwd }
    }

    /// The directory that paths are relative to.
    pub(crate) fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The index, opened at one commit.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.served.fresh.snapshot
    }

    /// The number of the commit that this request reads.
    pub(crate) fn generation(&self) -> u64 {
        self.snapshot().commit().generation
    }

    /// The knowledge base with its index, for work that goes on after the request.
    pub(crate) fn opened_kb(&self) -> Arc<OpenedKb> {
        self.served.fresh.clone()
    }

    /// Returns the status of the commit that this request reads.
    pub(crate) fn status(&self) -> Status {
        self.served.fresh.status()
    }

    /// Returns an error if the request was canceled.
    pub(crate) fn check(&self) -> Result<(), RequestError> {
        if self.is_cancelled() {
            return Err(RequestError::Error("error: the request was canceled\n".to_owned()));
        }
        Ok(())
    }
}
