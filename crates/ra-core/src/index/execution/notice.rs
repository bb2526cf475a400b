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
    /// Creates the notice for a word that is too long to be in the index.
    pub(super) fn too_long(word: &str) -> Self {
        let start: String = word.chars().take(SHOWN_CHARS).collect();
        Self {
            message: format!("`{start}…` has more than {MAX_CHARS} characters and was passed over"),
            hint: Some("words of that length are not indexed; search for the words around it".to_owned()),
        }
    }
}
