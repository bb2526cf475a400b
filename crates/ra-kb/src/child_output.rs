//! Collects what a program prints, with limited time and output.

use std::io::{self, Read};
use std::process::{Child, ExitStatus, Output};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// How much of the error output is kept.
const MAX_ERROR_BYTES: u64 = 1 << 16;

/// Waits for a program to end and returns its output. A program that takes longer than `timeout` or prints more than
/// `max_bytes` is ended. The error is a reason for people that follows the name of the program.
pub(crate) fn output_of(mut child: Child, timeout: Duration, max_bytes: u64) -> Result<Output, String> {
    let deadline = Instant::now() + timeout;
    let output = child.stdout.take().map(|pipe| read_aside(pipe, max_bytes + 1));
    let errors = child.stderr.take().map(|pipe| read_aside(pipe, MAX_ERROR_BYTES));
    let collected = collect(&mut child, output, errors, deadline, max_bytes);
    if collected.is_err() {
        kill(&mut child);
        let _ = child.wait();
    }
    collected.map_err(|failure| match failure {
        Failure::Timeout => format!("took more than {} seconds", timeout.as_secs()),
        Failure::TooMuch => format!("printed more than {} MiB", max_bytes >> 20),
        Failure::Io(error) => format!("could not be read: {error}"),
    })
}

enum Failure {
    Timeout,
    TooMuch,
    Io(io::Error),
}

type Bytes = Receiver<io::Result<Vec<u8>>>;

/// Reads a pipe on a thread of its own, because reading it can't be interrupted.
fn read_aside(pipe: impl Read + Send + 'static, max_bytes: u64) -> Bytes {
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(max_bytes).read_to_end(&mut bytes);
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

fn collect(
    child: &mut Child,
    output: Option<Bytes>,
    errors: Option<Bytes>,
    deadline: Instant,
    max_bytes: u64,
) -> Result<Output, Failure> {
    let received = |pipe: Option<Bytes>| {
        let Some(pipe) = pipe else { return Ok(Vec::new()) };
        let left = deadline.saturating_duration_since(Instant::now());
        pipe.recv_timeout(left).map_err(|_| Failure::Timeout)?.map_err(Failure::Io)
    };
    let stdout = received(output)?;
    if stdout.len() as u64 > max_bytes {
        return Err(Failure::TooMuch);
    }
    let stderr = received(errors)?;
    Ok(Output { status: end_of(child, deadline)?, stdout, stderr })
}

/// Waits for the end of a program that has printed everything.
fn end_of(child: &mut Child, deadline: Instant) -> Result<ExitStatus, Failure> {
    const POLL_INTERVAL: Duration = Duration::from_millis(5);
    loop {
        match child.try_wait().map_err(Failure::Io)? {
            Some(status) => return Ok(status),
            None if Instant::now() < deadline => std::thread::sleep(POLL_INTERVAL),
            None => return Err(Failure::Timeout),
        }
    }
}

/// Ends a program, and everything that it has started if it has a process group of its own.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn run(script: &str, timeout: Duration) -> Result<(Option<i32>, String, String), String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = output_of(command.spawn().expect("a shell"), timeout, 1 << 20)?;
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Ok((output.status.code(), text(output.stdout), text(output.stderr)))
    }

    #[test]
    fn output_is_limited_in_time_and_size() {
        let ended = run("echo a; echo b >&2; exit 3", Duration::from_secs(60));
        assert_eq!(ended, Ok((Some(3), "a\n".to_owned(), "b\n".to_owned())));
        assert_eq!(
            run("head -c 1048577 /dev/zero", Duration::from_secs(60)),
            Err("printed more than 1 MiB".to_owned())
        );
        let late = Err("took more than 0 seconds".to_owned());
        assert_eq!(run("exec sleep 600", Duration::ZERO), late);
        assert_eq!(run("exec >&- 2>&-; exec sleep 600", Duration::from_millis(50)), late);
    }
}
