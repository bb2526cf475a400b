//! `ra ls`: lists what there is.

use std::process::ExitCode;

use super::Session;
use crate::answers::{Chunks, Documents, Fields, Tags, Trees};
use crate::args::{Listing, LsArgs};
use crate::error::{CliError, Result};

pub(super) fn run(session: &mut Session, args: &LsArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    match args.what {
        Listing::Trees if !args.globs.is_empty() => {
            return Err(
                CliError::new("`ra ls trees` takes no globs").hint("list documents with `ra ls docs GLOB`")
            );
        }
        Listing::Tags if !args.globs.is_empty() => {
            return Err(CliError::new("`ra ls tags` takes no globs")
                .hint("search for the documents with a tag with `ra search tags:TAG`"));
        }
        Listing::Tags => {
            let (tags, freshness) = kb.tags(&session.progress())?;
            session.printer.show(&Tags::new(tags, freshness))?;
        }
        Listing::Fields => {
            let (mut fields, freshness) = kb.properties(&session.progress())?;
            if !args.globs.is_empty() {
                fields.retain(|key, _| args.globs.iter().any(|wanted| wanted.to_lowercase() == *key));
            }
            session.printer.show(&Fields::new(fields, freshness, !args.globs.is_empty()))?;
        }
        Listing::Trees => session.printer.show(&Trees::new(kb.config(), kb.status()?))?,
        Listing::Docs => {
            let (documents, freshness) = kb.documents(&args.globs, &session.progress())?;
            session.printer.show(&Documents::new(documents, freshness))?;
        }
        Listing::Chunks => {
            let (chunks, freshness) = kb.chunks(&args.globs, &session.progress())?;
            session.printer.show(&Chunks::new(chunks, freshness))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
