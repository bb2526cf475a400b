//! Where a setting comes from.

use std::path::Path;
use std::sync::Arc;

/// The origin of a layer. Later variants override earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerOrigin {
    /// The built-in defaults.
    BuiltIn,
    /// `~/.ra.toml`.
    Global(Arc<Path>),
    /// A `.ra.toml` at or above the working directory.
    Local(Arc<Path>),
    /// A command line flag.
    Flag(&'static str),
}

/// The layer and line that set a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingSource {
    /// The layer.
    pub origin: LayerOrigin,
    /// The 1-based line in the layer's file.
    pub line: usize,
}

impl LayerOrigin {
    /// Returns the file of the layer, if it has one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            LayerOrigin::Global(path) | LayerOrigin::Local(path) => Some(path),
            LayerOrigin::BuiltIn | LayerOrigin::Flag(_) => None,
        }
    }
}
