//! Decides which links to files are followed, depending on where they lead.

use std::collections::HashMap;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::ignore_files::Ignores;
use super::skip::{Skip, entered, not_taken};
use crate::config::{Tree, TreeScope, Verdict};

/// The targets that links to files may have.
pub(super) struct Targets<'a> {
    tree: &'a Tree,
    /// The canonical paths of the tree's root and of the project that configures it.
    root: Option<PathBuf>,
    project: Option<PathBuf>,
    /// For each directory that a link leads to, the ignore files that apply there; `None` if the walk doesn't enter
    /// it.
    directories: Mutex<HashMap<PathBuf, Option<Ignores>>>,
}

impl<'a> Targets<'a> {
    pub(super) fn of(tree: &'a Tree) -> Self {
        let project = tree.source.as_ref().and_then(|source| source.origin.file()?.parent());
        Self {
            tree,
            root: tree.root.canonicalize().ok(),
            project: project.and_then(|project| project.canonicalize().ok()),
            directories: Mutex::default(),
        }
    }

    /// Returns why a link to a file isn't followed: it leads out of the project, or to something that is never a
    /// document. A cloned repository must not expose other files of the user, nor git's own files. Trees of
    /// `~/.ra.toml` were chosen by the user.
    pub(super) fn not_followed(&self, link: &Path) -> Option<Skip> {
        let (Ok(target), Some(root)) = (link.canonicalize(), &self.root) else {
            return Some(Skip::LinkOutside);
        };
        let is_inside = target.starts_with(root);
        if self.tree.scope == TreeScope::Global && !is_inside {
            // The user chose the tree, but a link in it may come from a clone.
            let shared = target.components().zip(root.components()).take_while(|(a, b)| a == b).count();
            let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
            return target.components().skip(shared).any(is_hidden).then_some(Skip::LinkBarred);
        }
        if !is_inside && !self.project.as_ref().is_some_and(|project| target.starts_with(project)) {
            return Some(Skip::LinkOutside);
        }
        (!self.is_open(&target, root)).then_some(Skip::LinkBarred)
    }

    /// True if the target of a link could be a document itself, apart from its type.
    fn is_open(&self, target: &Path, root: &Path) -> bool {
        // Ignore rules can't be applied to a path that isn't valid Unicode.
        let Some(path) = target.to_str() else { return false };
        let below = target.strip_prefix(root).ok().and_then(Path::to_str);
        let verdict = below.map(|below| self.tree.filter.verdict(&below.replace(MAIN_SEPARATOR, "/")));
        let from = target.ancestors().find(|above| root.starts_with(above)).unwrap_or(root);
        let hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let is_hidden = target.strip_prefix(from).is_ok_and(|below| below.components().any(hidden));
        let is_named = matches!(verdict, Some(Verdict::Included(_)));
        if matches!(verdict, Some(Verdict::Excluded(_))) || is_hidden && !is_named {
            return false;
        }
        let (Some(directory), Some(name)) = (target.parent(), Path::new(path).file_name()) else {
            return false;
        };
        let mut known = self.directories.lock().unwrap_or_else(PoisonError::into_inner);
        let ignores = known.entry(directory.to_owned()).or_insert_with(|| {
            let parts = directory.strip_prefix(from).ok()?.components();
            let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
            entered(self.tree, from, &parts?).ok()
        });
        ignores.as_ref().is_some_and(|ignores| {
            not_taken(self.tree, ignores, directory, &name.to_string_lossy()).is_none()
        })
    }
}
