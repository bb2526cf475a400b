//! `ra cite` and `ra verify`: prints citations, and says whether those in a text still hold.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ra_core::files;
use ra_core::kb::{Citation, FetchExtent, Fetched};

use super::Session;
use crate::answers::{CiteReport, VerifyReport};
use crate::args::{CiteArgs, VerifyArgs};
use crate::error::{self, CliError, Result};
use crate::request::MAX_INPUT_BYTES;

pub(super) fn run(session: &mut Session, args: &CiteArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let names = session.caller().ids(&kb, &args.ids);
    let (fetched, freshness) = kb.get(&names, FetchExtent::Named, &session.progress())?;
    let mut cited = Vec::new();
    let mut missing = Vec::new();
    for result in fetched {
        match result {
            Ok(fetched) => match Citation::of(&fetched) {
                Some(citation) => cited.push(citation),
                None => missing.push(not_citable(&fetched)),
            },
            Err(error) => missing.push(error.into()),
        }
    }
    if !cited.is_empty() {
        session.printer.show(&CiteReport::new(cited, freshness))?;
        session.printer.finish()?;
    }
    let mut code = ExitCode::SUCCESS;
    for error in missing {
        code = error::report(&error, session.color);
    }
    Ok(code)
}

/// Returns the error for a text that has no lines, or lines between which others are left out.
fn not_citable(fetched: &Fetched) -> CliError {
    let (first, last) = fetched.lines;
    let doc = &fetched.id.doc;
    CliError::new(format!("{} is not one run of lines with text", fetched.id))
        .hint(format!("cite lines, as in `ra cite {doc}:{first}-{last}`"))
}

pub(super) fn verify(session: &mut Session, args: &VerifyArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let mut report = VerifyReport::default();
    for file in &args.files {
        let text = read(&session.places.cwd, file)?;
        let (verified, freshness) = kb.verify(&text, &session.progress())?;
        report.add(file, verified, freshness);
    }
    session.printer.show(&report)?;
    Ok(if report.is_valid() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Reads a file, or standard input for `-`.
fn read(cwd: &Path, file: &PathBuf) -> Result<String> {
    let failed = |error: io::Error| {
        CliError::new(format!("{} could not be read: {error}", file.display()))
            .hint("name a file with citations, or `-` for standard input")
    };
    let bytes = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().take(MAX_INPUT_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        bytes
    } else {
        files::read(&cwd.join(file), MAX_INPUT_BYTES).map_err(failed)?
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
