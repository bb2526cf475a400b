//! `ra cite` and `ra verify` for people.

use std::io;

use super::{BAD, FAINT, GOOD, NAME, Page, Present, WARN, count};
use crate::wire::{CheckedCitation, CiteReport, VerifyReport};

impl Present for CiteReport {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        self.citations.iter().try_for_each(|citation| page.line(page.clean(citation)))
    }
}

impl Present for VerifyReport {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if let Some(index) = &self.index {
            index.notes(page)?;
        }
        let number = |state: &str| self.citations.iter().filter(|checked| checked.state == state).count();
        let states: Vec<String> = ["valid", "moved", "changed", "gone"]
            .into_iter()
            .filter(|state| number(state) > 0)
            .map(|state| format!("{} {state}", number(state)))
            .collect();
        if states.is_empty() {
            return page.note("there is no citation, such as docs:guide.md#setup@1f2e3d4c5b6a70:10-20");
        }
        page.line(format!("{}: {}", count(self.citations.len(), "citation"), states.join(", ")))?;
        // Citations that don't hold come first, because an answer may be cut.
        let (valid, others): (Vec<_>, Vec<_>) =
            self.citations.iter().partition(|checked| checked.state == "valid");
        others.into_iter().chain(valid).try_for_each(|checked| checked.human(page))
    }
}

/// How many lines of a changed section are shown.
const SHOWN_LINES: usize = 12;

impl CheckedCitation {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let style = match self.state {
            "valid" => GOOD,
            "moved" => WARN,
            _ => BAD,
        };
        let place = format!("{}:{}", page.clean(&self.file), self.line);
        let cited = page.clean(&self.citation);
        page.line(format!("{FAINT}{place}{FAINT:#} {style}{:<7}{style:#} {cited}", self.state))?;
        if let Some(now) = &self.now {
            page.line(format!("    now: {NAME}{}{NAME:#}", page.clean(now)))?;
        }
        let Some(text) = &self.text else { return Ok(()) };
        for line in text.lines().take(SHOWN_LINES) {
            page.line(format!("    {FAINT}|{FAINT:#} {}", page.clean(line)))?;
        }
        let more = text.lines().count().saturating_sub(SHOWN_LINES);
        if more > 0 {
            page.line(format!("    {FAINT}| {} more{FAINT:#}", count(more, "line")))
        } else {
            Ok(())
        }
    }
}
