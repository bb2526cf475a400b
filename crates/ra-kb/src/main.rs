//! `ra`, the command line of the knowledge base: parse, run, exit.

mod agents;
mod args;
mod commands;
mod env;
mod error;
mod mcp;
mod output;
mod watch;
mod wire;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return error::usage(&error),
    };
    let color = args.color;
    match commands::run(args) {
        Ok(code) => code,
        Err(error) => error::report(&error, color),
    }
}
