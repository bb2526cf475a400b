//! The error type: the action that failed, its target, and the cause.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::id::DocId;
use crate::text::{Lines, Span};

/// The result of anything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of any operation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file system operation failed.
    #[error("could not {action} {}", path.display())]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The path it was applied to.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The configuration has mistakes; all of them are listed.
    #[error("{0}")]
    Config(ConfigProblems),
    /// The configuration of a project is a link to a file outside the project.
    #[error("{} is a link that doesn't lead to a configuration file of its project", path.display())]
    LinkOut {
        /// The link.
        path: PathBuf,
    },
    /// No tree is configured, and the directory isn't searched without being configured.
    #[error("{} is the home directory or contains it, so it is only searched if a `.ra.toml` names it as a tree", directory.display())]
    NoTree {
        /// The home directory, or one above it.
        directory: PathBuf,
    },
    /// The index could not be read or written.
    #[error("could not {action} {}", path.display())]
    Index {
        /// The action that failed.
        action: &'static str,
        /// The path it was applied to.
        path: PathBuf,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A newer version wrote the index.
    #[error("a newer version of ra wrote the index in {}", path.display())]
    NewerIndex {
        /// The directory of the index.
        path: PathBuf,
    },
    /// Another process is writing the index, and there is no index to answer from yet.
    #[error("another process is writing the index in {}", path.display())]
    Busy {
        /// The directory of the index.
        path: PathBuf,
    },
    /// The query can't be answered.
    #[error(transparent)]
    Query(#[from] QueryProblem),
    /// No document or chunk has this name.
    #[error("{message}")]
    NotFound {
        /// A message with the name.
        message: String,
        /// The most similar names.
        candidates: Vec<String>,
        /// How to find the right one if it isn't among them.
        hint: Option<Hint>,
    },
    /// The request can't be answered as it is.
    #[error("{message}")]
    BadRequest {
        /// A description of the problem.
        message: String,
        /// How to change the request.
        hint: &'static str,
    },
    /// The document changed between the search and the read.
    #[error("{id} changed while it was being read")]
    Changed {
        /// The name that was asked for.
        id: String,
    },
    /// A data file is malformed.
    #[error("{}:{line}: {message}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The 1-based line.
        line: usize,
        /// A description of the problem.
        message: String,
    },
    /// A flag's value is out of range.
    #[error("{flag}: {message}")]
    Flag {
        /// The flag.
        flag: &'static str,
        /// A description of the problem.
        message: String,
    },
}

impl Error {
    /// Creates an I/O error for doing `action` to `path`.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Error::Io { action, path: path.to_owned(), source }
    }

    /// Creates an index error for doing `action` to `path`.
    pub fn index(
        action: &'static str,
        path: &Path,
        source: Box<dyn std::error::Error + Send + Sync>,
    ) -> Self {
        Error::Index { action, path: path.to_owned(), source }
    }

    /// Returns how the user can fix it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Error::Io { source, .. } if is_resource_exhausted(source) => Some(Hint::AllowMore),
            Error::Io { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied => Some("check the permissions of the path above".into()),
                io::ErrorKind::StorageFull => Some("free some space on the disk and try again".into()),
                io::ErrorKind::NotFound => Some("check the path above".into()),
                io::ErrorKind::IsADirectory => Some("a directory is in the way; move or remove it".into()),
                _ => None,
            },
            Error::Index { .. } => Some(Hint::Rebuild),
            Error::LinkOut { .. } => Some("replace the link with the file itself".into()),
            Error::NoTree { .. } => Some(
                "change to the directory of a project, or name the directories to search under [trees] in a .ra.toml".into(),
            ),
            Error::NewerIndex { .. } => {
                Some("update ra, or remove that directory to have this version build its own".into())
            }
            Error::Busy { .. } => Some("wait for it to finish and ask again".into()),
            Error::Changed { .. } => Some("ask again".into()),
            Error::Query(problem) => Some(problem.hint.as_str().into()),
            Error::NotFound { candidates, hint, .. } if candidates.is_empty() => hint.clone(),
            Error::NotFound { candidates, .. } => {
                Some(format!("did you mean {}?", candidates.join(", ")).into())
            }
            Error::BadRequest { hint, .. } => Some((*hint).into()),
            Error::Config(_) | Error::Flag { .. } | Error::Malformed { .. } => None,
        }
    }
}

/// How the user can fix an error. A remedy that is another call of `ra` is only named here: the command line prints it
/// as a command, and the server as a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A text that is the same everywhere.
    Text(String),
    /// List the documents.
    ListDocuments,
    /// List the sections of a document.
    ListSections(DocId),
    /// Verify a citation.
    Verify,
    /// Rebuild the index.
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

/// True if the system ran out of file descriptors or memory: the error says nothing about the file.
pub(crate) fn is_resource_exhausted(error: &io::Error) -> bool {
    // The codes for too many open files, in the system and in the process, are the same on all Unix systems, and have
    // no `ErrorKind` of their own.
    error.kind() == io::ErrorKind::OutOfMemory || cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

/// Why a query can't be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryProblem {
    /// A description of the problem.
    pub message: String,
    /// How to fix it.
    pub hint: String,
}

/// One problem in a configuration file.
#[derive(Clone, Debug)]
pub struct ConfigProblem {
    /// The file.
    pub file: PathBuf,
    /// The file's text, used to show the place.
    pub source: Arc<str>,
    /// The span in the text.
    pub span: Span,
    /// A description of the problem.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

impl ConfigProblem {
    /// Returns the 1-based line of the problem.
    pub fn line(&self) -> usize {
        Lines::new(&self.source).line_of(self.span.start)
    }
}

/// All problems of the configuration, in the order of files and lines.
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
