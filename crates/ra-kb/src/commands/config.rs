//! `ra config`: prints the effective settings and their sources.

use std::process::ExitCode;

use ra_core::config::DEFAULTS;

use super::Session;
use crate::answers::Configuration;
use crate::args::ConfigArgs;
use crate::error::{CliError, Result};
use crate::output::Format;

pub(super) fn run(session: &mut Session, args: &ConfigArgs) -> Result<ExitCode> {
    if args.defaults && session.printer.format() == Format::Json {
        return Err(CliError::new("--defaults prints TOML, not JSON")
            .hint("`ra config --json` has every setting with its value"));
    }
    if args.defaults {
        session.printer.raw(DEFAULTS.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let config = session.config()?;
    let mut shown = Configuration::new(&config);
    if args.changed {
        shown.keep_changed();
    }
    session.printer.show(&shown)?;
    Ok(ExitCode::SUCCESS)
}
