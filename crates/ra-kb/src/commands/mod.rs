//! One short file a command: arguments in, an operation of the library, an answer out.

mod check;
mod completions;
mod config;
mod init;
mod inspect;
mod man;
mod status;

use std::process::ExitCode;

use ra_core::config::{Config, Places};
use ra_core::kb::KnowledgeBase;

use crate::args::{Args, Command};
use crate::env;
use crate::error::Result;
use crate::output::{Format, Printer};

/// What every command gets besides its own arguments.
pub(crate) struct Session {
    places: Places,
    printer: Printer,
}

impl Session {
    /// The configuration for the working directory.
    fn config(&self) -> Result<Config> {
        Ok(Config::load(&self.places, &[])?)
    }

    /// The knowledge base for the working directory.
    fn knowledge_base(&self) -> Result<KnowledgeBase> {
        Ok(KnowledgeBase::open(self.config()?))
    }
}

/// Runs the command and gives the exit code.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let format = if args.json { Format::Json } else { Format::Human };
    let printer = Printer::stdout(format, args.color);
    let mut session = Session { places: env::places(args.directory.as_deref())?, printer };
    let code = match args.command {
        Command::Init(args) => init::run(&mut session, &args),
        Command::Inspect(args) => inspect::run(&mut session, &args),
        Command::Check(args) => check::run(&mut session, &args),
        Command::Status => status::run(&mut session),
        Command::Config(args) => config::run(&mut session, &args),
        Command::Completions(args) => completions::run(&mut session, &args),
        Command::Man(args) => man::run(&mut session, &args),
    }?;
    session.printer.finish()?;
    Ok(code)
}
