//! `ra get`: prints sections, documents and lines by id.

use std::path::Path;
use std::process::ExitCode;

use ra_core::Error;

use super::Session;
use crate::answers::GetReport;
use crate::args::GetArgs;
use crate::error::{self, Result};
use crate::output::Format;
use crate::request::FetchOptions;

pub(super) fn run(session: &mut Session, args: &GetArgs) -> Result<ExitCode> {
    let GetArgs { lines, outline, full_document, .. } = *args;
    let want = FetchOptions { lines, outline, full_document }.extent()?;
    let kb = session.knowledge_base()?;
    let names = session.caller().ids(&kb, &args.ids);
    let (fetched, freshness) = kb.get(&names, want, &session.progress())?;
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for (name, result) in args.ids.iter().zip(fetched) {
        match result {
            Ok(fetched) => found.push(fetched),
            Err(error) => missing.push(explained(error, name, &session.places.cwd)),
        }
    }
    if !found.is_empty() {
        let mut got = GetReport::new(found, freshness, &session.places.cwd);
        // For people, `ra cite` prints citations.
        if session.printer.format() == Format::Human {
            got.documents.iter_mut().for_each(|item| item.citation = None);
        }
        let copied = match got.documents.as_mut_slice() {
            [only] if session.printer.is_verbatim() => only.content.take_if(|text| !text.is_empty()),
            _ => None,
        };
        session.printer.show(&got)?;
        if let Some(text) = copied {
            session.printer.copy(&text)?;
        }
        session.printer.finish()?;
    }
    let mut code = ExitCode::SUCCESS;
    for error in missing {
        code = error::report(&error.into(), session.color);
    }
    Ok(code)
}

/// Improves the error for an unknown name if the name is a file that is not indexed.
fn explained(error: Error, name: &str, cwd: &Path) -> Error {
    // An ambiguous name, which has no hint, needs no explanation.
    let Error::NotFound { message, candidates, hint: hint @ Some(_) } = error else { return error };
    if cwd.join(name).is_file() {
        let hint = Some(format!("`ra inspect {name}` says why it is not indexed").into());
        return Error::NotFound {
            message: format!("{name} is not a document"),
            candidates: Vec::new(),
            hint,
        };
    }
    Error::NotFound { message, candidates, hint }
}
