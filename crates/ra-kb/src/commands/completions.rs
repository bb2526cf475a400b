//! `ra completions`: prints a completion script.

use std::process::ExitCode;

use clap::CommandFactory;

use super::Session;
use crate::args::{Args, CompletionsArgs};
use crate::error::Result;

pub(super) fn run(session: &mut Session, args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "ra", &mut script);
    session.printer.raw(&script)?;
    Ok(ExitCode::SUCCESS)
}
