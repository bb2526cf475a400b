//! Why a path isn't a document, and the checks for which its name, ignore files and patterns are enough.

use std::path::Path;

use serde::Serialize;

use super::ignore_files::{Ignores, Signs};
use crate::config::{Tree, Verdict};

/// Why a path below a root isn't a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", content = "detail", rename_all = "kebab-case")]
pub enum Skip {
    /// The directory or file couldn't be read; its documents are assumed to still exist.
    Unreadable(String),
    /// The link points to nothing.
    DeadLink,
    /// The link points to a directory; the walk doesn't follow those.
    DirectoryLink,
    /// The link leads out of the project that configures the tree.
    LinkOutside,
    /// The link leads to something that is never a document: hidden, ignored, or in a directory that isn't entered.
    LinkBarred,
    /// The name isn't valid Unicode.
    NotUnicode,
    /// The file is larger than documents of its type may be.
    TooLarge,
    /// An ignore file excludes it.
    Ignored(String),
    /// `.git`, `.ra` and `node_modules` are never entered.
    Never,
    /// It is hidden, and no pattern names it.
    Hidden,
    /// The tree's patterns don't select it.
    Filtered(String),
}

/// Directories that are skipped regardless of the patterns.
const SKIPPED_DIRECTORIES: &[&str] = &[".git", ".ra", "node_modules"];

/// Returns why the patterns of a tree, or its types, don't select a file; `None` if they do.
pub fn filter_reason(tree: &Tree, path: &str) -> Option<String> {
    let reason = match tree.filter.verdict(path) {
        Verdict::Default | Verdict::Included(_) => return None,
        Verdict::Excluded(nr) => format!("the exclude pattern `{}` matches", tree.filter.exclude()[nr].glob),
        Verdict::NotIncluded => "no include pattern matches".to_owned(),
        Verdict::WrongType if tree.outside => "its type is not taken from outside the project".to_owned(),
        Verdict::WrongType => "its type is not indexed unless a pattern names it".to_owned(),
    };
    Some(reason)
}

/// Returns why the walk wouldn't reach a path below a directory, regardless of the tree's patterns.
pub(super) fn passed_over(tree: &Tree, from: &Path, parts: &[&str]) -> Option<Skip> {
    let (name, directories) = parts.split_last()?;
    match entered(tree, from, directories) {
        Ok(ignores) => not_taken(
            tree,
            &ignores,
            &directories.iter().fold(from.to_owned(), |at, part| at.join(part)),
            name,
        ),
        Err(skip) => Some(skip),
    }
}

/// Returns the ignore files that apply inside a directory below another, or why the walk wouldn't enter it.
pub(super) fn entered(tree: &Tree, from: &Path, parts: &[&str]) -> Result<Ignores, Skip> {
    let mut ignores = if tree.ignore { Ignores::above(from) } else { Ignores::default() };
    let mut directory = from.to_owned();
    let enter = |ignores: Ignores, directory: &Path| match tree.ignore {
        true => ignores.enter(directory, Signs::of(directory)),
        false => ignores,
    };
    ignores = enter(ignores, &directory);
    for name in parts {
        if let Some(skip) = barred(name, true, tree.filter.enters_hidden()) {
            return Err(skip);
        }
        directory.push(name);
        if let Some(reason) = ignores.reason(&directory, true) {
            return Err(Skip::Ignored(reason));
        }
        if directory.is_symlink() {
            return Err(Skip::DirectoryLink);
        }
        ignores = enter(ignores, &directory);
    }
    Ok(ignores)
}

/// Returns why a file of an entered directory is skipped, regardless of the tree's patterns.
pub(super) fn not_taken(tree: &Tree, ignores: &Ignores, directory: &Path, name: &str) -> Option<Skip> {
    let by_name = barred(name, false, tree.filter.enters_hidden());
    by_name.or_else(|| ignores.reason(&directory.join(name), false).map(Skip::Ignored))
}

/// The rule for names that are skipped everywhere.
pub(super) fn barred(name: &str, is_dir: bool, hidden: bool) -> Option<Skip> {
    if is_dir && SKIPPED_DIRECTORIES.contains(&name) {
        return Some(Skip::Never);
    }
    (!hidden && name.starts_with('.')).then_some(Skip::Hidden)
}
