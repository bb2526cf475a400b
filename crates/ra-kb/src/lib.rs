//! `ra`, the command line of the knowledge base: parse, run, exit.
//!
//! The binary is a call of [`main`]. What else is public lets a fuzzer meet the server and the messages inside its
//! own process. Whoever wants the knowledge base itself uses `ra-core`.

mod agents;
mod args;
mod commands;
mod env;
mod error;
mod hints;
mod layout;
pub mod mcp;
mod output;
mod panics;
mod usage;
mod watch;
mod wire;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

/// Runs the command that the command line names, and gives the exit code.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return usage::report(&error),
    };
    let color = args.color;
    panics::silence_panics();
    match panics::catch_panics(|| commands::run(args)) {
        Ok(code) => code,
        Err(error) => error::report(&error, color),
    }
}

/// An error of the library as the server tells it.
pub fn explain(error: ra_core::Error) -> String {
    error::plain_text(&error.into())
}
