//! Shared code of the fuzz targets: a small project with a real index, and the invariants of documents.

mod invariants;
mod fixture_project;

pub use self::invariants::check_document;
pub use self::fixture_project::FixtureProject;

/// Decodes the input as text. Invalid UTF-8 is replaced, as in every file that `ra` reads.
pub fn text(data: &[u8]) -> String {
    ra_core::document::decode(data.to_vec()).0
}
