//! The output queue of a stdio server.
//!
//! A client may stop reading at any time. The queue is bounded, and once the client's input has ended the
//! server drops lines that it does not read.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, watch};
use tokio::time;
use tokio_util::sync::CancellationToken;

/// No further request is read while this many bytes are queued.
const MAX_QUEUED_BYTES: usize = 1024 * 1024;

/// How long a write may make no progress after the client's input has ended.
const STALL_TIMEOUT: Duration = Duration::from_secs(2);

/// Writes whole lines, one at a time and in order.
pub(super) struct Outgoing<W>(Arc<Shared<W>>);

struct Shared<W> {
    /// `None` once it is closed.
    writer: Mutex<Option<W>>,
    /// The size of all lines that have not been written.
    queued_bytes: watch::Sender<usize>,
    input_ended: CancellationToken,
    closed: CancellationToken,
}

/// A line that counts as queued until it is dropped.
struct QueuedLine<W> {
    shared: Arc<Shared<W>>,
    line: String,
}

impl<W> Drop for QueuedLine<W> {
    fn drop(&mut self) {
        self.shared.queued_bytes.send_modify(|bytes| *bytes -= self.line.len());
    }
}

impl<W: AsyncWrite + Unpin> Outgoing<W> {
    pub(super) fn new(writer: W) -> Self {
        Self(Arc::new(Shared {
            writer: Mutex::new(Some(writer)),
            queued_bytes: watch::Sender::new(0),
            input_ended: CancellationToken::new(),
            closed: CancellationToken::new(),
        }))
    }

    /// Queues a line at once; the future writes it.
    pub(super) fn send(&self, mut line: String) -> impl Future<Output = io::Result<()>> + use<W> {
        line.push('\n');
        let shared = self.0.clone();
        shared.queued_bytes.send_modify(|bytes| *bytes += line.len());
        let queued = QueuedLine { shared, line };
        async move {
            let shared = &queued.shared;
            let mut writer = shared.writer.lock().await;
            let written = match &mut *writer {
                Some(writer) => shared.write(writer, queued.line.as_bytes()).await,
                None => Err(io::ErrorKind::NotConnected.into()),
            };
            if written.is_err() {
                // A partial line may have been written, so nothing can follow it.
                *writer = None;
                shared.closed.cancel();
            }
            written
        }
    }

    /// Waits until there is room for more lines; false if nothing can be written any more.
    pub(super) async fn has_room(&self) -> bool {
        let mut queued_bytes = self.0.queued_bytes.subscribe();
        tokio::select! {
            biased;
            () = self.0.closed.cancelled() => false,
            room = queued_bytes.wait_for(|bytes| *bytes < MAX_QUEUED_BYTES) => room.is_ok(),
        }
    }

    /// Returns a token that is cancelled when nothing can be written any more.
    pub(super) fn closed(&self) -> CancellationToken {
        self.0.closed.clone()
    }

    /// Returns the token to cancel when the client will send nothing more. From then on, a stalled write closes
    /// the output.
    pub(super) fn input_ended(&self) -> CancellationToken {
        self.0.input_ended.clone()
    }

    /// Waits until all queued lines are written, then closes.
    pub(super) async fn close(&self) {
        let mut queued_bytes = self.0.queued_bytes.subscribe();
        tokio::select! {
            _ = queued_bytes.wait_for(|bytes| *bytes == 0) => {}
            () = self.0.closed.cancelled() => {}
        }
        self.0.closed.cancel();
        self.0.writer.lock().await.take();
    }
}

impl<W: AsyncWrite + Unpin> Shared<W> {
    async fn write(&self, writer: &mut W, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = self.before_stall(writer.write(bytes)).await?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = &bytes[count..];
        }
        self.before_stall(writer.flush()).await
    }

    /// Runs one step of a write. It times out only after the input has ended.
    async fn before_stall<T>(&self, step: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let stalled = async {
            self.input_ended.cancelled().await;
            time::sleep(STALL_TIMEOUT).await;
        };
        tokio::select! {
            done = step => done,
            () = stalled => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::runtime::{Builder, Runtime};

    use super::*;

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime")
    }

    /// True if a future is ready without waiting.
    async fn is_ready(future: impl Future) -> bool {
        tokio::select! {
            biased;
            _ = future => true,
            () = std::future::ready(()) => false,
        }
    }

    #[test]
    fn there_is_room_again_once_the_client_reads() {
        runtime().block_on(async {
            let (mut client, server) = tokio::io::duplex(1024);
            let output = Outgoing::new(server);
            assert!(output.has_room().await);
            let written = tokio::spawn(output.send("x".repeat(MAX_QUEUED_BYTES)));
            assert!(!is_ready(output.has_room()).await, "nothing was read");
            let mut read = vec![0; MAX_QUEUED_BYTES + 1];
            client.read_exact(&mut read).await.expect("a line");
            written.await.expect("no panic").expect("a client that reads");
            assert!(output.has_room().await);
        });
    }

    #[test]
    fn a_stalled_client_is_given_up_only_after_its_input_has_ended() {
        runtime().block_on(async {
            let (client, server) = tokio::io::duplex(16);
            let output = Outgoing::new(server);
            let lines: Vec<_> = (0..20).map(|_| tokio::spawn(output.send("x".repeat(100)))).collect();
            tokio::task::yield_now().await;
            assert!(!is_ready(output.closed().cancelled()).await);
            output.input_ended().cancel();
            for line in lines {
                assert!(line.await.expect("no panic").is_err());
            }
            assert!(!output.has_room().await);
            output.close().await;
            drop(client);
        });
    }
}
