//! Resolves links that begin with `/` to files, as the site that publishes the documents would.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::link_facts::LinkFacts;
use super::link_target::{LinkTarget, Missing};
use crate::config::Tree;
use crate::document::{DocumentKind, INDEX_NAMES, folder_name, percent_decode};

/// Every file of all trees, by its absolute path in lower case: sites often change the case of paths.
pub(super) struct Site<'a> {
    documents: HashMap<String, &'a LinkFacts>,
    others: HashSet<String>,
    /// The addresses that documents had before, from the aliases in their front matter.
    moved: HashMap<String, &'a LinkFacts>,
    project: &'a Path,
}

impl<'a> Site<'a> {
    /// Creates the site of these documents; `others` are the absolute paths of all other files.
    pub(super) fn new(
        facts: &'a [LinkFacts],
        others: impl Iterator<Item = String>,
        project: &'a Path,
    ) -> Self {
        let addresses = |facts: &'a LinkFacts| {
            let addresses = facts.aliases.iter().filter(|alias| alias.starts_with('/'));
            addresses.map(move |alias| (alias.trim_matches('/').to_lowercase(), facts))
        };
        Self {
            documents: facts.iter().map(|facts| (key(&facts.file), facts)).collect(),
            others: others.map(|path| path.to_lowercase()).collect(),
            moved: facts.iter().flat_map(addresses).collect(),
            project,
        }
    }

    /// Returns the file or document that a link in a document of `tree` leads to. The target begins with `/`.
    pub(super) fn target(&self, tree: &Tree, target: &str) -> LinkTarget<'a> {
        let path = target.split(['#', '?']).next().unwrap_or(target);
        let path = percent_decode(path);
        let path = path.trim_matches('/');
        if let Some(document) = self.moved.get(&path.to_lowercase()) {
            return LinkTarget::Document(document, String::new());
        }
        if path.split('/').any(|part| part == "..") {
            return LinkTarget::Unresolved;
        }
        if tree.link_roots.is_empty() { self.guess(tree, path) } else { self.resolve(tree, path) }
    }

    /// Resolves a path against the configured link roots.
    fn resolve(&self, tree: &Tree, path: &str) -> LinkTarget<'a> {
        let mut target = LinkTarget::Unresolved;
        for root in &tree.link_roots {
            let Some(path) = root.path_below(path) else { continue };
            match self.find(&tree.root, &path) {
                Some(found) => return found,
                None => target = LinkTarget::Missing(Missing::File),
            }
        }
        target
    }

    /// Resolves a path against its most likely roots: the tree and the project. A missing file counts as such only if
    /// one of them contains the first component of the path.
    fn guess(&self, tree: &Tree, path: &str) -> LinkTarget<'a> {
        let roots = [tree.root.as_path(), self.project];
        if let Some(found) = roots.iter().find_map(|root| self.find(root, path)) {
            return found;
        }
        let first = path.split('/').next().unwrap_or(path);
        match roots.iter().any(|root| root.join(first).is_dir()) {
            true => LinkTarget::Missing(Missing::File),
            false => LinkTarget::Unresolved,
        }
    }

    /// Finds the file or page of a path below a directory.
    fn find(&self, root: &Path, path: &str) -> Option<LinkTarget<'a>> {
        let written = root.join(path);
        let base = key(&written);
        let names = [Some(base.clone()), folder_name(path).map(|path| key(&root.join(path)))];
        for base in names.into_iter().flatten() {
            let base = base.trim_end_matches('/');
            if let Some(document) = sources_of(base).find_map(|name| self.documents.get(&name.to_lowercase()))
            {
                return Some(LinkTarget::Document(document, String::new()));
            }
        }
        (self.others.contains(&base) || written.exists()).then_some(LinkTarget::Other)
    }
}

/// Returns the files that a path may refer to: itself, the source of a page that is published under that name, or the
/// page of a directory.
pub(super) fn sources_of(path: &str) -> impl Iterator<Item = String> {
    let own = path.trim_end_matches('/').to_owned();
    let published = own.strip_suffix(".html").map(str::to_owned);
    let bases = [Some(own), published].into_iter().flatten();
    let sources = bases.flat_map(|base| endings().map(move |ending| format!("{base}{ending}")));
    [path.to_owned()].into_iter().chain(sources)
}

/// Returns the extensions and index pages that a site omits from its addresses.
fn endings() -> impl Iterator<Item = String> {
    let index = |extension| INDEX_NAMES.iter().map(move |name| format!("/{name}.{extension}"));
    let extensions = DocumentKind::page_extensions().map(|extension| format!(".{extension}"));
    extensions.chain(DocumentKind::page_extensions().flat_map(index))
}

fn key(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_omits_the_extension_of_any_page() {
        let sources: Vec<String> = sources_of("guide/").collect();
        for path in
            ["guide.md", "guide.mdown", "guide.asciidoc", "guide.htm", "guide/index.rest", "guide/README.md"]
        {
            assert!(sources.iter().any(|source| source == path), "{path}");
        }
        assert!(!sources.iter().any(|source| source == "guide.pdf"));
    }
}
