//! The header of a file in a diff, assembled from its lines.

use super::{FileChange, Hunk, path};

/// The information from the header lines so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// True if git wrote it, with lines of its own before `---`.
    is_extended: bool,
    /// The paths of the `diff --git` line, with their prefixes.
    pair: Option<(String, String)>,
    /// The path of a `diff --cc` line, which has no prefix.
    merged: Option<String>,
    /// The paths of the `---` and `+++` lines, with their prefixes.
    old: Option<String>,
    new: Option<String>,
    /// The paths of a rename or a copy, which have no prefix.
    from: Option<String>,
    to: Option<String>,
    is_new: bool,
    is_deleted: bool,
    is_binary: bool,
}

/// The name of a file that doesn't exist.
const DEV_NULL: &str = "/dev/null";

impl Header {
    /// Begins a header with a `diff --git` or `diff --cc` line.
    pub(super) fn opened_by(line: &str) -> Option<Header> {
        if let Some(pair) = line.strip_prefix("diff --git ") {
            return Some(Header { is_extended: true, pair: path::read_pair(pair), ..Header::default() });
        }
        let merged = line.strip_prefix("diff --cc ").or(line.strip_prefix("diff --combined "))?;
        Some(Header { is_extended: true, merged: Some(path::read(merged).0), ..Header::default() })
    }

    /// True if more lines may follow. The header of plain `diff` is complete with its `+++` line.
    pub(super) fn is_open(&self) -> bool {
        self.is_extended && self.old.is_none()
    }

    /// Sets the paths of the `---` and `+++` lines, given without their marks.
    pub(super) fn set_paths(&mut self, old: &str, new: &str) {
        self.old = Some(path::read(old).0);
        self.new = Some(path::read(new).0);
    }

    /// Reads a line between `diff --git` and the first hunk. Returns false for any other line.
    pub(super) fn extend(&mut self, line: &str) -> bool {
        let rest = |start: &str| line.strip_prefix(start).map(|text| path::read(text).0);
        if let Some(from) = rest("rename from ").or_else(|| rest("copy from ")) {
            self.from = Some(from);
        } else if let Some(to) = rest("rename to ").or_else(|| rest("copy to ")) {
            self.to = Some(to);
        } else if line.starts_with("new file mode ") {
            self.is_new = true;
        } else if line.starts_with("deleted file mode ") {
            self.is_deleted = true;
        } else if line == "GIT binary patch" {
            self.is_binary = true;
        } else if let Some((old, new)) = path::read_binary(line) {
            self.is_binary = true;
            // Prefer the paths of the `diff --git` line: here they are ambiguous if one contains ` and `.
            if self.pair.is_none() {
                (self.old, self.new) = (Some(old), Some(new));
            }
        } else {
            return false;
        }
        true
    }

    /// Returns the change with these hunks, if the header has named a path.
    pub(super) fn finish(self, hunks: Vec<Hunk<'_>>) -> Option<FileChange<'_>> {
        let (old, new) = self.paths();
        let named = old.is_some() || new.is_some();
        named.then_some(FileChange { old, new, is_binary: self.is_binary, hunks })
    }

    fn paths(&self) -> (Option<String>, Option<String>) {
        let (pair_old, pair_new) = self.pair.clone().unzip();
        let marked_old = self.old.clone().or(pair_old);
        let marked_new = self.new.clone().or(pair_new);
        let is_prefixed = self.is_prefixed();
        let plain = |path: String| match is_prefixed {
            true => path::without_prefix(&path).to_owned(),
            false => path,
        };
        let here = |path: Option<String>| path.filter(|path| path != DEV_NULL && !path.is_empty());
        let is_gone = |path: &Option<String>| path.as_deref() == Some(DEV_NULL);
        let no_old = self.is_new || is_gone(&self.old);
        let no_new = self.is_deleted || is_gone(&self.new);
        let old = self.from.clone().or(self.merged.clone()).or_else(|| here(marked_old).map(plain));
        let new = self.to.clone().or(self.merged.clone()).or_else(|| here(marked_new).map(plain));
        (here(old).filter(|_| !no_old), here(new).filter(|_| !no_new))
    }

    /// True if the paths have prefixes. Compares both paths; if only one is known, looks for `a/` or `b/`.
    fn is_prefixed(&self) -> bool {
        if let Some((old, new)) = &self.pair {
            return path::is_prefixed(old, new);
        }
        match (self.old.as_deref(), self.new.as_deref()) {
            (Some(DEV_NULL), Some(new)) => new.starts_with("b/"),
            (Some(old), Some(DEV_NULL)) => old.starts_with("a/"),
            (Some(old), Some(new)) => path::is_prefixed(old, new),
            _ => false,
        }
    }
}
