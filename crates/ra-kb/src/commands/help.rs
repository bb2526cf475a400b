//! `ra help`: prints help for a command or the query language.

use std::process::ExitCode;

use clap::CommandFactory;
use ra_core::query::REFERENCE;
use ra_core::text::hint_among;

use super::Session;
use crate::args::{Args, HelpArgs};
use crate::error::{CliError, Result};
use crate::output::for_screen;

pub(super) fn run(session: &mut Session, args: &HelpArgs) -> Result<ExitCode> {
    let mut ra = Args::command();
    ra.build();
    let text = match args.topic.as_deref() {
        None => ra.render_long_help().ansi().to_string(),
        Some("query") => match session.printer.screen() {
            Some(screen) => for_screen(REFERENCE, screen),
            None => REFERENCE.to_owned(),
        },
        Some(name) => match ra.find_subcommand_mut(name) {
            Some(command) => command.render_long_help().ansi().to_string(),
            None => {
                let names: Vec<&str> =
                    ra.get_subcommands().map(clap::Command::get_name).chain(["query"]).collect();
                let hint = hint_among(name, &names, "the topics are");
                return Err(CliError::new(format!("there is no help for `{name}`")).hint(hint));
            }
        },
    };
    session.printer.raw(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
