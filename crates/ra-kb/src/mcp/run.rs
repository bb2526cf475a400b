//! Starting and ending: the server lives as long as somebody may still ask it something.

use std::io::{self, Write};
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

use super::http;
use super::request_runner::{Clients, RequestRunner};
use super::security::Token;
use super::server::Server;
use super::stdio::Stdio;
use crate::error::{CliError, Result};

/// How clients come in.
#[derive(Debug)]
pub(crate) enum ServerTransport {
    /// One client, on standard input and output.
    Stdio,
    /// Many clients, over HTTP.
    Http { address: String, token: Option<Token> },
}

/// How often a server whose client may have died looks for its parent.
const PARENT_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long answers that are on their way may still take at the end.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(500);

/// How many file descriptors a server needs at the least.
const MIN_FREE_DESCRIPTORS: usize = 16;

/// Serves until the clients are gone or the process is told to end.
pub(crate) fn run(places: SystemDirs, door: ServerTransport) -> Result<()> {
    let failed = |error: io::Error| {
        CliError::new(format!("the server could not be started: {error}"))
            .hint("allow more open files, for example with `ulimit -n 1024`")
    };
    // The runtime panics where it gets no descriptors; an error is told before it tries.
    (0..MIN_FREE_DESCRIPTORS / 2).map(|_| io::pipe()).collect::<io::Result<Vec<_>>>().map_err(failed)?;
    let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let done = runtime.block_on(serve(places, door));
    // An update that is still being written can be dropped at any point; a read of standard input or a write that nobody
    // takes cannot be interrupted. None of them is waited for.
    runtime.shutdown_background();
    done
}

async fn serve(places: SystemDirs, door: ServerTransport) -> Result<()> {
    let stop = CancellationToken::new();
    let clients = match door {
        ServerTransport::Stdio => Clients::One,
        ServerTransport::Http { .. } => Clients::Many,
    };
    let runner = RequestRunner::new(places, clients);
    end_on_signal(stop.clone());
    match door {
        ServerTransport::Stdio => {
            tokio::spawn(runner.clone().refresh_forever());
            tokio::spawn(end_with_parent(stop.clone()));
            let ended = stop.clone();
            tokio::select! {
                served = serve_one(runner, Stdio::new(), stop) => served,
                () = farewell(ended) => Ok(()),
            }
        }
        ServerTransport::Http { address, token } => {
            let address = http::address(&address)?;
            http::permit(&address, token.as_ref())?;
            let failed =
                |error: io::Error| CliError::new(format!("--http: {address} cannot be listened on: {error}"));
            let listener = TcpListener::bind(address).await.map_err(failed)?;
            let bound = listener.local_addr().map_err(failed)?;
            tokio::spawn(runner.clone().refresh_forever());
            // Nobody may be reading.
            let _ = writeln!(io::stderr(), "note: serving at http://{bound}/mcp");
            let ended = stop.clone();
            tokio::select! {
                served = http::serve(listener, token, runner, stop) => served.map_err(failed),
                () = farewell(ended) => Ok(()),
            }
        }
    }
}

/// Waits until the server is told to end, and a little longer for answers that are on their way. Nobody may be reading them,
/// so their writes are not waited for.
async fn farewell(stop: CancellationToken) {
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
        // A client that looks in and leaves, or an end before the beginning, is no failure.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(CliError::new(format!("the client could not be served: {error}"))),
    };
    match server.waiting().await {
        Ok(_) => Ok(()),
        Err(error) => Err(CliError::new(format!("the server ended early: {error}"))),
    }
}

/// Ends the server when the process is told to end, from now on: who asks for the end may not wait.
fn end_on_signal(stop: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
            // Where it cannot be listened for, a signal ends the process as it always does.
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

/// Ends the server when the process that started it is gone, even if somebody else still holds its standard
/// input open.
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
