//! The connections of the HTTP server. Their number is limited; if the limit is reached, a new connection
//! displaces an idle one.
//!
//! So clients that open connections and never finish their requests cannot lock out others: they only displace
//! each other.

use std::collections::BTreeMap;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time;
use tokio_util::sync::CancellationToken;

/// The maximum number of open connections. On systems that allow a process 256 descriptors, this leaves enough
/// for documents and the index.
const MAX_CONNECTIONS: usize = 128;
/// How long a client may take to send the headers of a request, including the time before their first byte.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// How many pipes, with two descriptors each, the process must be able to open besides its connections.
const SPARE_PIPES: usize = 8;
/// How long a new connection waits before it checks for room again.
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
    /// A logical clock, which counts connections and finished requests.
    clock: u64,
    connections: BTreeMap<u64, Connection>,
}

struct Connection {
    /// The clock when its last request ended, or when it was opened; `None` while it has a request in progress.
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

    /// Waits until one more connection may be served. If necessary, closes the one that has been idle the
    /// longest.
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

    /// Closes the connection that has been idle the longest, or none if every connection has a request in progress.
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

/// The registration of one connection, removed on drop.
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

/// Marks a connection as busy. Every request has one in its extensions.
#[derive(Clone)]
pub(super) struct Activity {
    number: u64,
    connections: Connections,
}

/// The connection isn't displaced while this exists.
pub(super) struct InWork(Activity);

impl Activity {
    /// Marks the connection as busy: a request has arrived in full and is being answered.
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

/// Serves all connections until `stop` is cancelled, then waits for the last answers.
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
                // Answers are written in one piece, so Nagle's algorithm would only delay them.
                let _ = stream.set_nodelay(true);
                tokio::spawn(serve_one(stream, connections.add(), router.clone(), stop.clone()));
            }
            // Either the client is already gone, or there are no descriptors left and a connection must be
            // closed.
            Err(_) => {
                connections.open().displace();
                time::sleep(RETRY_DELAY).await;
            }
        }
    }
    connections.all_closed().await;
}

async fn serve_one(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    slot: Slot,
    router: Router,
    stop: CancellationToken,
) {
    let activity = Activity { number: slot.number, connections: slot.connections.clone() };
    let service = TowerToHyperService::new(router.layer(Extension(activity)));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), service));
    // Ignore errors: the client has noticed.
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
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::runtime::Builder;
    use tokio::time::Instant;

    use super::*;

    #[test]
    fn headers_have_to_arrive_in_time() {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(async {
            let connections = Connections::default();
            let (mut client, stream) = tokio::io::duplex(1024);
            let served = serve_one(stream, connections.add(), Router::new(), CancellationToken::new());
            let served = tokio::spawn(served);
            let start = Instant::now();
            let half = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ";
            client.write_all(half).await.expect("a server that reads");
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.expect("a connection that the server ends");
            assert!(!answer.contains("200 OK"), "{answer}");
            assert_eq!(start.elapsed().as_secs(), HEADER_TIMEOUT.as_secs());
            served.await.expect("no panic");
            assert!(connections.open().connections.is_empty());
        });
    }

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
