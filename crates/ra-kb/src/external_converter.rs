//! Runs a program of the user that converts a file to markdown, with limited time and output.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The maximum time that a program may take, however little of it it computes.
const PROGRAM_TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum output of a program.
const MAX_OUTPUT_BYTES: u64 = 32 << 20;

/// Runs a program. It inherits the standard input, which is the file. The error is a reason for people.
pub(crate) fn run(command: &[String]) -> Result<String, String> {
    let [program, arguments @ ..] = command else {
        return Err("no program is named to convert it".to_owned());
    };
    let mut child =
        start(program, arguments).map_err(|error| format!("`{program}` could not be run: {error}"))?;
    let deadline = Instant::now() + PROGRAM_TIMEOUT;
    let output = read(&mut child, deadline);
    if output.is_err() || !ends(&mut child, deadline) {
        kill(&mut child);
    }
    let status = child.wait().map_err(|error| format!("`{program}` failed: {error}"))?;
    let output = output.map_err(|reason| format!("`{program}` {reason}"))?;
    if !status.success() {
        return Err(format!("`{program}` failed ({status})"));
    }
    String::from_utf8(output).map_err(|_| format!("`{program}` printed what is not UTF-8"))
}

/// Starts a program in a process group of its own, so what it starts can be ended with it.
fn start(program: &str, arguments: &[String]) -> std::io::Result<Child> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::inherit()).stdout(Stdio::piped()).stderr(Stdio::null());
    // A program that writes beside its input must not write into a project.
    command.current_dir("/");
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Reads the output until it ends, or too much time or output is taken.
fn read(child: &mut Child, deadline: Instant) -> Result<Vec<u8>, String> {
    let Some(output) = child.stdout.take() else { return Err("has no output".to_owned()) };
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(MAX_OUTPUT_BYTES + 1).read_to_end(&mut bytes);
        let _ = sender.send(read.map(|_| bytes));
    });
    match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Err(_) => Err(format!("took more than {} seconds", PROGRAM_TIMEOUT.as_secs())),
        Ok(Err(error)) => Err(format!("could not be read: {error}")),
        Ok(Ok(bytes)) if bytes.len() as u64 > MAX_OUTPUT_BYTES => {
            Err(format!("printed more than {} MiB", MAX_OUTPUT_BYTES >> 20))
        }
        Ok(Ok(bytes)) => Ok(bytes),
    }
}

/// True if a program that has printed everything ends in time.
fn ends(child: &mut Child, deadline: Instant) -> bool {
    const POLL_INTERVAL: Duration = Duration::from_millis(5);
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < deadline => std::thread::sleep(POLL_INTERVAL),
            Ok(status) => return status.is_some(),
            Err(_) => return false,
        }
    }
}

/// Ends a program and everything that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}
