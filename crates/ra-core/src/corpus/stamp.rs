//! File stamps: metadata that reveals a change without reading the file.

use std::fs::Metadata;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// The metadata of a file at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    /// The mtime in nanoseconds since 1970. Programs can set it.
    pub mtime: i64,
    /// The time of the last change to the file or its metadata, including its name. Programs can't set it, so it
    /// distinguishes two files with the same mtime and size. 0 if the system doesn't provide it.
    pub ctime: i64,
    /// The size in bytes.
    pub size: u64,
}

const SECOND: i64 = 1_000_000_000;

/// Most file systems record times in ticks of up to a few milliseconds.
const TICK: i64 = 20_000_000;

/// Some record whole seconds (HFS+, ext4 with small inodes), and FAT every second one.
const COARSE_TICK: i64 = 2 * SECOND + TICK;

impl FileStamp {
    /// True if a later change would show in the times of a file that was read at the time `read`, because the tick of
    /// its last change was over by then.
    pub(super) fn is_settled(self, read: i64) -> bool {
        let is_coarse = self.mtime % SECOND == 0 && self.ctime % SECOND == 0;
        let tick = if is_coarse { COARSE_TICK } else { TICK };
        // A program may have set the mtime into the future; it can't set the ctime.
        let is_ahead = self.mtime > read && self.ctime != 0;
        let last = if is_ahead { self.ctime } else { self.mtime.max(self.ctime) };
        read.saturating_sub(last) > tick
    }

    /// Returns the stamp of a file.
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { mtime: mtime(metadata), ctime: ctime(metadata), size: metadata.len() }
    }
}

/// Returns the mtime in nanoseconds since 1970, negative before that.
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

/// True if a file has several hard links and can change under another name.
#[cfg(unix)]
pub(super) fn has_several_names(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.is_file() && metadata.nlink() > 1
}

#[cfg(not(unix))]
pub(super) fn has_several_names(_metadata: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_settles_when_its_tick_is_over() {
        let (now, ms) = (1_000 * SECOND + 400_000_000, 1_000_000);
        let second = 1_000 * SECOND;
        for (mtime, ctime, settled) in [
            (now - 10 * ms, now - 10 * ms, false),
            (now - 30 * ms, now - 30 * ms, true),
            // A copy that keeps an old mtime was still written just now.
            (5, now - 10 * ms, false),
            (5, now - 30 * ms, true),
            (5, 0, true),
            // An mtime in the future was set by a program.
            (now + 9 * SECOND + 5, now - 30 * ms, true),
            (now + 9 * SECOND + 5, now - 10 * ms, false),
            // Whole seconds mean that the file system has no finer resolution.
            (second, second, false),
            (second - 2 * SECOND, second - SECOND, false),
            (second - 2 * SECOND, second - 2 * SECOND, true),
            (second, 0, false),
            // If one time is finer, so is the file system, and a program has set the other.
            (second, now - 30 * ms, true),
        ] {
            let stamp = FileStamp { mtime, ctime, size: 1 };
            assert_eq!(stamp.is_settled(now), settled, "{stamp:?}");
        }
    }
}
