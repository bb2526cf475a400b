//! What the fuzz targets share: a small project with a real index, and what must hold of every document.

mod invariants;
mod fixture_project;

pub use self::invariants::check_document;
pub use self::fixture_project::FixtureProject;

/// The input as text. Bytes that are no UTF-8 are replaced, as they are in every file that `ra` reads.
pub fn text(data: &[u8]) -> String {
    ra_core::document::decode(data.to_vec()).0
}
