//! One client on stdin and stdout, with one message per line.
//!
//! A line that is not a message is answered with an error and not skipped, because its sender waits for an
//! answer.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, GetExtensions, JsonRpcMessage, JsonRpcRequest};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::outgoing::Outgoing;

/// The maximum length of a line in bytes. The largest diff fits, even if each of its characters is written as
/// an escape of twelve bytes.
pub(super) const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;
/// JSON-RPC error codes: not JSON, not a message, and wrong parameters for a method.
pub(super) const PARSE_ERROR: i64 = -32700;
pub(super) const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

/// Limits the total bytes of the requests that are being answered. Each counts as at least `MIN_REQUEST_BYTES`,
/// so at most 64 run at once; the next one is admitted when one of them is done.
const MAX_WORK_BYTES: u32 = 16 * 1024 * 1024;
const MIN_REQUEST_BYTES: u32 = 256 * 1024;

/// The error message for JSON that is not a message.
pub(super) const NO_MESSAGE: &str = "this is not a message of the protocol";

/// A client connected over stdin and stdout, or over streams in their place.
pub(super) struct Stdio<R, W> {
    input: BufReader<R>,
    /// The part of the current line that has been read. It is kept here because reading may be cancelled at any
    /// point and resumed later.
    line: Vec<u8>,
    /// True while the rest of a line that is too long is dropped.
    is_skipping: bool,
    /// A request that has been read but not admitted yet, with its size in bytes.
    waiting: Option<(RxJsonRpcMessage<RoleServer>, u32)>,
    /// Has one permit for each byte of requests that may run at once.
    work_bytes: Arc<Semaphore>,
    output: Outgoing<W>,
}

/// A line that is too long.
struct TooLong;

impl Stdio<StdioReader, StdioWriter> {
    /// Must be called within a tokio runtime.
    pub(super) fn new() -> Self {
        let (input, output) = stdio_pipes();
        let client = Self::over(input, output);
        tokio::spawn(watch_input(client.output.input_ended()));
        client
    }
}

/// Cancels the token when stdin has no writer left. That works even if earlier input is still unread because
/// the client isn't reading its answers.
async fn watch_input(ended: CancellationToken) {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use tokio::io::Interest;
        use tokio::io::unix::AsyncFd;
        let Ok(input) = io::stdin().as_fd().try_clone_to_owned() else { return };
        // A regular file cannot be polled, and has no writer that could hang up.
        #[expect(
            deprecated,
            reason = "what replaces it is unsafe code; an owned descriptor stays open and the same"
        )]
        let Ok(input) = AsyncFd::with_interest(input, Interest::READABLE) else { return };
        while let Ok(mut event) = input.ready(Interest::READABLE).await {
            if event.ready().is_read_closed() {
                return ended.cancel();
            }
            event.clear_ready();
        }
    }
    #[cfg(not(unix))]
    drop(ended);
}

