//! The position of a token in the table. The build script that fills the table and the code that reads it both use
//! this file.

/// The number of slots, a power of two. With 100,256 tokens three in five stay empty, so a lookup of bytes that aren't
/// a token ends soon.
pub(super) const SLOTS: usize = 1 << 18;

/// A slot is a 32-bit number: the token's rank plus one in the low `RANK_BITS`, and above them as much of the hash as
/// fits, which nearly always tells other bytes apart without reading them.
pub(super) const RANK_BITS: u32 = 17;

/// Returns the first slot to check, and the part of the hash stored there, at its position in the slot.
pub(super) fn place(bytes: &[u8]) -> (usize, u32) {
    let mut hash = bytes.len() as u64;
    let mut mix = |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        mix(u64::from_le_bytes(*word));
    }
    // Up to seven bytes are left. Two overlapping reads of four take them without a copy.
    match *rest {
        [] => {}
        [a] => mix(a.into()),
        [a, b] => mix(u64::from(a) | u64::from(b) << 8),
        [a, b, c] => mix(u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16),
        [a, b, c, d, ..] => {
            let low = u32::from_le_bytes([a, b, c, d]);
            let high = rest.last_chunk::<4>().map_or(0, |last| u32::from_le_bytes(*last));
            mix(u64::from(low) | u64::from(high) << 32);
        }
    }
    let mark = ((hash >> 32) as u32) >> RANK_BITS << RANK_BITS;
    // The mark is taken from the highest bits and the slot from those below, so they are independent.
    ((hash >> 29) as usize & (SLOTS - 1), mark)
}
