//! Unified diffs, as `git diff`, `git show`, `git format-patch` and `diff -u` write them.
//!
//! Parsing never fails. What cannot be understood is skipped and told as a [`DiffProblem`], so that half a diff
//! still gives half an answer.

mod header;
mod hunk;
mod parse;
mod path;

pub use parse::parse;

/// What a diff changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff<'a> {
    /// The files, in the order of the diff. A file that is changed in several diffs is there several times.
    pub files: Vec<FileChange<'a>>,
    /// What was not understood.
    pub problems: Vec<DiffProblem>,
}

/// A place in a diff that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffProblem {
    /// The 1-based line of the diff.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// The change of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChange<'a> {
    /// The path before the change; none for a new file.
    pub old: Option<String>,
    /// The path after the change; none for a deleted file.
    pub new: Option<String>,
    /// Whether the diff says that the file is binary.
    pub is_binary: bool,
    /// The places that change. A rename or a change of the mode may have none.
    pub hunks: Vec<Hunk<'a>>,
}

impl FileChange<'_> {
    /// The path after the change, or before it if the file is gone.
    pub fn path(&self) -> &str {
        self.new.as_deref().or(self.old.as_deref()).unwrap_or_default()
    }
}

/// One place that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// What stands after the second `@@`: the function or section that the change is in, or nothing.
    pub heading: &'a str,
    /// Lines that are new. Their numbers are those of the new file.
    pub added: Vec<Line<'a>>,
    /// Lines that are gone. Their numbers are those of the old file.
    pub removed: Vec<Line<'a>>,
    /// Lines around the change. Their numbers are those of the new file.
    pub context: Vec<Line<'a>>,
}

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The 1-based number.
    pub number: usize,
    /// The text without its line end.
    pub text: &'a str,
}

#[cfg(test)]
mod tests;
