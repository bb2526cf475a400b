//! `ra links`: shows which documents a document links to, and which link to it.

use std::process::ExitCode;

use ra_core::kb::FetchExtent;

use super::Session;
use crate::answers::LinksReport;
use crate::args::LinksArgs;
use crate::error::Result;

pub(super) fn run(session: &mut Session, args: &LinksArgs) -> Result<ExitCode> {
    let kb = session.knowledge_base()?;
    let names = session.caller().ids(&kb, &args.ids);
    let (fetched, freshness) = kb.get(&names, FetchExtent::Outline, &session.progress())?;
    let ids = fetched.into_iter().map(|fetched| Ok(fetched?.id)).collect::<Result<Vec<_>>>()?;
    let graph = kb.link_graph();
    session.printer.show(&LinksReport::new(&ids, args.orphans, &graph, freshness))?;
    Ok(ExitCode::SUCCESS)
}
