//! Walks a tree: lists every document below its root with its size and times, in one listing per directory and one
//! stat per document. Paths that couldn't be read are reported, never treated as absent.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};

use super::ignore_files::{self, Ignores, Signs};
use super::link_policy::Targets;
use super::skip::{Skip, barred, filter_reason, passed_over};
use super::stamp::{FileStamp, has_several_names};
use super::watchlist::Watchlist;
use crate::config::{Tree, Verdict};
use crate::files::{self, MAX_DOCUMENT_BYTES};
use crate::kind::DocumentKind;

/// A file on the disk, named relative to its tree's root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// The path below the root, with `/`.
    pub path: String,
    /// The stamp, which reveals changes.
    pub stamp: FileStamp,
}

/// How much a walk reports besides documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkDetail {
    /// Only paths that couldn't be read.
    Documents,
    /// Also files of other types, ignored files, and dead or directory links.
    Everything,
    /// No documents, only the watchlist.
    Places,
}

/// The result of a walk.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// The directory that was walked.
    pub root: PathBuf,
    /// The documents, sorted by path.
    pub files: Vec<SourceFile>,
    /// The skipped paths; a directory's path ends in `/`, the root's is empty.
    pub skipped: BTreeMap<String, Skip>,
    /// Files that aren't documents, sorted by path; only with [`WalkDetail::Everything`].
    pub others: Vec<String>,
    /// Documents that can change without a change in their directory: links, including dead ones, and files with
    /// several hard links.
    pub shared: Vec<PathBuf>,
    /// The files and directories that ignore files exclude, each with the line that does; a directory's path ends in
    /// `/`. Only with [`WalkDetail::Everything`].
    pub ignored: BTreeMap<String, String>,
    /// The files and directories that the result depends on; only with [`WalkDetail::Places`].
    pub watchlist: Watchlist,
}

impl Scan {
    /// True if the path is in a place that couldn't be read.
    pub fn is_unseen(&self, path: &str) -> bool {
        let unreadable = |(_, skip): &(&String, &Skip)| matches!(skip, Skip::Unreadable(_));
        self.skipped.iter().filter(unreadable).any(|(place, _)| {
            place.is_empty() || place == path || (place.ends_with('/') && path.starts_with(place.as_str()))
        })
    }

    fn absorb(&mut self, other: Scan) {
        self.files.extend(other.files);
        self.skipped.extend(other.skipped);
        self.others.extend(other.others);
        self.shared.extend(other.shared);
        self.ignored.extend(other.ignored);
        self.watchlist.absorb(other.watchlist);
    }
}

/// Walks a tree on all cores.
pub fn walk(tree: &Tree, detail: WalkDetail) -> Scan {
    let hidden = tree.filter.enters_hidden();
    let walker = Walker { tree, targets: OnceLock::new(), detail, hidden, found: Mutex::default() };
    let ignores = if tree.ignore { Ignores::above(&tree.root) } else { Ignores::default() };
    rayon::scope(|scope| walker.directory(scope, String::new(), &ignores));
    let mut scan = walker.found.into_inner().unwrap_or_default();
    scan.root.clone_from(&tree.root);
    scan.files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
    scan.others.sort_unstable();
    scan.shared.sort_unstable();
    scan
}

/// Returns the files and directories that the documents of a tree depend on.
pub fn watchlist(tree: &Tree) -> Watchlist {
    let mut list = walk(tree, WalkDetail::Places).watchlist;
    // Only the directory above shows whether the root was replaced by another directory.
    list.files.push(tree.root.clone());
    if tree.ignore {
        list.files.extend(ignore_files::files_above(&tree.root));
    }
    list
}

/// Returns why a path below the tree's root isn't a document; `None` if it is one. Checks every directory above it, as
/// the walk would.
pub fn skip_reason(tree: &Tree, path: &str) -> Option<Skip> {
    let parts: Vec<&str> = path.split('/').collect();
    match passed_over(tree, &tree.root, &parts) {
        Some(Skip::Hidden) if tree.outside => {
            return Some(Skip::Filtered("nothing hidden is taken from outside the project".to_owned()));
        }
        None => {}
        skip => return skip,
    }
    match filter_reason(tree, path) {
        Some(reason) => Some(Skip::Filtered(reason)),
        None => unusable_file_reason(tree, &tree.root.join(path)),
    }
}

/// True if a file is larger than documents of its type may be.
fn is_too_large(tree: &Tree, path: &str, metadata: &Metadata) -> bool {
    let is_binary = DocumentKind::of_known_type(path).is_some_and(DocumentKind::is_binary);
    let most = if is_binary { tree.max_binary_size.min(MAX_DOCUMENT_BYTES) } else { MAX_DOCUMENT_BYTES };
    metadata.len() > most
}

/// Returns why a path that the patterns select still isn't a document: it is too large, or a link that isn't followed.
fn unusable_file_reason(tree: &Tree, path: &Path) -> Option<Skip> {
    match fs::metadata(path) {
        Err(error) if leads_nowhere(&error) && path.is_symlink() => Some(Skip::DeadLink),
        Ok(metadata) if metadata.is_file() && is_too_large(tree, &path.to_string_lossy(), &metadata) => {
            Some(Skip::TooLarge)
        }
        Ok(metadata) if metadata.is_dir() && path.is_symlink() => Some(Skip::DirectoryLink),
        Ok(_) if path.is_symlink() => Targets::of(tree).not_followed(path),
        _ => None,
    }
}

/// True if the error means that nothing exists at a path, not merely that it can't be read.
pub fn leads_nowhere(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory) || files::is_link_loop(error)
}

