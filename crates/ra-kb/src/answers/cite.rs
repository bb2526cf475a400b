//! The answers of `ra cite` and `ra verify`.

use std::io;
use std::path::Path;

use ra_core::kb::{Citation, CitationState, Freshness, VerifiedCitation};
use schemars::JsonSchema;
use serde::Serialize;

use super::Index;
use crate::output::{BAD, FAINT, GOOD, NAME, Page, Present, WARN, count};

/// Citations of sections, documents or lines.
#[derive(JsonSchema, Serialize)]
pub(crate) struct CiteReport {
    /// One citation for each id that was found.
    pub(crate) citations: Vec<String>,
    pub(crate) index: Index,
}

impl CiteReport {
    pub(crate) fn new(cited: Vec<Citation>, freshness: Freshness) -> Self {
        Self { citations: cited.iter().map(Citation::to_string).collect(), index: Index::new(freshness) }
    }
}

/// Whether citations still hold.
#[derive(Default, JsonSchema, Serialize)]
pub(crate) struct VerifyReport {
    /// One entry for each citation, in the order of the files and lines.
    pub(crate) citations: Vec<CheckedCitation>,
    #[schemars(with = "Index")]
    pub(crate) index: Option<Index>,
}

/// A citation with the state of what it cites.
#[derive(JsonSchema, Serialize)]
pub(crate) struct CheckedCitation {
    /// The file that cites, as given.
    pub(crate) file: String,
    /// The line of the citation in that file.
    #[schemars(range(min = 1))]
    pub(crate) line: usize,
    /// The citation.
    pub(crate) citation: String,
    /// Whether it still holds.
    #[schemars(extend("enum" = ["valid", "moved", "changed", "gone", "malformed"]))]
    pub(crate) state: &'static str,
    /// The citation to use instead: of the same text if it moved, of the text in its place if it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) now: Option<String>,
    /// The text in its place, if it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

impl VerifyReport {
    /// Adds the citations of a file.
    pub(crate) fn add(&mut self, file: &Path, verified: Vec<VerifiedCitation>, freshness: Freshness) {
        let file = file.display().to_string();
        self.citations.extend(verified.into_iter().map(|verified| CheckedCitation::new(&file, verified)));
        self.index = Some(Index::new(freshness));
    }

    /// True if every citation still holds.
    pub(crate) fn is_valid(&self) -> bool {
        self.citations.iter().all(|citation| citation.state == "valid")
    }
}

impl CheckedCitation {
    fn new(file: &str, verified: VerifiedCitation) -> Self {
        let (state, now, text) = match verified.state {
            CitationState::Valid => ("valid", None, None),
            CitationState::Moved(now) => ("moved", Some(now), None),
            CitationState::Changed { now: Some((now, text)) } => ("changed", Some(now), Some(text)),
            CitationState::Changed { now: None } => ("changed", None, None),
            CitationState::Gone => ("gone", None, None),
            CitationState::Malformed => ("malformed", None, None),
        };
        Self {
            file: file.to_owned(),
            line: verified.line,
            citation: verified.citation,
            state,
            now: now.map(|now| now.to_string()),
            text,
        }
    }
}

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
        let states: Vec<String> = ["valid", "moved", "changed", "gone", "malformed"]
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
        page.line(format!("{FAINT}{place}{FAINT:#} {style}{:<9}{style:#} {cited}", self.state))?;
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
