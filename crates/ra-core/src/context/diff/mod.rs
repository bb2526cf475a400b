//! Unified diffs, as `git diff`, `git show`, `git format-patch` and `diff -u` write them.
//!
//! Parsing never fails. Parts that can't be parsed are skipped and reported as a [`DiffProblem`], so half a diff still
//! gives half an answer.

mod header;
mod hunk;
mod parse;
mod path;

pub use parse::parse;

/// A parsed diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff<'a> {
    /// The files, in the order of the diff. A file that is changed in several diffs occurs several times.
    pub files: Vec<FileChange<'a>>,
    /// The parts that couldn't be parsed.
    pub problems: Vec<DiffProblem>,
}

/// A line of a diff that couldn't be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffProblem {
    /// The 1-based line of the diff.
    pub line: usize,
    /// A description of the problem.
    pub message: String,
}

/// The change of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChange<'a> {
    /// The path before the change; `None` for a new file.
    pub old: Option<String>,
    /// The path after the change; `None` for a deleted file.
    pub new: Option<String>,
    /// True if the diff says that the file is binary.
    pub is_binary: bool,
    /// The hunks. A rename or mode change may have none.
    pub hunks: Vec<Hunk<'a>>,
}

impl FileChange<'_> {
    /// Returns the path after the change, or before it if the file was deleted.
    pub fn path(&self) -> &str {
        self.new.as_deref().or(self.old.as_deref()).unwrap_or_default()
    }
}

/// A hunk: one changed range of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// The text after the second `@@`: the function or section that contains the change, or nothing.
    pub heading: &'a str,
    /// Added lines, without their line ends.
    pub added: Vec<&'a str>,
    /// Removed lines.
    pub removed: Vec<&'a str>,
    /// Unchanged lines around the change.
    pub context: Vec<&'a str>,
}

#[cfg(test)]
mod tests;
