//! The vectors of pages, in one file next to the index.
//!
//! Computing a vector takes far longer than indexing its page, so the vectors aren't part of a commit: they
//! are added later. The key of a vector is the content of its page, so a vector can be missing but never
//! stale, and the same pages get the same vectors in whatever order they are computed.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use ra_semantic::{PACKED_PAGE_BYTES, PackedPage, PageVector, dot_packed};

use crate::files;

/// The start of the file. It changes with the model, the encoded text, or the row format.
const HEADER: &[u8; 8] = b"ra-page6";

const FILE_NAME: &str = "page-vectors";
const MAX_FILE_BYTES: u64 = 1 << 30;

const KEY_BYTES: usize = 16;
const SCALE_BYTES: usize = 4;
const CHECKSUM_BYTES: usize = 4;
const ROW_BYTES: usize = KEY_BYTES + SCALE_BYTES + PACKED_PAGE_BYTES + CHECKSUM_BYTES;

/// Identifies a page by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageKey([u8; KEY_BYTES]);

impl PageKey {
    /// Creates the key of a page. The file name is part of the key because it may be the title of the page.
    pub fn new(path: &str, content_hash: &[u8; 16]) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut hasher = blake3::Hasher::new();
        hasher.update(content_hash).update(name.as_bytes());
        let mut key = [0; KEY_BYTES];
        key.copy_from_slice(&hasher.finalize().as_bytes()[..KEY_BYTES]);
        Self(key)
    }
}

/// The vectors computed so far.
#[derive(Debug, Default)]
pub struct PageVectors {
    bytes: Vec<u8>,
    /// The row number of each key.
    rows: HashMap<PageKey, u32>,
}

impl PageVectors {
    /// Reads the vectors of an index directory. Returns none if the file is missing, damaged or from another model.
    pub fn read(dir: &Path) -> Self {
        let bytes = files::read(&path(dir), MAX_FILE_BYTES).unwrap_or_default();
        if !bytes.starts_with(HEADER) {
            return Self::default();
        }
        let mut rows = HashMap::with_capacity(bytes.len() / ROW_BYTES);
        for (nr, row) in rows_of(&bytes).enumerate() {
            if let (Some(key), Ok(nr)) = (checked_key(row), u32::try_from(nr)) {
                rows.insert(key, nr);
            }
        }
        Self { bytes, rows }
    }

    /// Returns the number of vectors.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the row number of a page, or `None` if the page has no vector.
    pub fn row(&self, key: &PageKey) -> Option<u32> {
        self.rows.get(key).copied()
    }

    /// Returns the cosine similarity of a query and the vector in a row.
    pub fn similarity(&self, row: u32, query: &PageVector) -> f32 {
        let Some(row) = rows_of(&self.bytes).nth(row as usize) else { return 0.0 };
        let Some((scale, rest)) = row[KEY_BYTES..].split_first_chunk() else { return 0.0 };
        let Some((steps, _)) = rest.split_first_chunk() else { return 0.0 };
        dot_packed(query, f32::from_le_bytes(*scale), steps)
    }

    /// Returns the size of the file, which changes when vectors are added.
    pub fn file_bytes(dir: &Path) -> u64 {
        path(dir).symlink_metadata().map_or(0, |metadata| metadata.len())
    }

    /// Appends vectors to the file. The caller must hold the index lock. Overwrites an incomplete row left by a crash.
    pub fn append(dir: &Path, vectors: &[(PageKey, PackedPage)]) -> io::Result<()> {
        let path = path(dir);
        let known = Self::file_bytes(dir);
        let mut start = [0; HEADER.len()];
        let is_ours = known >= HEADER.len() as u64
            && files::open_no_follow(&path)
                .and_then(|mut file| io::Read::read_exact(&mut file, &mut start))
                .is_ok()
            && start == *HEADER;
        let mut bytes = Vec::with_capacity(HEADER.len() + vectors.len() * ROW_BYTES);
        let keep = if is_ours {
            known - (known - HEADER.len() as u64) % ROW_BYTES as u64
        } else {
            bytes.extend_from_slice(HEADER);
            0
        };
        vectors.iter().for_each(|(key, vector)| push_row(&mut bytes, key, vector));
        files::append(&path, keep, &bytes)
    }

