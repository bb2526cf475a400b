//! `[convert]`: programs that turn files into markdown, by extension.

use std::path::Path;
use std::sync::Arc;

use super::source::SettingSource;
use crate::kind::DocumentKind;

/// A program that turns files of one type into markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converter {
    /// The extension of the files, in lower case.
    pub extension: String,
    /// The program and its arguments. It reads the file from its standard input.
    pub command: Vec<String>,
    /// The definition.
    pub source: SettingSource,
}

/// The converters of a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converters(pub(super) Arc<Vec<Converter>>);

impl Converters {
    /// Returns all converters.
    pub fn all(&self) -> &[Converter] {
        &self.0
    }

    /// Returns the converter for the file at a path.
    pub fn for_path(&self, path: &str) -> Option<&Converter> {
        if self.0.is_empty() {
            return None;
        }
        let extension = Path::new(path).extension()?.to_str()?.to_lowercase();
        self.0.iter().find(|converter| converter.extension == extension)
    }

    /// Returns the kind of the file at a path. A file of an unknown type is plain text.
    pub fn kind_of(&self, path: &str) -> DocumentKind {
        match self.for_path(path) {
            Some(_) => DocumentKind::External,
            None => DocumentKind::of_known_type(path).unwrap_or(DocumentKind::Plain),
        }
    }
}
