//! Ignore files: `.gitignore` inside a git work tree, and `.ignore` anywhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::config::{git_root, is_bounded_glob};
use crate::files::{self, MAX_SETTINGS_BYTES};

/// The ignore files that apply to a directory: its own and those of its ancestors.
#[derive(Clone, Default)]
pub(super) struct Ignores {
    nearest: Option<Arc<Level>>,
    in_git: bool,
}

struct Level {
    own: Gitignore,
    /// True if the rules are git's, which end where another work tree begins.
    of_git: bool,
    above: Option<Arc<Level>>,
}

/// Directory entries that change which files are ignored.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signs {
    gitignore: bool,
    ignore: bool,
    work_tree: bool,
}

/// The entry names that a listing is checked for.
const GITIGNORE: &str = ".gitignore";
const IGNORE: &str = ".ignore";
const WORK_TREE: &str = ".git";

impl Signs {
    /// Records the name of an entry.
    pub(super) fn see(&mut self, name: &str) {
        self.gitignore |= name == GITIGNORE;
        self.ignore |= name == IGNORE;
        self.work_tree |= name == WORK_TREE;
    }

    /// Returns the ignore file of a directory that isn't directly in it: git's `info/exclude`.
    pub(super) fn elsewhere(self, directory: &Path) -> Option<PathBuf> {
        self.work_tree.then(|| exclude_of(directory))
    }

    /// Returns the signs of a directory that hasn't been listed. Assumes that both ignore files exist, which is
    /// harmless if they don't; only `.git` is looked up.
    pub(super) fn of(directory: &Path) -> Self {
        Self { gitignore: true, ignore: true, work_tree: directory.join(WORK_TREE).exists() }
    }
}

impl Ignores {
    /// Returns the ignores that apply to the root of a tree from the directories above it.
    pub(super) fn above(root: &Path) -> Self {
        let mut ignores = Self::default();
        let Some(git) = git_root(root) else { return ignores };
        let mut between: Vec<&Path> =
            root.ancestors().skip(1).take_while(|path| path.starts_with(git)).collect();
        between.reverse();
        for directory in between {
            ignores = ignores.enter(directory, Signs::of(directory));
        }
        ignores
    }

    /// Returns the ignores that apply inside `directory`.
    pub(super) fn enter(&self, directory: &Path, signs: Signs) -> Self {
        let mut inside = self.clone();
        if signs.work_tree {
            // A work tree inside another, or below a directory of projects, has its own rules.
            inside = Self { nearest: without_git(self.nearest.as_ref()), in_git: true };
            inside.push(directory, &exclude_of(directory), true);
        }
        if signs.gitignore && inside.in_git {
            inside.push(directory, &directory.join(GITIGNORE), true);
        }
        if signs.ignore {
            inside.push(directory, &directory.join(IGNORE), false);
        }
        inside
    }

    fn push(&mut self, directory: &Path, file: &Path, of_git: bool) {
        let mut builder = GitignoreBuilder::new(directory);
        for line in lines_of(file).lines().filter(|line| is_bounded_glob(line)) {
            // Like git, skip a line that isn't a glob and keep the others.
            let _ = builder.add_line(Some(file.to_owned()), line);
        }
        if let Ok(own) = builder.build()
            && !own.is_empty()
        {
            self.nearest = Some(Arc::new(Level { own, of_git, above: self.nearest.take() }));
        }
    }

    /// Returns the ignore file and the line in it that exclude `path`, if any.
    pub(super) fn reason(&self, path: &Path, is_dir: bool) -> Option<String> {
        let mut level = self.nearest.as_ref();
        while let Some(here) = level {
            match here.own.matched(path, is_dir) {
                Match::Ignore(glob) => {
                    let file = glob.from().map(|file| file.display().to_string()).unwrap_or_default();
                    return Some(format!("`{}` in {file}", glob.original()));
                }
                Match::Whitelist(_) => return None,
                Match::None => level = here.above.as_ref(),
            }
        }
        None
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nearest.is_none()
    }
}

/// Returns the text of an ignore file; empty if it can't be read. Like git, doesn't follow a link: the repository may
/// have pointed it anywhere.
fn lines_of(file: &Path) -> String {
    let read =
        files::open_no_follow(file).and_then(|mut file| files::read_all(&mut file, MAX_SETTINGS_BYTES));
    let bytes = read.unwrap_or_default();
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    String::from_utf8_lossy(text).into_owned()
}

/// Returns every file above the root of a tree whose existence or text decides what is ignored in the tree.
pub(super) fn files_above(root: &Path) -> impl Iterator<Item = PathBuf> {
    root.ancestors().skip(1).flat_map(|directory| {
        let own = [GITIGNORE, IGNORE, WORK_TREE].map(|name| directory.join(name));
        own.into_iter().chain([exclude_of(directory)])
    })
}

/// The ignore file that belongs to a clone, not to the project.
fn exclude_of(work_tree: &Path) -> PathBuf {
    work_tree.join(WORK_TREE).join("info").join("exclude")
}

/// Returns the levels whose rules aren't git's.
fn without_git(level: Option<&Arc<Level>>) -> Option<Arc<Level>> {
    let level = level?;
    let above = without_git(level.above.as_ref());
    if level.of_git { above } else { Some(Arc::new(Level { own: level.own.clone(), of_git: false, above })) }
}
