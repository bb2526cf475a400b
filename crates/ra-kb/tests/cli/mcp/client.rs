//! Two clients that only use the protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// How long anything may take before a test fails.
pub(super) const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns a command that runs `ra mcp` in the project of a sandbox.
pub(super) fn command(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = Command::new(sandbox.command().get_program());
    command.current_dir(sandbox.project()).env_clear().env("HOME", sandbox.home()).arg("mcp").args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for a process to exit by itself.
pub(super) fn ended(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        match child.try_wait().expect("a process") {
            Some(status) => return status,
            None if start.elapsed() > TEST_TIMEOUT => panic!("the server does not end"),
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// A client on stdin and stdout.
pub(crate) struct Client {
    pub(super) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    /// Messages that were not the expected answer.
    pub(super) notifications: Vec<Value>,
}

impl Client {
    /// Starts a server without a handshake.
    pub(super) fn start(sandbox: &Sandbox) -> Self {
        let mut child = command(sandbox, &[]).stderr(Stdio::null()).spawn().expect("a server");
        let output = BufReader::new(child.stdout.take().expect("output"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines, next: 1, notifications: Vec::new() }
    }

    /// Starts a server and does the handshake of the 2025 protocol.
    pub(crate) fn connect(sandbox: &Sandbox) -> Self {
        let mut client = Self::start(sandbox);
        client.initialize("2025-06-18");
        client
    }

    pub(super) fn initialize(&mut self, version: &str) -> Value {
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": info });
        let answer = self.request("initialize", params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer["result"].clone()
    }

    pub(super) fn send(&mut self, line: &str) {
        self.send_without_end(&format!("{line}\n"));
    }

    pub(super) fn send_without_end(&mut self, text: &str) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).expect("a server that reads");
    }

    /// Returns the next line, which must be a message of the protocol.
    pub(super) fn receive(&mut self) -> Value {
        let line = self.lines.recv_timeout(TEST_TIMEOUT).expect("a server that answers");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Sends a request and returns its id.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request.to_string());
        id
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// Calls a tool and returns its result. Retries while the server is still indexing: on a busy machine,
    /// writing an index can take longer than a request waits.
    pub(crate) fn tool(&mut self, name: &str, arguments: Value) -> Value {
        loop {
            let result = self.tool_now(name, arguments.clone());
            if !text(&result).contains("still indexing") && !text(&result).contains("still comparing") {
                return result;
            }
        }
    }

    /// Calls a tool once and returns its result, whatever state the index is in.
    pub(super) fn tool_now(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": name, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// Closes the input.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the text of a tool's result.
pub(crate) fn text(result: &Value) -> &str {
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{result}");
    result["content"][0]["text"].as_str().expect("text")
}

/// The metadata that every request contains since the 2026 protocol.
pub(super) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A server over HTTP.
pub(crate) struct Http {
    pub(crate) child: Child,
    pub(crate) address: String,
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    /// Returns the value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(": "));
        headers.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }
}

impl Http {
    /// Starts a server on a free port.
    pub(crate) fn start(sandbox: &Sandbox, args: &[&str]) -> Self {
        let args = [&["--http", "127.0.0.1:0"], args].concat();
        Self::spawn(command(sandbox, &args))
    }

    /// Starts `ra serve` on a free port.
    pub(crate) fn serve(sandbox: &Sandbox, args: &[&str]) -> Self {
        let mut command = Command::new(sandbox.command().get_program());
        command.current_dir(sandbox.project()).env_clear().env("HOME", sandbox.home());
        command.args(["serve", "--no-open"]).args(args).stdout(Stdio::null()).stderr(Stdio::piped());
        Self::spawn(command)
    }

    /// Gets a page with additional headers, which may replace the usual ones.
    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send("GET", path, headers, "")
    }

    /// Starts a server that may open at most `files` files.
    #[cfg(unix)]
    pub(crate) fn start_limited(sandbox: &Sandbox, files: usize) -> Self {
        let mut command = Command::new("sh");
        command.current_dir(sandbox.project()).env_clear().env("HOME", sandbox.home());
        command.env("RA", sandbox.command().get_program());
        command.args(["-c", &format!("ulimit -n {files}; exec \"$RA\" mcp --http 127.0.0.1:0")]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).spawn().expect("a server");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("errors")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("note: serving at http://").filter(|_| line.contains("/mcp"));
        let address =
            address.and_then(|at| at.split('/').next()).unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, address }
    }

    /// Sends raw bytes, and reads until the server closes the connection.
    pub(crate) fn raw(&self, head: &str, body: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a time limit");
        stream.write_all(head.as_bytes()).expect("a server that reads");
        // Ignore the error: a server that has refused the request need not read the rest.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Posts a body with additional headers, which may replace the usual ones.
    pub(crate) fn post(&self, headers: &[(&str, &str)], body: &str) -> Reply {
        self.send("POST", "/mcp", headers, body)
    }

    /// Sends a request with additional headers, which may replace the usual ones.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let length = body.len().to_string();
        let usual = [
            ("Host", self.address.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Connection", "close"),
            ("Content-Length", length.as_str()),
        ];
        let replaced = |name: &str| headers.iter().any(|(other, _)| *other == name);
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in usual.iter().filter(|(name, _)| !replaced(name)).chain(headers) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        self.raw(&format!("{head}\r\n"), body.as_bytes())
    }

    /// Sends a preflight request, as a browser does for a page.
    pub(crate) fn preflight(&self, origin: &str) -> Reply {
        let head = format!(
            "OPTIONS /mcp HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: close\r\n\
             Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: \
             authorization,content-type,mcp-name,mcp-protocol-version,x-other\r\n\r\n",
            self.address
        );
        self.raw(&head, b"")
    }

    /// Calls a tool with the 2026 protocol: one request without a handshake.
    pub(crate) fn tool(&self, name: &str, arguments: Value) -> Value {
        let params = json!({ "name": name, "arguments": arguments, "_meta": meta() });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let headers =
            [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", name)];
        let reply = self.post(&headers, &body.to_string());
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()["result"].clone()
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
