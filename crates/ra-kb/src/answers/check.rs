//! The answer of `ra check`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use ra_core::kb::{CheckReport, FindingKind, IndexStatus, Severity};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::retrieval::Retrieval;
use super::status::state;
use crate::output::{BAD, FAINT, GOOD, NAME, Page, Present, WARN, count, grouped};

/// The problems that were found.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Check {
    /// The number of errors.
    pub(crate) errors: usize,
    /// The number of warnings; all broken links together count as one.
    pub(crate) warnings: usize,
    /// The problems, errors first.
    pub(crate) findings: Vec<Finding>,
    /// The number of documents of each tree.
    pub(crate) documents: BTreeMap<String, usize>,
    /// The trees outside of the project that names them.
    pub(crate) outside_project: Vec<String>,
    /// The number of chunks.
    pub(crate) chunks: usize,
    /// The links between documents.
    pub(crate) links: Links,
    /// How well sections are found by their own words; absent without `--retrieval`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retrieval: Option<Retrieval>,
    /// The state of the index, as in `ra status`.
    pub(crate) index: String,
}

/// A problem.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Finding {
    /// The severity.
    #[schemars(extend("enum" = ["error", "warning"]))]
    pub(crate) severity: &'static str,
    /// The kind of problem.
    #[serde(serialize_with = "serialize_kind")]
    #[schemars(with = "String", extend("enum" = FindingKind::ALL.map(FindingKind::as_str)))]
    pub(crate) kind: FindingKind,
    /// The document, chunk, path or tree.
    pub(crate) place: String,
    /// The line, counted from 1, or null.
    pub(crate) line: Option<usize>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do about it, or null.
    pub(crate) hint: Option<String>,
}

fn serialize_kind<S: Serializer>(kind: &FindingKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.as_str())
}

/// The links between documents.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Links {
    /// The number of links that were checked.
    pub(crate) checked: usize,
    /// The number of broken links.
    pub(crate) broken: usize,
    /// The number of links that were not checked, by reason.
    pub(crate) unchecked: Unchecked,
    /// The broken links; null without `--links`.
    pub(crate) list: Option<Vec<BrokenLink>>,
}

/// The number of links that were not checked, by reason.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Unchecked {
    /// Links to other sites.
    pub(crate) external: usize,
    /// Links with another scheme, such as `mailto:`.
    pub(crate) other_schemes: usize,
    /// Links that contain a template.
    pub(crate) templates: usize,
    /// Links that begin with `/`, if no root resolves them.
    pub(crate) root: usize,
}

/// A link that leads nowhere.
#[derive(JsonSchema, Serialize)]
pub(crate) struct BrokenLink {
    /// The document that has the link.
    pub(crate) document: String,
    /// The line, counted from 1.
    #[schemars(range(min = 1))]
    pub(crate) line: usize,
    /// The target as written.
    pub(crate) target: String,
    /// The normalized target, which is the same for all links to it.
    pub(crate) resolved: String,
    /// What is missing: `no such file`, `no such page` or `no such heading`.
    pub(crate) missing: &'static str,
    /// The only document or section that the link may mean now; absent if there is none, or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moved_to: Option<String>,
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
            missing: link.missing.as_str(),
            moved_to: link.moved_to.map(|id| id.to_string()),
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
    pub(crate) fn new(finding: ra_core::kb::Finding) -> Self {
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

impl Present for Check {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        for finding in &self.findings {
            show(finding, page)?;
        }
        self.links(page)?;
        if self.errors + self.warnings > 0 {
            page.line("")?;
        }
        if let Some(retrieval) = &self.retrieval {
            retrieval.human(page)?;
            page.line("")?;
        }
        let documents: usize = self.documents.values().sum();
        let read = format!("{} in {}", count(documents, "document"), count(self.documents.len(), "tree"));
        page.line(format!("checked {read}: {}", count(self.chunks, "chunk")))?;
        if !self.outside_project.is_empty() {
            page.line(format!("outside the project: {}", self.outside_project.join(", ")))?;
        }
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
        if links.broken > 0 {
            self.broken_links(page)?;
        }
        if links.list.is_some() { links.not_checked(page) } else { Ok(()) }
    }

    fn broken_links(&self, page: &mut Page<'_>) -> io::Result<()> {
        let links = &self.links;
        let lead = if links.broken == 1 { "leads" } else { "lead" };
        let message = format!("{} of {} {lead} nowhere", links.broken, count(links.checked, "link"));
        page.line(format!("{WARN}warning{WARN:#}: {message}"))?;
        match &links.list {
            None => page.line("hint: `ra check --links` lists them"),
            Some(list) => by_target(list).into_iter().try_for_each(|links| target(&links, page)),
        }
    }
}

impl Links {
    /// Says how many links were not checked, and why.
    fn not_checked(&self, page: &mut Page<'_>) -> io::Result<()> {
        let Unchecked { external, other_schemes, templates, root } = self.unchecked;
        let reasons = [
            (external, "to other sites"),
            (other_schemes, "with other schemes"),
            (templates, "made by templates"),
            (root, "from the root of a site"),
        ];
        let reasons = reasons.iter().filter(|(number, _)| *number > 0);
        let reasons: Vec<String> =
            reasons.map(|(number, reason)| format!("{} {reason}", grouped(*number))).collect();
        if !reasons.is_empty() {
            page.line(format!("links not checked: {}", reasons.join(", ")))?;
        }
        if root > 0 {
            page.line("hint: `link_root` of a tree says where links that begin with `/` lead")?;
        }
        Ok(())
    }
}

/// Groups links by their missing target, the target with the most links first.
fn by_target(list: &[BrokenLink]) -> Vec<Vec<&BrokenLink>> {
    let mut targets: BTreeMap<(&str, &str), Vec<&BrokenLink>> = BTreeMap::new();
    for link in list {
        targets.entry((&link.resolved, link.missing)).or_default().push(link);
    }
    let mut targets: Vec<Vec<&BrokenLink>> = targets.into_values().collect();
    targets.sort_by_key(|links| Reverse(links.len()));
    targets
}

/// Writes a missing target, with all links to it.
fn target(links: &[&BrokenLink], page: &mut Page<'_>) -> io::Result<()> {
    let Some(first) = links.first() else { return Ok(()) };
    let target = page.clean(&first.resolved);
    let number = if links.len() == 1 { String::new() } else { format!(", {} links", grouped(links.len())) };
    page.line(format!("  {target} {FAINT}({}{number}){FAINT:#}", first.missing))?;
    links.iter().try_for_each(|link| {
        page.line(format!("    {NAME}{}:{}{NAME:#}", page.clean(&link.document), link.line))
    })?;
    match links.iter().find_map(|link| link.moved_to.as_deref()) {
        Some(moved_to) => page.line(format!("    hint: did it move to {}?", page.clean(moved_to))),
        None => Ok(()),
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
