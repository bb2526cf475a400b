//! The one error type: what was being done, to what, and why it failed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::id::DocId;
use crate::text::{Lines, Span};

/// The result of anything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file system said no.
    #[error("could not {action} {}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// To what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The configuration has mistakes; all of them are listed.
    #[error("{0}")]
    Config(ConfigProblems),
    /// The configuration of a project is a link to something that is not the project's.
    #[error("{} is a link that doesn't lead to a configuration file of its project", path.display())]
    LinkOut {
        /// The link.
        path: PathBuf,
    },
    /// There is no tree, and the directory is not one that is searched unasked.
    #[error("{} is not searched as a whole unless a configuration names it", directory.display())]
    NoTree {
        /// The home directory, or one above it.
        directory: PathBuf,
    },
    /// The index could not be read or written.
    #[error("could not {action} {}", path.display())]
    Index {
        /// What was being done.
        action: &'static str,
        /// To what.
        path: PathBuf,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process is writing the index, and there is none to answer from yet.
    #[error("another process is writing the index in {}", path.display())]
    Busy {
        /// The index.
        path: PathBuf,
    },
    /// The query cannot be answered.
    #[error(transparent)]
    Query(#[from] QueryProblem),
    /// No document or chunk has this name.
    #[error("{message}")]
    NotFound {
        /// What was asked for.
        message: String,
        /// The names that come nearest.
        candidates: Vec<String>,
        /// Where to look when none of them is it.
        hint: Option<Hint>,
    },
    /// The document changed between the moment it was found and the moment it was read.
    #[error("{id} changed while it was being read")]
    Changed {
        /// What was asked for.
        id: String,
    },
    /// A data file does not have the form it should have.
    #[error("{}:{line}: {message}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The 1-based line.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A flag's value is out of range.
    #[error("{flag}: {message}")]
    Flag {
        /// The flag.
        flag: &'static str,
        /// What is wrong with its value.
        message: String,
    },
}

impl Error {
    /// An input or output error while doing `action` to `path`.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Error::Io { action, path: path.to_owned(), source }
    }

    /// A failure of the index while doing `action` to `path`.
    pub fn index(
        action: &'static str,
        path: &Path,
        source: Box<dyn std::error::Error + Send + Sync>,
    ) -> Self {
        Error::Index { action, path: path.to_owned(), source }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Error::Io { source, .. } if is_resource_exhausted(source) => Some(Hint::AllowMore),
            Error::Io { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied => Some("check the permissions of the path above".into()),
                io::ErrorKind::StorageFull => Some("free some space on the disk and try again".into()),
                io::ErrorKind::NotFound => Some("check the path above".into()),
                io::ErrorKind::IsADirectory => {
                    Some("move the directory away that is in the place of a file".into())
                }
                _ => None,
            },
            Error::Index { .. } => Some(Hint::Rebuild),
            Error::LinkOut { .. } => Some("replace the link with the file itself".into()),
            Error::NoTree { .. } => Some(
                "change to the directory of a project, or name the directories to search under [trees] in a .ra.toml".into(),
            ),
            Error::Busy { .. } => Some("wait for it to finish and ask again".into()),
            Error::Changed { .. } => Some("ask again".into()),
            Error::Query(problem) => Some(problem.hint.as_str().into()),
            Error::NotFound { candidates, hint, .. } if candidates.is_empty() => hint.clone(),
            Error::NotFound { candidates, .. } => {
                Some(format!("did you mean {}?", candidates.join(", ")).into())
            }
            Error::Config(_) | Error::Flag { .. } | Error::Malformed { .. } => None,
        }
    }
}

/// What the user can do about an error. A remedy that is another call of `ra` is only named here: the command line writes
/// it as a command, and the server as a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Anything that reads the same everywhere.
    Text(String),
    /// List the documents.
    ListDocuments,
    /// List the sections of a document.
    ListSections(DocId),
    /// Build the index again.
    Rebuild,
    /// Allow the process more open files or memory.
    AllowMore,
}

impl From<&str> for Hint {
    fn from(text: &str) -> Self {
        Hint::Text(text.to_owned())
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Self {
        Hint::Text(text)
    }
}

/// Whether the machine ran out of file descriptors or memory: an error that says nothing of the file.
pub(crate) fn is_resource_exhausted(error: &io::Error) -> bool {
    // The codes for too many open files, in the system and in the process, are the same on all Unix systems, and
    // have no kind of their own.
    error.kind() == io::ErrorKind::OutOfMemory || cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

/// Why a query cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryProblem {
    /// What is wrong with it.
    pub message: String,
    /// What would work.
    pub hint: String,
}

/// One thing wrong with one configuration file.
#[derive(Clone, Debug)]
pub struct ConfigProblem {
    /// The file.
    pub file: PathBuf,
    /// The file's text, so that the place can be shown.
    pub source: Arc<str>,
    /// The place in the text.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ConfigProblem {
    /// The 1-based line of the place.
    pub fn line(&self) -> usize {
        Lines::new(&self.source).line_of(self.span.start)
    }
}

/// All that is wrong with the configuration, in the order of files and lines.
#[derive(Clone, Debug)]
pub struct ConfigProblems(pub Vec<ConfigProblem>);

impl fmt::Display for ConfigProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nr, problem) in self.0.iter().enumerate() {
            let separator = if nr == 0 { "" } else { "\n" };
            write!(f, "{separator}{}:{}: {}", problem.file.display(), problem.line(), problem.message)?;
        }
        Ok(())
    }
}
