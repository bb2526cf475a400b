//! Reads one file: its text, its hash, and whether it is text at all.

use std::io::{self, Read};
use std::path::Path;

use super::stamp::FileStamp;
use crate::document::{self, ConversionCache, DocumentKind, SourceHash, SourceText};
use crate::error::{Error, Result};
use crate::files::{self, MAX_DOCUMENT_BYTES};

/// A file as it was at one moment.
#[derive(Debug)]
pub struct Loaded {
    /// Its content.
    pub content: Content,
    /// The first 16 bytes of the hash of its bytes.
    pub hash: [u8; 16],
    /// Its stamp.
    pub stamp: FileStamp,
}

/// The content of a file.
#[derive(Debug)]
pub enum Content {
    /// Text, with the offset of the first invalid bytes, which were replaced.
    Text(String, Option<usize>),
    /// Not text.
    Binary,
    /// A file of a converted format without text that can be read, for this reason.
    Refused(String),
}

/// Reads a whole file; the text of a converted format comes from `conversions` if it is there, else it goes there.
/// Takes the stamp from the open file before its bytes: if the file changes while it is read, the stamp is older than
/// the one on disk, and the next comparison sees the change.
pub fn load(path: &Path, conversions: &ConversionCache) -> Result<Loaded> {
    let failed = |error| Error::io("read", path, error);
    let mut file = files::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let bytes = files::read_all(&mut file, MAX_DOCUMENT_BYTES).map_err(failed)?;
    let hash = document::source_hash(&bytes);
    let kind = conversions.kind_of(path);
    let content = if kind.is_converted() {
        convert(path, kind, bytes, &hash, conversions)
    } else if looks_binary(&bytes) {
        Content::Binary
    } else {
        text(conversions.convert(path, kind, bytes))
    };
    Ok(Loaded { content, hash, stamp: FileStamp::of(&metadata) })
}

fn text(converted: std::result::Result<SourceText, String>) -> Content {
    match converted {
        Ok(SourceText { text, invalid }) => Content::Text(text, invalid),
        Err(reason) => Content::Refused(reason),
    }
}

fn convert(
    path: &Path,
    kind: DocumentKind,
    bytes: Vec<u8>,
    hash: &SourceHash,
    conversions: &ConversionCache,
) -> Content {
    let hash = &conversions.cache_hash(path, hash);
    if let Some(text) = conversions.get(kind, hash) {
        return Content::Text(text, None);
    }
    let content = text(conversions.convert(path, kind, bytes));
    if let Content::Text(text, _) = &content {
        conversions.put(kind, hash, text);
    }
    content
}

/// True if a file isn't text, judging by its first bytes.
pub fn is_binary(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    files::open(path)?.take(SNIFFED_BYTES as u64).read_to_end(&mut head)?;
    Ok(looks_binary(&head))
}

/// Fewer control characters than this are strays.
const MIN_CONTROL_CHARS: usize = 4;

/// How many bytes of a file are checked to tell whether it is text.
const SNIFFED_BYTES: usize = 8192;

/// The first bytes of files that are never text.
const MAGIC: &[&[u8]] = &[
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x7fELF",
    b"\x1f\x8b",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\x00asm",
    b"SQLite format 3\0",
    b"\xca\xfe\xba\xbe",
    b"\x28\xb5\x2f\xfd",
];

/// First bytes that a text may have too: they count only if there is also a control character.
const WORDS: &[&[u8]] = &[b"GIF8", b"BZh", b"OggS", b"wOF"];

/// True if the bytes aren't text: they begin with a known signature, or more than one in ten of the first kilobytes is
/// a control character. A stray NUL byte doesn't make a document binary.
pub fn looks_binary(bytes: &[u8]) -> bool {
    if document::is_utf16(bytes) {
        return false;
    }
    if MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return true;
    }
    let head = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    // A count that fits into a byte can be vectorized.
    let is_control = |byte: &u8| u8::from(matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127));
    let control: usize =
        head.chunks(u8::MAX.into()).map(|some| usize::from(some.iter().map(is_control).sum::<u8>())).sum();
    let is_named = control > 0 && WORDS.iter().any(|magic| bytes.starts_with(magic));
    // In a very short file, a single stray byte would exceed one in ten.
    is_named || control >= MIN_CONTROL_CHARS && control * 10 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_nul_byte_does_not_make_a_document_binary() {
        for (bytes, binary) in [
            (&b"a\0b text\n"[..], false),
            (b"", false),
            (b"\xff\xfea\0b\0", false),
            (b"\x89PNG\r\n", true),
            (b"\0\x01\x02\x03abc", true),
        ] {
            assert_eq!(looks_binary(bytes), binary, "{bytes:?}");
        }
    }
}
