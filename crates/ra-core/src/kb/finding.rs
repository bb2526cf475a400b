//! The problems that `check` reports.

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Works, but not as well as it could.
    Warning,
    /// Keeps documents from being found.
    Error,
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How serious it is.
    pub severity: Severity,
    /// The kind of problem.
    pub kind: FindingKind,
    /// The subject: a document's id, a path or a tree.
    pub place: String,
    /// The 1-based line, if there is one.
    pub line: Option<usize>,
    /// The description of the problem.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A file is not text.
    Binary,
    /// Documents have the same content.
    Copy,
    /// Texts are nearly the same.
    NearCopy,
    /// A symbolic link leads to nothing.
    DeadLink,
    /// Two trees index the same file.
    Duplicate,
    /// A tree has no documents.
    Empty,
    /// A text is not UTF-8.
    Encoding,
    /// A file name is not Unicode.
    FileName,
    /// The project came with an index.
    ForeignIndex,
    /// A front matter is malformed.
    FrontMatter,
    /// A rule includes what doesn't exist.
    Include,
    /// The index is damaged.
    Index,
    /// A symbolic link leads to what is never a document.
    LinkBarred,
    /// A symbolic link leads out of the project.
    LinkOutside,
    /// A section is too long.
    Oversized,
    /// A pattern matches no file.
    Pattern,
    /// A document is older than the code that it names.
    Stale,
    /// A tag is not read.
    Tags,
    /// A file is too large.
    TooLarge,
    /// A tree can't be read.
    Tree,
    /// A section isn't found by its own heading.
    Unfindable,
    /// A file can't be read.
    Unreadable,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [FindingKind; 22] = [
        Self::Binary,
        Self::Copy,
        Self::NearCopy,
        Self::DeadLink,
        Self::Duplicate,
        Self::Empty,
        Self::Encoding,
        Self::FileName,
        Self::ForeignIndex,
        Self::FrontMatter,
        Self::Include,
        Self::Index,
        Self::LinkBarred,
        Self::LinkOutside,
        Self::Oversized,
        Self::Pattern,
        Self::Stale,
        Self::Tags,
        Self::TooLarge,
        Self::Tree,
        Self::Unfindable,
        Self::Unreadable,
    ];

    /// Returns the kind as a short stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Copy => "copy",
            Self::NearCopy => "near-copy",
            Self::DeadLink => "dead-link",
            Self::Duplicate => "duplicate",
            Self::Empty => "empty",
            Self::Encoding => "encoding",
            Self::FileName => "file-name",
            Self::ForeignIndex => "foreign-index",
            Self::FrontMatter => "front-matter",
            Self::Include => "include",
            Self::Index => "index",
            Self::LinkBarred => "link-barred",
            Self::LinkOutside => "link-outside",
            Self::Oversized => "oversized",
            Self::Pattern => "pattern",
            Self::Stale => "stale",
            Self::Tags => "tags",
            Self::TooLarge => "too-large",
            Self::Tree => "tree",
            Self::Unfindable => "unfindable",
            Self::Unreadable => "unreadable",
        }
    }
}

pub(super) fn warning(
    kind: FindingKind,
    place: &impl ToString,
    line: Option<usize>,
    message: String,
) -> Finding {
    Finding { severity: Severity::Warning, kind, place: place.to_string(), line, message, hint: None }
}
