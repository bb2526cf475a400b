//! `ra init` for people.

use std::io;

use super::{Page, Present};
use crate::wire::Init;

impl Present for Init {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("wrote {}", self.created.display()))?;
        if let Some(path) = &self.gitignore {
            page.line(format!("added .ra/ to {}", path.display()))?;
        }
        page.line("next: name your trees in it, then run `ra check`")
    }
}
