//! The difference between the disk and the manifest.

use std::collections::BTreeMap;

use super::manifest::{Manifest, TreeEntries};
use super::walk::Scan;
use crate::id::{DocId, TreeName};

/// The changes that bring the index up to date with the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files that aren't indexed yet.
    pub added: Vec<DocId>,
    /// Files whose stamp differs from the indexed one.
    pub modified: Vec<DocId>,
    /// Documents that no longer exist.
    pub removed: Vec<DocId>,
}

impl Changes {
    /// True if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.modified.is_empty() && self.removed.is_empty()
    }
}

/// Compares the manifest with the scans. The documents of a tree that is no longer configured, or whose root is now
/// another directory, are removed; a document in a place that couldn't be read is kept.
pub fn diff(manifest: &Manifest, scans: &BTreeMap<TreeName, Scan>) -> Changes {
    let mut changes = Changes::default();
    let none = TreeEntries::new();
    for (tree, scan) in scans {
        let entries = manifest.trees().get(tree).unwrap_or(&none);
        let is_elsewhere = manifest.was_elsewhere(tree, &scan.root);
        compare(tree, entries, is_elsewhere, scan, &mut changes);
    }
    for (tree, entries) in manifest.trees().iter().filter(|(tree, _)| !scans.contains_key(tree)) {
        changes.removed.extend(entries.keys().map(|path| DocId::new(tree.clone(), path)));
    }
    changes
}

/// Compares one tree in a single pass; both sides are sorted by path.
fn compare(tree: &TreeName, entries: &TreeEntries, is_elsewhere: bool, scan: &Scan, changes: &mut Changes) {
    let mut known = entries.iter().peekable();
    let gone = |path: &String, changes: &mut Changes| {
        if is_elsewhere || !scan.is_unseen(path) {
            changes.removed.push(DocId::new(tree.clone(), path));
        }
    };
    for file in &scan.files {
        while let Some((path, _)) = known.next_if(|(path, _)| **path < file.path) {
            gone(path, changes);
        }
        match known.next_if(|(path, _)| **path == file.path) {
            None => changes.added.push(DocId::new(tree.clone(), &file.path)),
            Some((_, entry)) if !is_elsewhere && entry.is_current(file.stamp) => {}
            Some(_) => changes.modified.push(DocId::new(tree.clone(), &file.path)),
        }
    }
    for (path, _) in known {
        gone(path, changes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::ManifestEntry;
    use super::super::skip::Skip;
    use super::super::stamp::FileStamp;
    use super::super::walk::SourceFile;
    use super::*;

    fn stamp(mtime: i64) -> FileStamp {
        FileStamp { mtime, ctime: 3, size: 1 }
    }

    fn file(path: &str, mtime: i64) -> SourceFile {
        SourceFile { path: path.to_owned(), stamp: stamp(mtime) }
    }

    fn scan(files: &[(&str, i64)], unreadable: &[&str]) -> Scan {
        let skipped = unreadable.iter().map(|place| ((*place).to_owned(), Skip::Unreadable("no".into())));
        Scan {
            files: files.iter().map(|(path, mtime)| file(path, *mtime)).collect(),
            skipped: skipped.collect(),
            ..Scan::default()
        }
    }

    fn manifest(paths: &[&str]) -> Manifest {
        let entry = ManifestEntry::new(stamp(5), [0; 16], 1_000_000_000, 1);
        let mut manifest = Manifest::default();
        for path in paths {
            manifest.insert(DocId::new("docs".parse().unwrap(), *path), entry.clone());
        }
        manifest
    }

    type Names<'a> = (Vec<&'a str>, Vec<&'a str>, Vec<&'a str>);

    fn names(changes: &Changes) -> Names<'_> {
        fn paths(docs: &[DocId]) -> Vec<&str> {
            docs.iter().map(|doc| doc.path.as_str()).collect()
        }
        (paths(&changes.added), paths(&changes.modified), paths(&changes.removed))
    }

    #[test]
    fn changes_are_what_is_seen() {
        let known = manifest(&["a.md", "b/c.md", "b/d.md", "e.md"]);
        let cases: &[(Scan, Names<'_>)] = &[
            (scan(&[("a.md", 5), ("b/c.md", 5), ("b/d.md", 5), ("e.md", 5)], &[]), (vec![], vec![], vec![])),
            (
                scan(&[("a.md", 6), ("b/c.md", 5), ("e.md", 5), ("f.md", 5)], &[]),
                (vec!["f.md"], vec!["a.md"], vec!["b/d.md"]),
            ),
            (scan(&[("a.md", 5)], &["b/"]), (vec![], vec![], vec!["e.md"])),
            (scan(&[], &[""]), (vec![], vec![], vec![])),
            (scan(&[("a.md", 5), ("b/c.md", 5), ("b/d.md", 5)], &["e.md"]), (vec![], vec![], vec![])),
        ];
        for (scan, expected) in cases {
            let scans = BTreeMap::from([("docs".parse().unwrap(), scan.clone())]);
            assert_eq!(&names(&diff(&known, &scans)), expected);
        }
    }

    #[test]
    fn a_tree_that_is_no_longer_configured_is_gone() {
        assert_eq!(diff(&manifest(&["a.md"]), &BTreeMap::new()).removed.len(), 1);
    }

    #[test]
    fn a_file_read_in_the_tick_of_its_change_is_read_again() {
        let mut known = manifest(&["a.md"]);
        let entry = ManifestEntry::new(stamp(5), [0; 16], 6, 1);
        known.insert(DocId::new("docs".parse().unwrap(), "a.md"), entry);
        let scans = BTreeMap::from([("docs".parse().unwrap(), scan(&[("a.md", 5)], &[]))]);
        assert_eq!(diff(&known, &scans).modified.len(), 1);
    }
}
