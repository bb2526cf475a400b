//! Byte-pair encoding of one piece: as long as two neighbours together are a token, those of the
//! lowest rank, and among equals the leftmost, become one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{pair_rank, rank};

/// Pieces up to this length are merged by looking over all pairs again and again. Longer ones are
/// rare, but may be a whole line without a blank, and keep their pairs in a heap.
const MAX_LINEAR_MERGE_BYTES: usize = 48;

/// The rank of two neighbours that are no token together.
const NEVER: u32 = u32::MAX;

/// The number of tokens a piece is encoded into.
pub(super) fn count(piece: &[u8]) -> usize {
    match piece.len() {
        0 | 1 => piece.len(),
        _ if rank(piece).is_some() => 1,
        2..=MAX_LINEAR_MERGE_BYTES => short(piece),
        _ => long(piece),
    }
}

fn short(piece: &[u8]) -> usize {
    // Where each part begins, with the rank of that part and the next together.
    let mut parts = [(0, NEVER); MAX_LINEAR_MERGE_BYTES + 1];
    let mut count = piece.len();
    for (start, part) in parts.iter_mut().enumerate().take(count + 1) {
        *part = (start, pair(piece, start));
    }
    while let Some((nr, &(_, best))) =
        parts[..count - 1].iter().enumerate().min_by_key(|(_, (_, rank))| *rank)
        && best != NEVER
    {
        parts.copy_within(nr + 2..=count, nr + 1);
        count -= 1;
        let joined = |nr: usize| {
            let end = if nr + 2 <= count { parts[nr + 2].0 } else { return NEVER };
            rank(&piece[parts[nr].0..end]).unwrap_or(NEVER)
        };
        let (this, before) = (joined(nr), nr.checked_sub(1).map(joined));
        parts[nr].1 = this;
        if let Some(before) = before {
            parts[nr - 1].1 = before;
        }
    }
    count
}

/// The rank of the byte at `start` and the next.
fn pair(piece: &[u8], start: usize) -> u32 {
    piece.get(start..).and_then(<[u8]>::first_chunk).and_then(|pair| pair_rank(*pair)).unwrap_or(NEVER)
}

fn long(piece: &[u8]) -> usize {
    let end = piece.len();
    // By where a part begins: where the next and the one before begin, and the rank with the next.
    // A part that was merged into the one before it has no rank any more.
    let mut next: Vec<usize> = (1..=end).collect();
    let mut before: Vec<usize> = (0..end).map(|start| start.saturating_sub(1)).collect();
    let mut ranks: Vec<u32> = (0..end).map(|start| pair(piece, start)).collect();
    let mut pairs: BinaryHeap<_> = ranks
        .iter()
        .enumerate()
        .filter(|(_, rank)| **rank != NEVER)
        .map(|(start, rank)| Reverse((*rank, start)))
        .collect();
    let mut count = end;
    while let Some(Reverse((best, start))) = pairs.pop() {
        // The pair may have changed since it was put in; then its new rank is in the heap as well.
        if ranks[start] != best {
            continue;
        }
        let gone = next[start];
        next[start] = next[gone];
        ranks[gone] = NEVER;
        if let Some(after) = before.get_mut(next[start]) {
            *after = start;
        }
        count -= 1;
        for start in [start, before[start]] {
            let middle = next[start];
            ranks[start] = match next.get(middle) {
                Some(&end) => rank(&piece[start..end]).unwrap_or(NEVER),
                None => NEVER,
            };
            if ranks[start] != NEVER {
                pairs.push(Reverse((ranks[start], start)));
            }
        }
    }
    count
}
