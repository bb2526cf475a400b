//! The pieces that were counted lately. A text says the same words again and again, and looking
//! them up in the vocabulary means reading from three places of two megabytes that are hardly ever
//! at hand.

use std::cell::RefCell;

use super::merge;

/// Pieces up to this length are remembered: longer ones than most names in code.
const MAX_CACHED_PIECE_BYTES: usize = 30;
/// The number of places, a power of two: a megabyte for each thread that counts.
const PLACES: usize = 1 << 15;

/// What is known of some pieces, each at the place that its hash names: its first bytes, and then
/// the others, with the length of the piece and the number of tokens in the highest two. A place
/// that was never used holds zeros, which are no piece.
pub(super) struct TokenCountCache(Box<[(u128, u128)]>);

thread_local! {
    static KNOWN: RefCell<TokenCountCache> = RefCell::new(TokenCountCache(vec![(0, 0); PLACES].into()));
}

/// Gives what this thread knows.
pub(super) fn with<T>(work: impl FnOnce(&mut TokenCountCache) -> T) -> T {
    KNOWN.with_borrow_mut(work)
}

impl TokenCountCache {
    /// The number of tokens a piece is encoded into.
    pub(super) fn count(&mut self, piece: &[u8]) -> usize {
        if piece.len() > MAX_CACHED_PIECE_BYTES {
            return merge::count(piece);
        }
        let (first, others) = piece.split_at(piece.len().min(16));
        let first = word(first);
        let others = word(others) | (piece.len() as u128) << 112;
        let mixed = first ^ others.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (mixed as u64 ^ (mixed >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = &mut self.0[hash as usize >> (64 - PLACES.ilog2())];
        if place.0 == first && place.1 << 8 == others << 8 {
            return (place.1 >> 120) as usize;
        }
        let count = merge::count(piece);
        *place = (first, others | (count as u128) << 120);
        count
    }
}

/// Up to sixteen bytes as one number. Two reads that may overlap take what a copy would.
fn word(bytes: &[u8]) -> u128 {
    let at = |number: u128, end: usize| number << ((bytes.len() - end) * 8);
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u128::from(u64::from_le_bytes(*first)) | at(u64::from_le_bytes(*last).into(), 8)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u128::from(u32::from_le_bytes(*first)) | at(u32::from_le_bytes(*last).into(), 4)
    } else {
        bytes.iter().rev().fold(0, |word, byte| word << 8 | u128::from(*byte))
    }
}
