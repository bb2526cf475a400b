//! The text analyzer: one path from text to terms for indexing, queries and highlighting alike.
//!
//! Text that is copied from a document must find that document, so everything that decides what a word is
//! lives here and nowhere else. The stages, in the order in which a word passes them:
//!
//! - `chars`: what each character means for word boundaries;
//! - `word_runs`: runs of characters that make a word, or text of a script without spaces;
//! - `camel`: the pieces of compounds such as `getUserName`;
//! - `fold`: compatibility forms, case and accents;
//! - `language`: stemmers, scripts and function words;
//! - `term_normalizer`: the normal form of a word, with `stem_cache` in front;
//! - `stream`: the tokens of a text, pulled one by one;
//! - `token_prefilter`: which words of a text may be among some at all;
//! - `adapter`: the same for tantivy;
//! - `pool`: analyzers that remember the words they have seen.

mod adapter;
mod camel;
mod chars;
mod fold;
mod language;
mod pool;
mod stem_cache;
mod stream;
mod term_normalizer;
#[cfg(test)]
mod tests;
mod token_prefilter;
mod word_runs;

pub(super) use adapter::{ANALYZER, register};
pub(super) use pool::Pool;
pub use pool::PooledAnalyzer;
pub use stream::Analyzer;
pub(super) use stream::TokenPart;
pub(super) use term_normalizer::MAX_CHARS;
pub use token_prefilter::TokenPrefilter;
pub(super) use word_runs::{is_unspaced, is_unspaced_unit};
