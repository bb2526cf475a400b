//! `ra context` and `ra similar`: find sections that matter for files, a diff or a section.

use std::io::{self, Read};
use std::process::ExitCode;

use ra_core::config::{Config, Override};
use ra_core::index::Scope;
use ra_core::kb::{ContextAnswer, ContextRequest, ContextSource, KnowledgeBase, SimilarRequest};

use super::Session;
use crate::answers::SearchReport;
use crate::args::{ContextArgs, ResultArgs, SimilarArgs};
use crate::error::{CliError, Result};
use crate::git_history;
use crate::layout::ResultForm;
use crate::request::{Filters, Limits, MAX_INPUT_BYTES};

pub(super) fn run(session: &mut Session, args: &ContextArgs) -> Result<ExitCode> {
    let (kb, scope) = open(session, &args.overrides(), &args.shown)?;
    let mut sources = Vec::new();
    for name in &args.files {
        sources.push(match name.as_str() {
            "-" => ContextSource::Diff { text: standard_input(session)?, cwd: session.places.cwd.clone() },
            _ => ContextSource::File { name: name.clone(), path: session.places.cwd.join(name) },
        });
    }
    let mut unchanged = None;
    if let Some(revision) = &args.diff {
        let diff = git_history::diff(&session.places.cwd, revision)?;
        if diff.is_empty() {
            unchanged = Some(format!("--diff: nothing that git tracks has changed since `{revision}`"));
        } else {
            sources.push(ContextSource::Diff { text: diff, cwd: session.places.cwd.clone() });
        }
    }
    let mut found = kb.context(&ContextRequest { sources, scope }, &session.progress())?;
    found.warnings.extend(unchanged);
    show(session, &kb, &args.shown, &found)
}

pub(super) fn similar(session: &mut Session, args: &SimilarArgs) -> Result<ExitCode> {
    let (kb, scope) = open(session, &args.shown.overrides("context"), &args.shown)?;
    let file = Some(session.places.cwd.join(&args.source));
    let name = kb.name_of(&session.places.cwd, &args.source);
    let found = kb.similar(&SimilarRequest { name, file, scope }, &session.progress())?;
    show(session, &kb, &args.shown, &found)
}

fn open(session: &Session, overrides: &[Override], args: &ResultArgs) -> Result<(KnowledgeBase, Scope)> {
    let kb = KnowledgeBase::open(Config::load(&session.places, overrides)?);
    let scope = session.caller().scope(&kb, Filters { trees: &args.trees, ..Filters::default() })?;
    Ok((kb, scope))
}

fn show(
    session: &mut Session,
    kb: &KnowledgeBase,
    args: &ResultArgs,
    found: &ContextAnswer,
) -> Result<ExitCode> {
    let form = if args.list { ResultForm::List } else { ResultForm::Full };
    session.sections(kb, Limits::Context, args, form, |view| SearchReport::context(found, view))
}

fn standard_input(session: &mut Session) -> Result<String> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_INPUT_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| CliError::new(format!("standard input could not be read: {error}")))?;
    if bytes.len() as u64 == MAX_INPUT_BYTES {
        session.printer.note("only the first 64 MiB of the diff were read")?;
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(CliError::new("standard input is empty: there is no change to look at")
            .hint("pipe a unified diff into it, as in `git diff | ra context -`"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
