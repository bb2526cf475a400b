//! Finds where the target of a broken link has moved.

use std::collections::HashMap;

use super::document_name::heading_key;
use super::link_facts::{LinkFacts, LocalLink};
use super::link_target::Missing;
use crate::document::{LinkBase, page_name, percent_decode, stem};
use crate::id::ChunkId;

/// The documents and sections by the names that a link may still use for them. A name that
/// several of them have leads to none.
pub(super) struct MovedTargets<'a> {
    files: Names<'a>,
    pages: Names<'a>,
    titles: Names<'a>,
    anchors: Names<'a>,
}

/// The documents of a name; `None` if several have it.
type Names<'a> = HashMap<String, Option<&'a LinkFacts>>;

impl<'a> MovedTargets<'a> {
    pub(super) fn new(facts: &'a [LinkFacts]) -> Self {
        let mut targets =
            Self { files: Names::new(), pages: Names::new(), titles: Names::new(), anchors: Names::new() };
        for facts in facts {
            let path = facts.doc.path.as_str();
            add(&mut targets.files, file_name(path), facts);
            add(&mut targets.pages, page_name(path), facts);
            for title in facts.aliases.iter().chain([&facts.title]) {
                add(&mut targets.titles, heading_key(title), facts);
            }
            facts.anchors.iter().for_each(|anchor| add(&mut targets.anchors, anchor.clone(), facts));
        }
        targets
    }

    /// Returns the only document or section that a broken link of a document may mean.
    pub(super) fn find(&self, from: &LinkFacts, link: &LocalLink, missing: Missing) -> Option<ChunkId> {
        let (path, fragment) = link.target.split_once('#').unwrap_or((&link.target, ""));
        let path = percent_decode(path.split('?').next().unwrap_or(path));
        let anchor = percent_decode(fragment).to_lowercase();
        let anchor = if link.base == LinkBase::Page { anchor.trim().replace(' ', "-") } else { anchor };
        if matches!(missing, Missing::Heading | Missing::Block) {
            let found = only(&self.anchors, &anchor)?;
            return Some(found.section(&anchor));
        }
        let found = [
            (&self.files, file_name(&path)),
            (&self.pages, page_name(&path)),
            (&self.titles, heading_key(&stem(&path))),
        ];
        let mut found = found.iter().filter_map(|(names, name)| only(names, name));
        let found = found.find(|found| found.doc != from.doc)?;
        Some(found.section(&anchor))
    }
}

fn add<'a>(names: &mut Names<'a>, name: String, facts: &'a LinkFacts) {
    if !name.is_empty() {
        let known = names.entry(name).or_insert(Some(facts));
        // A document may have one name twice.
        *known = known.filter(|known| known.doc == facts.doc);
    }
}

fn only<'a>(names: &Names<'a>, name: &str) -> Option<&'a LinkFacts> {
    names.get(name).copied().flatten()
}

/// Returns the name of a file in lower case. It is empty for names that many files have, such as `index.md`.
fn file_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    if page_name(path) == stem(path) { name } else { String::new() }
}
