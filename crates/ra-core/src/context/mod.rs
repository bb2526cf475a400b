//! Context: what the files or the change at hand are about, as a question to the knowledge base.
//!
//! - [`extract`]: the words of a file, each weighed by where it stands.
//! - [`diff`]: what a unified diff changes.
//! - `terms`: the words that tell most, by how often they occur here and how rare they are there.

pub mod diff;
pub mod extract;
mod terms;

pub use self::terms::{Signal, Term, TermCollector, question};
