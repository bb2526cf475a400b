//! Why an index can't be opened or written: because of the index itself, or because of the system.

use std::io;
use std::path::Path;

use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

use crate::error::{Error, is_resource_exhausted};
use crate::files;

/// Why there is no index to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// There is no index.
    Missing,
    /// The index was written with other settings or by another version.
    Outdated,
    /// The index can't be read.
    Damaged(String),
}

/// Why an index can't be opened.
pub(crate) enum OpenError {
    /// There is no readable index.
    Absent(Unavailable),
    /// The system is out of file descriptors or memory, which says nothing about the index.
    ResourceExhausted(io::Error),
    /// A newer version wrote it. Its work isn't thrown away for an older one.
    Newer,
}

impl From<Unavailable> for OpenError {
    fn from(reason: Unavailable) -> Self {
        OpenError::Absent(reason)
    }
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        if is_resource_exhausted(&error) {
            OpenError::ResourceExhausted(error)
        } else {
            Unavailable::Damaged(error.to_string()).into()
        }
    }
}

impl From<TantivyError> for OpenError {
    fn from(error: TantivyError) -> Self {
        match system(&error).filter(|error| is_resource_exhausted(error)) {
            Some(error) => OpenError::ResourceExhausted(files::system_error(error)),
            None => Unavailable::Damaged(error.to_string()).into(),
        }
    }
}

/// Creates a write error. System errors are reported as such, because another index wouldn't help.
pub(crate) fn write_error(action: &'static str, path: &Path, error: TantivyError) -> Error {
    match system(&error) {
        Some(error) => Error::io(action, path, files::system_error(error)),
        None => Error::index(action, path, error.into()),
    }
}

/// Returns the system error in one of tantivy's errors, which doesn't return it as its source.
fn system(error: &TantivyError) -> Option<&io::Error> {
    match error {
        TantivyError::IoError(error)
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error: error, .. })
        | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: error, .. })
        | TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error: error, .. })
        | TantivyError::LockFailure(LockError::IoError(error), _) => Some(error),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_the_system_survives_its_wrapping() {
        let wrapped = tempfile::Builder::new().tempfile_in("/nowhere/at/all").expect_err("no such directory");
        let error = TantivyError::from(wrapped);
        let Error::Io { source, .. } = write_error("write", "x".as_ref(), error) else {
            panic!("not the system's")
        };
        assert_eq!(source.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_is_exhausted_machine_is_no_damage() {
        for (code, is_exhausted) in [(12, true), (23, true), (24, true), (2, false), (5, false)] {
            let error = || io::Error::from_raw_os_error(code);
            assert_eq!(
                matches!(OpenError::from(error()), OpenError::ResourceExhausted(_)),
                is_exhausted,
                "{code}"
            );
            assert_eq!(
                matches!(OpenError::from(TantivyError::from(error())), OpenError::ResourceExhausted(_)),
                is_exhausted,
                "{code}"
            );
        }
    }
}
