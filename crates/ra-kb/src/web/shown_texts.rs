//! Remembers the texts of documents as they were first shown, to tell what has changed since.
//!
//! The index contains no text, and it is updated before a page is shown. So nothing older than the first look at a
//! document, since the server was started, can be compared with.

use std::collections::VecDeque;

use similar::{ChangeTag, TextDiff};

/// How many documents are remembered, and how much text of all of them together.
const MAX_TEXTS: usize = 64;
const MAX_BYTES: usize = 16 << 20;

/// The largest text that is compared.
const MAX_COMPARED_BYTES: usize = 1 << 20;

#[derive(Default)]
pub(super) struct ShownTexts {
    /// The oldest first.
    texts: VecDeque<ShownText>,
}

struct ShownText {
    id: String,
    text: String,
    /// When it was shown, in nanoseconds since 1970.
    at: i64,
}

/// What has changed in a document since it was first shown.
pub(super) struct TextChanges {
    /// When it was first shown, in nanoseconds since 1970.
    pub(super) since: i64,
    /// The changed lines, and a few lines around each.
    pub(super) lines: Vec<ChangedLine>,
}

pub(super) struct ChangedLine {
    pub(super) tag: ChangeTag,
    pub(super) text: String,
    /// True if lines are left out before it.
    pub(super) after_gap: bool,
}

impl ShownTexts {
    /// Returns what has changed since the document was first shown, and remembers it if it wasn't.
    pub(super) fn changes(&mut self, id: &str, text: &str, now: i64) -> Option<TextChanges> {
        if text.len() > MAX_COMPARED_BYTES {
            return None;
        }
        match self.texts.iter().find(|shown| shown.id == id) {
            Some(shown) if shown.text == text => None,
            Some(shown) => Some(TextChanges { since: shown.at, lines: changed_lines(&shown.text, text) }),
            None => {
                self.texts.push_back(ShownText { id: id.to_owned(), text: text.to_owned(), at: now });
                while self.texts.len() > MAX_TEXTS || self.bytes() > MAX_BYTES {
                    self.texts.pop_front();
                }
                None
            }
        }
    }

    /// Returns when a document was first shown.
    pub(super) fn first_shown(&self, id: &str) -> Option<i64> {
        self.texts.iter().find(|shown| shown.id == id).map(|shown| shown.at)
    }

    fn bytes(&self) -> usize {
        self.texts.iter().map(|shown| shown.text.len()).sum()
    }
}

fn changed_lines(old: &str, new: &str) -> Vec<ChangedLine> {
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(2) {
        let mut after_gap = true;
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = change.value().trim_end_matches(['\r', '\n']).to_owned();
            lines.push(ChangedLine { tag: change.tag(), text, after_gap });
            after_gap = false;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_from_the_first_look_on() {
        let mut shown = ShownTexts::default();
        assert!(shown.changes("a", "one\ntwo\n", 5).is_none());
        assert!(shown.changes("a", "one\ntwo\n", 6).is_none());
        let changes = shown.changes("a", "one\nthree\n", 7).expect("changes");
        assert_eq!(changes.since, 5);
        let lines: Vec<(ChangeTag, &str)> =
            changes.lines.iter().map(|line| (line.tag, line.text.as_str())).collect();
        let expected = [(ChangeTag::Equal, "one"), (ChangeTag::Delete, "two"), (ChangeTag::Insert, "three")];
        assert_eq!(lines, expected);
        for nr in 0..MAX_TEXTS {
            shown.changes(&nr.to_string(), "x", 8);
        }
        assert!(shown.first_shown("a").is_none(), "the oldest is forgotten");
    }
}
