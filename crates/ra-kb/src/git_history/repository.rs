//! Whether a repository has its own data, or names that of another. A project that came as an archive may contain a
//! `.git` that leads to any repository on the machine, whose history would then be shown as that of the project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ra_core::config::git_root;
use ra_core::files;

/// The maximum size of a file that names a directory, and of the settings of a submodule.
const MAX_NAME_BYTES: u64 = 4096;
const MAX_SETTINGS_BYTES: u64 = 1 << 18;

/// Paths in a repository that must not be links, and directories whose entries must not be links either: a link would
/// lead to the data of another one.
const NO_LINKS: &[&str] = &["HEAD", "refs", "packed-refs", "objects"];
const NO_LINKS_INSIDE: &[&str] = &["refs", "objects", "objects/pack"];

/// Returns the root of the work tree that contains a directory; `None` if it is in no work tree. The error is a reason
/// for people, for example that the repository uses the data of another one.
pub(super) fn work_tree_root(directory: &Path) -> Result<Option<&Path>, String> {
    let Some(root) = git_root(directory) else { return Ok(None) };
    own_repository(root).map(|_| Some(root))
}

/// Returns the directory of the repository of a work tree. The error is a reason for people.
fn own_repository(root: &Path) -> Result<PathBuf, String> {
    let named = root.join(".git");
    let not_own = || format!("{} leads to the data of another repository", named.display());
    let unreadable = |error| format!("{} could not be read: {error}", named.display());
    let meta = fs::symlink_metadata(&named).map_err(unreadable)?;
    let repository = match meta.is_file() {
        true => named_directory(&named, "gitdir: ").map_err(unreadable)?,
        false => named.clone(),
    };
    let data = match meta.is_file() {
        true => data_of_linked(&repository, root),
        false => (meta.is_dir() && !names_other_data(&repository)).then(|| repository.clone()),
    };
    data.filter(|data| has_own_data(data)).map(|_| repository).ok_or_else(not_own)
}

/// True if neither links nor settings lead to the objects of another repository.
fn has_own_data(repository: &Path) -> bool {
    let is_link = |name: &&str| repository.join(name).is_symlink();
    let has_link = |name: &&str| {
        let entries = fs::read_dir(repository.join(name)).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
    };
    let has_links = NO_LINKS.iter().any(is_link) || NO_LINKS_INSIDE.iter().any(has_link);
    !has_links && fs::symlink_metadata(repository.join("objects/info/alternates")).is_err()
}

/// True if a repository has its data in another directory, as those of linked work trees do.
fn names_other_data(repository: &Path) -> bool {
    fs::symlink_metadata(repository.join("commondir")).is_ok()
}

/// Returns the directory with the data of a repository that a `.git` file in `root` names, if that repository belongs to
/// this work tree: its own list of work trees has this one, or it is that of a submodule.
fn data_of_linked(repository: &Path, root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    if names_other_data(repository) {
        let data = repository.parent()?.parent()?;
        let is_listed = repository.parent()?.file_name()? == "worktrees"
            && named_directory(&repository.join("commondir"), "").ok()? == data
            && named_directory(&repository.join("gitdir"), "").ok()? == root.join(".git")
            && !names_other_data(data);
        return is_listed.then(|| data.to_owned());
    }
    let containing = own_repository(git_root(root.parent()?)?).ok()?.canonicalize().ok()?;
    let is_submodule = repository.starts_with(containing.join("modules"))
        && submodule_work_tree(repository).is_some_and(|work_tree| work_tree == root);
    is_submodule.then(|| repository.to_owned())
}

/// Returns the work tree that the settings of a submodule name.
fn submodule_work_tree(repository: &Path) -> Option<PathBuf> {
    let settings = files::read_text(&repository.join("config"), MAX_SETTINGS_BYTES).ok()?;
    let value =
        settings.lines().find_map(|line| line.trim().strip_prefix("worktree")?.trim().strip_prefix('='))?;
    repository.join(value.trim().trim_matches('"')).canonicalize().ok()
}

/// Returns the real path that a file names.
fn named_directory(file: &Path, prefix: &str) -> io::Result<PathBuf> {
    let text = files::read_text(file, MAX_NAME_BYTES)?;
    let name = text.strip_prefix(prefix).ok_or(io::ErrorKind::InvalidData)?.trim_end_matches(['\n', '\r']);
    file.parent().unwrap_or(Path::new("")).join(name).canonicalize()
}
