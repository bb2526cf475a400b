//! `ra init`: a starter configuration, and a line in `.gitignore`.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ra_core::Error;
use ra_core::config::{FILE_NAME, git_root, same_file};

use super::Session;
use crate::args::InitArgs;
use crate::error::{CliError, Result};
use crate::wire::Init;

const STARTER: &str = include_str!("starter.toml");

pub(super) fn run(session: &mut Session, args: &InitArgs) -> Result<ExitCode> {
    let cwd = &session.places.cwd;
    if !args.global && session.places.home.as_deref().is_some_and(|home| same_file(home, cwd)) {
        let message = "the configuration of the home directory counts for every project, and this would make it all a tree";
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
    let gitignore = match git_root(cwd) {
        Some(root) if !args.global => ignore_index(root, cwd)?,
        _ => None,
    };
    session.printer.show(&Init { created: path, gitignore })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a new file; one that is there is never touched.
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

/// Adds `.ra/` to the work tree's `.gitignore` unless a line already says so for the directory.
fn ignore_index(root: &Path, directory: &Path) -> Result<Option<PathBuf>> {
    let path = root.join(".gitignore");
    // Git does not ask for valid UTF-8, and bytes that are kept need not be understood.
    let text = match fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Error::io("read", &path, error).into()),
    };
    // A line that begins with `/` means the work tree's own directory and none below it.
    let ignored = |line: &str| {
        let line = if directory == root { line.trim_start_matches('/') } else { line };
        line.trim_end_matches('/') == ".ra"
    };
    if text.lines().any(|line| ignored(line.trim())) {
        return Ok(None);
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&path)
        .map_err(|error| Error::io("open", &path, error))?;
    file.write_all(format!("{gap}.ra/{newline}").as_bytes())
        .map_err(|error| Error::io("write", &path, error))?;
    Ok(Some(path))
}
