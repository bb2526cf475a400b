//! Reads the entries of `[convert]`.

use std::sync::Arc;

use super::converter::{Converter, Converters};
use super::layers::{Layer, Reader, TomlEntry};
use super::source::LayerOrigin;

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
