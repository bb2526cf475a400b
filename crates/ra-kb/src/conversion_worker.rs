//! Converts one file for the process that started this one, with limited time and memory.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use ra_core::document::isolation::{self, CONVERT_ARGUMENT, REASON, TEXT};
use ra_core::document::{DocumentKind, convert_here};

use crate::env;
use crate::external_converter;

/// The largest file that is read.
const MAX_INPUT_BYTES: u64 = 256 << 20;

/// Lets files be converted in processes of their own from now on.
pub(crate) fn enable() {
    if let Some(program) = env::own_program() {
        isolation::isolate_conversions(program);
    }
}

/// Converts a file if this process was started for that.
pub(crate) fn run() -> Option<ExitCode> {
    let arguments = env::arguments();
    let [mark, kind, command @ ..] = arguments.as_slice() else { return None };
    let kind = DocumentKind::named(kind).filter(|_| mark == CONVERT_ARGUMENT)?;
    limit_resources();
    let converted = match kind {
        DocumentKind::External => external_converter::run(command),
        kind => convert_input(kind),
    };
    let (mark, text) = converted.map_or_else(|reason| (REASON, reason), |text| (TEXT, text));
    let mut output = io::stdout().lock();
    let written = output.write_all(&[mark]).and_then(|()| output.write_all(text.as_bytes()));
    Some(if written.and_then(|()| output.flush()).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn convert_input(kind: DocumentKind) -> Result<String, String> {
    let mut bytes = Vec::new();
    match io::stdin().lock().take(MAX_INPUT_BYTES).read_to_end(&mut bytes) {
        Ok(_) => convert_here(kind, &bytes),
        Err(error) => Err(error.to_string()),
    }
}

/// The maximum time that a conversion may compute. Windows has no such limit: there it is the time until the process is
/// ended, which is longer than a program of the user may take.
const MAX_SECONDS: u64 = if cfg!(unix) { 60 } else { 130 };

/// Limits what a hostile file can take: the system ends a process that takes more, and so it does with the programs
/// that this one starts.
#[cfg(unix)]
fn limit_resources() {
    use rustix::process::{Resource, Rlimit, setrlimit};

    const MEMORY_BYTES: u64 = 2 << 30;
    for (resource, most) in [(Resource::As, MEMORY_BYTES), (Resource::Cpu, MAX_SECONDS)] {
        let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}

/// Limits the time that a hostile file can take. Memory can't be limited on this system, but if it
/// runs out, only the conversion ends.
#[cfg(not(unix))]
fn limit_resources() {
    std::thread::spawn(|| {
        std::thread::sleep(std::time::Duration::from_secs(MAX_SECONDS));
        #[expect(clippy::exit, reason = "nothing else ends a conversion that never ends")]
        std::process::exit(2);
    });
}
