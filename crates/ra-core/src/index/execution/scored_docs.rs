//! Lists of the matches in one segment, ordered by entry, and the operations that combine them. Every sum is
//! computed in the order of the query, so the same documents get bit-identical scores however the index is
//! split into segments.

use std::borrow::Cow;

use tantivy::DocId;

/// Entries with their scores, ordered by entry.
pub(crate) type ScoredDocs = Vec<(DocId, f32)>;

/// Returns the entries of either list. Values of an entry in both lists are combined by `join`.
pub(crate) fn union<T: Copy>(
    left: &[(DocId, T)],
    right: &[(DocId, T)],
    join: impl Fn(T, T) -> T,
) -> Vec<(DocId, T)> {
    let mut both = Vec::with_capacity(left.len() + right.len());
    let is_left_short = left.len() <= right.len();
    // Inserts the entries of the shorter list into the longer one, whose other entries are copied in runs.
    let (short, mut long) = if is_left_short { (left, right) } else { (right, left) };
    for &(doc, value) in short {
        let (before, after) = long.split_at(gallop(long, 0, doc));
        both.extend_from_slice(before);
        match after.split_first() {
            Some((&(found, other), rest)) if found == doc => {
                both.push((doc, if is_left_short { join(value, other) } else { join(other, value) }));
                long = rest;
            }
            _ => {
                both.push((doc, value));
                long = after;
            }
        }
    }
    both.extend_from_slice(long);
    both
}

/// Adds the entries of another list. Values of an entry in both lists are combined by `join`.
pub(crate) fn add<T: Copy>(list: &mut Vec<(DocId, T)>, more: Vec<(DocId, T)>, join: impl Fn(T, T) -> T) {
    if list.is_empty() {
        *list = more;
    } else if !more.is_empty() {
        *list = union(list, &more, join);
    }
}

/// Returns the entries in both lists, with the sum of their scores.
pub(crate) fn intersection(left: &ScoredDocs, right: &ScoredDocs) -> ScoredDocs {
    let mut both = Vec::with_capacity(left.len().min(right.len()));
    let mut from = 0;
    // The shorter list leads. Each search in the longer list starts at the previous position.
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    for &(doc, score) in short {
        from = gallop(long, from, doc);
        match long.get(from) {
            None => break,
            Some(&(found, other)) if found == doc => both.push((doc, score + other)),
            Some(_) => {}
        }
    }
    both
}

/// Returns the entries of the first list, with the scores of the second added.
pub(crate) fn with_more(list: &ScoredDocs, more: &ScoredDocs) -> ScoredDocs {
    let both = intersection(list, more);
    union(list, &both, |_, sum| sum)
}

/// Returns the same entries with a score of 0.
pub(crate) fn unscored(list: &ScoredDocs) -> ScoredDocs {
    list.iter().map(|&(doc, _)| (doc, 0.0)).collect()
}

/// Returns the entries of the first list that aren't in the second.
pub(crate) fn difference(list: ScoredDocs, without: &ScoredDocs) -> ScoredDocs {
    let mut from = 0;
    list.into_iter()
        .filter(|&(doc, _)| {
            from = gallop(without, from, doc);
            without.get(from).is_none_or(|&(found, _)| found != doc)
        })
        .collect()
}

/// Returns the entries of any list, with their scores summed in the order of the lists. All entries are below `size`.
pub(crate) fn sum(lists: &[Cow<'_, ScoredDocs>], size: usize) -> ScoredDocs {
    let total: usize = lists.iter().map(|list| list.len()).sum();
    // A table of all entries costs its size once; merging costs the length of both lists for every list.
    if lists.len() < 3 || total < size / 8 {
        let mut some = lists.iter().filter(|list| !list.is_empty());
        let first = some.next().cloned().unwrap_or_default();
        return some.fold(first, |sum, list| Cow::Owned(union(&sum, list, |a, b| a + b))).into_owned();
    }
    let mut scores = vec![0.0_f32; size];
    let mut present = vec![false; size];
    for &(doc, score) in lists.iter().flat_map(|list| list.iter()) {
        scores[doc as usize] += score;
        present[doc as usize] = true;
    }
    let mut all = ScoredDocs::with_capacity(total.min(size));
    all.extend(
        (0..)
            .zip(&scores)
            .zip(&present)
            .filter(|(_, present)| **present)
            .map(|((doc, score), _)| (doc, *score)),
    );
    all
}

/// Returns, for each of `size` entries, how many of the lists contain it.
pub(crate) fn covering<'a>(lists: impl Iterator<Item = &'a ScoredDocs>, size: usize) -> Vec<u16> {
    let mut counts = vec![0u16; size];
    for (doc, _) in lists.flatten() {
        counts[*doc as usize] = counts[*doc as usize].saturating_add(1);
    }
    counts
}

/// Returns the score of an entry, if the list contains it.
pub(crate) fn score_of(list: &ScoredDocs, doc: DocId) -> Option<f32> {
    list.binary_search_by_key(&doc, |&(found, _)| found).ok().map(|at| list[at].1)
}

/// Returns the first position at or after `from` whose entry is not before `doc`, by galloping search.
fn gallop<T>(list: &[(DocId, T)], from: usize, doc: DocId) -> usize {
    if list.get(from).is_none_or(|(found, _)| *found >= doc) {
        return from;
    }
    let mut step = 1;
    let mut low = from;
    while low + step < list.len() && list[low + step].0 < doc {
        low += step;
        step *= 2;
    }
    let high = (low + step + 1).min(list.len());
    low.min(high) + list[low.min(high)..high].partition_point(|&(found, _)| found < doc)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn list() -> impl Strategy<Value = ScoredDocs> {
        proptest::collection::btree_map(0u32..60, 0u8..9, 0..40)
            .prop_map(|map| map.into_iter().map(|(doc, score)| (doc, f32::from(score))).collect())
    }

    proptest! {
        #[test]
        fn sums_are_the_same_however_they_are_made(lists in proptest::collection::vec(list(), 0..6)) {
            let joined = lists.iter().fold(ScoredDocs::new(), |sum, list| union(&sum, list, |a, b| a + b));
            let lists: Vec<Cow<'_, ScoredDocs>> = lists.iter().map(Cow::Borrowed).collect();
            for size in [60, 100_000] {
                prop_assert_eq!(&sum(&lists, size), &joined);
            }
        }

        #[test]
        fn lists_combine_like_sets(left in list(), right in list()) {
            let a: BTreeMap<u32, f32> = left.iter().copied().collect();
            let b: BTreeMap<u32, f32> = right.iter().copied().collect();
            let mut either = a.clone();
            for (doc, score) in &b {
                *either.entry(*doc).or_default() += score;
            }
            let both: ScoredDocs = a.iter().filter_map(|(doc, score)| Some((*doc, score + b.get(doc)?))).collect();
            let only: ScoredDocs = left.iter().copied().filter(|(doc, _)| !b.contains_key(doc)).collect();
            prop_assert_eq!(union(&left, &right, |x, y| x + y), either.into_iter().collect::<ScoredDocs>());
            prop_assert_eq!(intersection(&left, &right), both);
            prop_assert_eq!(difference(left.clone(), &right), only);
            let covered = covering([&left, &right].into_iter(), 60);
            for doc in 0..60 {
                let expected = u16::from(a.contains_key(&doc)) + u16::from(b.contains_key(&doc));
                prop_assert_eq!(covered[doc as usize], expected);
            }
            for doc in 0..60 {
                prop_assert_eq!(score_of(&left, doc), a.get(&doc).copied());
            }
        }
    }
}
