//! Runs a program of the user that converts a file to markdown, with limited time and output.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::child_output::output_of;

/// The maximum time that a program may take, however little of it it computes.
const PROGRAM_TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum output of a program.
const MAX_OUTPUT_BYTES: u64 = 32 << 20;

/// Runs a program. It inherits the standard input, which is the file. The error is a reason for people.
pub(crate) fn run(command: &[String]) -> Result<String, String> {
    let [program, arguments @ ..] = command else {
        return Err("no program is named to convert it".to_owned());
    };
    let child =
        start(program, arguments).map_err(|error| format!("`{program}` could not be run: {error}"))?;
    let output = output_of(child, PROGRAM_TIMEOUT, MAX_OUTPUT_BYTES)
        .map_err(|reason| format!("`{program}` {reason}"))?;
    if !output.status.success() {
        return Err(format!("`{program}` failed ({})", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{program}` printed what is not UTF-8"))
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
