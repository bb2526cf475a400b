//! `ra status`: prints the state of the trees and the index.

use std::process::ExitCode;

use super::Session;
use crate::answers::Status;
use crate::args::StatusArgs;
use crate::error::Result;

pub(super) fn run(session: &mut Session, args: &StatusArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let mut status = Status::new(kb.config(), kb.status()?);
    if !args.all {
        status.configuration.keep_changed();
    }
    session.printer.show(&status)?;
    Ok(ExitCode::SUCCESS)
}
