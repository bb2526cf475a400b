//! Clients that send requests and never read an answer: the server's memory stays bounded, and it still exits.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{command, ended};
use super::lifecycle::signal;
use super::{CONFIG, long_document};
use crate::sandbox::Sandbox;

/// More requests than any server should accept without delivering an answer.
const REQUESTS: usize = 20_000;
/// A server that has read nothing for this long is considered to have stopped reading.
const QUIET: Duration = Duration::from_secs(2);
/// The maximum memory of a server in bytes. A debug build with this index needs about 60 MB by itself.
const MAX_MEMORY: u64 = 250_000_000;

/// The kind of streams that a client uses as stdin and stdout of a server: some use pipes, others sockets.
#[derive(Clone, Copy, Debug)]
enum Streams {
    Pipes,
    Sockets,
}

/// A server and the ends of its streams. Its output is open, but nobody reads it.
struct StalledServer {
    child: Child,
    input: File,
    _output: OwnedFd,
}

impl StalledServer {
    fn start(sandbox: &Sandbox, streams: Streams) -> Self {
        let ((server_in, input), (output, server_out)): ((OwnedFd, File), (OwnedFd, OwnedFd)) = match streams
        {
            Streams::Pipes => {
                let (server_in, input) = io::pipe().expect("a pipe");
                let (output, server_out) = io::pipe().expect("a pipe");
                ((server_in.into(), nonblocking(&input)), (output.into(), server_out.into()))
            }
            Streams::Sockets => {
                let (server_in, input) = UnixStream::pair().expect("sockets");
                let (output, server_out) = UnixStream::pair().expect("sockets");
                input.set_nonblocking(true).expect("a socket");
                ((server_in.into(), OwnedFd::from(input).into()), (output.into(), server_out.into()))
            }
        };
        let mut command = command(sandbox, &[]);
        command.stdin(server_in).stdout(server_out).stderr(Stdio::null());
        let child = command.spawn().expect("a server");
        Self { child, input, _output: output }
    }

    /// Sends requests until the server stops reading them. Returns how many it read.
    fn flood(&mut self) -> usize {
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
        self.send(
            &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string(),
        );
        self.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        let arguments = json!({ "queries": "giraffe", "max_tokens": 25_000 });
        let params = json!({ "name": "search", "arguments": arguments });
        let request =
            |nr: usize| json!({ "jsonrpc": "2.0", "id": nr, "method": "tools/call", "params": params });
        (1..=REQUESTS).take_while(|nr| self.send(&request(*nr).to_string())).count()
    }

    /// Sends a line; false if the server doesn't read it.
    fn send(&mut self, line: &str) -> bool {
        let line = format!("{line}\n");
        let mut rest = line.as_bytes();
        let mut last = Instant::now();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(count) => {
                    rest = &rest[count..];
                    last = Instant::now();
                }
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => panic!("{error}"),
                Err(_) if last.elapsed() > QUIET => return false,
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
        true
    }

    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
        kilobytes * 1024
    }
}

impl Drop for StalledServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Opens the same pipe again for non-blocking writes.
fn nonblocking(pipe: &impl AsRawFd) -> File {
    const O_NONBLOCK: i32 = 0o4000;
    let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    OpenOptions::new().write(true).custom_flags(O_NONBLOCK).open(path).expect("a pipe")
}

#[test]
fn a_server_whose_client_reads_no_answers_stays_small_and_ends_when_it_is_told_to() {
    let sandbox = Sandbox::with(&[(".ra.toml", CONFIG), ("docs/long.md", &long_document())]);
    assert!(sandbox.run(&["update"]).starts_with("exit code 0"));
    for (streams, has_signal) in [(Streams::Pipes, true), (Streams::Sockets, false)] {
        let mut silent = StalledServer::start(&sandbox, streams);
        let taken = silent.flood();
        assert!((1..REQUESTS / 2).contains(&taken), "{streams:?}: {taken} requests were taken");
        let memory = silent.memory();
        assert!(memory < MAX_MEMORY, "{streams:?}: {memory} bytes for {taken} requests");
        match has_signal {
            true => signal("-TERM", silent.child.id()),
            false => silent.input = File::open("/dev/null").expect("a file"),
        }
        assert_eq!(ended(&mut silent.child).code(), Some(0), "{streams:?}");
    }
}
