//! `ra inspect`: shows how a file is read.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ra_core::files;

use super::Session;
use crate::answers::Inspection;
use crate::args::InspectArgs;
use crate::error::{CliError, Result};

pub(super) fn run(session: &mut Session, args: &InspectArgs) -> Result<ExitCode> {
    let path = comparable(&session.places.cwd.join(&args.file));
    if path.is_dir() {
        let message = format!("{} is a directory", args.file.display());
        return Err(CliError::new(message).hint("`ra inspect` reads one file; `ra status` lists the trees"));
    }
    let kb = session.knowledge_base()?;
    let found = kb.inspect(&path)?;
    session.printer.show(&Inspection::new(&args.file, found))?;
    Ok(ExitCode::SUCCESS)
}

/// Removes `.` and `..` from a path, so it can be compared with the roots of the trees. If a symlink makes `..` lead
/// elsewhere, the canonical path is used.
fn comparable(path: &Path) -> PathBuf {
    let plain = files::without_dots(path);
    match (files::real_path(path), files::real_path(&plain)) {
        (Ok(real), Ok(seeming)) if real == seeming => plain,
        (Ok(real), _) => real,
        (Err(_), _) => plain,
    }
}
