//! The server inside another process, for clients that bring their own connection.

use std::sync::Arc;

use ra_core::config::SystemDirs;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::request_runner::RequestRunner;
use super::run;
use super::stdio::Stdio;
use crate::error;

/// A server for any number of clients, each connected over a pair of streams.
pub struct InProcessServer {
    runner: Arc<RequestRunner>,
}

impl InProcessServer {
    /// Starts to keep the index of `places` fresh. Must be called within a tokio runtime.
    pub fn start(places: SystemDirs) -> Self {
        let runner = RequestRunner::new(places);
        tokio::spawn(runner.clone().refresh_forever());
        Self { runner }
    }

    /// Serves from the index of another server.
    pub(crate) fn sharing(runner: Arc<RequestRunner>) -> Self {
        Self { runner }
    }

    /// Serves one client, with one message per line, until its input ends. Returns an error if it ends early.
    pub async fn serve<R, W>(&self, input: R, output: W) -> Result<(), String>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let client = Stdio::over(input, output);
        let served = run::serve_one(self.runner.clone(), client, CancellationToken::new()).await;
        served.map_err(|error| error::plain_text(&error))
    }
}