impl<R, W> Stdio<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn over(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            is_skipping: false,
            waiting: None,
            work_bytes: Arc::new(Semaphore::new(MAX_WORK_BYTES as usize)),
            output: Outgoing::new(output),
        }
    }

    /// Returns the next line, or an error if it is too long; `None` at the end of input. The last line needs no
    /// newline.
    async fn line(&mut self) -> Option<Result<Vec<u8>, TooLong>> {
        loop {
            let read = self.input.fill_buf().await.unwrap_or_default();
            let end = read.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(read.len(), |end| end + 1);
            if !self.is_skipping {
                self.line.extend_from_slice(&read[..taken]);
            }
            self.input.consume(taken);
            if self.line.len() > MAX_MESSAGE_BYTES {
                self.line = Vec::new();
                self.is_skipping = end.is_none();
                return Some(Err(TooLong));
            }
            let is_last = taken == 0;
            if end.is_some() || is_last {
                self.is_skipping = false;
                let line = std::mem::take(&mut self.line);
                if !line.is_empty() {
                    return Some(Ok(line));
                }
                if is_last {
                    return None;
                }
            }
        }
    }

    /// Answers with an error. Reading may be cancelled, so a task of its own writes the answer.
    fn refuse(&self, code: i64, message: &str, id: Value) {
        let error = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
        tokio::spawn(self.output.send(error.to_string()));
    }

    /// Returns the next message and its size in bytes; `None` at the end of input.
    async fn message(&mut self) -> Option<(RxJsonRpcMessage<RoleServer>, u32)> {
        loop {
            if !self.output.has_room().await {
                return None;
            }
            let line = match self.line().await? {
                Err(TooLong) => {
                    self.refuse(PARSE_ERROR, "the message is longer than 4 MiB", Value::Null);
                    continue;
                }
                Ok(line) if line.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(line) => line,
            };
            let bytes = u32::try_from(line.len()).unwrap_or(MAX_WORK_BYTES);
            let message = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(&line);
            match message.map_err(|_| serde_json::from_slice::<Value>(&line)) {
                Ok(message) => match unread_handshake(&message) {
                    None => return Some((message, bytes)),
                    Some(id) => {
                        self.refuse(INVALID_PARAMS, "the parameters of `initialize` cannot be read", id);
                    }
                },
                Err(Err(error)) => {
                    let message = format!("the message is not JSON that can be read: {error}");
                    self.refuse(PARSE_ERROR, &message, Value::Null);
                }
                // A notification gets no answer.
                Err(Ok(value)) if is_notification(&value) => {}
                Err(Ok(value)) => self.refuse(INVALID_REQUEST, NO_MESSAGE, id_of(&value)),
            }
        }
    }

    /// Returns the next message, once there is capacity to answer it.
    async fn admitted(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        if self.waiting.is_none() {
            let (message, bytes) = self.message().await?;
            if !matches!(message, JsonRpcMessage::Request(_)) {
                return Some(message);
            }
            self.waiting = Some((message, bytes.clamp(MIN_REQUEST_BYTES, MAX_WORK_BYTES)));
        }
        let (_, bytes) = self.waiting.as_ref()?;
        let permit = self.work_bytes.clone().acquire_many_owned(*bytes).await.ok()?;
        let (mut message, _) = self.waiting.take()?;
        if let JsonRpcMessage::Request(JsonRpcRequest { request, .. }) = &mut message {
            // The request is dropped after it was answered, which releases the permit.
            request.extensions_mut().insert(Arc::new(permit));
        }
        Some(message)
    }
}

/// Returns the id of a value that is not a message, if it has one.
pub(super) fn id_of(value: &Value) -> Value {
    let id = value.get("id").filter(|id| id.is_string() || id.is_number());
    id.cloned().unwrap_or_default()
}

fn is_notification(value: &Value) -> bool {
    value.get("id").is_none() && value.get("method").is_some_and(Value::is_string)
}

/// Returns the id of an `initialize` request whose parameters could not be decoded. rmcp treats it as an
/// unknown method and would disconnect the client.
fn unread_handshake(message: &RxJsonRpcMessage<RoleServer>) -> Option<Value> {
    match message {
        JsonRpcMessage::Request(JsonRpcRequest {
            id, request: ClientRequest::CustomRequest(custom), ..
        }) if custom.method == "initialize" => serde_json::to_value(id).ok(),
        _ => None,
    }
}

impl<R, W> Transport<RoleServer> for Stdio<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let written = serde_json::to_string(&message).map(|line| self.output.send(line));
        async move { written?.await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let closed = self.output.closed();
        let input_ended = self.output.input_ended();
        tokio::select! {
            message = self.admitted() => {
                if message.is_none() {
                    input_ended.cancel();
                }
                message
            }
            // A client that no longer reads sends no more requests.
            () = closed.cancelled() => None,
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.close().await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncWriteExt;
    use tokio::runtime::Builder;
    use tokio::time;

    use super::*;

    #[test]
    fn a_client_that_reads_no_answers_is_asked_for_nothing_more_and_given_up_at_its_end() {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(async {
            let (mut client, input) = tokio::io::duplex(1024);
            let (output, _unread) = tokio::io::duplex(1024);
            let mut server = Stdio::over(input, output);
            let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
            client.write_all(ping.repeat(2).as_bytes()).await.expect("a server that reads");
            assert!(server.receive().await.is_some());
            let answer = tokio::spawn(server.output.send("x".repeat(2 * 1024 * 1024)));
            let next = time::timeout(Duration::from_secs(3600), server.receive()).await;
            assert!(next.is_err(), "a request was read");
            server.output.input_ended().cancel();
            assert!(server.receive().await.is_none());
            assert!(answer.await.expect("no panic").is_err());
        });
    }
}
