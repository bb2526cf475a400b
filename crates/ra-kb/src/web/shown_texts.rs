//! Remembers the texts of documents as they were when their pages were first opened, to tell what has changed since.
//!
//! The index contains no text, and it is updated before a page is shown. So this is the text that the index knew when
//! the page was opened. Older versions can only come from git.

use std::collections::VecDeque;

use super::text_changes::MAX_COMPARED_BYTES;

/// How many documents are remembered, and how much text of all of them together.
const MAX_TEXTS: usize = 64;
const MAX_BYTES: usize = 16 << 20;

#[derive(Default)]
pub(super) struct ShownTexts {
    /// The oldest first.
    texts: VecDeque<ShownText>,
}

/// The text of a document when its page was first opened.
#[derive(Clone, Debug)]
pub(super) struct ShownText {
    id: String,
    pub(super) text: String,
    /// When it was shown, in nanoseconds since 1970.
    pub(super) at: i64,
}

impl ShownTexts {
    /// Returns the text of a document when its page was first opened, if it was another one. Remembers the text if the
    /// page wasn't opened before.
    pub(super) fn earlier(&mut self, id: &str, text: &str, now: i64) -> Option<ShownText> {
        match self.first(id) {
            Some(shown) => (shown.text != text).then(|| shown.clone()),
            None if text.len() > MAX_COMPARED_BYTES => None,
            None => {
                self.texts.push_back(ShownText { id: id.to_owned(), text: text.to_owned(), at: now });
                while self.texts.len() > MAX_TEXTS || self.bytes() > MAX_BYTES {
                    self.texts.pop_front();
                }
                None
            }
        }
    }

    /// Returns the text of a document when its page was first opened.
    pub(super) fn first(&self, id: &str) -> Option<&ShownText> {
        self.texts.iter().find(|shown| shown.id == id)
    }

    fn bytes(&self) -> usize {
        self.texts.iter().map(|shown| shown.text.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_from_the_first_look_on() {
        let mut shown = ShownTexts::default();
        assert!(shown.earlier("a", "one\ntwo\n", 5).is_none());
        assert!(shown.earlier("a", "one\ntwo\n", 6).is_none());
        let earlier = shown.earlier("a", "one\nthree\n", 7).expect("an earlier text");
        assert_eq!((earlier.text.as_str(), earlier.at), ("one\ntwo\n", 5));
        for nr in 0..MAX_TEXTS {
            shown.earlier(&nr.to_string(), "x", 8);
        }
        assert!(shown.first("a").is_none(), "the oldest is forgotten");
    }
}
