//! The connections of an HTTP server. Their number is limited, and one that has no request in work gives way to a new one.
//!
//! So clients that open connections and never finish their requests cannot keep others out: they only displace each other.

use std::collections::BTreeMap;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time;
use tokio_util::sync::CancellationToken;

/// The most connections that are open at once. Systems that allow a process 256 descriptors have enough of them left for
/// documents and the index.
const MAX_CONNECTIONS: usize = 128;
/// How long a client may take to send the headers of a request, the time before their first byte included.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// How many pipes, of two descriptors each, a process must be able to open besides its connections.
const SPARE_PIPES: usize = 8;
/// How long a new connection waits before it looks for room again.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// All connections of a server.
#[derive(Clone, Default)]
struct Connections(Arc<Shared>);

#[derive(Default)]
struct Shared {
    open: Mutex<Open>,
    closed_one: Notify,
}

#[derive(Default)]
struct Open {
    /// Counts connections and the requests on them.
    clock: u64,
    connections: BTreeMap<u64, Connection>,
}

struct Connection {
    /// When it had no request in work for the first time since the last one; none while it has one.
    idle_since: Option<u64>,
    displaced: CancellationToken,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self) -> Slot {
        let mut open = self.open();
        let number = open.tick();
        let displaced = CancellationToken::new();
        open.connections
            .insert(number, Connection { idle_since: Some(number), displaced: displaced.clone() });
        drop(open);
        Slot { number, connections: self.clone(), displaced }
    }

    /// Waits until one more connection may be served. If need be, the one that has been idle the longest is closed.
    async fn make_room(&self) {
        loop {
            let closed_one = self.0.closed_one.notified();
            if self.open().connections.len() < MAX_CONNECTIONS && has_spare_descriptors() {
                return;
            }
            self.open().displace();
            let _ = time::timeout(RETRY_DELAY, closed_one).await;
        }
    }

    async fn all_closed(&self) {
        while !self.open().connections.is_empty() {
            let _ = time::timeout(RETRY_DELAY, self.0.closed_one.notified()).await;
        }
    }
}

impl Open {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// Closes the connection that has been idle the longest. Nothing happens when every connection has a request in work.
    fn displace(&mut self) {
        let waiting = self.connections.values().filter(|connection| !connection.displaced.is_cancelled());
        let idle = waiting.filter(|connection| connection.idle_since.is_some());
        if let Some(longest) = idle.min_by_key(|connection| connection.idle_since) {
            longest.displaced.cancel();
        }
    }
}

fn has_spare_descriptors() -> bool {
    (0..SPARE_PIPES).map(|_| io::pipe()).collect::<io::Result<Vec<_>>>().is_ok()
}

/// The place of one connection among all.
struct Slot {
    number: u64,
    connections: Connections,
    displaced: CancellationToken,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.open().connections.remove(&self.number);
        self.connections.0.closed_one.notify_waiters();
    }
}

/// Lets the requests of a connection say when they are in work. It is among the extensions of each request.
#[derive(Clone)]
pub(super) struct Activity {
    number: u64,
    connections: Connections,
}

/// A connection isn't displaced while this exists.
pub(super) struct InWork(Activity);

impl Activity {
    /// Says that a request has arrived in full and is being answered.
    pub(super) fn begin(self) -> InWork {
        self.set(None);
        InWork(self)
    }

    fn set(&self, idle_since: Option<u64>) {
        if let Some(connection) = self.connections.open().connections.get_mut(&self.number) {
            connection.idle_since = idle_since;
        }
    }
}

impl Drop for InWork {
    fn drop(&mut self) {
        let now = self.0.connections.open().tick();
        self.0.set(Some(now));
    }
}

/// Serves every connection until `stop` is set, and then waits for the last answers.
pub(super) async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let connections = Connections::default();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, _)) => {
                tokio::select! {
                    () = connections.make_room() => {}
                    () = stop.cancelled() => break,
                }
                tokio::spawn(serve_one(stream, connections.add(), router.clone(), stop.clone()));
            }
            // Either the client is gone already, or there are no descriptors: then a connection has to give way.
            Err(_) => {
                connections.open().displace();
                time::sleep(RETRY_DELAY).await;
            }
        }
    }
    connections.all_closed().await;
}

async fn serve_one(stream: TcpStream, slot: Slot, router: Router, stop: CancellationToken) {
    // Answers are written at once, so there is nothing to collect.
    let _ = stream.set_nodelay(true);
    let activity = Activity { number: slot.number, connections: slot.connections.clone() };
    let service = TowerToHyperService::new(router.layer(Extension(activity)));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), service));
    // How a connection ends is of no interest: its client has noticed.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = slot.displaced.cancelled() => {}
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_has_been_idle_the_longest_gives_way() {
        let connections = Connections::default();
        let slots: Vec<Slot> = (0..4).map(|_| connections.add()).collect();
        let activity = |nr: usize| Activity { number: slots[nr].number, connections: connections.clone() };
        let displaced = || slots.iter().map(|slot| slot.displaced.is_cancelled()).collect::<Vec<_>>();
        let _in_work = activity(0).begin();
        drop(activity(1).begin());
        assert_eq!(displaced(), [false; 4]);
        for expected in [
            [false, false, true, false],
            [false, false, true, true],
            [false, true, true, true],
            [false, true, true, true],
        ] {
            connections.open().displace();
            assert_eq!(displaced(), expected);
        }
        drop(slots);
        assert!(connections.open().connections.is_empty());
    }
}
