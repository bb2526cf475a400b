//! `ra update`: the index, built anew or kept fresh.

use std::process::ExitCode;

use super::Session;
use crate::args::UpdateArgs;
use crate::error::Result;
use crate::watch;
use crate::wire::Update;

pub(super) fn run(session: &mut Session, args: &UpdateArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let start = std::time::Instant::now();
    let updated =
        if args.watch { kb.refresh(&session.progress())? } else { kb.rebuild(&session.progress())? };
    session.printer.show(&Update::new(updated, start.elapsed()))?;
    session.printer.finish()?;
    if args.watch {
        watch::run(&session.places, kb, &mut session.printer, session.color)?;
    }
    Ok(ExitCode::SUCCESS)
}
