//! `ra update`: rebuilds the index or keeps it fresh.

use std::process::ExitCode;

use super::Session;
use crate::answers::Update;
use crate::args::UpdateArgs;
use crate::error::Result;
use crate::watch;

pub(super) fn run(session: &mut Session, args: &UpdateArgs) -> Result<ExitCode> {
    let progress = session.progress();
    if args.watch {
        watch::run(&session.places, &mut session.printer, &progress, session.color)?;
        return Ok(ExitCode::SUCCESS);
    }
    let kb = session.knowledge_base()?;
    let start = std::time::Instant::now();
    let updated = kb.rebuild(&progress)?;
    let took = start.elapsed();
    let encoded = match kb.last_commit()? {
        Some((snapshot, _)) => kb.encode_pages(&snapshot, &|| true, &progress)?,
        None => 0,
    };
    session.printer.show(&Update::new(updated, took).with_encoded(encoded, start.elapsed() - took))?;
    session.printer.finish()?;
    Ok(ExitCode::SUCCESS)
}
