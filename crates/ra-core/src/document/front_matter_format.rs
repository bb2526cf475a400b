//! The languages of front matter.

use serde::{Deserialize, Serialize};

/// The language of a metadata block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrontMatterFormat {
    /// Between `---` and `---` or `...`.
    Yaml,
    /// Between `+++` and `+++`.
    Toml,
}
