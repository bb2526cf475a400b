//! `ra check`: what is wrong.

use std::process::ExitCode;

use super::Session;
use crate::args::CheckArgs;
use crate::error::Result;
use crate::wire::Check;

pub(super) fn run(session: &mut Session, args: &CheckArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let report = Check::new(kb.check(), &kb.status()?.index, args.links);
    session.printer.show(&report)?;
    Ok(ExitCode::from(report.exit_code()))
}
