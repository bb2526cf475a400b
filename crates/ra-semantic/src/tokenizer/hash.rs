//! Hashes vocabulary entries. `build.rs` includes this file, so the table and its readers agree.

/// Prefix of the entries that continue a word.
pub(crate) const CONTINUATION_PREFIX: &str = "##";

/// Slots of the hash table: a power of two, about twice the number of entries.
pub(crate) const SLOT_COUNT: usize = 1 << 16;

/// Marks a slot without an entry.
pub(crate) const EMPTY_SLOT: u16 = u16::MAX;

/// Starts the hash of an entry. The prefix `##` isn't hashed; it selects the start value instead.
pub(crate) const fn start_hash(continues_word: bool) -> u32 {
    if continues_word { 0x9e37_79b9 } else { 0x811c_9dc5 }
}

/// Adds one byte to a hash (FNV-1a). The hash of a prefix is a step on the way to that of the whole.
pub(crate) const fn extend_hash(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Returns the slot at which the search for an entry begins.
pub(crate) const fn first_slot(hash: u32) -> usize {
    (hash ^ (hash >> 16)) as usize % SLOT_COUNT
}

/// Returns the slot to try after a taken one.
pub(crate) const fn next_slot(slot: usize) -> usize {
    (slot + 1) % SLOT_COUNT
}
