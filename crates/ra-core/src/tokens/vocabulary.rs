//! The tokens of cl100k_base, in a table that the build script wrote.

use super::hash::{RANK_BITS, SLOTS, place};

/// Slots of four bytes, little-endian; zero is empty.
static TABLE: &[u8; SLOTS * 4] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_slots"));
/// The rank plus one of each pair of bytes, by the first and then the second; zero for none. Merging begins with the
/// pairs; those of a language are few and close together.
static PAIRS: &[u8; (1 << 16) * 4] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_pairs"));
/// The start of each token's bytes, four bytes little-endian, followed by the end of the last.
static STARTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_starts"));
/// The bytes of all tokens in the order of their ranks.
static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_bytes"));

/// Returns the rank of these bytes; `None` if they aren't a token.
pub(super) fn rank(bytes: &[u8]) -> Option<u32> {
    let (mut slot, mark) = place(bytes);
    loop {
        let found = number(TABLE, slot);
        if found == 0 {
            return None;
        }
        let rank = (found & ((1 << RANK_BITS) - 1)) - 1;
        if found >> RANK_BITS << RANK_BITS == mark && token(rank) == bytes {
            return Some(rank);
        }
        slot = (slot + 1) & (SLOTS - 1);
    }
}

/// Returns the rank of two bytes.
pub(super) fn pair_rank(pair: [u8; 2]) -> Option<u32> {
    number(PAIRS, u16::from_be_bytes(pair).into()).checked_sub(1)
}

fn token(rank: u32) -> &'static [u8] {
    &BYTES[number(STARTS, rank as usize) as usize..number(STARTS, rank as usize + 1) as usize]
}

fn number(numbers: &[u8], nr: usize) -> u32 {
    let (numbers, _) = numbers.as_chunks::<4>();
    u32::from_le_bytes(numbers[nr])
}
