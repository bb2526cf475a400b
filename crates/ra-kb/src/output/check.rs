//! `ra check` for people.

use std::io;

use super::{BAD, FAINT, GOOD, NAME, Page, Present, WARN, count};
use crate::wire::{Check, Finding};

impl Present for Check {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        for finding in &self.findings {
            show(finding, page)?;
        }
        self.links(page)?;
        if self.errors + self.warnings > 0 {
            page.line("")?;
        }
        let documents: usize = self.documents.values().sum();
        let read = format!("{} in {}", count(documents, "document"), count(self.documents.len(), "tree"));
        page.line(format!("checked {read}: {}", count(self.chunks, "chunk")))?;
        page.line(format!("index: {}", self.index))?;
        match (self.errors, self.warnings) {
            (0, 0) => page.line(format!("{GOOD}no problems{GOOD:#}")),
            (0, warnings) => page.line(format!("{WARN}{}{WARN:#}", count(warnings, "warning"))),
            (errors, warnings) => {
                page.line(format!("{BAD}{}{BAD:#}, {}", count(errors, "error"), count(warnings, "warning")))
            }
        }
    }
}

impl Check {
    fn links(&self, page: &mut Page<'_>) -> io::Result<()> {
        let links = &self.links;
        if links.broken == 0 {
            return Ok(());
        }
        let message = format!("{} of {} lead nowhere", links.broken, count(links.checked, "link"));
        page.line(format!("{WARN}warning{WARN:#}: {message}"))?;
        match &links.list {
            None => page.line("hint: `ra check --links` lists them"),
            Some(list) => {
                for link in list {
                    let (target, document) = (page.clean(&link.target), page.clean(&link.document));
                    let place = format!("{NAME}{document}:{}{NAME:#}", link.line);
                    page.line(format!("  {place} {target} {FAINT}({}){FAINT:#}", link.missing))?;
                }
                Ok(())
            }
        }
    }
}

fn show(finding: &Finding, page: &mut Page<'_>) -> io::Result<()> {
    let style = if finding.severity == "error" { BAD } else { WARN };
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let message = page.clean(&finding.message);
    let place = page.clean(&finding.place);
    page.line(format!("{style}{}{style:#}: {NAME}{place}{line}{NAME:#}: {message}", finding.severity))?;
    match &finding.hint {
        Some(hint) => page.line(format!("hint: {hint}")),
        None => Ok(()),
    }
}
