//! A commit, and the manifest that is written with it.
//!
//! The first commit of a store writes the whole manifest. Later commits write all changes since then, as long
//! as these are small compared with the whole.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::directory::{Unavailable, is_bare};
use super::open_error::OpenError;
use super::segment_cache::SegmentCache;
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
    /// The last manifest that was written as a whole.
    pub(crate) whole: ManifestFile,
    /// The changes to the manifest since then.
    changes: Option<ManifestFile>,
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

/// The manifest of a commit. The format of its bytes is up to the caller.
pub struct ManifestBytes {
    /// The last manifest that was written as a whole.
    pub whole: Arc<[u8]>,
    /// The changes since then.
    pub changes: Vec<u8>,
}

/// The part of a manifest to write.
pub(crate) enum ManifestWrite<'a> {
    /// All of it.
    Whole(Vec<u8>),
    /// The changes since it was written as a whole.
    Changes(&'a [u8], ManifestFile),
}

/// The names of manifest files, before the generation of their commit.
const MANIFEST: &str = "manifest-";
const CHANGES: &str = "changes-";

/// A manifest of ten million documents is smaller than this.
const MAX_MANIFEST_BYTES: u64 = 1 << 30;

impl Commit {
    /// Writes the manifest of the next commit to its store, and returns the commit.
    pub(crate) fn prepare(
        store: &Path,
        fingerprint: &str,
        generation: u64,
        updated: i64,
        manifest: ManifestWrite<'_>,
    ) -> Result<Self> {
        let (whole, changes) = match manifest {
            ManifestWrite::Changes(bytes, whole) => {
                (whole, Some(ManifestFile::write(store, format!("{CHANGES}{generation}"), bytes)?))
            }
            ManifestWrite::Whole(bytes) => {
                (ManifestFile::write(store, format!("{MANIFEST}{generation}"), &bytes)?, None)
            }
        };
        let fingerprint = fingerprint.to_owned();
        Ok(Self { generation, updated, fingerprint, whole, changes, is_fragment: false })
    }

    /// Reads the manifest from its store.
    pub(crate) fn pages(
        &self,
        store: &Path,
        segment_cache: &SegmentCache,
    ) -> std::result::Result<ManifestBytes, OpenError> {
        let whole = segment_cache.whole(&self.whole, || self.whole.read(store))?;
        let changes = self.changes.as_ref().map(|file| file.read(store)).transpose()?;
        Ok(ManifestBytes { whole, changes: changes.unwrap_or_default() })
    }

    /// Removes the manifest files of earlier commits from the store.
    pub(crate) fn forget_older(&self, store: &Path) {
        let kept = [Some(&self.whole), self.changes.as_ref()].map(|file| file.map(|file| &*file.file));
        for entry in fs::read_dir(store).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            let is_manifest = [MANIFEST, CHANGES].iter().any(|kind| name.starts_with(kind));
            if is_manifest && !kept.contains(&Some(name)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl ManifestFile {
    fn write(store: &Path, file: String, bytes: &[u8]) -> Result<Self> {
        let path = store.join(&file);
        let failed = |error| Error::io("write", &path, error);
        files::replace(&path, bytes).map_err(failed)?;
        Ok(Self { file, checksum: checksum(bytes) })
    }

    /// True if the store still has the file, with `length` bytes.
    pub(crate) fn is_there(&self, store: &Path, length: usize) -> bool {
        fs::metadata(store.join(&self.file)).is_ok_and(|metadata| metadata.len() == length as u64)
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
