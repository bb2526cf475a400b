//! The answer of `ra init`.

use std::io;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{Page, Present};

/// The file that was written.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Init {
    /// The configuration file that was written.
    pub(crate) created: PathBuf,
}

impl Present for Init {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("wrote {}", page.clean(&self.created.display().to_string())))?;
        page.line("next: name your trees in it, then run `ra check`")
    }
}
