//! `ra man`: prints a manual page.

use std::process::ExitCode;

use clap::CommandFactory;
use ra_core::text::hint_among;

use super::Session;
use crate::args::{Args, ManArgs};
use crate::error::{CliError, Result};

pub(super) fn run(session: &mut Session, args: &ManArgs) -> Result<ExitCode> {
    let mut ra = Args::command();
    ra.build();
    let command = match &args.command {
        None => ra,
        Some(name) => {
            let names: Vec<&str> = ra.get_subcommands().map(clap::Command::get_name).collect();
            let hint = hint_among(name, &names, "the commands are");
            let found = ra.find_subcommand(name).cloned();
            found.ok_or_else(|| CliError::new(format!("there is no command `{name}`")).hint(hint))?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    session.printer.raw(&page)?;
    Ok(ExitCode::SUCCESS)
}
