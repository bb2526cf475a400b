//! Context: turns given files or changes into a query to the knowledge base.
//!
//! - [`extract`]: the words of a file, each weighted by its region.
//! - [`diff`]: the changes of a unified diff.
//! - `terms`: the most significant words, by their frequency in the source and their idf in the documents.

pub mod diff;
pub mod extract;
mod terms;

pub use self::terms::{Signal, Term, TermCollector, question};
