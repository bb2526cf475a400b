//! Resolves the links of documents to what they lead to.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::link_facts::{LinkFacts, LocalLink};
use super::link_target::{LinkTarget, Missing};
use super::root_links::{Site, sources_of};
use crate::config::Config;
use crate::document::{LinkBase, percent_decode};
use crate::files;
use crate::text::composed;

/// Finds the targets of links. It knows everything that links may lead to.
pub(super) struct LinkResolver<'a> {
    by_file: HashMap<&'a Path, &'a LinkFacts>,
    pages: HashMap<String, Vec<&'a LinkFacts>>,
    /// The documents of the labels of reStructuredText.
    labels: HashMap<String, &'a LinkFacts>,
    /// The names of other files: a wiki link may name one without its directory.
    attachments: HashSet<String>,
    site: Site<'a>,
    config: &'a Config,
}

impl<'a> LinkResolver<'a> {
    /// Creates the resolver. `others` are the absolute paths of files that aren't documents, such as images.
    pub(super) fn new(facts: &'a [LinkFacts], others: &[String], config: &'a Config) -> Self {
        Self {
            by_file: facts.iter().map(|facts| (facts.file.as_path(), facts)).collect(),
            pages: pages(facts),
            labels: facts.iter().filter(|facts| facts.is_rst()).flat_map(LinkFacts::labels).collect(),
            attachments: others.iter().map(|path| last_name(path)).collect(),
            site: Site::new(facts, others.iter().cloned(), &config.project),
            config,
        }
    }

