//! The text analyzer: one path from text to terms for indexing, queries and highlighting alike.
//!
//! Text that is copied from a document must find that document, so everything that decides what a word is
//! lives here and nowhere else. The stages, in the order in which a word passes them:
//!
//! - `chars`: what each character means for word boundaries;
//! - `words`: runs of characters that make a word, or text of a script without spaces;
//! - `camel`: the pieces of compounds such as `getUserName`;
//! - `fold`: compatibility forms, case and accents;
//! - `language`: stemmers, scripts and function words;
//! - `terms`: the normal form of a word, with `cache` in front;
//! - `stream`: the tokens of a text, pulled one by one;
//! - `skim`: which words of a text may be among some at all;
//! - `adapter`: the same for tantivy;
//! - `pool`: analyzers that remember the words they have seen.

mod adapter;
mod cache;
mod camel;
mod chars;
mod fold;
mod language;
mod pool;
mod skim;
mod stream;
mod terms;
#[cfg(test)]
mod tests;
mod words;

pub(super) use adapter::register;
pub(super) use pool::Pool;
pub use pool::PooledAnalyzer;
pub use skim::TokenPrefilter;
pub use stream::Analyzer;
pub(super) use stream::TokenPart;
pub(super) use terms::MAX_CHARS;
pub(super) use words::{is_unspaced, is_unspaced_unit};