    /// Rewrites the file with only the rows of these pages if that makes it much smaller.
    pub fn compact(&self, dir: &Path, keys: &[PageKey]) -> io::Result<()> {
        let kept: Vec<u32> = keys.iter().filter_map(|key| self.row(key)).collect();
        if self.bytes.len() < HEADER.len() + 2 * kept.len().max(MIN_COMPACTED_ROWS) * ROW_BYTES {
            return Ok(());
        }
        let mut bytes = HEADER.to_vec();
        for row in kept.iter().filter_map(|nr| rows_of(&self.bytes).nth(*nr as usize)) {
            bytes.extend_from_slice(row);
        }
        files::replace_private(&path(dir), &bytes)
    }
}

/// A file with fewer rows isn't worth compacting.
const MIN_COMPACTED_ROWS: usize = 1000;

fn path(dir: &Path) -> PathBuf {
    dir.join(FILE_NAME)
}

fn rows_of(bytes: &[u8]) -> std::slice::ChunksExact<'_, u8> {
    bytes.get(HEADER.len()..).unwrap_or_default().chunks_exact(ROW_BYTES)
}

/// Returns the key of a row, or `None` if the row is damaged.
fn checked_key(row: &[u8]) -> Option<PageKey> {
    let (row, checksum) = row.split_last_chunk::<CHECKSUM_BYTES>()?;
    let is_whole = crc32fast::hash(row) == u32::from_le_bytes(*checksum);
    is_whole.then(|| row.first_chunk().copied().map(PageKey))?
}

fn push_row(bytes: &mut Vec<u8>, PageKey(key): &PageKey, vector: &PackedPage) {
    let start = bytes.len();
    bytes.extend_from_slice(key);
    bytes.extend_from_slice(&vector.scale.to_le_bytes());
    bytes.extend_from_slice(&vector.steps);
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn vector(nr: u8) -> PackedPage {
        let mut vector: PageVector = [0.0; _];
        vector[usize::from(nr)] = 1.0;
        PackedPage::new(&vector)
    }

    fn key(nr: u8) -> PageKey {
        PageKey::new("a.md", &[nr; 16])
    }

    #[test]
    fn vectors_are_found_by_their_key_after_any_damage() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        assert!(PageVectors::read(dir).is_empty());
        PageVectors::append(dir, &[(key(1), vector(1))]).unwrap();
        PageVectors::append(dir, &[(key(2), vector(2)), (key(3), vector(3))]).unwrap();
        let mut query: PageVector = [0.0; _];
        query[2] = 1.0;
        let vectors = PageVectors::read(dir);
        let similarity = |nr| vectors.row(&key(nr)).map(|row| vectors.similarity(row, &query));
        assert_eq!((1..5).map(similarity).collect::<Vec<_>>(), [Some(0.0), Some(1.0), Some(0.0), None]);
        // A truncated row is overwritten, and a row with a wrong checksum is skipped.
        let mut bytes = fs::read(path(dir)).unwrap();
        bytes.truncate(bytes.len() - 10);
        bytes[HEADER.len() + 50] ^= 1;
        fs::write(path(dir), &bytes).unwrap();
        PageVectors::append(dir, &[(key(4), vector(4))]).unwrap();
        let vectors = PageVectors::read(dir);
        let is_there = |nr| vectors.row(&key(nr)).is_some();
        assert_eq!((1..5).map(is_there).collect::<Vec<_>>(), [false, true, false, true]);
        // A file from another model is replaced.
        fs::write(path(dir), b"ra-page0 something else").unwrap();
        PageVectors::append(dir, &[(key(1), vector(1))]).unwrap();
        assert_eq!(PageVectors::read(dir).len(), 1);
    }

    #[test]
    fn rows_of_pages_that_are_gone_are_dropped_when_they_are_many() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let keys: Vec<PageKey> = (0..3000u32).map(|nr| PageKey::new(&nr.to_string(), &[0; 16])).collect();
        let rows: Vec<(PageKey, PackedPage)> = keys.iter().map(|key| (*key, vector(0))).collect();
        PageVectors::append(dir, &rows).unwrap();
        for (kept, expected) in [(2000, 3000), (1200, 1200), (10, 1200)] {
            PageVectors::read(dir).compact(dir, &keys[..kept]).unwrap();
            assert_eq!(PageVectors::read(dir).len(), expected, "{kept} kept");
        }
    }
}
