//! The answer of `ra links`.

use std::io;

use ra_core::id::ChunkId;
use ra_core::kb::{self, DocumentLink, Freshness, LinkGraph};
use schemars::JsonSchema;
use serde::Serialize;

use super::Index;
use crate::output::{FAINT, HEADING, NAME, Page, Present, Table, WARN, count};

/// The links of documents.
#[derive(JsonSchema, Serialize)]
pub(crate) struct LinksReport {
    /// One entry for each id.
    pub(crate) documents: Vec<LinkedDocument>,
    /// The documents that no other document links to; with `--orphans` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) orphans: Option<Vec<String>>,
    /// How many links in all documents begin with `/` and are missing here, because no root resolves them.
    pub(crate) rootless: usize,
    pub(crate) index: Index,
}

/// The links of a document or section.
#[derive(JsonSchema, Serialize)]
pub(crate) struct LinkedDocument {
    /// The id of the document or section.
    pub(crate) id: String,
    /// Its links to documents and sections.
    pub(crate) outgoing: Vec<Link>,
    /// The links of other documents to it.
    pub(crate) backlinks: Vec<Link>,
    /// The links of its document that lead nowhere.
    pub(crate) broken: Vec<UnresolvedLink>,
}

/// A link from one section to another.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Link {
    /// The section that has the link.
    pub(crate) from: String,
    /// Its line, counted from 1.
    #[schemars(range(min = 1))]
    pub(crate) line: usize,
    /// Its visible text.
    pub(crate) text: String,
    /// The section or document that it leads to.
    pub(crate) to: String,
}

/// A link that leads nowhere.
#[derive(JsonSchema, Serialize)]
pub(crate) struct UnresolvedLink {
    /// The line of the link, counted from 1.
    #[schemars(range(min = 1))]
    pub(crate) line: usize,
    /// The target as written.
    pub(crate) target: String,
    /// What is missing: a file, a page or a heading.
    pub(crate) missing: &'static str,
}

impl LinksReport {
    pub(crate) fn new(ids: &[ChunkId], orphans: bool, graph: &LinkGraph, freshness: Freshness) -> Self {
        let orphans = orphans.then(|| graph.orphans().iter().map(ToString::to_string).collect());
        let documents = ids.iter().map(|id| LinkedDocument::new(id, graph)).collect();
        Self { documents, orphans, rootless: graph.rootless, index: Index::new(freshness) }
    }
}

impl LinkedDocument {
    fn new(id: &ChunkId, graph: &LinkGraph) -> Self {
        Self {
            id: id.to_string(),
            outgoing: graph.outgoing(id).map(Link::new).collect(),
            backlinks: graph.backlinks(id).map(Link::new).collect(),
            broken: graph.broken_in(&id.doc).map(UnresolvedLink::new).collect(),
        }
    }
}

impl Link {
    fn new(link: &DocumentLink) -> Self {
        let (from, to) = (link.from.to_string(), link.to.to_string());
        Self { from, line: link.line, text: link.text.clone(), to }
    }
}

impl UnresolvedLink {
    fn new(link: &kb::BrokenLink) -> Self {
        Self { line: link.line, target: link.target.clone(), missing: link.missing.as_str() }
    }
}

impl Present for LinksReport {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        self.documents.iter().try_for_each(|document| document.human(page))?;
        if self.rootless > 0 {
            let verb = if self.rootless == 1 { "isn't" } else { "aren't" };
            page.note(&format!("{} from the root of a site {verb} counted", count(self.rootless, "link")))?;
            page.hint("`link_root` of a tree says where links that begin with `/` lead")?;
        }
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
