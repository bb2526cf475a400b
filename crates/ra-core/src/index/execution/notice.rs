//! Remarks on how a query was interpreted.

use crate::index::analysis::MAX_CHARS;

/// A remark on how the query was interpreted, or on results that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The remark itself.
    pub message: String,
    /// How to get another result, if there is a way.
    pub hint: Option<String>,
}

/// How many characters of an overlong word are shown.
const SHOWN_CHARS: usize = 20;

impl Notice {
    /// Creates the notice for words that are too long to be in the index. Returns `None` if there are none.
    pub(super) fn too_long(words: &[String]) -> Option<Self> {
        let start: String = words.first()?.chars().take(SHOWN_CHARS).collect();
        let limit = format!("more than {MAX_CHARS} characters and");
        let (message, which) = match words.len() {
            1 => (format!("`{start}…` has {limit} was passed over"), "it"),
            count => {
                (format!("`{start}…` and {} more words have {limit} were passed over", count - 1), "them")
            }
        };
        let hint = format!("words of that length are not indexed; search for the words around {which}");
        Some(Self { message, hint: Some(hint) })
    }
}
