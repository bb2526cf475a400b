//! Starts a server as a client would, and asks it for its tools.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a server may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// The longest line that is read from a server.
const MAX_LINE_BYTES: u64 = 4 << 20;

/// Starts the program with these arguments in a directory, and returns how many tools it offers.
pub(super) fn count_tools(program: &Path, arguments: &[String], directory: &Path) -> Result<usize, String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = command.spawn().map_err(|error| format!("it does not start: {error}"))?;
    let answered = server.stdin.take().zip(server.stdout.take()).map(|(mut input, output)| {
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                match std::io::Read::take(&mut reader, MAX_LINE_BYTES).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) if sender.send(line).is_err() => return,
                    Ok(_) => {}
                }
            }
        });
        // A server that has ended already answers with the end of its output.
        let _ = input.write_all(requests().as_bytes());
        let _ = input.flush();
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        while let Ok(line) = lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            let Ok(message) = serde_json::from_slice::<Value>(&line) else { continue };
            if message["id"] == LIST_TOOLS {
                return message["result"]["tools"].as_array().map(Vec::len);
            }
        }
        None
    });
    let _ = server.kill();
    let _ = server.wait();
    answered.flatten().ok_or_else(|| "it starts, but does not answer".to_owned())
}

/// The id of the request for the list of tools.
const LIST_TOOLS: i32 = 2;

fn requests() -> String {
    let client = json!({ "name": "ra doctor", "version": env!("CARGO_PKG_VERSION") });
    let initialize = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": LIST_TOOLS, "method": "tools/list" }),
    ]
    .iter()
    .map(|message| format!("{message}\n"))
    .collect()
}
