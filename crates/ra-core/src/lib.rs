//! The library behind `ra`: it indexes trees of documents, from markdown to PDF, and finds the sections that matter.
//!
//! The library is silent and hermetic: it never prints, never exits and never reads the environment. The caller passes
//! everything it needs to know about the system.

pub mod config;
pub mod context;
pub mod corpus;
pub mod document;
pub mod error;
pub mod eval;
pub mod files;
pub mod id;
pub mod index;
pub mod kb;
pub mod kind;
pub mod query;
pub mod retrieval;
pub mod semantic;
pub mod text;
pub mod tokens;

pub use error::{Error, Result};
