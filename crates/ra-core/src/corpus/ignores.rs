//! Ignore files: `.gitignore` inside a git work tree, and `.ignore` anywhere.

use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::config::git_root;

/// The ignore files that apply to a directory: its own, and those of the directories above it.
#[derive(Clone, Default)]
pub(super) struct Ignores {
    nearest: Option<Arc<Level>>,
    in_git: bool,
}

struct Level {
    own: Gitignore,
    above: Option<Arc<Level>>,
}

/// The names that a directory listing is searched for.
const GIT: &str = ".gitignore";
const ANY: &str = ".ignore";

impl Ignores {
    /// What applies to the root of a tree from the directories above it.
    pub(super) fn above(root: &Path) -> Self {
        let Some(git) = git_root(root) else { return Self::default() };
        let mut ignores = Self { nearest: None, in_git: true };
        ignores.push(git, &[&git.join(".git").join("info").join("exclude")]);
        let mut between: Vec<&Path> =
            root.ancestors().skip(1).take_while(|path| path.starts_with(git)).collect();
        between.reverse();
        for directory in between {
            ignores = ignores.enter(directory, true, true);
        }
        ignores
    }

    /// What applies inside `directory`, given which ignore files its listing holds.
    pub(super) fn enter(&self, directory: &Path, has_git: bool, has_any: bool) -> Self {
        let mut inside = self.clone();
        let git = directory.join(GIT);
        let any = directory.join(ANY);
        let mut files: Vec<&Path> = Vec::new();
        if has_git && self.in_git {
            files.push(&git);
        }
        if has_any {
            files.push(&any);
        }
        if !files.is_empty() {
            inside.push(directory, &files);
        }
        inside
    }

    fn push(&mut self, directory: &Path, files: &[&Path]) {
        let mut builder = GitignoreBuilder::new(directory);
        for file in files {
            // A line that is no glob is passed over, as git does; the other lines still count.
            let _ = builder.add(file);
        }
        if let Ok(own) = builder.build()
            && !own.is_empty()
        {
            self.nearest = Some(Arc::new(Level { own, above: self.nearest.take() }));
        }
    }

    /// The ignore file and the line in it that keep `path` out, if any do.
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

    /// True when a listing entry of this name is an ignore file, as (git's, any's).
    pub(super) fn names(name: &str) -> (bool, bool) {
        (name == GIT, name == ANY)
    }
}