struct Walker<'a> {
    tree: &'a Tree,
    /// Created at the first link.
    targets: OnceLock<Targets<'a>>,
    detail: WalkDetail,
    hidden: bool,
    found: Mutex<Scan>,
}

impl Walker<'_> {
    /// Lists one directory; `prefix` is its path below the root, ending in `/` unless it is the root.
    fn directory<'s>(&'s self, scope: &rayon::Scope<'s>, prefix: String, above: &Ignores) {
        let path = self.tree.root.join(&prefix);
        let mut scan = Scan::default();
        match list(&path) {
            Ok(entries) => self.entries(scope, entries, &path, &prefix, above, &mut scan),
            // A directory that vanished since its parent was listed is absent. A missing root isn't: it may be on a
            // disk that isn't mounted.
            Err(error) if leads_nowhere(&error) && !prefix.is_empty() => {}
            Err(error) => {
                scan.skipped.insert(prefix, Skip::Unreadable(error.to_string()));
            }
        }
        if let Ok(mut found) = self.found.lock() {
            found.absorb(scan);
        }
    }

    fn entries<'s>(
        &'s self,
        scope: &rayon::Scope<'s>,
        entries: Vec<(String, DirEntry, FileType)>,
        path: &Path,
        prefix: &str,
        above: &Ignores,
        scan: &mut Scan,
    ) {
        let mut signs = Signs::default();
        entries.iter().for_each(|(name, ..)| signs.see(name));
        if self.detail == WalkDetail::Places {
            scan.watchlist.directories.push(path.to_owned());
            scan.watchlist.files.extend(signs.elsewhere(path));
        }
        let ignores = if self.tree.ignore { above.enter(path, signs) } else { Ignores::default() };
        for (name, entry, kind) in entries {
            let mut below = String::with_capacity(prefix.len() + name.len() + 1);
            below.push_str(prefix);
            below.push_str(&name);
            if name.contains(char::REPLACEMENT_CHARACTER) && entry.file_name().to_str().is_none() {
                scan.skipped.insert(below, Skip::NotUnicode);
                continue;
            }
            if barred(&name, kind.is_dir(), self.hidden).is_some() {
                continue;
            }
            let reason = (!ignores.is_empty()).then(|| ignores.reason(&path.join(&name), kind.is_dir()));
            if let Some(reason) = reason.flatten() {
                if self.detail == WalkDetail::Everything {
                    scan.ignored.insert(if kind.is_dir() { below + "/" } else { below }, reason);
                }
                continue;
            }
            if kind.is_dir() {
                let ignores = ignores.clone();
                scope.spawn(move |scope| self.directory(scope, below + "/", &ignores));
            } else {
                self.file(below, &entry, kind, scan);
            }
        }
    }

    fn not_followed(&self, link: &Path) -> Option<Skip> {
        self.targets.get_or_init(|| Targets::of(self.tree)).not_followed(link)
    }

    fn file(&self, below: String, entry: &DirEntry, kind: FileType, scan: &mut Scan) {
        let verdict = self.tree.filter.verdict(&below);
        if !verdict.is_document() && self.detail != WalkDetail::Everything {
            return;
        }
        if self.detail == WalkDetail::Places {
            // The target of a link changes in a directory of its own.
            let target = kind.is_symlink().then(|| entry.path().canonicalize().ok()).flatten();
            scan.watchlist.directories.extend(target.as_deref().and_then(Path::parent).map(Path::to_owned));
            return;
        }
        // Only the names of other files matter, so skip their stat.
        if !verdict.is_document() && kind.is_file() {
            scan.others.push(below);
            return;
        }
        // A dead link isn't worth reporting if a pattern excludes it.
        let is_wanted = !matches!(verdict, Verdict::Excluded(_) | Verdict::NotIncluded);
        let metadata = if kind.is_symlink() { fs::metadata(entry.path()) } else { entry.metadata() };
        if kind.is_symlink() || metadata.as_ref().is_ok_and(has_several_names) {
            scan.shared.push(entry.path());
        }
        let metadata = match metadata {
            Ok(metadata) => metadata,
            // A link that loops or passes through a file is dead, too.
            Err(error) if leads_nowhere(&error) => {
                if kind.is_symlink() && is_wanted {
                    scan.skipped.insert(below, Skip::DeadLink);
                }
                return;
            }
            Err(error) => {
                scan.skipped.insert(below, Skip::Unreadable(error.to_string()));
                return;
            }
        };
        if metadata.is_dir() {
            scan.skipped.insert(below, Skip::DirectoryLink);
        } else if let Some(skip) = kind.is_symlink().then(|| self.not_followed(&entry.path())).flatten() {
            if is_wanted {
                scan.skipped.insert(below, skip);
            }
        } else if !metadata.is_file() {
            // Sockets, pipes and devices: reading one could block forever.
        } else if is_too_large(self.tree, &below, &metadata) {
            if is_wanted {
                scan.skipped.insert(below, Skip::TooLarge);
            }
        } else if verdict.is_document() {
            scan.files.push(SourceFile { path: below, stamp: FileStamp::of(&metadata) });
        } else {
            scan.others.push(below);
        }
    }
}

/// Lists the entries of a directory. Fails rather than return a partial listing, which would look like deletions.
fn list(path: &Path) -> io::Result<Vec<(String, DirEntry, FileType)>> {
    fs::read_dir(path)?
        .map(|entry| {
            let entry = entry?;
            let kind = entry.file_type()?;
            Ok((entry.file_name().to_string_lossy().into_owned(), entry, kind))
        })
        .collect()
}
