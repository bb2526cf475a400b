//! Limits on tags. A document is also found by every parent of its tags (`a/b` by `a`), and each of its chunks stores
//! them all, so without limits a small file could make a huge index.

/// The maximum number of characters in a tag.
pub(super) const MAX_CHARS: usize = 256;

/// The maximum number of levels in a tag: `a/b/c` has three.
pub(super) const MAX_LEVELS: usize = 32;

/// The maximum number of tags in a document.
pub(super) const MAX_TAGS: usize = 256;

/// True if a tag is within the limits.
pub(super) fn fits(tag: &str) -> bool {
    // A text never has more characters than bytes, so most tags need no counting.
    (tag.len() <= MAX_CHARS || tag.chars().nth(MAX_CHARS).is_none()) && tag.matches('/').count() < MAX_LEVELS
}

/// Returns the tag at the start of `text`: letters, digits, `_`, `-` and `/`, with at least one letter, so `#12` stays
/// an issue number. A run that is too long for a tag is text.
pub(super) fn at_start(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let tag = text.get(..end)?.trim_end_matches('/');
    (!tag.starts_with('/') && tag.contains(char::is_alphabetic) && fits(tag)).then_some(tag)
}
