//! `ra get`: sections, documents and lines by id.

use std::process::ExitCode;

use ra_core::kb::Want;

use super::Session;
use crate::args::GetArgs;
use crate::error::{self, Result};
use crate::wire::Got;

pub(super) fn run(session: &mut Session, args: &GetArgs) -> Result<ExitCode> {
    let want = match (args.lines, args.outline, args.full_document) {
        (Some((from, to)), ..) => Want::Lines(from, to),
        (None, true, _) => Want::Outline,
        (None, false, true) => Want::Document,
        (None, false, false) => Want::Named,
    };
    let kb = session.knowledge_base()?;
    let names: Vec<String> = args.ids.iter().map(|name| kb.name_of(&session.places.cwd, name)).collect();
    let (fetched, freshness) = kb.get(&names, want, &session.progress())?;
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for result in fetched {
        match result {
            Ok(fetched) => found.push(fetched),
            Err(error) => missing.push(error),
        }
    }
    if !found.is_empty() {
        session.printer.show(&Got::new(found, freshness, &session.places.cwd))?;
        session.printer.finish()?;
    }
    let mut code = ExitCode::SUCCESS;
    for error in missing {
        code = error::report(&error.into(), session.color);
    }
    Ok(code)
}
