//! What `ra check` found.

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
    /// The trees that lie outside the project which names them.
    pub(crate) outside_project: Vec<String>,
    pub(crate) chunks: usize,
    pub(crate) links: Links,
    /// How well sections are found by their own words, when that was asked for.
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
    /// Every broken link, when they were asked for.
    pub(crate) list: Option<Vec<BrokenLink>>,
}

#[derive(Serialize)]
pub(crate) struct BrokenLink {
    pub(crate) document: String,
    pub(crate) line: usize,
    pub(crate) target: String,
    pub(crate) missing: &'static str,
}

/// The state of an index that can be opened, but has a finding of its own.
const DAMAGED: &str = "damaged (a file is not as it was written)";

impl Check {
    pub(crate) fn new(report: CheckReport, index: &IndexStatus, list_links: bool) -> Self {
        let broken = report.links.broken.len();
        let links = report.links.broken.into_iter().map(|link| BrokenLink {
            document: link.doc.to_string(),
            line: link.line,
            target: link.target,
            missing: link.missing,
        });
        let is_error = |finding: &&ra_core::kb::Finding| finding.severity == Severity::Error;
        let errors = report.findings.iter().filter(is_error).count();
        Check {
            errors,
            warnings: report.findings.len() - errors + usize::from(broken > 0),
            findings: report.findings.into_iter().map(Finding::new).collect(),
            documents: report.documents.into_iter().map(|(tree, count)| (tree.to_string(), count)).collect(),
            outside_project: report.outside.iter().map(ToString::to_string).collect(),
            chunks: report.chunks,
            links: Links { checked: report.links.checked, broken, list: list_links.then(|| links.collect()) },
            retrieval: None,
            index: if report.damaged { DAMAGED.to_owned() } else { state(index) },
        }
    }

    /// 0 when all is well, 1 for warnings, 2 for errors.
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
