//! `ra status`: what there is.

use std::process::ExitCode;

use super::Session;
use crate::error::Result;
use crate::wire::Status;

pub(super) fn run(session: &mut Session) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let status = Status::new(kb.config(), kb.status()?);
    session.printer.show(&status)?;
    Ok(ExitCode::SUCCESS)
}
