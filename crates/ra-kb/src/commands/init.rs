//! `ra init`: writes a starter configuration.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use ra_core::Error;
use ra_core::config::{FILE_NAME, same_file};

use super::Session;
use crate::answers::Init;
use crate::args::InitArgs;
use crate::error::{CliError, Result};

const STARTER: &str = include_str!("starter.toml");

pub(super) fn run(session: &mut Session, args: &InitArgs) -> Result<ExitCode> {
    let cwd = &session.places.cwd;
    if !args.global && session.places.home.as_deref().is_some_and(|home| same_file(home, cwd)) {
        let message = "a configuration in the home directory applies to every project, and this one would make all of it a tree";
        return Err(CliError::new(message)
            .hint("`ra init --global` writes one without a tree; run `ra init` where the documents are"));
    }
    let (directory, tree): (&Path, &str) = if args.global {
        let home = session.places.home.as_deref();
        let home = home.ok_or_else(|| CliError::new("the home directory is not known").hint("set HOME"))?;
        (home, "# global = \"~/docs\"           # a name and a directory, for every project")
    } else if cwd.join("docs").is_dir() {
        (cwd, "docs = \"./docs\"               # a name and a directory, relative to this file")
    } else {
        (cwd, "local = \".\"                   # a name and a directory, relative to this file")
    };
    let path = directory.join(FILE_NAME);
    create(&path, &STARTER.replace("{tree}", tree))?;
    session.printer.show(&Init { created: path })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a new file. Never touches anything that already exists at the path, not even a symlink.
fn create(path: &Path, text: &str) -> Result<()> {
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let message = format!("{} is there already", path.display());
            return Err(CliError::new(message).hint("edit it, or move it away and run `ra init` again"));
        }
        Err(error) => return Err(Error::io("create", path, error).into()),
    };
    file.write_all(text.as_bytes()).map_err(|error| Error::io("write", path, error))?;
    Ok(())
}
