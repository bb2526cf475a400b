//! `ra check`: reports problems.

use std::process::ExitCode;

use ra_core::Error;
use ra_core::eval::measure_retrievability;
use ra_core::files;
use ra_core::kb::CheckReport;

use super::{Session, stale};
use crate::agents::target_within;
use crate::answers::{Check, Retrieval, Status, time};
use crate::args::CheckArgs;
use crate::error::Result;
use crate::web::{self, Health};

pub(super) fn run(session: &mut Session, args: &CheckArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let mut report = kb.check();
    if args.stale {
        report.findings.extend(stale::findings(&kb)?);
    }
    let mut found = None;
    if args.retrieval {
        let (snapshot, _) = kb.refresh(&session.progress())?;
        let measured = measure_retrievability(&kb, &snapshot, args.sample)?;
        // They are warnings like the others, and come last because there may be many.
        let unfindable = measured.trees.iter().flat_map(|tree| &tree.unfindable);
        report.findings.extend(unfindable.map(|section| section.finding()));
        found = Some(measured);
    }
    let check = |report: CheckReport, lists_links: bool| -> Result<Check> {
        let retrieval = found.as_ref().map(Retrieval::new);
        Ok(Check { retrieval, ..Check::new(report, &kb.status()?.index, lists_links) })
    };
    if let Some(file) = &args.report {
        // The index is updated first, because the page counts what is in it.
        let (documents, _) = kb.documents(&[], &session.progress())?;
        let orphans = kb.link_graph().orphans().iter().map(ToString::to_string).collect();
        let health = Health { check: check(report.clone(), true)?, orphans };
        let status = Status::new(kb.config(), kb.status()?);
        let page = web::report(&status, &documents, &health, &time::for_people(time::now()));
        let named = files::without_dots(&session.places.cwd.join(file));
        let project = &kb.config().project;
        // A directory in the project that is a link must not choose another place. A link in place of the file is
        // replaced.
        let path = match (named.parent(), named.file_name()) {
            (Some(directory), Some(name)) if directory.starts_with(project) => {
                target_within(directory, project)?.join(name)
            }
            _ => named,
        };
        files::replace(&path, page.as_bytes()).map_err(|error| Error::io("write", &path, error))?;
    }
    let report = check(report, args.links)?;
    session.printer.show(&report)?;
    Ok(ExitCode::from(report.exit_code()))
}
