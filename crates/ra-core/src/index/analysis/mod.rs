//! The text analyzer: the same path from text to terms for indexing, queries and highlighting.
//!
//! Text copied from a document must find that document, so all rules of what a word is are in this module.
//! The stages, in processing order:
//!
//! - `chars`: classifies characters for word boundaries;
//! - `word_runs`: finds runs of characters that form a word, or text of a script without spaces;
//! - `camel`: splits compounds such as `getUserName`;
//! - `fold`: normalizes compatibility forms, case and accents;
//! - `language`: has the stemmers and scripts of all languages, and `function_words` their function words;
//! - `detect`: detects the language of a document or question, and `path_tag` finds the tag in a path;
//! - `term_normalizer`: computes the normal form of a word, with `stem_cache` in front;
//! - `stream`: returns the tokens of a text one by one;
//! - `adapter`: adapts the analyzer to tantivy;
//! - `pool`: reuses analyzers with their caches.

mod adapter;
mod camel;
mod chars;
mod detect;
mod fold;
mod function_words;
mod language;
mod path_tag;
mod pool;
mod stem_cache;
mod stream;
mod term_normalizer;
#[cfg(test)]
mod tests;
mod word_runs;

pub(super) use adapter::{ANALYZER, language_marker, register};
pub(crate) use camel::split_camel_case;
pub use detect::{DetectedLanguage, detect_document, question_language};
pub use language::LanguageId;
pub(super) use language::LanguageSet;
pub(super) use path_tag::language_label;
pub(super) use pool::Pool;
pub use pool::PooledAnalyzer;
pub use stream::Analyzer;
pub(super) use stream::{AUTO, TokenPart};
pub(super) use term_normalizer::MAX_CHARS;
pub(super) use word_runs::{is_unspaced, is_unspaced_unit};
