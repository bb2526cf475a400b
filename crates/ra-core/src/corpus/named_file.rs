//! Opens files of a tree that documents name, such as images. The name comes from a document, which may be hostile.

use std::fs::File;
use std::path::{Component, Path};

use super::skip::{Skip, passed_over};
use super::walk::leads_nowhere;
use crate::config::{Tree, Verdict};
use crate::files;

/// Why a file of a tree that a document names can't be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOpened {
    /// The name isn't a plain path below the root, or nothing is there.
    Missing,
    /// A component of its path is a link.
    Link,
    /// It is hidden, ignored, excluded, or in a directory that is never entered.
    Barred,
    /// The tree is outside the project that configures it: a project may name any directory.
    OutsideProject,
    /// It isn't a regular file, or can't be read.
    Unreadable,
}

/// Opens a regular file by its path below the root of a tree, with `/`. The rules are those of the walk, except that
/// the file may have any type, and no link is followed.
pub fn open_named(tree: &Tree, path: &str) -> Result<File, NotOpened> {
    let is_plain = |part: &&str| {
        let mut components = Path::new(part).components();
        let is_name = matches!(components.next(), Some(Component::Normal(_))) && components.next().is_none();
        is_name && !part.contains(['\\', '\0', '/'])
    };
    let parts: Vec<&str> = path.split('/').collect();
    if !parts.iter().all(is_plain) {
        return Err(NotOpened::Missing);
    }
    if tree.outside {
        return Err(NotOpened::OutsideProject);
    }
    match passed_over(tree, &tree.root, &parts) {
        Some(Skip::DirectoryLink) => return Err(NotOpened::Link),
        Some(_) => return Err(NotOpened::Barred),
        None => {}
    }
    if matches!(tree.filter.verdict(path), Verdict::Excluded(_)) {
        return Err(NotOpened::Barred);
    }
    let file = tree.root.join(path);
    if file.is_symlink() {
        return Err(NotOpened::Link);
    }
    files::open_no_follow(&file).map_err(|error| match leads_nowhere(&error) {
        true => NotOpened::Missing,
        false => NotOpened::Unreadable,
    })
}
