//! Reads zip archives from memory. Names are only compared, never used as paths, and sizes are limited, so a hostile
//! archive costs no more than an ordinary one.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::DeflateDecoder;

/// The maximum number of entries read.
const MAX_ENTRIES: usize = 10_000;

/// The maximum size of an entry.
const MAX_ENTRY_BYTES: usize = 64 << 20;

/// The maximum size of all entries read from one archive.
const MAX_TOTAL_BYTES: usize = 256 << 20;

/// The size of an archive's last record, without its comment.
const END_RECORD_BYTES: usize = 22;

/// An archive, with a table of its entries.
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    entries: HashMap<&'a [u8], Entry>,
    /// How many more bytes may be decompressed.
    bytes_left: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    is_encrypted: bool,
    method: u16,
    crc32: u32,
    compressed_bytes: usize,
    header: usize,
}

impl<'a> Archive<'a> {
    /// Reads the table of entries.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        let damaged = || "the file is not a zip archive, or it is damaged".to_owned();
        let end = end_record(bytes).ok_or_else(damaged)?;
        let count = usize::from(u16_at(bytes, end + 10).ok_or_else(damaged)?);
        if count > MAX_ENTRIES {
            return Err(format!("the archive has more than {MAX_ENTRIES} entries"));
        }
        let mut at = u32_at(bytes, end + 16).ok_or_else(damaged)? as usize;
        let mut entries = HashMap::new();
        for _ in 0..count {
            let (name, entry, next) = central_record(bytes, at).ok_or_else(damaged)?;
            entries.entry(name).or_insert(entry);
            at = next;
        }
        Ok(Self { bytes, entries, bytes_left: MAX_TOTAL_BYTES })
    }

    /// True if there is an entry with this name.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name.as_bytes())
    }

    /// Decompresses an entry.
    pub(super) fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let entry =
            *self.entries.get(name.as_bytes()).ok_or_else(|| format!("the archive has no `{name}`"))?;
        if entry.is_encrypted {
            return Err("the file is encrypted".to_owned());
        }
        let compressed = entry.compressed(self.bytes).ok_or_else(|| format!("`{name}` is damaged"))?;
        let limit = MAX_ENTRY_BYTES.min(self.bytes_left);
        let content = match entry.method {
            0 => compressed.get(..limit + 1).unwrap_or(compressed).to_vec(),
            8 => inflate(compressed, limit + 1),
            method => return Err(format!("`{name}` uses the unsupported compression method {method}")),
        };
        // Count it even if it turns out to be damaged.
        self.bytes_left = self.bytes_left.saturating_sub(content.len());
        if content.len() > limit {
            return Err(format!("`{name}` is too large"));
        }
        if crc32fast::hash(&content) != entry.crc32 {
            return Err(format!("`{name}` is damaged"));
        }
        Ok(content)
    }
}

impl Entry {
    /// Returns the entry's bytes in the archive.
    fn compressed<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let is_header = bytes.get(self.header..)?.starts_with(b"PK\x03\x04");
        let name = usize::from(u16_at(bytes, self.header + 26)?);
        let extra = usize::from(u16_at(bytes, self.header + 28)?);
        let start = self.header + 30 + name + extra;
        is_header.then(|| bytes.get(start..start.checked_add(self.compressed_bytes)?)).flatten()
    }
}

/// Decompresses at most `limit` bytes, or as many as are valid; the checksum tells whether that is all.
fn inflate(compressed: &[u8], limit: usize) -> Vec<u8> {
    let mut content = Vec::new();
    let _ = DeflateDecoder::new(compressed).take(limit as u64).read_to_end(&mut content);
    content
}

/// Returns the position of the last record, which is at the end of the archive, before a comment.
fn end_record(bytes: &[u8]) -> Option<usize> {
    let first = bytes.len().saturating_sub(END_RECORD_BYTES + usize::from(u16::MAX));
    let found = memchr::memmem::rfind(&bytes[first..], b"PK\x05\x06")?;
    (bytes.len() - first - found >= END_RECORD_BYTES).then_some(first + found)
}

