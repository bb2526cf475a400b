//! A commit, and the manifest that is written with it.

use std::fs;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use super::open_error::{OpenError, Unavailable};
use crate::error::{Error, Result};
use crate::files;

/// The metadata of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// The number of the commit in its index directory.
    pub generation: u64,
    /// The time of the commit, in nanoseconds since 1970.
    pub updated: i64,
    pub(crate) fingerprint: String,
    manifest: ManifestFile,
    /// True if the commit contains only the first documents, to answer queries while the rest is being indexed.
    #[serde(default)]
    pub is_fragment: bool,
}

/// A file that a commit names, with the hash of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestFile {
    file: String,
    checksum: String,
}

/// The names of manifest files, before the generation of their commit.
const MANIFEST: &str = "manifest-";

/// A manifest of ten million documents is smaller than this.
const MAX_MANIFEST_BYTES: u64 = 1 << 30;

impl Commit {
    /// Writes the manifest of the next commit to its store, and returns the commit.
    pub(crate) fn prepare(
        store: &Path,
        fingerprint: &str,
        generation: u64,
        updated: i64,
        manifest: &[u8],
    ) -> Result<Self> {
        let manifest = ManifestFile::write(store, format!("{MANIFEST}{generation}"), manifest)?;
        let fingerprint = fingerprint.to_owned();
        Ok(Self { generation, updated, fingerprint, manifest, is_fragment: false })
    }

    /// Reads the manifest from its store. The format of its bytes is up to the caller.
    pub(crate) fn read_manifest(&self, store: &Path) -> std::result::Result<Vec<u8>, OpenError> {
        self.manifest.read(store)
    }

    /// Removes the manifest files of earlier commits from the store.
    pub(crate) fn forget_older(&self, store: &Path) {
        for entry in fs::read_dir(store).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            if name.starts_with(MANIFEST) && name != self.manifest.file {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl ManifestFile {
    fn write(store: &Path, file: String, bytes: &[u8]) -> Result<Self> {
        let path = store.join(&file);
        let failed = |error| Error::io("write", &path, error);
        files::replace_private(&path, bytes).map_err(failed)?;
        Ok(Self { file, checksum: checksum(bytes) })
    }

    fn read(&self, store: &Path) -> std::result::Result<Vec<u8>, OpenError> {
        if !is_bare(self.file.as_ref()) {
            return Err(Unavailable::Damaged(format!("the commit names the file {}", self.file)).into());
        }
        let bytes = files::read(&store.join(&self.file), MAX_MANIFEST_BYTES)?;
        let torn = || Unavailable::Damaged("the manifest is not what was written".to_owned()).into();
        (checksum(&bytes) == self.checksum).then_some(bytes).ok_or_else(torn)
    }
}

fn checksum(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// True if a path is a plain file name.
pub(crate) fn is_bare(path: &Path) -> bool {
    let mut parts = path.components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == path.as_os_str())
}
