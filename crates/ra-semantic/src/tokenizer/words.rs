//! Collects the characters of a word and cuts it into pieces.

use super::vocabulary::longest_piece;

/// Token id of a word that isn't made of known pieces.
pub(crate) const UNKNOWN_ID: u16 = 100;

/// A longer word is unknown as a whole.
const MAX_WORD_CHARS: usize = 100;
const MAX_CHAR_BYTES: usize = 4;

/// Collects token ids, word by word.
pub(crate) struct WordCutter {
    ids: Vec<u16>,
    word: [u8; MAX_WORD_CHARS * MAX_CHAR_BYTES],
    word_bytes: usize,
    word_chars: usize,
}

impl WordCutter {
    pub(crate) fn new() -> Self {
        Self { ids: Vec::new(), word: [0; MAX_WORD_CHARS * MAX_CHAR_BYTES], word_bytes: 0, word_chars: 0 }
    }

    pub(crate) fn id_count(&self) -> usize {
        self.ids.len()
    }

    /// Ends the last word and returns the first `limit` ids.
    pub(crate) fn finish(mut self, limit: usize) -> Vec<u16> {
        self.end_word();
        self.ids.truncate(limit);
        self.ids
    }

    /// Adds a token that isn't part of a word.
    pub(crate) fn push_id(&mut self, id: u16) {
        self.end_word();
        self.ids.push(id);
    }

    /// Adds a character that is a word by itself.
    pub(crate) fn push_single(&mut self, single: char) {
        self.end_word();
        self.push(single);
        self.end_word();
    }

    /// Adds a character to the current word.
    pub(crate) fn push(&mut self, next: char) {
        if self.has_room() {
            let encoded = next.encode_utf8(&mut self.word[self.word_bytes..]);
            self.word_bytes += encoded.len();
        }
    }

    /// Adds an ASCII character to the current word.
    pub(crate) fn push_ascii(&mut self, next: u8) {
        if self.has_room() {
            self.word[self.word_bytes] = next;
            self.word_bytes += 1;
        }
    }

    /// Counts a character. The first one too many makes the word unknown at once, so the rest of a very long
    /// word is skipped and needn't be read when no more ids are wanted.
    fn has_room(&mut self) -> bool {
        self.word_chars += 1;
        if self.word_chars == MAX_WORD_CHARS + 1 {
            self.ids.push(UNKNOWN_ID);
        }
        self.word_chars <= MAX_WORD_CHARS
    }

    /// Ends the current word, if there is one.
    pub(crate) fn end_word(&mut self) {
        if (1..=MAX_WORD_CHARS).contains(&self.word_chars) {
            self.cut();
        }
        self.word_chars = 0;
        self.word_bytes = 0;
    }

    /// Takes the longest known piece again and again.
    fn cut(&mut self) {
        let word_start = self.ids.len();
        let mut at = 0;
        while at < self.word_bytes {
            let Some((id, len)) = longest_piece(&self.word[at..self.word_bytes], at > 0) else {
                self.ids.truncate(word_start);
                self.ids.push(UNKNOWN_ID);
                return;
            };
            self.ids.push(id);
            at += len;
        }
    }
}