/// Returns the name and description of an entry, and the position of the next record.
fn central_record(bytes: &[u8], at: usize) -> Option<(&[u8], Entry, usize)> {
    if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
        return None;
    }
    let entry = Entry {
        is_encrypted: u16_at(bytes, at + 8)? & 1 == 1,
        method: u16_at(bytes, at + 10)?,
        crc32: u32_at(bytes, at + 16)?,
        compressed_bytes: u32_at(bytes, at + 20)? as usize,
        header: u32_at(bytes, at + 42)? as usize,
    };
    let name_end = at + 46 + usize::from(u16_at(bytes, at + 28)?);
    let extra = usize::from(u16_at(bytes, at + 30)?) + usize::from(u16_at(bytes, at + 32)?);
    Some((bytes.get(at + 46..name_end)?, entry, name_end + extra))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use proptest::prelude::*;

    use super::*;

    /// Builds an archive with these names and contents, compressed.
    pub(in super::super) fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut archive, mut table) = (Vec::new(), Vec::new());
        for (name, content) in entries {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).unwrap();
            let compressed = encoder.finish().unwrap();
            let mut common = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
            common.extend(crc32fast::hash(content).to_le_bytes());
            common.extend((compressed.len() as u32).to_le_bytes());
            common.extend((content.len() as u32).to_le_bytes());
            common.extend((name.len() as u16).to_le_bytes());
            common.extend([0, 0]);
            table.extend(b"PK\x01\x02\x14\x00");
            table.extend(&common);
            table.extend([0; 10]);
            table.extend((archive.len() as u32).to_le_bytes());
            table.extend(name.as_bytes());
            archive.extend(b"PK\x03\x04");
            archive.extend(&common);
            archive.extend(name.as_bytes());
            archive.extend(compressed);
        }
        let start = archive.len() as u32;
        let count = (entries.len() as u16).to_le_bytes();
        archive.extend(&table);
        archive.extend(b"PK\x05\x06\0\0\0\0");
        archive.extend([count, count].concat());
        archive.extend((table.len() as u32).to_le_bytes());
        archive.extend(start.to_le_bytes());
        archive.extend([0, 0]);
        archive
    }

    /// Returns the position of the table's first record.
    fn first_record(archive: &[u8]) -> usize {
        memchr::memmem::find(archive, b"PK\x01\x02").unwrap()
    }

    #[test]
    fn entries_are_decompressed() {
        let archive = zip(&[("a", b"alpha"), ("../b/c", b""), ("a", b"second")]);
        let mut archive = Archive::open(&archive).unwrap();
        assert_eq!(archive.read("a").unwrap(), b"alpha");
        assert_eq!(archive.read("../b/c").unwrap(), b"");
        assert!(archive.contains("a") && !archive.contains("b"));
        assert_eq!(archive.read("b").unwrap_err(), "the archive has no `b`");
    }

    #[test]
    fn hostile_archives_are_refused() {
        let archive = zip(&[("a", &b"alpha".repeat(100))]);
        let record = first_record(&archive);
        let with = |at: usize, bytes: &[u8]| {
            let mut changed = archive.clone();
            changed[at..at + bytes.len()].copy_from_slice(bytes);
            changed
        };
        let end = archive.len() - END_RECORD_BYTES;
        let bomb = zip(&[("a", &vec![0; MAX_ENTRY_BYTES + 1])]);
        for (case, archive, expected) in [
            ("empty", Vec::new(), "the file is not a zip archive, or it is damaged"),
            (
                "truncated",
                archive[..archive.len() / 2].to_vec(),
                "the file is not a zip archive, or it is damaged",
            ),
            ("no table", archive[end..].to_vec(), "the file is not a zip archive, or it is damaged"),
            ("far table", with(end + 16, &[0xff; 4]), "the file is not a zip archive, or it is damaged"),
            ("many entries", with(end + 10, &[0xff; 2]), "the archive has more than 10000 entries"),
            ("encrypted", with(record + 8, &[1]), "the file is encrypted"),
            ("other method", with(record + 10, &[12]), "`a` uses the unsupported compression method 12"),
            ("wrong checksum", with(record + 16, &[1, 2, 3, 4]), "`a` is damaged"),
            ("absurd size", with(record + 20, &[0xff; 4]), "`a` is damaged"),
            ("far header", with(record + 42, &[0xff; 4]), "`a` is damaged"),
            ("no deflate", with(31, &[0xff; 4]), "`a` is damaged"),
            ("bomb", bomb, "`a` is too large"),
        ] {
            let error = Archive::open(&archive).and_then(|mut archive| archive.read("a")).unwrap_err();
            assert_eq!(error, expected, "{case}");
        }
    }

    #[test]
    fn all_entries_together_are_limited() {
        let archive = zip(&[("a", &vec![0; MAX_ENTRY_BYTES])]);
        let mut archive = Archive::open(&archive).unwrap();
        let read: Vec<bool> = (0..6).map(|_| archive.read("a").is_ok()).collect();
        assert_eq!(read, [true, true, true, true, false, false]);
    }

    #[test]
    fn damaged_entries_count_too() {
        let mut archive = zip(&[("a", &b"alpha".repeat(100)), ("b", b"beta")]);
        let record = first_record(&archive);
        archive[record + 16] ^= 1;
        let mut archive = Archive::open(&archive).unwrap();
        archive.bytes_left = 501;
        assert_eq!(archive.read("a").unwrap_err(), "`a` is damaged");
        assert_eq!(archive.read("b").unwrap_err(), "`b` is too large");
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0usize..200, byte: u8, length in 0usize..200) {
            let mut archive = zip(&[("a", b"alpha"), ("b", b"beta")]);
            let length = archive.len().saturating_sub(length % 3 * length);
            archive.truncate(length);
            if let Some(changed) = archive.get_mut(at) {
                *changed = byte;
            }
            if let Ok(mut archive) = Archive::open(&archive) {
                let _ = (archive.read("a"), archive.read("b"));
            }
        }
    }
}
