//! `ra links` for people.

use std::io;

use super::{FAINT, HEADING, NAME, Page, Present, Table, WARN, count};
use crate::wire::{LinkedDocument, LinksReport};

impl Present for LinksReport {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        self.documents.iter().try_for_each(|document| document.human(page))?;
        let Some(orphans) = &self.orphans else { return Ok(()) };
        if orphans.is_empty() {
            return page.note("there is no document without a link to it");
        }
        page.line(format!(
            "{HEADING}no other document links to {}:{HEADING:#}",
            count(orphans.len(), "document")
        ))?;
        orphans.iter().try_for_each(|id| page.line(format!("  {}", page.clean(id))))
    }
}

impl LinkedDocument {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("{NAME}{}{NAME:#}", page.clean(&self.id)))?;
        page.line(format!("{HEADING}links to {}{HEADING:#}", count(self.outgoing.len(), "place")))?;
        let mut table = Table::new(&[">line", "to", "text"]);
        for link in &self.outgoing {
            table.row([link.line.to_string(), page.clean(&link.to), page.clean(&link.text)]);
        }
        if !self.outgoing.is_empty() {
            page.table(&table)?;
        }
        page.line(format!("{HEADING}linked from {}{HEADING:#}", count(self.backlinks.len(), "place")))?;
        let mut table = Table::new(&["from", ">line", "text"]);
        for link in &self.backlinks {
            table.row([page.clean(&link.from), link.line.to_string(), page.clean(&link.text)]);
        }
        if !self.backlinks.is_empty() {
            page.table(&table)?;
        }
        for link in &self.broken {
            let (target, place) = (page.clean(&link.target), format!("{FAINT}line {}{FAINT:#}", link.line));
            page.line(format!("{WARN}broken{WARN:#} {place} {target}: {}", link.missing))?;
        }
        Ok(())
    }
}