    /// Returns the target of a link in a document.
    pub(super) fn resolve(&self, facts: &'a LinkFacts, link: &LocalLink) -> LinkTarget<'a> {
        let target = &link.target;
        match link.base {
            LinkBase::Document => self.file(facts, target),
            LinkBase::Page => match self.page(facts, target) {
                LinkTarget::Missing(_) if self.attachments.contains(&last_name(target)) => LinkTarget::Other,
                found => found,
            },
            LinkBase::Root => {
                let fragment = target.split_once('#').map_or("", |(_, fragment)| fragment);
                let tree = self.config.tree(facts.doc.tree.as_str());
                match tree.map_or(LinkTarget::Unresolved, |tree| self.site.target(tree, target)) {
                    LinkTarget::Document(found, _) => heading(found, fragment),
                    other => other,
                }
            }
            LinkBase::External | LinkBase::OtherScheme | LinkBase::Template | LinkBase::Empty => {
                LinkTarget::Unresolved
            }
        }
    }

    fn file(&self, facts: &'a LinkFacts, target: &str) -> LinkTarget<'a> {
        let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
        let path = percent_decode(path.split('?').next().unwrap_or(path));
        if path.is_empty() {
            return self.own_section(facts, fragment);
        }
        match beside(facts, &path) {
            None => LinkTarget::Missing(Missing::File),
            Some(found) => self.at(&found, fragment),
        }
    }

    /// Returns the section of the same document that a fragment names. In reStructuredText, it may be a label of
    /// another document, or of another project.
    fn own_section(&self, facts: &'a LinkFacts, fragment: &str) -> LinkTarget<'a> {
        match heading(facts, fragment) {
            LinkTarget::Missing(_) if facts.is_rst() => match self.labels.get(&fragment.to_lowercase()) {
                Some(other) => LinkTarget::Document(other, fragment.to_owned()),
                None => LinkTarget::Unresolved,
            },
            found => found,
        }
    }

    fn page(&self, facts: &'a LinkFacts, target: &str) -> LinkTarget<'a> {
        let (page, fragment) = target.split_once('#').unwrap_or((target, ""));
        let page = page.trim();
        if page.is_empty() {
            return heading(facts, &facts.wiki_anchor(fragment));
        }
        if let Some(found) = self.named(facts, page) {
            return heading(found, &found.wiki_anchor(fragment));
        }
        let Some(file) = beside(facts, page) else { return LinkTarget::Missing(Missing::Page) };
        match self.by_file.get(file.as_path()) {
            Some(found) => heading(found, &found.wiki_anchor(fragment)),
            None => LinkTarget::Other,
        }
    }

    /// Returns the document that a wiki link names. Of several with that name, it is one with the directories that the
    /// link gives. Of several of these, it is, as in Obsidian, one below the directory of the link, and then the one
    /// with the shortest path.
    fn named(&self, facts: &LinkFacts, page: &str) -> Option<&'a LinkFacts> {
        let candidates = self.pages.get(&last_name(page))?;
        let wanted = format!("/{}", page.trim_matches('/').to_lowercase());
        let is_below = |found: &&&LinkFacts| {
            let path = format!("/{}", found.doc.path.to_lowercase());
            path.ends_with(&wanted)
                || Path::new(&path).with_extension("").to_string_lossy().ends_with(&wanted)
        };
        let directory = facts.file.parent();
        let order = |found: &&&'a LinkFacts| {
            let is_elsewhere = !directory.is_some_and(|directory| found.file.starts_with(directory));
            (found.doc.tree != facts.doc.tree, is_elsewhere, found.doc.path.len(), &found.doc)
        };
        let below = candidates.iter().filter(is_below).min_by_key(order);
        below.or_else(|| candidates.iter().min_by_key(order)).copied()
    }

    fn at(&self, file: &Path, fragment: &str) -> LinkTarget<'a> {
        self.by_file.get(file).map_or(LinkTarget::Other, |found| heading(found, fragment))
    }

    /// Returns the target independent of where it is written. A target relative to its document is prefixed with the
    /// tree.
    pub(super) fn resolved(&self, facts: &LinkFacts, link: &LocalLink) -> String {
        let LinkBase::Document = link.base else { return link.target.clone() };
        let (path, fragment) = link.target.split_once('#').map_or((link.target.as_str(), ""), |parts| parts);
        let path = percent_decode(path.split('?').next().unwrap_or(path));
        let file = match facts.file.parent() {
            Some(directory) if !path.is_empty() => files::without_dots(&directory.join(path)),
            _ => facts.file.clone(),
        };
        let tree = self.config.tree(facts.doc.tree.as_str());
        let below = tree.and_then(|tree| file.strip_prefix(&tree.root).ok());
        let name = match below {
            Some(below) => format!("{}:{}", facts.doc.tree, below.display()),
            None => file.strip_prefix(&self.config.project).unwrap_or(&file).display().to_string(),
        };
        if fragment.is_empty() { name } else { format!("{name}#{fragment}") }
    }
}

/// Returns the file that a path in a document leads to.
fn beside(facts: &LinkFacts, path: &str) -> Option<PathBuf> {
    let directory = facts.file.parent()?;
    let there = || sources_of(path).map(|path| files::without_dots(&directory.join(path)));
    there().find(|path| path.is_file()).or_else(|| there().find(|path| path.exists()))
}

/// Returns the name of a file as wiki links write it: without its directory, in lower case.
fn last_name(path: &str) -> String {
    composed(path.rsplit('/').next().unwrap_or(path).trim()).to_lowercase()
}

/// Returns the section of a document that a fragment names.
fn heading<'a>(facts: &'a LinkFacts, fragment: &str) -> LinkTarget<'a> {
    let anchor = percent_decode(fragment).to_lowercase();
    match anchor.is_empty() || is_line(&anchor) || facts.has_anchor(&anchor) {
        true => LinkTarget::Document(facts, fragment.to_owned()),
        false if anchor.starts_with('^') => LinkTarget::Missing(Missing::Block),
        false => LinkTarget::Missing(Missing::Heading),
    }
}

/// True if an anchor names lines, as in `#L3` and `#L3-L5`, which sites that show source files support.
fn is_line(anchor: &str) -> bool {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let parts = anchor.splitn(2, '-').map(|part| part.trim_start_matches('l'));
    anchor.starts_with('l') && parts.into_iter().all(number)
}

/// Indexes the documents by the names that wiki links use for them.
fn pages(facts: &[LinkFacts]) -> HashMap<String, Vec<&LinkFacts>> {
    let mut pages: HashMap<String, Vec<&LinkFacts>> = HashMap::new();
    for facts in facts {
        let stem = facts.file.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        let aliases = facts.aliases.iter().map(|alias| alias.to_lowercase());
        let name = facts.file.file_name().map(|name| name.to_string_lossy().to_lowercase());
        for page in stem.into_iter().chain(name).chain(aliases) {
            pages.entry(composed(&page).into_owned()).or_default().push(facts);
        }
    }
    pages
}
