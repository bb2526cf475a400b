//! Whether a repository has its own data, or names that of another. A project that came as an archive may contain a
//! `.git` that leads to any repository on the machine, whose history would then be shown as that of the project.

use std::fs;
use std::path::{Path, PathBuf};

use ra_core::config::git_root;
use ra_core::files;

/// The maximum size of a file that names a directory.
const MAX_NAME_BYTES: u64 = 4096;

/// Paths in a repository that must not be links: a link would lead to the data of another one.
const NO_LINKS: &[&str] = &["HEAD", "refs", "packed-refs", "objects", "objects/pack"];

/// Returns the root of the work tree that contains a directory; `None` if it is in no work tree. Returns an error if
/// the repository uses the data of another one.
pub(super) fn work_tree_root(directory: &Path) -> Result<Option<&Path>, String> {
    let Some(root) = git_root(directory) else { return Ok(None) };
    let named = root.join(".git");
    let is_own = match fs::symlink_metadata(&named) {
        Ok(meta) if meta.is_dir() => has_own_data(&named) && !named.join("commondir").exists(),
        Ok(meta) if meta.is_file() => {
            repository_of(&named).is_some_and(|repository| has_own_data(&repository))
        }
        _ => false,
    };
    match is_own {
        true => Ok(Some(root)),
        false => Err(format!("{} leads to the data of another repository", named.display())),
    }
}

/// True if neither links nor settings lead to the objects of another repository.
fn has_own_data(repository: &Path) -> bool {
    let is_link = |name: &&str| repository.join(name).is_symlink();
    !NO_LINKS.iter().any(is_link) && !repository.join("objects/info/alternates").exists()
}

/// Returns the repository that a `.git` file names, if that belongs to the work tree: it is that of a submodule, or its
/// own list of work trees has this one.
fn repository_of(file: &Path) -> Option<PathBuf> {
    let directory = named_directory(file, "gitdir: ")?;
    let root = file.parent()?.canonicalize().ok()?;
    let holds_submodule = |above: &Path| directory.starts_with(above.join(".git/modules"));
    if root.ancestors().skip(1).any(holds_submodule) {
        return Some(directory);
    }
    let repository = directory.parent()?.parent()?;
    let is_listed = directory.parent()?.file_name()? == "worktrees"
        && named_directory(&directory.join("commondir"), "")? == repository
        && named_directory(&directory.join("gitdir"), "")? == file.canonicalize().ok()?
        && !repository.join("commondir").exists();
    is_listed.then(|| repository.to_owned())
}

/// Returns the real path that a file names.
fn named_directory(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = files::read_text(file, MAX_NAME_BYTES).ok()?;
    let name = text.strip_prefix(prefix)?.trim_end_matches(['\n', '\r']);
    file.parent()?.join(name).canonicalize().ok()
}
