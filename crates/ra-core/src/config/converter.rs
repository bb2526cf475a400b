//! `[convert]`: programs that turn files into markdown, by extension.

use std::path::Path;
use std::sync::Arc;

use super::layers::{Layer, LayerOrigin, Reader, SettingSource, TomlEntry};
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
pub struct Converters(Arc<Vec<Converter>>);

impl Converters {
    /// Collects the converters of all layers; only `~/.ra.toml` may define any.
    pub(super) fn of(layers: &[Layer]) -> Self {
        let converters = layers.iter().flat_map(|layer| {
            layer.converters.iter().map(move |list| Converter {
                extension: list.name.value.to_lowercase(),
                command: list.words.clone(),
                source: layer.source(list.name.span),
            })
        });
        Self(Arc::new(converters.collect()))
    }

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

impl Reader<'_> {
    /// Reads an entry of `[convert]`.
    pub(super) fn converter(&mut self, entry: TomlEntry<'_>) {
        let span = entry.0.span().into();
        if let LayerOrigin::Local(_) = self.layer.origin {
            let message = "[convert] names programs to run, so it is read from ~/.ra.toml only";
            return self.report(span, message, Some("move it to ~/.ra.toml".to_owned()));
        }
        let extension = entry.0.get_ref();
        if extension.is_empty() || !extension.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
            let message = format!("`{extension}` is not an extension");
            let hint =
                Some("write it without a dot: tex = [\"pandoc\", \"--from=latex\", \"--to=gfm\"]".to_owned());
            return self.report(span, message, hint);
        }
        let value_span = entry.1.span().into();
        let list = self.list("convert", entry);
        match list.words.first().is_some_and(|program| !program.is_empty()) {
            true => self.layer.converters.push(list),
            false => {
                self.report(value_span, format!("`convert.{}`: a program is missing", list.name.value), None)
            }
        }
    }
}
