//! The report of `ra check`.

use std::collections::BTreeMap;

use ra_core::kb::{CheckReport, IndexStatus, Severity};
use serde::Serialize;

use super::retrieval::Retrieval;
use super::status::state;

#[derive(Serialize)]
pub(crate) struct Check {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) findings: Vec<Finding>,
    pub(crate) documents: BTreeMap<String, usize>,
    /// The trees outside of the project that names them.
    pub(crate) outside_project: Vec<String>,
    pub(crate) chunks: usize,
    pub(crate) links: Links,
    /// How well sections are found by their own words, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retrieval: Option<Retrieval>,
    pub(crate) index: String,
}

#[derive(Serialize)]
pub(crate) struct Finding {
    pub(crate) severity: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) place: String,
    pub(crate) line: Option<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Links {
    pub(crate) checked: usize,
    pub(crate) broken: usize,
    /// The number of links that were not checked.
    pub(crate) unchecked: Unchecked,
    /// All broken links, if requested.
    pub(crate) list: Option<Vec<BrokenLink>>,
}

/// How many links were not checked, by reason.
#[derive(Serialize)]
pub(crate) struct Unchecked {
    pub(crate) external: usize,
    pub(crate) other_schemes: usize,
    pub(crate) templates: usize,
    pub(crate) root: usize,
}

#[derive(Serialize)]
pub(crate) struct BrokenLink {
    pub(crate) document: String,
    pub(crate) line: usize,
    pub(crate) target: String,
    /// The normalized target, which is the same for all links to it.
    pub(crate) resolved: String,
    pub(crate) missing: &'static str,
}

/// The state of an index that can be opened although a file of it is damaged.
const DAMAGED: &str = "damaged (a file is not as it was written)";

impl Check {
    pub(crate) fn new(report: CheckReport, index: &IndexStatus, list_links: bool) -> Self {
        let broken = report.links.broken.len();
        let links = report.links.broken.into_iter().map(|link| BrokenLink {
            document: link.doc.to_string(),
            line: link.line,
            target: link.target,
            resolved: link.resolved,
            missing: link.missing,
        });
        let ra_core::kb::Unchecked { external, other_schemes, templates, root } = report.links.unchecked;
        let unchecked = Unchecked { external, other_schemes, templates, root };
        let list = list_links.then(|| links.collect());
        let is_error = |finding: &&ra_core::kb::Finding| finding.severity == Severity::Error;
        let errors = report.findings.iter().filter(is_error).count();
        Check {
            errors,
            warnings: report.findings.len() - errors + usize::from(broken > 0),
            findings: report.findings.into_iter().map(Finding::new).collect(),
            documents: report.documents.into_iter().map(|(tree, count)| (tree.to_string(), count)).collect(),
            outside_project: report.outside.iter().map(ToString::to_string).collect(),
            chunks: report.chunks,
            links: Links { checked: report.links.checked, broken, unchecked, list },
            retrieval: None,
            index: if report.damaged { DAMAGED.to_owned() } else { state(index) },
        }
    }

    /// Returns 0 if all is well, 1 for warnings, 2 for errors.
    pub(crate) fn exit_code(&self) -> u8 {
        match (self.errors, self.warnings) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 2,
        }
    }
}

impl Finding {
    fn new(finding: ra_core::kb::Finding) -> Self {
        Finding {
            severity: match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            kind: finding.kind,
            place: finding.place,
            line: finding.line,
            message: finding.message,
            hint: finding.hint,
        }
    }
}
