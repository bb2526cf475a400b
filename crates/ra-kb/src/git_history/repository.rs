//! Whether a repository has its own data, or names that of another. A project that came as an archive may contain a
//! `.git` that leads to any repository on the machine, whose history would then be shown as that of the project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ra_core::config::git_root;
use ra_core::files;

/// The maximum size of a file that contains one path or ref. On Linux, paths have at most 4096 bytes.
const MAX_NAME_BYTES: u64 = 4096;
/// The maximum size of the settings of a submodule. Git writes a few lines for each branch.
const MAX_SETTINGS_BYTES: u64 = 1 << 18;
/// The maximum number of files and directories in `objects` and `refs`. `git gc` packs most of them.
const MAX_ENTRIES: usize = 250_000;

/// Paths in a repository that must not be links, and directories that must not contain links at any depth: a link
/// would lead to the data of another one.
const NO_LINKS: &[&str] = &["HEAD", "refs", "packed-refs", "reftable", "objects"];
const NO_LINKS_BELOW: &[&str] = &["refs", "reftable", "objects"];

/// Returns the root of the work tree that contains a directory; `None` if it is in no work tree. The error is a reason
/// for people, for example that the repository uses the data of another one.
pub(super) fn work_tree_root(directory: &Path) -> Result<Option<&Path>, String> {
    let Some(root) = git_root(directory) else { return Ok(None) };
    own_repository(root)?;
    Ok(Some(root))
}

/// Returns the directory of the repository of a work tree. The error is a reason for people.
fn own_repository(root: &Path) -> Result<PathBuf, String> {
    let named = root.join(".git");
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
    let own_data = data.filter(|data| has_own_data(data));
    let data =
        own_data.ok_or_else(|| format!("{} leads to the data of another repository", named.display()))?;
    match is_recognized(&repository, &data) {
        true => Ok(repository),
        false => Err(format!("{} isn't a git repository", named.display())),
    }
}

/// True if git recognizes a repository, given the directory with its data. Otherwise git would pass over it, and use
/// a repository further up. The conditions are those of git's `is_git_directory`, but stricter.
fn is_recognized(repository: &Path, data: &Path) -> bool {
    let head = repository.join("HEAD");
    let has_head = !head.is_symlink() && files::read(&head, MAX_NAME_BYTES).is_ok_and(|text| is_head(&text));
    // The `.` is found only with the permission to search the directory, which git needs.
    has_head && ["objects/.", "refs/."].iter().all(|name| data.join(name).is_dir())
}

/// True if the text of a `HEAD` begins with a ref or a hash.
fn is_head(text: &[u8]) -> bool {
    let begins_with_hash = text.get(..40).is_some_and(|hash| hash.iter().all(u8::is_ascii_hexdigit));
    text.starts_with(b"ref: refs/") || begins_with_hash
}

/// True if neither links nor settings lead to the objects of another repository.
fn has_own_data(repository: &Path) -> bool {
    let is_link = |name: &&str| repository.join(name).is_symlink();
    let has_alternates = fs::symlink_metadata(repository.join("objects/info/alternates")).is_ok();
    let directories = NO_LINKS_BELOW.iter().map(|name| repository.join(name)).collect();
    // A directory that can't be listed may contain a link.
    !NO_LINKS.iter().any(is_link) && !has_alternates && has_no_links(directories).unwrap_or(false)
}

/// True if there is no link below these directories. False if they contain too much to find out.
fn has_no_links(mut directories: Vec<PathBuf>) -> io::Result<bool> {
    let mut remaining = MAX_ENTRIES;
    while let Some(directory) = directories.pop() {
        let Some(entries) = if_exists(fs::read_dir(directory))? else { continue };
        for entry in entries {
            let entry = entry?;
            let Some(kind) = if_exists(entry.file_type())? else { continue };
            if kind.is_symlink() || remaining == 0 {
                return Ok(false);
            }
            remaining -= 1;
            if kind.is_dir() {
                directories.push(entry.path());
            }
        }
    }
    Ok(true)
}

/// Returns `None` for what doesn't exist: git may remove files while they are listed.
fn if_exists<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// True if a repository has its data in another directory, as those of linked work trees do.
fn names_other_data(repository: &Path) -> bool {
    fs::symlink_metadata(repository.join("commondir")).is_ok()
}

/// Returns the directory with the data of a repository that a `.git` file in `root` names, if that repository belongs
/// to this work tree: its own list of work trees has this one, or it is that of a submodule.
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

/// Returns the work tree that the settings of a submodule name. `git sparse-checkout` moves that setting to
/// `config.worktree`.
fn submodule_work_tree(repository: &Path) -> Option<PathBuf> {
    let names = ["config.worktree", "config"];
    let work_tree = names.iter().find_map(|name| work_tree_setting(&repository.join(name)))?;
    repository.join(work_tree).canonicalize().ok()
}

/// Returns the work tree that a file of settings names, without the quotes that git writes around some names.
fn work_tree_setting(file: &Path) -> Option<String> {
    let settings = files::read_text(file, MAX_SETTINGS_BYTES).ok()?;
    let value =
        settings.lines().find_map(|line| line.trim().strip_prefix("worktree")?.trim().strip_prefix('='))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// Returns the real path that a file names.
fn named_directory(file: &Path, prefix: &str) -> io::Result<PathBuf> {
    let text = files::read_text(file, MAX_NAME_BYTES)?;
    let name = text.strip_prefix(prefix).ok_or(io::ErrorKind::InvalidData)?.trim_end_matches(['\n', '\r']);
    file.parent().unwrap_or(Path::new("")).join(name).canonicalize()
}
