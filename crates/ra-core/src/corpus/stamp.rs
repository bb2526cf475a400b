//! What the system says of a file, by which a change is noticed without reading it.

use std::fs::Metadata;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// A state of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// The time of the last change, in nanoseconds since 1970. Programs can set it.
    pub mtime: i64,
    /// The time of the last change to the file or to what is said of it, its name included. Programs cannot set
    /// it, so that it tells apart two files of the same time and size. 0 where the system does not know it.
    pub ctime: i64,
    /// The size in bytes.
    pub size: u64,
}

impl Stamp {
    /// What the system said.
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { mtime: mtime(metadata), ctime: ctime(metadata), size: metadata.len() }
    }
}

/// The time of the last change in nanoseconds since 1970, negative before that.
fn mtime(metadata: &Metadata) -> i64 {
    let Ok(time) = metadata.modified() else { return 0 };
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_nanos()).unwrap_or(i64::MAX),
    }
}

#[cfg(unix)]
fn ctime(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn ctime(_metadata: &Metadata) -> i64 {
    0
}

/// Whether a file can change under another name.
#[cfg(unix)]
pub(super) fn has_several_names(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.is_file() && metadata.nlink() > 1
}

#[cfg(not(unix))]
pub(super) fn has_several_names(_metadata: &Metadata) -> bool {
    false
}
