//! The commands, one short file each: takes arguments, calls the library, prints an answer.

mod agents;
mod check;
mod cite;
mod completions;
mod config;
mod context;
mod doctor;
mod eval;
mod get;
mod help;
mod init;
mod inspect;
mod links;
mod ls;
mod man;
mod mcp;
mod search;
mod serve;
mod stale;
mod status;
mod update;

use std::process::ExitCode;

use anstream::ColorChoice;
use ra_core::config::{Config, SystemDirs};
use ra_core::kb::KnowledgeBase;

use crate::answers::{SearchReport, View};
use crate::args::{Args, Command, ResultArgs};
use crate::env;
use crate::error::Result;
use crate::hints::Surface;
use crate::layout::ResultForm;
use crate::output::{Bar, Format, Paging, Printer};
use crate::request::{Caller, Limits};

/// The state that every command gets besides its own arguments.
pub(crate) struct Session {
    places: SystemDirs,
    printer: Printer,
    color: ColorChoice,
}

impl Session {
    /// Loads the configuration for the working directory.
    fn config(&self) -> Result<Config> {
        Ok(Config::load(&self.places, &[])?)
    }

    /// Returns a progress bar for long work; it is shown on a terminal only.
    fn progress(&self) -> Bar {
        Bar::new()
    }

    /// Who asks.
    fn caller(&self) -> Caller<'_> {
        Caller { surface: Surface::CommandLine, cwd: &self.places.cwd }
    }

    /// Shows sections. The token budget is the configured one, except that the short result list on a terminal has no
    /// limit.
    fn sections(
        &mut self,
        kb: &KnowledgeBase,
        limits: Limits,
        args: &ResultArgs,
        form: ResultForm,
        report: impl FnOnce(&View<'_>) -> SearchReport,
    ) -> Result<ExitCode> {
        if args.wants_passages() {
            self.printer.show_passages();
        }
        let is_short_list = self.printer.is_compact() && form == ResultForm::Full;
        let report = report(&View {
            explain: args.explain,
            max_tokens: limits.max_tokens(kb.config()).filter(|_| !is_short_list),
            is_json: self.printer.format() == Format::Json,
            ..self.caller().view(kb, form)
        });
        self.printer.show(&report)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Opens the knowledge base for the working directory.
    fn knowledge_base(&self) -> Result<KnowledgeBase> {
        Ok(KnowledgeBase::open(self.config()?))
    }
}

/// Runs the command and returns the exit code.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let color = args.color.choice();
    let format = if args.json { Format::Json } else { Format::Human };
    let places = env::places(args.directory.as_deref())?;
    let printer = Printer::stdout(format, color, paging(&args), &places.cwd);
    let mut session = Session { places, printer, color };
    let code = match args.command {
        Command::Search(args) => search::run(&mut session, &args),
        Command::Context(args) => context::run(&mut session, &args),
        Command::Similar(args) => context::similar(&mut session, &args),
        Command::Get(args) => get::run(&mut session, &args),
        Command::Cite(args) => cite::run(&mut session, &args),
        Command::Verify(args) => cite::verify(&mut session, &args),
        Command::Links(args) => links::run(&mut session, &args),
        Command::Ls(args) => ls::run(&mut session, &args),
        Command::Update(args) => update::run(&mut session, &args),
        Command::Eval(args) => eval::run(&mut session, &args),
        Command::Help(args) => help::run(&mut session, &args),
        Command::Init(args) => init::run(&mut session, &args),
        Command::Agents(args) => agents::run(&mut session, &args),
        Command::Inspect(args) => inspect::run(&mut session, &args),
        Command::Check(args) => check::run(&mut session, &args),
        Command::Doctor(args) => doctor::run(&mut session, &args),
        Command::Status(args) => status::run(&mut session, &args),
        Command::Config(args) => config::run(&mut session, &args),
        // The server owns stdout, and may have left a blocked write behind; flushing would wait for that.
        Command::Mcp(args) => return mcp::run(&session, &args),
        Command::Serve(args) => return serve::run(&session, &args),
        Command::Completions(args) => completions::run(&mut session, &args),
        Command::Man(args) => man::run(&mut session, &args),
    };
    // Print the output even if the command has failed.
    let finished = session.printer.finish();
    let code = code?;
    finished?;
    Ok(code)
}

/// Returns whether the output of a command may go through a pager.
fn paging(args: &Args) -> Paging {
    match &args.command {
        Command::Mcp(_) | Command::Serve(_) | Command::Completions(_) | Command::Man(_) => Paging::Streaming,
        Command::Update(update) if update.watch => Paging::Streaming,
        _ if args.no_pager => Paging::Off,
        _ => Paging::Allowed,
    }
}
