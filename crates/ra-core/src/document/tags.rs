//! How long a tag may be. A document is also found by every tag above its own (`a/b` by `a`), and every chunk of it
//! carries them all, so without bounds a small file could make a huge index.

/// A tag has at most this many characters.
pub(super) const MAX_CHARS: usize = 256;

/// A tag has at most this many levels: `a/b/c` has three.
pub(super) const MAX_LEVELS: usize = 32;

/// A document has at most this many tags.
pub(super) const MAX_TAGS: usize = 256;

/// True when a tag is within the bounds.
pub(super) fn fits(tag: &str) -> bool {
    // Every character has a byte, so most tags are within the bounds by their size alone.
    (tag.len() <= MAX_CHARS || tag.chars().nth(MAX_CHARS).is_none()) && tag.matches('/').count() < MAX_LEVELS
}
