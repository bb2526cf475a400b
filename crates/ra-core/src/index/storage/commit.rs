//! A commit, and the manifest that is written with it.
//!
//! A manifest is written whole by the first commit of a store. Later ones write all that has changed since then, as long
//! as that is little beside the whole.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::directory::{Unavailable, is_bare};
use super::open_error::OpenError;
use super::segment_cache::SegmentCache;
use crate::error::{Error, Result};
use crate::files;

/// What a commit says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Counts the commits of an index directory.
    pub generation: u64,
    /// When it was made, in nanoseconds since 1970.
    pub updated: i64,
    pub(crate) fingerprint: String,
    /// The manifest as it was last written whole.
    pub(crate) whole: ManifestFile,
    /// What has changed in it since.
    changes: Option<ManifestFile>,
    /// Whether it has only the first documents, so that there is something to answer from.
    #[serde(default)]
    pub is_fragment: bool,
}

/// A file that a commit names, with the hash of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestFile {
    file: String,
    checksum: String,
}

/// The manifest of a commit. What its bytes mean is known to those who gave them.
pub struct ManifestBytes {
    /// As it was last written whole.
    pub whole: Arc<[u8]>,
    /// What has changed since.
    pub changes: Vec<u8>,
}

/// What is to be written of a manifest.
pub(crate) enum ManifestWrite<'a> {
    /// All of it.
    Whole(Vec<u8>),
    /// What has changed since it was written whole.
    Changes(&'a [u8], ManifestFile),
}

/// How the files of a manifest are called, before the number of their commit.
const MANIFEST: &str = "manifest-";
const CHANGES: &str = "changes-";

/// A manifest of ten million documents is smaller than this.
const MAX_MANIFEST_BYTES: u64 = 1 << 30;

impl Commit {
    /// Writes the manifest of a commit to come to its store, and gives the commit.
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
        let changes = self.changes.as_ref().map(|sheet| sheet.read(store)).transpose()?;
        Ok(ManifestBytes { whole, changes: changes.unwrap_or_default() })
    }

    /// Removes from the store what belongs to earlier commits alone.
    pub(crate) fn forget_older(&self, store: &Path) {
        let kept = [Some(&self.whole), self.changes.as_ref()].map(|sheet| sheet.map(|sheet| &*sheet.file));
        for entry in fs::read_dir(store).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            let is_sheet = [MANIFEST, CHANGES].iter().any(|kind| name.starts_with(kind));
            if is_sheet && !kept.contains(&Some(name)) {
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

    /// Whether the store still has the file, with so many bytes.
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
