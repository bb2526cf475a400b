//! `ra inspect`: how a file is read.

use std::process::ExitCode;

use super::Session;
use crate::args::InspectArgs;
use crate::error::{CliError, Result};
use crate::wire::Inspection;

pub(super) fn run(session: &mut Session, args: &InspectArgs) -> Result<ExitCode> {
    let path = session.places.cwd.join(&args.file);
    if path.is_dir() {
        let message = format!("{} is a directory", args.file.display());
        return Err(CliError::new(message).hint("`ra inspect` reads one file; `ra status` lists the trees"));
    }
    let kb = session.knowledge_base()?;
    let found = kb.inspect(&path)?;
    session.printer.show(&Inspection::new(&args.file, found))?;
    Ok(ExitCode::SUCCESS)
}
