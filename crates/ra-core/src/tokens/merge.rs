//! Byte-pair encoding of one piece: as long as two neighbors together are a token, the pair with the lowest rank,
//! leftmost first, is merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{pair_rank, rank};

/// Pieces up to this length are merged by scanning all pairs repeatedly. Longer ones are rare, but may be a whole line
/// without a blank, and keep their pairs in a heap.
const MAX_LINEAR_MERGE_BYTES: usize = 48;

/// The rank of two neighbors that don't form a token.
const NEVER: u32 = u32::MAX;

/// Returns the number of tokens of a piece.
pub(super) fn count(piece: &[u8]) -> usize {
    match piece.len() {
        0 | 1 => piece.len(),
        _ if rank(piece).is_some() => 1,
        2..=MAX_LINEAR_MERGE_BYTES => short(piece),
        _ => long(piece),
    }
}

fn short(piece: &[u8]) -> usize {
    // The start of each part, with the rank of that part joined with the next.
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

/// Returns the rank of the byte at `start` joined with the next.
fn pair(piece: &[u8], start: usize) -> u32 {
    piece.get(start..).and_then(<[u8]>::first_chunk).and_then(|pair| pair_rank(*pair)).unwrap_or(NEVER)
}

fn long(piece: &[u8]) -> usize {
    let end = piece.len();
    // Indexed by the start of a part: the starts of the next and the previous part, and the rank of the part joined
    // with the next. A part that was merged into the previous one has no rank.
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
        // The pair may have changed since it was pushed; then the heap also contains its new rank.
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
