//! The files and directories to watch for changes of a tree.

use std::path::PathBuf;

/// The files and directories that the documents of a tree depend on. If nothing in these directories and none of these
/// files changes, neither do the documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watchlist {
    /// Directories whose entries, and the text of whose files, matter.
    pub directories: Vec<PathBuf>,
    /// Files in other directories, whether they exist or not.
    pub files: Vec<PathBuf>,
}

impl Watchlist {
    /// Adds the paths of another list.
    pub fn absorb(&mut self, other: Watchlist) {
        self.directories.extend(other.directories);
        self.files.extend(other.files);
    }
}
