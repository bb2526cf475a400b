//! `ra init` for people.

use std::io;

use super::{Page, Present};
use crate::wire::Init;

impl Present for Init {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("wrote {}", page.clean(&self.created.display().to_string())))?;
        page.line("next: name your trees in it, then run `ra check`")
    }
}
