//! The problems of the documents, and the sections that search doesn't find.

use std::collections::BTreeMap;

use maud::{Markup, html};
use ra_core::kb::FindingKind;

use super::{Health, Linking};
use crate::answers::{Check, Finding, Retrieval};
use crate::web::frame::{counted, number};
use crate::web::links::id_url;

/// How many problems of one kind are listed.
const MAX_LISTED: usize = 200;

pub(super) fn body(health: &Health, linking: Linking) -> Markup {
    let check = &health.check;
    let mut kinds: BTreeMap<(&str, (&str, &str)), Vec<&Finding>> = BTreeMap::new();
    for finding in check.findings.iter().filter(|finding| finding.kind != FindingKind::Unfindable) {
        kinds.entry((finding.severity, group(finding.kind))).or_default().push(finding);
    }
    html! {
        p .lead {
            @if check.errors + check.warnings == 0 { "No problem was found. " }
            @else { (counted(check.errors, "error")) " and " (counted(check.warnings, "warning")) ". " }
            (number(check.links.checked)) " links checked, " (number(check.links.broken)) " broken."
        }
        @for ((severity, (_, label)), findings) in &kinds {
            details open[*severity == "error"] {
                summary { span class=(severity) { (severity) } " " (label) " · " (number(findings.len())) }
                (list(findings.iter().copied(), linking))
            }
        }
        (broken_links(check, linking))
        @if !health.orphans.is_empty() {
            details {
                summary { "Documents that no other links to · " (number(health.orphans.len())) }
                ul .links { @for id in health.orphans.iter().take(MAX_LISTED) { li { (place(id, linking)) } } }
                (rest(health.orphans.len()))
            }
        }
        @if let Some(found) = &check.retrieval {
            h3 { "What search does not find" }
            (retrieval(found, check.findings.iter().filter(|finding| finding.kind == FindingKind::Unfindable), linking))
        }
    }
}

/// Returns the group of a kind of problem, by which groups are sorted, and what its problems are about.
fn group(kind: FindingKind) -> (&'static str, &'static str) {
    let about = match kind {
        FindingKind::Copy | FindingKind::NearCopy | FindingKind::Duplicate => {
            return ("duplicates", "copies and near copies");
        }
        FindingKind::Binary => "files that are not text",
        FindingKind::DeadLink => "symbolic links to nothing",
        FindingKind::Empty => "empty trees",
        FindingKind::Encoding => "text that is not UTF-8",
        FindingKind::FileName => "names that are not Unicode",
        FindingKind::ForeignIndex => "an index that came with the project",
        FindingKind::FrontMatter => "malformed front matter",
        FindingKind::Include => "rules that include what does not exist",
        FindingKind::Index => "the index",
        FindingKind::LinkBarred | FindingKind::LinkOutside => "symbolic links that are not followed",
        FindingKind::Oversized => "sections that are too long, and too many sections",
        FindingKind::Pattern => "patterns that match no file",
        FindingKind::Tags => "tags that are not read",
        FindingKind::TooLarge => "files that are too large",
        FindingKind::Tree => "trees that can't be read",
        FindingKind::Unreadable => "files that can't be read",
        FindingKind::Stale | FindingKind::Unfindable => kind.as_str(),
    };
    (kind.as_str(), about)
}

fn list<'a>(findings: impl Iterator<Item = &'a Finding> + Clone, linking: Linking) -> Markup {
    html! {
        ul .findings {
            @for finding in findings.clone().take(MAX_LISTED) {
                li {
                    (place(&finding.place, linking))
                    @if let Some(line) = finding.line { span .hint { ", line " (line) } }
                    ": " (finding.message)
                    @if let Some(hint) = &finding.hint { " " span .hint { (hint) } }
                }
            }
        }
        (rest(findings.count()))
    }
}

/// Shows broken links by what they miss, the most frequent first: one new page may repair many.
fn broken_links(check: &Check, linking: Linking) -> Markup {
    let mut targets: BTreeMap<(&str, &str), Vec<(&str, usize)>> = BTreeMap::new();
    for link in check.links.list.iter().flatten() {
        targets.entry((&link.resolved, link.missing)).or_default().push((&link.document, link.line));
    }
    let mut targets: Vec<_> = targets.into_iter().collect();
    targets.sort_by_key(|(_, sources)| std::cmp::Reverse(sources.len()));
    html! {
        @if !targets.is_empty() {
            details open {
                summary { "Broken links by target · " (counted(targets.len(), "target")) }
                ul .findings {
                    @for ((target, missing), sources) in targets.iter().take(MAX_LISTED) {
                        li {
                            details {
                                summary { code { (target) } " – " (missing) " · " (counted(sources.len(), "link")) }
                                ul { @for (document, line) in sources.iter().take(MAX_LISTED) { li { (place(document, linking)) ", line " (line) } } }
                            }
                        }
                    }
                }
                (rest(targets.len()))
            }
        }
    }
}

/// Shows how well sections are found, and those that aren't, with the reason.
pub(super) fn retrieval<'a>(
    found: &Retrieval,
    unfindable: impl Iterator<Item = &'a Finding> + Clone,
    linking: Linking,
) -> Markup {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    html! {
        div .scroll tabindex="0" role="region" aria-label="How well sections are found" {
            table .plain {
                thead { tr { th scope="col" { "Tree" } th scope="col" { "Asked by" } th scope="col" .num { "Queries" } th scope="col" .num { "First" } th scope="col" .num { "Among ten" } } }
                tbody {
                    @for tree in &found.trees {
                        @for asked in &tree.asked {
                            tr {
                                th scope="row" { (tree.tree) }
                                td { (asked.kind) }
                                td .num { (number(asked.rates.queries)) " of " (number(asked.known)) }
                                td .num { (percent(asked.rates.hit_at_1)) }
                                td .num { (percent(asked.rates.hit_at_10)) }
                            }
                        }
                    }
                }
            }
        }
        @if unfindable.clone().next().is_none() { p { "Every section that was tried is among the first ten results." } }
        (list(unfindable, linking))
    }
}

fn place(id: &str, linking: Linking) -> Markup {
    let is_document = id.contains(':') && !id.starts_with('/');
    match linking {
        Linking::Pages if is_document => html! { a href=(id_url(id)) { (id) } },
        _ => html! { code { (id) } },
    }
}

fn rest(all: usize) -> Markup {
    html! { @if all > MAX_LISTED { p .hint { (number(all - MAX_LISTED)) " more; " code { "ra check" } " lists all." } } }
}
