//! `ra check` for people.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use super::{BAD, FAINT, GOOD, NAME, Page, Present, Table, WARN, count, grouped};
use crate::wire::{BrokenLink, Check, Finding, Links, Rates, Retrieval, Unchecked};

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
    })
}

/// How many headings that many sections share are listed.
const NAMED: usize = 5;

impl Retrieval {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let mut table = Table::new(&["tree", "asked by", ">queries", ">of", ">hit@1", ">hit@10", ">MRR"]);
        let row = |tree: &str, kind: &str, rates: &Rates, known: usize| {
            let numbers = [rates.hit_at_1, rates.hit_at_10, rates.mrr].map(|number| format!("{number:.4}"));
            let counts = [grouped(rates.queries), grouped(known)];
            [tree.to_owned(), kind.to_owned()].into_iter().chain(counts).chain(numbers)
        };
        for tree in &self.trees {
            for asked in &tree.asked {
                table.row(row(&tree.tree, asked.kind, &asked.rates, asked.known));
            }
            if tree.asked.len() > 1 {
                let known = tree.asked.iter().map(|asked| asked.known).sum();
                table.row(row(&tree.tree, "all", &tree.overall, known));
            }
        }
        page.table(&table)?;
        if self.trees.iter().flat_map(|tree| &tree.asked).any(|asked| asked.known > asked.rates.queries) {
            page.line("hint: these are samples; `--sample N` asks for more")?;
        }
        self.generic(page)
    }

    fn generic(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.generic.is_empty() {
            return Ok(());
        }
        let sections: usize = self.generic.iter().map(|heading| heading.sections).sum();
        let named = self.generic.iter().take(NAMED);
        let named: Vec<String> =
            named.map(|it| format!("{} ({})", page.clean(&it.heading), grouped(it.sections))).collect();
        let more = if self.generic.len() > NAMED { ", …" } else { "" };
        page.line(format!(
            "not asked: {} under {} that more than 10 share: {}{more}",
            count(sections, "section"),
            count(self.generic.len(), "heading"),
            named.join(", "),
        ))
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
