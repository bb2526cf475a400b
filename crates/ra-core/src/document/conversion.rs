//! Turns the bytes of a file into the text that is indexed and shown, and keeps texts that took a conversion.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::decode::decode;
use super::formats::{Format, NO_TEXT};
use super::isolation;
use crate::config::Converters;
use crate::files;
use crate::kind::DocumentKind;

/// The text of a file.
#[derive(Debug)]
pub struct SourceText {
    /// The text.
    pub text: String,
    /// The offset of the first invalid bytes, which were replaced.
    pub invalid: Option<usize>,
}

/// Returns the text of a file that this program reads itself. The error is a reason for people why there is none.
pub fn source_text(kind: DocumentKind, bytes: Vec<u8>) -> Result<SourceText, String> {
    match kind.is_converted() {
        true => convert(kind, &bytes).map(|text| SourceText { text, invalid: None }),
        false => {
            let (text, invalid) = decode(bytes);
            let shown =
                Format::of(kind).without_comments.and_then(|without_comments| without_comments(&text));
            Ok(SourceText { text: shown.unwrap_or(text), invalid })
        }
    }
}

fn convert(kind: DocumentKind, bytes: &[u8]) -> Result<String, String> {
    let elsewhere = if kind.is_binary() { isolation::convert(kind, &[], bytes) } else { None };
    elsewhere.unwrap_or_else(|| convert_here(kind, bytes))
}

/// Converts a file in this process. The error is a reason for people.
pub fn convert_here(kind: DocumentKind, bytes: &[u8]) -> Result<String, String> {
    match Format::of(kind).convert {
        Some(convert) => convert(bytes),
        None => Err("its format needs no conversion".to_owned()),
    }
}

/// True if the reason why a file has no text is that there is none, and not that it couldn't be read.
pub fn is_without_text(reason: &str) -> bool {
    reason.starts_with(NO_TEXT)
}

/// The hash of a file's bytes.
pub type SourceHash = [u8; 16];

/// Returns the hash of a file's bytes.
pub fn source_hash(bytes: &[u8]) -> SourceHash {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    hash
}

/// Texts that were made from files of converted formats, by the hash of their file, so no file is converted twice.
/// They are in the directory of the index. A text that is lost or damaged is made again.
#[derive(Clone, Debug)]
pub struct ConversionCache {
    directory: PathBuf,
    converters: Converters,
}

/// The largest text that is read from the directory.
const MAX_TEXT_BYTES: usize = 64 << 20;

impl ConversionCache {
    /// The directory of the texts, which is part of the fingerprint of an index. A change of a converter that must
    /// reach files that didn't change raises the number.
    pub const DIRECTORY: &str = "converted-7";

    /// Creates the cache beside an index; its directory need not exist.
    pub fn in_index(index: &Path, converters: Converters) -> Self {
        Self { directory: index.join(Self::DIRECTORY), converters }
    }

    /// Returns the kind of the file at a path.
    pub fn kind_of(&self, path: &Path) -> DocumentKind {
        self.converters.kind_of(&path.to_string_lossy())
    }

    /// Returns the text of the file at a path. The error is a reason for people why there is none.
    pub fn convert(&self, path: &Path, kind: DocumentKind, bytes: Vec<u8>) -> Result<SourceText, String> {
        match self.converters.for_path(&path.to_string_lossy()).filter(|_| kind == DocumentKind::External) {
            Some(converter) => isolation::convert(kind, &converter.command, &bytes)
                .unwrap_or_else(|| Err("programs can't be run here to convert it".to_owned()))
                .map(|text| SourceText { text, invalid: None }),
            None => source_text(kind, bytes),
        }
    }

    /// Returns the hash that a text is kept under: that of the file, and of the program that converts it.
    pub fn cache_hash(&self, path: &Path, hash: &SourceHash) -> SourceHash {
        let Some(converter) = self.converters.for_path(&path.to_string_lossy()) else { return *hash };
        let mut bytes = hash.to_vec();
        for part in &converter.command {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part.as_bytes());
        }
        source_hash(&bytes)
    }

    /// Returns the text that was made from the file of this kind with this hash.
    pub fn get(&self, kind: DocumentKind, hash: &SourceHash) -> Option<String> {
        let bytes = files::read(&self.path(kind, hash), MAX_TEXT_BYTES as u64).ok()?;
        let (check, packed) = bytes.split_at_checked(CHECK_BYTES)?;
        if check != checksum(kind, hash, packed) {
            return None;
        }
        let (length, _) = lz4_flex::block::uncompressed_size(packed).ok()?;
        let text = (length <= MAX_TEXT_BYTES).then(|| lz4_flex::decompress_size_prepended(packed).ok())??;
        String::from_utf8(text).ok()
    }

    /// Keeps a text. A failure costs another conversion later, and nothing else.
    pub fn put(&self, kind: DocumentKind, hash: &SourceHash, text: &str) {
        let _ = self.write(kind, hash, text);
    }

    fn write(&self, kind: DocumentKind, hash: &SourceHash, text: &str) -> io::Result<()> {
        files::private_directory(&self.directory)?;
        let packed = lz4_flex::compress_prepend_size(text.as_bytes());
        let mut bytes = checksum(kind, hash, &packed).to_vec();
        bytes.extend(packed);
        files::replace_private_unsynced(&self.path(kind, hash), &bytes)
    }

    /// Removes all texts but those of these files, and those that older versions made.
    pub fn retain(&self, files: &HashSet<(DocumentKind, SourceHash)>) {
        self.remove_older();
        // A link in place of the directory would lead to files of others.
        if !fs::symlink_metadata(&self.directory).is_ok_and(|metadata| metadata.is_dir()) {
            return;
        }
        let names: HashSet<String> = files.iter().map(|(kind, hash)| name(*kind, hash)).collect();
        for entry in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            let is_other = |name: &str| is_ours(name) && !names.contains(name);
            if entry.file_name().to_str().is_some_and(is_other) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn remove_older(&self) {
        let siblings = self.directory.parent().and_then(|index| fs::read_dir(index).ok());
        for entry in siblings.into_iter().flatten().flatten() {
            let is_older = |name: &str| name.starts_with("converted") && name != Self::DIRECTORY;
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory && entry.file_name().to_str().is_some_and(is_older) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    fn path(&self, kind: DocumentKind, hash: &SourceHash) -> PathBuf {
        self.directory.join(name(kind, hash))
    }
}

/// Returns the name of the file for a text. The same bytes give another text if they have another format.
fn name(kind: DocumentKind, hash: &SourceHash) -> String {
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{hash}-{}", kind.as_str())
}

/// True for names of texts, and of temporary files that a process left behind.
fn is_ours(name: &str) -> bool {
    let hash = name.split('-').next().unwrap_or_default();
    name.starts_with(files::TEMPORARY)
        || hash.len() == 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

const CHECK_BYTES: usize = 8;

/// Returns the checksum of a stored text, which also covers its name.
fn checksum(kind: DocumentKind, hash: &SourceHash, packed: &[u8]) -> [u8; CHECK_BYTES] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(name(kind, hash).as_bytes()).update(packed);
    let mut check = [0; CHECK_BYTES];
    check.copy_from_slice(&hasher.finalize().as_bytes()[..CHECK_BYTES]);
    check
}
