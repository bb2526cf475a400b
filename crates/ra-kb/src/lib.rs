//! `ra`, the command line of the knowledge base.
//!
//! The binary only calls [`main`]. The other public items let a fuzzer run the server and the error messages in
//! its own process. To use the knowledge base itself, depend on `ra-core`.

mod agents;
mod answers;
mod args;
mod child_output;
mod commands;
mod conversion_worker;
mod doctor;
mod env;
mod error;
mod external_converter;
mod git_history;
mod hints;
mod layout;
mod live;
pub mod mcp;
mod output;
mod panics;
mod request;
mod sanitize;
mod schema;
mod usage;
mod web;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

/// Runs the command from the command line and returns the exit code.
pub fn main() -> ExitCode {
    if let Some(code) = conversion_worker::run() {
        return code;
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return usage::report(&error),
    };
    let color = args.color.choice();
    panics::silence_panics();
    conversion_worker::enable();
    match panics::catch_panics(|| commands::run(args)) {
        Ok(code) => code,
        Err(error) => error::report(&error, color),
    }
}

/// Formats an error of the library as the server does.
pub fn explain(error: ra_core::Error) -> String {
    error::plain_text(&error.into())
}
