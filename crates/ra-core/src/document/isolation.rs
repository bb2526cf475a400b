//! Converts files in another process. A parser that comes from elsewhere may allocate without a limit, which would end
//! this process, and a file of a few kilobytes may unpack to many megabytes; the system limits the time and the memory
//! of the other one.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use crate::kind::DocumentKind;

/// The first argument of the program that converts. It reads a file from its standard input.
pub const CONVERT_ARGUMENT: &str = "convert-for-parent";

/// The first byte of the other process's output: the rest is a text, or a reason why there is none.
pub const TEXT: u8 = b'+';
/// See [`TEXT`].
pub const REASON: u8 = b'-';

/// The program that converts.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The largest output that is read.
const MAX_OUTPUT_BYTES: u64 = 64 << 20;

/// Sets the program that converts files which aren't converted in this process. Without it, all are.
pub fn isolate_conversions(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// Converts a file in another process; `None` if no program is set for that. `external` is the program that it starts
/// for files that this program can't read.
pub(super) fn convert(
    kind: DocumentKind,
    external: &[String],
    bytes: &[u8],
) -> Option<Result<String, String>> {
    let mut command = Command::new(PROGRAM.get()?);
    command.args([CONVERT_ARGUMENT, kind.as_str()]).args(external);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Some(Err(format!("no process could be started to read it: {error}"))),
    };
    let output = exchange(&mut child, bytes);
    let _ = child.kill();
    let _ = child.wait();
    Some(match output.split_first() {
        Some((&TEXT, text)) => String::from_utf8(text.to_vec()).map_err(|_| "its text is damaged".to_owned()),
        Some((&REASON, reason)) => Err(String::from_utf8_lossy(reason).into_owned()),
        _ => Err("it takes too much time or memory to read".to_owned()),
    })
}

/// Gives the other process its input and returns its output.
fn exchange(child: &mut Child, bytes: &[u8]) -> Vec<u8> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let mut answer = Vec::new();
    std::thread::scope(|scope| {
        // The other process may end before it has read everything.
        scope.spawn(move || input.map(|mut input| input.write_all(bytes)));
        if let Some(output) = output {
            let _ = output.take(MAX_OUTPUT_BYTES).read_to_end(&mut answer);
        }
    });
    answer
}
