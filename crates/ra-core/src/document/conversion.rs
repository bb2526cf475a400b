//! Turns the bytes of a file into the text that is indexed and shown, and keeps texts that took a conversion.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::decode::decode;
use super::formats::Format;
use super::isolation;
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

/// Returns the text of a file. The error is a reason for people why there is none.
pub fn source_text(kind: DocumentKind, bytes: Vec<u8>) -> Result<SourceText, String> {
    match kind.is_converted() {
        true => convert(kind, &bytes).map(|text| SourceText { text, invalid: None }),
        false => {
            let (text, invalid) = decode(bytes);
            Ok(SourceText { text, invalid })
        }
    }
}

fn convert(kind: DocumentKind, bytes: &[u8]) -> Result<String, String> {
    let elsewhere = if kind == DocumentKind::Pdf { isolation::convert(kind, bytes) } else { None };
    elsewhere.unwrap_or_else(|| convert_here(kind, bytes))
}

/// Converts a file in this process. The error is a reason for people.
pub fn convert_here(kind: DocumentKind, bytes: &[u8]) -> Result<String, String> {
    match Format::of(kind).convert {
        Some(convert) => convert(bytes),
        None => Err("its format needs no conversion".to_owned()),
    }
}

/// The hash of a file's bytes.
pub type SourceHash = [u8; 16];

/// Texts that were made from files of converted formats, by the hash of their file, so that no file is converted twice.
/// They are in the directory of the index. A text that is lost or damaged is made again.
#[derive(Clone, Debug)]
pub struct ConversionCache {
    directory: PathBuf,
}

/// The directory of the texts. A change of a converter that must reach files that didn't change raises the number.
const DIRECTORY: &str = "converted-1";

/// The largest text that is read from the directory.
const MAX_TEXT_BYTES: usize = 64 << 20;

impl ConversionCache {
    /// Creates the cache beside an index; its directory need not exist.
    pub fn in_index(index: &Path) -> Self {
        Self { directory: index.join(DIRECTORY) }
    }

    /// Returns the text that was made from the file with this hash.
    pub fn get(&self, hash: &SourceHash) -> Option<String> {
        let packed = files::read(&self.path(hash), MAX_TEXT_BYTES as u64).ok()?;
        let (length, _) = lz4_flex::block::uncompressed_size(&packed).ok()?;
        let text =
            (length <= MAX_TEXT_BYTES).then(|| lz4_flex::decompress_size_prepended(&packed).ok())??;
        String::from_utf8(text).ok()
    }

    /// Keeps a text. A failure costs another conversion later, and nothing else.
    pub fn put(&self, hash: &SourceHash, text: &str) {
        let _ = self.write(hash, text);
    }

    fn write(&self, hash: &SourceHash, text: &str) -> io::Result<()> {
        files::private_directory(&self.directory)?;
        files::replace_unsynced(&self.path(hash), &lz4_flex::compress_prepend_size(text.as_bytes()))
    }

    /// Removes all texts but those of the files with these hashes.
    pub fn retain(&self, hashes: &HashSet<SourceHash>) {
        let names: HashSet<String> = hashes.iter().map(name).collect();
        for entry in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_none_or(|name| !names.contains(name)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn path(&self, hash: &SourceHash) -> PathBuf {
        self.directory.join(name(hash))
    }
}

/// Returns the name of the file for a hash.
fn name(hash: &SourceHash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
