//! The server: whatever a client sends, every request gets an answer, and the server keeps running.
//!
//! An input is a conversation with one message per line. To help the fuzzer get past the protocol, a line `NAME
//! {…}` is a tool call, and `@METHOD {…}` is any other request. All other lines are sent unchanged. A
//! conversation begins with the 2025 handshake unless its first line is `stateless`.
#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use ra_fuzz::FixtureProject;
use ra_kb::mcp::InProcessServer;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;
use tokio::time;

/// How long an answer may take, and the maximum number of messages in a conversation.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(8);
const MAX_MESSAGES: usize = 8;

struct World {
    runtime: Runtime,
    server: InProcessServer,
    _project: FixtureProject,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let project = FixtureProject::new();
    let runtime = Runtime::new().expect("a runtime");
    let server = {
        let _inside = runtime.enter();
        InProcessServer::start(project.places())
    };
    World { runtime, server, _project: project }
});

fuzz_target!(|data: &[u8]| {
    let text = ra_fuzz::text(data);
    let world = &*WORLD;
    world.runtime.block_on(async {
        let (here, there) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(there);
        let talk = async {
            let talked = time::timeout(4 * ANSWER_TIMEOUT, Client::new(here).talk(&text)).await;
            talked.unwrap_or_else(|_| panic!("the conversation does not end"));
        };
        // The server may disconnect a client that violates the handshake; that counts as an answer.
        let _ = tokio::join!(world.server.serve(input, output), talk);
    });
});

struct Client {
    output: WriteHalf<DuplexStream>,
    input: BufReader<ReadHalf<DuplexStream>>,
    pings: u64,
}

impl Client {
    fn new(stream: DuplexStream) -> Self {
        let (input, output) = tokio::io::split(stream);
        Self { output, input: BufReader::new(input), pings: 0 }
    }

    /// Sends all lines. Returns at the end, or when the server has disconnected.
    async fn talk(mut self, text: &str) {
        let mut lines = text.lines().take(MAX_MESSAGES).peekable();
        if lines.next_if_eq(&"stateless").is_none() && !self.shake_hands().await {
            return;
        }
        for (nr, line) in lines.enumerate() {
            let message = compose(line, nr);
            if !self.send(&message).await {
                return;
            }
            let answered = match awaited(&message) {
                Some(id) => self.answer_to(&id).await,
                // The server may send nothing or an error; the answer to a ping shows that it has handled this
                // line.
                None => self.ping().await,
            };
            if !answered {
                return;
            }
        }
    }

    async fn shake_hands(&mut self) -> bool {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "fuzz", "version": "1" },
        });
        let hello = json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params });
        let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.send(&hello.to_string()).await
            && self.answer_to(&json!("hello")).await
            && self.send(&done.to_string()).await
    }

    async fn ping(&mut self) -> bool {
        self.pings += 1;
        let id = json!(format!("ping {}", self.pings));
        let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        self.send(&ping.to_string()).await && self.answer_to(&id).await
    }

    async fn send(&mut self, line: &str) -> bool {
        let sent = async {
            self.output.write_all(line.as_bytes()).await?;
            self.output.write_all(b"\n").await?;
            self.output.flush().await
        };
        sent.await.is_ok()
    }

    /// Waits for the answer to a request; false if the server has disconnected.
    async fn answer_to(&mut self, id: &Value) -> bool {
        loop {
            let mut line = String::new();
            let read = time::timeout(ANSWER_TIMEOUT, self.input.read_line(&mut line)).await;
            match read.unwrap_or_else(|_| panic!("no answer to {id}")) {
                Ok(0) | Err(_) => return false,
                Ok(_) => {}
            }
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line}"));
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            assert!(!line.contains("failed inside ra"), "{line}");
            if message["id"] == *id {
                assert!(message["result"].is_object() != message["error"].is_object(), "{line}");
                return true;
            }
        }
    }
}

/// Returns the message that a line describes.
fn compose(line: &str, nr: usize) -> String {
    let parts = |line: &str| {
        let (name, rest) = line.split_once(' ')?;
        let rest: Value = serde_json::from_str(rest).ok()?;
        rest.is_object().then(|| (name.to_owned(), rest))
    };
    if let Some((method, params)) = line.strip_prefix('@').and_then(parts) {
        return json!({ "jsonrpc": "2.0", "id": nr, "method": method, "params": params }).to_string();
    }
    if let Some((name, arguments)) = parts(line).filter(|(name, _)| !name.starts_with('{')) {
        let params = json!({ "name": name, "arguments": arguments });
        return json!({ "jsonrpc": "2.0", "id": nr, "method": "tools/call", "params": params }).to_string();
    }
    line.to_owned()
}

/// Returns the id of a message that is certainly a request and must be answered.
fn awaited(message: &str) -> Option<Value> {
    let message: Value = serde_json::from_str(message).ok()?;
    let object = message.as_object()?;
    let request = object.get("jsonrpc")? == "2.0"
        && object.get("method")?.is_string()
        && !object.contains_key("result")
        && !object.contains_key("error");
    object.get("id").filter(|id| request && (id.is_i64() || id.is_string())).cloned()
}
