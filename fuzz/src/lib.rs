//! Shared code of the fuzz targets: a small project with a real index, and the invariants of documents.

mod fixture_project;
mod invariants;

use ra_core::document::{DocumentKind, source_text};

pub use self::fixture_project::FixtureProject;
pub use self::invariants::check_document;

/// Decodes the input as text. Invalid UTF-8 is replaced, as in every file that `ra` reads.
pub fn text(data: &[u8]) -> String {
    let source = source_text(DocumentKind::Plain, data.to_vec());
    source.map(|source| source.text).unwrap_or_default()
}
