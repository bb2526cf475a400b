//! A cache from words to their terms.
//!
//! A few thousand words make up nearly all of any text, and stemming costs far more than all the rest: with the
//! cache the analyzer is five times as fast on English documentation.

use std::fmt;
use std::ops::Range;

/// Words of more bytes than this are not cached; they are rare.
const WIDTH: usize = 32;
const LANES: usize = WIDTH / 8;
/// A power of two: 2 MB, of which the system hands out only what is touched. A slot is one cache line.
const SLOTS: usize = 1 << 15;

/// A word padded with zeros, which no word contains.
pub(super) struct Key([u64; LANES]);

impl Key {
    /// The key of a word in a text. What follows it is read as well and masked out, because copying a number of
    /// bytes that the processor cannot predict costs a sixth of the analyzer's speed.
    #[inline]
    pub(super) fn new(text: &str, word: Range<usize>) -> Option<Key> {
        if word.len() > WIDTH {
            return None;
        }
        let mut tail = [0; WIDTH];
        let window = match text.as_bytes().get(word.start..).and_then(<[u8]>::first_chunk::<WIDTH>) {
            Some(window) => window,
            None => {
                tail.get_mut(..word.len())?.copy_from_slice(text.as_bytes().get(word.clone())?);
                &tail
            }
        };
        let (lanes, _) = window.as_chunks::<8>();
        let mut key = [0; LANES];
        for (i, (to, lane)) in std::iter::zip(&mut key, lanes).enumerate() {
            let unused = 8 - word.len().saturating_sub(8 * i).min(8) as u32;
            *to = u64::from_le_bytes(*lane) & u64::MAX.checked_shr(8 * unused).unwrap_or(0);
        }
        Some(Key(key))
    }

    /// The only slot in which the word can be.
    #[inline]
    fn slot(&self) -> usize {
        // Each lane has an odd multiplier of its own, so that the multiplications can run side by side.
        const MIX: [u64; LANES] =
            [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5];
        let mixed = std::iter::zip(self.0, MIX)
            .fold(0u64, |sum, (lane, mix)| sum.wrapping_add(lane.wrapping_mul(mix)));
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(MIX[0]);
        (mixed >> (u64::BITS - SLOTS.trailing_zeros())) as usize
    }
}

/// A direct-mapped cache: a newcomer simply replaces what it collides with.
#[derive(Default)]
pub(super) struct Cache {
    /// The word and its term, whose last byte is its length. Empty until first used.
    slots: Vec<([u64; LANES], [u8; WIDTH])>,
}

/// A clone starts out empty, which keeps clones cheap.
impl Clone for Cache {
    fn clone(&self) -> Cache {
        Cache::default()
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").finish_non_exhaustive()
    }
}

impl Cache {
    /// The slot that holds the word.
    #[inline]
    pub(super) fn find(&self, key: &Key) -> Option<usize> {
        let slot = key.slot();
        (self.slots.get(slot)?.0 == key.0).then_some(slot)
    }

    /// The term in a slot that was found.
    pub(super) fn term(&self, slot: usize) -> &str {
        let bytes = &self.slots[slot].1;
        str::from_utf8(&bytes[..usize::from(bytes[WIDTH - 1])]).unwrap_or_default()
    }

    /// Remembers the term of a word, unless it is too long for a slot.
    pub(super) fn insert(&mut self, key: &Key, term: &str) {
        let mut padded = [0; WIDTH];
        if term.len() >= WIDTH {
            return;
        }
        padded[..term.len()].copy_from_slice(term.as_bytes());
        padded[WIDTH - 1] = term.len() as u8;
        if self.slots.is_empty() {
            self.slots = vec![([0; LANES], [0; WIDTH]); SLOTS];
        }
        self.slots[key.slot()] = (key.0, padded);
    }
}
