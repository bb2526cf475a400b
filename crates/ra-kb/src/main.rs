//! The binary `ra`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ra_kb::main()
}
