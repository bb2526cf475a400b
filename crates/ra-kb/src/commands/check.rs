//! `ra check`: reports problems.

use std::process::ExitCode;

use ra_core::eval::measure_retrievability;

use super::{Session, stale};
use crate::answers::{Check, Retrieval};
use crate::args::CheckArgs;
use crate::error::Result;

pub(super) fn run(session: &mut Session, args: &CheckArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let mut report = kb.check();
    if args.stale {
        report.findings.extend(stale::findings(&kb)?);
    }
    let mut retrieval = None;
    if args.retrieval {
        let (snapshot, _) = kb.refresh(&session.progress())?;
        let found = measure_retrievability(&kb, &snapshot, args.sample)?;
        // They are warnings like the others, and come last because there may be many.
        let unfindable = found.trees.iter().flat_map(|tree| &tree.unfindable);
        report.findings.extend(unfindable.map(|section| section.finding()));
        retrieval = Some(Retrieval::new(&found));
    }
    let report = Check { retrieval, ..Check::new(report, &kb.status()?.index, args.links) };
    session.printer.show(&report)?;
    Ok(ExitCode::from(report.exit_code()))
}
