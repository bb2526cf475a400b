//! Starts and stops the server. It runs as long as a client may still send requests.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ra_core::config::SystemDirs;
use rmcp::service::ServerInitializeError;
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::time;
use tokio_util::sync::CancellationToken;

use super::http::{self, SiteRoutes};
use super::request_runner::RequestRunner;
use super::security::Token;
use super::server::Server;
use super::stdio::Stdio;
use crate::error::{CliError, Result};

/// Makes the pages of a site, once the server has its address.
pub(crate) type Site = Box<dyn FnOnce(SiteServer) -> SiteRoutes>;

/// The server, as the pages of a site use it.
pub(crate) struct SiteServer {
    pub(crate) runner: Arc<RequestRunner>,
    /// The address that it listens on.
    pub(crate) bound: SocketAddr,
    pub(crate) token: Option<Token>,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
}

/// How clients connect.
pub(crate) enum ServerTransport {
    /// One client, on stdin and stdout.
    Stdio,
    /// Many clients, over HTTP.
    Http {
        address: SocketAddr,
        /// The flag that named the address.
        flag: &'static str,
        token: Option<Token>,
        /// The pages to serve beside `/mcp`.
        site: Option<Site>,
    },
}

/// How often the stdio server checks whether its parent process is still alive.
const PARENT_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long shutdown waits for answers that are still being written.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(500);

/// The minimum number of file descriptors that a server needs.
const MIN_FREE_DESCRIPTORS: usize = 16;

/// Serves until the clients are gone or the process is told to stop.
pub(crate) fn run(places: SystemDirs, transport: ServerTransport) -> Result<()> {
    let failed = |error: io::Error| {
        CliError::new(format!("the server could not be started: {error}"))
            .hint("allow more open files, for example with `ulimit -n 1024`")
    };
    // The tokio runtime panics if it gets no descriptors, so report the error before building it.
    (0..MIN_FREE_DESCRIPTORS / 2).map(|_| io::pipe()).collect::<io::Result<Vec<_>>>().map_err(failed)?;
    let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let done = runtime.block_on(serve(places, transport));
    // Don't wait for background work. An index write can be dropped at any point, and a blocked read of stdin
    // or write to stdout cannot be interrupted.
    runtime.shutdown_background();
    done
}

async fn serve(places: SystemDirs, transport: ServerTransport) -> Result<()> {
    let stop = CancellationToken::new();
    let runner = RequestRunner::new(places);
    end_on_signal(stop.clone());
    match transport {
        ServerTransport::Stdio => {
            tokio::spawn(runner.clone().refresh_forever());
            tokio::spawn(end_with_parent(stop.clone()));
            let ended = stop.clone();
            tokio::select! {
                served = serve_one(runner, Stdio::new(), stop) => served,
                () = grace_period(ended) => Ok(()),
            }
        }
        ServerTransport::Http { address, flag, token, site } => {
            http::permit(flag, &address, token.as_ref())?;
            let failed = |error: io::Error| {
                let failed = CliError::new(format!("{flag}: {address} cannot be listened on: {error}"));
                match error.kind() {
                    io::ErrorKind::AddrInUse => failed.hint("another program uses this port; choose another"),
                    _ => failed,
                }
            };
            let listener = TcpListener::bind(address).await.map_err(failed)?;
            let bound = listener.local_addr().map_err(failed)?;
            tokio::spawn(runner.clone().refresh_forever());
            let site = site.map(|site| {
                site(SiteServer { runner: runner.clone(), bound, token: token.clone(), stop: stop.clone() })
            });
            if site.is_none() {
                // Ignore the error: stderr may be closed.
                let _ = writeln!(io::stderr(), "note: serving at http://{bound}/mcp");
            }
            let ended = stop.clone();
            tokio::select! {
                served = http::serve(listener, token, site, runner, stop) => served.map_err(failed),
                () = grace_period(ended) => Ok(()),
            }
        }
    }
}

/// Waits until the server is told to stop, then a little longer for answers that are still being written. The
/// client may have stopped reading, so the wait is bounded.
async fn grace_period(stop: CancellationToken) {
    stop.cancelled().await;
    time::sleep(SHUTDOWN_GRACE).await;
}

/// Serves one client, from its first message to the end of its input.
pub(super) async fn serve_one(
    runner: Arc<RequestRunner>,
    client: impl Transport<RoleServer, Error = io::Error> + 'static,
    stop: CancellationToken,
) -> Result<()> {
    let server = match Server::new(runner).serve_with_ct(client, stop).await {
        Ok(server) => server,
        // A client that disconnects before the handshake, or a shutdown before it, is not a failure.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(CliError::new(format!("the client could not be served: {error}"))),
    };
    match server.waiting().await {
        Ok(_) => Ok(()),
        Err(error) => Err(CliError::new(format!("the server ended early: {error}"))),
    }
}

/// Stops the server on SIGTERM or SIGINT. The handlers are installed before this returns, because the signal
/// may come at once.
fn end_on_signal(stop: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
            // If the handler cannot be installed, the signal has its default effect and ends the process.
            if let Ok(mut signal) = signal(kind) {
                let stop = stop.clone();
                tokio::spawn(async move {
                    signal.recv().await;
                    stop.cancel();
                });
            }
        }
    }
    #[cfg(not(unix))]
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
}

/// Stops the server when its parent process is gone, even if another process still holds its stdin open.
async fn end_with_parent(stop: CancellationToken) {
    #[cfg(unix)]
    {
        let parent = std::os::unix::process::parent_id();
        while std::os::unix::process::parent_id() == parent {
            time::sleep(PARENT_POLL_INTERVAL).await;
        }
        stop.cancel();
    }
    #[cfg(not(unix))]
    {
        let _ = (stop, PARENT_POLL_INTERVAL);
    }
}
