//! Lists documents, and resolves the links between them.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::config::Config;
use crate::document::path_parts;
use crate::id::DocId;
use crate::index::Snapshot;
use crate::kb::manifest_of;

/// Returns the documents of the index that have text.
pub(super) fn documents(snapshot: &Snapshot) -> Vec<DocId> {
    let manifest = manifest_of(snapshot).unwrap_or_default();
    manifest.documents().map(|(tree, path, _)| DocId::new(tree.clone(), path)).collect()
}

/// Returns the file of a document.
pub(super) fn file_of(config: &Config, doc: &DocId) -> PathBuf {
    config.tree(doc.tree.as_str()).map(|tree| tree.root.join(&doc.path)).unwrap_or_default()
}

/// Documents by every suffix of their paths, as links name them.
pub(super) struct LinkTargets<'a> {
    by_end: HashMap<String, Vec<&'a DocId>>,
}

impl<'a> LinkTargets<'a> {
    pub(super) fn new(docs: &'a [DocId]) -> Self {
        let mut by_end: HashMap<String, Vec<&DocId>> = HashMap::new();
        for doc in docs {
            let name = page(&doc.path);
            let ends = name.match_indices('/').map(|(at, _)| at + 1).chain([0]);
            for end in ends {
                by_end.entry(name[end..].to_owned()).or_default().push(doc);
            }
        }
        Self { by_end }
    }

    /// Returns the target of a link: the document at the relative path, or the nearest one whose path ends like the
    /// link.
    pub(super) fn resolve(&self, from: &DocId, target: &str) -> Option<&'a DocId> {
        if target.contains("://") || target.starts_with('#') || target.starts_with("mailto:") {
            return None;
        }
        let target = page(target.split(['#', '?']).next()?);
        let beside = from.path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let relative = path_parts(&format!("{}/{target}", beside.to_lowercase())).join("/");
        let absolute = path_parts(&target).join("/");
        let names = std::iter::once(relative.as_str()).filter(|_| !target.starts_with('/'));
        let parts: Vec<&str> = absolute.split('/').collect();
        // A single component is the end of too many paths.
        let ends = (0..parts.len().saturating_sub(1)).map(|nr| parts[nr..].join("/"));
        let near = |doc: &&&DocId| {
            let common = doc.path.bytes().zip(from.path.bytes()).take_while(|(a, b)| a == b).count();
            (doc.tree == from.tree, common, std::cmp::Reverse(doc.path.len()))
        };
        names
            .map(str::to_owned)
            .chain(ends)
            .find_map(|name| self.by_end.get(&name).and_then(|docs| docs.iter().max_by_key(near)).copied())
    }
}

/// Returns the page name of a path: in lower case, without the extension and without `index`.
fn page(path: &str) -> String {
    let path = path.to_lowercase();
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".md").or_else(|| path.strip_suffix(".html")).unwrap_or(path);
    let path = path.strip_suffix("/_index").or_else(|| path.strip_suffix("/index")).unwrap_or(path);
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TreeName;

    #[test]
    fn links_mean_what_stands_beside_or_ends_alike() {
        let tree: TreeName = "t".parse().expect("a name");
        let paths = ["a/one.md", "a/two.md", "b/two.md", "b/_index.md", "index.md", "b/deep/three.md"];
        let docs: Vec<DocId> = paths.iter().map(|path| DocId::new(tree.clone(), *path)).collect();
        let places = LinkTargets::new(&docs);
        for (target, path) in [
            ("two.md", Some("a/two.md")),
            ("two.md#part", Some("a/two.md")),
            ("../b/two.md", Some("b/two.md")),
            ("../b/", Some("b/_index.md")),
            ("/b/deep/three", Some("b/deep/three.md")),
            ("/docs/deep/three.html", Some("b/deep/three.md")),
            ("gone.md", None),
            ("#part", None),
            ("https://example.com/two.md", None),
        ] {
            let found = places.resolve(&docs[0], target).map(|doc| doc.path.as_str());
            assert_eq!(found, path, "{target}");
        }
    }
}
