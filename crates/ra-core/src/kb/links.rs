//! The links between documents: which are broken, and which documents link to which.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::link_facts::{LinkFacts, Unchecked};
use super::link_resolver::LinkResolver;
use super::link_target::{LinkTarget, Missing};
use super::moved_targets::MovedTargets;
use crate::id::{ChunkId, DocId};

/// The result of checking the links of all documents.
#[derive(Clone, Debug, Default)]
pub struct LinkReport {
    /// How many links were checked.
    pub checked: usize,
    /// The broken links, in document order.
    pub broken: Vec<BrokenLink>,
    /// How many links weren't checked.
    pub unchecked: Unchecked,
}

/// A broken link.
#[derive(Clone, Debug)]
pub struct BrokenLink {
    /// The document that contains it.
    pub doc: DocId,
    /// The 1-based line.
    pub line: usize,
    /// The target as written.
    pub target: String,
    /// The target independent of where it is written: broken links with the same value miss the same thing.
    pub resolved: String,
    /// The reason why it is broken.
    pub missing: Missing,
    /// The only document or section that the link may mean now.
    pub moved_to: Option<ChunkId>,
}

/// A link from one document to another, or within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLink {
    /// The section that has the link.
    pub from: ChunkId,
    /// The 1-based line.
    pub line: usize,
    /// The visible text.
    pub text: String,
    /// The section or the document that it leads to.
    pub to: ChunkId,
}

/// All links between documents.
#[derive(Clone, Debug, Default)]
pub struct LinkGraph {
    /// The links that lead to a document, in the order of the documents that have them.
    pub links: Vec<DocumentLink>,
    /// The links that lead nowhere.
    pub broken: Vec<BrokenLink>,
    /// How many links begin with `/` and lead to no known root.
    pub rootless: usize,
    /// All documents.
    pub documents: Vec<DocId>,
}

impl LinkGraph {
    pub(super) fn new(facts: &[LinkFacts], resolver: &LinkResolver<'_>) -> Self {
        let LinkReport { broken, unchecked, .. } = check(facts, resolver);
        let mut graph = Self { broken, rootless: unchecked.root, ..Self::default() };
        for facts in facts {
            graph.documents.push(facts.doc.clone());
            for link in &facts.links {
                let LinkTarget::Document(found, fragment) = resolver.resolve(facts, link) else { continue };
                graph.links.push(DocumentLink {
                    from: facts.section_at(link.line),
                    line: link.line,
                    text: link.text.clone(),
                    to: found.section(&fragment),
                });
            }
        }
        graph
    }

    /// Returns the links of a section or a document to others.
    pub fn outgoing(&self, id: &ChunkId) -> impl Iterator<Item = &DocumentLink> {
        self.links.iter().filter(move |link| is_inside(&link.from, id))
    }

    /// Returns the links to a section or a document from other documents.
    pub fn backlinks(&self, id: &ChunkId) -> impl Iterator<Item = &DocumentLink> {
        self.links.iter().filter(move |link| is_inside(&link.to, id) && link.from.doc != id.doc)
    }

    /// Returns the broken links of a document.
    pub fn broken_in(&self, doc: &DocId) -> impl Iterator<Item = &BrokenLink> {
        self.broken.iter().filter(move |link| link.doc == *doc)
    }

    /// Returns the documents that no other document links to.
    pub fn orphans(&self) -> Vec<&DocId> {
        let others = self.links.iter().filter(|link| link.from.doc != link.to.doc);
        let linked: HashSet<&DocId> = others.map(|link| &link.to.doc).collect();
        self.documents.iter().filter(|doc| !linked.contains(doc)).collect()
    }
}

/// True if `inner` is `outer`, or a section of the document `outer`.
fn is_inside(inner: &ChunkId, outer: &ChunkId) -> bool {
    inner.doc == outer.doc && (outer.slug.is_none() || inner.slug == outer.slug)
}

/// Checks the links of all documents.
pub(super) fn check(facts: &[LinkFacts], resolver: &LinkResolver<'_>) -> LinkReport {
    let mut report = LinkReport::default();
    let moved = OnceCell::new();
    for from in facts {
        report.unchecked.add(&from.unchecked);
        for link in &from.links {
            let missing = match resolver.resolve(from, link) {
                LinkTarget::Unresolved => {
                    report.unchecked.root += 1;
                    continue;
                }
                LinkTarget::Document(..) | LinkTarget::Other => None,
                LinkTarget::Missing(missing) => Some(missing),
            };
            report.checked += 1;
            report.broken.extend(missing.map(|missing| BrokenLink {
                doc: from.doc.clone(),
                line: link.line,
                target: link.target.clone(),
                resolved: resolver.resolved(from, link),
                missing,
                moved_to: moved.get_or_init(|| MovedTargets::new(facts)).find(from, link, missing),
            }));
        }
    }
    report
}
