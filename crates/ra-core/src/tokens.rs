//! Counting tokens the way budgets are promised: with the cl100k_base encoding.

use tiktoken::CoreBpe;

/// The number of tokens in a text. The vocabulary is loaded at the first call, which takes tens of
/// milliseconds: counts that are needed often are stored in the index.
pub fn count(text: &str) -> usize {
    encoding().map_or(text.len() / 4, |encoding| encoding.count(text))
}

fn encoding() -> Option<&'static CoreBpe> {
    tiktoken::get_encoding("cl100k_base")
}
