//! Looks up word pieces in the embedded vocabulary. Nothing is built at start-up: `build.rs` prepared the
//! hash table.

use super::hash::{CONTINUATION_PREFIX, EMPTY_SLOT, extend_hash, first_slot, next_slot, start_hash};

/// Length of the longest entry without its prefix. A test checks it.
pub(crate) const MAX_PIECE_BYTES: usize = 18;

static ENTRIES: &[u8] = include_bytes!("../../data/vocab.txt");
static SLOTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vocabulary_slots.bin"));
static OFFSETS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vocabulary_offsets.bin"));

/// Returns the longest entry that `rest` starts with, as token id and length in bytes. A cut through a
/// character never matches because the entries are valid UTF-8.
pub(crate) fn longest_piece(rest: &[u8], continues_word: bool) -> Option<(u16, usize)> {
    let longest = rest.len().min(MAX_PIECE_BYTES);
    let mut hashes = [0; MAX_PIECE_BYTES];
    let mut hash = start_hash(continues_word);
    for (slot, &byte) in hashes.iter_mut().zip(&rest[..longest]) {
        hash = extend_hash(hash, byte);
        *slot = hash;
    }
    (1..=longest).rev().find_map(|len| Some((find(&rest[..len], continues_word, hashes[len - 1])?, len)))
}

fn find(piece: &[u8], continues_word: bool, hash: u32) -> Option<u16> {
    let mut slot = first_slot(hash);
    loop {
        let id = u16::from_le_bytes([SLOTS[2 * slot], SLOTS[2 * slot + 1]]);
        if id == EMPTY_SLOT {
            return None;
        }
        if is_entry(id, piece, continues_word) {
            return Some(id);
        }
        slot = next_slot(slot);
    }
}

fn is_entry(id: u16, piece: &[u8], continues_word: bool) -> bool {
    let entry = entry(id);
    match entry.strip_prefix(CONTINUATION_PREFIX.as_bytes()) {
        Some(continuation) => continues_word && continuation == piece,
        None => !continues_word && entry == piece,
    }
}

/// Returns the text of an entry, with its prefix.
fn entry(id: u16) -> &'static [u8] {
    let id = usize::from(id);
    &ENTRIES[offset(id)..offset(id + 1) - 1]
}

fn offset(index: usize) -> usize {
    let bytes = &OFFSETS[4 * index..4 * index + 4];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_found_as_itself() {
        let entries = str::from_utf8(ENTRIES).expect("vocab.txt is UTF-8");
        for (id, entry) in entries.lines().enumerate() {
            let piece = entry.strip_prefix(CONTINUATION_PREFIX);
            let found = longest_piece(piece.unwrap_or(entry).as_bytes(), piece.is_some());
            assert_eq!(found.map(|(id, _)| usize::from(id)), Some(id), "{entry}");
            assert!(piece.unwrap_or(entry).len() <= MAX_PIECE_BYTES);
        }
    }
}
