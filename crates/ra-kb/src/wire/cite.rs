//! The reports of `ra cite` and `ra verify`.

use std::path::Path;

use ra_core::kb::{Citation, CitationState, Freshness, VerifiedCitation};
use schemars::JsonSchema;
use serde::Serialize;

use super::Index;

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
    #[schemars(extend("enum" = ["valid", "moved", "changed", "gone"]))]
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
        };
        Self {
            file: file.to_owned(),
            line: verified.line,
            citation: verified.citation.to_string(),
            state,
            now: now.map(|now| now.to_string()),
            text,
        }
    }
}
