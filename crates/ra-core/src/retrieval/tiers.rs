//! Ranks results that lack a word of a short query behind those that have every word.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::aggregate::{Group, GroupHit, Rules, aggregate};
use super::companions::join_companions;
use super::diversify::diversify;
use super::{Aggregation, Trace};
use crate::index::{Hit, RecordId};

/// The results that follow those with every word, because there are fewer of these than requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialResults {
    /// The number of results before them.
    pub after: usize,
    /// The words that they lack, in query order: each section lacks one. Empty if the query has alternatives.
    pub missing: Vec<String>,
}

/// The results of each tier, best first.
pub(super) struct Tiers {
    /// Results with a section that has every word.
    pub(super) full: Vec<Group>,
    /// Results whose sections all lack a word.
    pub(super) partial: Vec<Group>,
}

/// Aggregates the hits of each tier into results, and discounts further results of one document.
///
/// Sections that lack a word never change which sections represent those with every word: they join a result
/// that shows them anyway, or are aggregated separately.
pub(super) fn aggregate_tiers(hits: Vec<Hit>, aggregation: Aggregation, rules: &Rules<'_>) -> Tiers {
    let (partial, full): (Vec<Hit>, Vec<Hit>) = hits.into_iter().partition(|hit| hit.is_partial);
    let places: Vec<(RecordId, u32)> = full.iter().map(Hit::place).collect();
    let mut full = aggregate_hits(full, aggregation, rules);
    let partial = if partial.is_empty() { partial } else { join_containing(partial, &mut full) };
    let join = |groups| match aggregation {
        Aggregation::Sections => join_companions(groups),
        Aggregation::Nothing => groups,
    };
    let mut full = join(full);
    let mut seen = HashMap::new();
    diversify(&mut full, &mut seen);
    if partial.is_empty() {
        return Tiers { full, partial: Vec::new() };
    }
    // Full matches count as excluded here, which keeps a section that contains one from being shown again as a whole.
    let mut excluded = rules.excluded.clone();
    excluded.extend(places);
    let mut partial = join(aggregate_hits(partial, aggregation, &Rules { excluded: &excluded, ..*rules }));
    diversify(&mut partial, &mut seen);
    // Scores decrease from each result to the next, also across the tiers.
    if let (Some(last), Some(first)) = (full.last(), partial.first())
        && first.score > last.score
    {
        let (most, factor) = (last.score, last.score / first.score);
        partial.iter_mut().for_each(|group| group.score = (group.score * factor).min(most));
    }
    Tiers { full, partial }
}

fn aggregate_hits(hits: Vec<Hit>, aggregation: Aggregation, rules: &Rules<'_>) -> Vec<Group> {
    match aggregation {
        Aggregation::Sections => aggregate(hits, rules),
        Aggregation::Nothing => hits.iter().filter_map(Group::alone).collect(),
    }
}

/// Adds hits to the aggregated results that contain them, and returns the other hits.
fn join_containing(hits: Vec<Hit>, groups: &mut [Group]) -> Vec<Hit> {
    let mut shown: HashMap<RecordId, Vec<&mut Group>> = HashMap::new();
    for group in groups.iter_mut().filter(|group| group.is_aggregated()) {
        shown.entry(group.record).or_default().push(group);
    }
    let mut others = Vec::new();
    for hit in hits {
        let known = shown.get_mut(&hit.record).into_iter().flatten();
        match known.into_iter().find(|group| group.node.contains(hit.ord())) {
            Some(group) => {
                let at = group.parts.partition_point(|part| part.ord < hit.ord());
                group.parts.insert(at, GroupHit { ord: hit.ord(), score: hit.score });
            }
            None => others.push(hit),
        }
    }
    others
}

impl PartialResults {
    /// Describes the results after the first `full`. Returns `None` if there are no others.
    pub(super) fn new(groups: &[Group], full: usize, missable: &[u16], trace: &Trace) -> Option<Self> {
        let rest = groups.get(full..).filter(|rest| !rest.is_empty())?;
        let shown: HashSet<(&str, u32)> = rest
            .iter()
            .flat_map(Group::with_companions)
            .flat_map(|group| group.parts.iter().map(|part| (&*group.doc, part.ord)))
            .collect();
        let hits = trace.hits.iter().filter(|hit| shown.contains(&(&*hit.doc, hit.ord)));
        let has = |words: &[(u16, f32)], word: u16| words.iter().any(|(nr, _)| *nr == word);
        let missing: BTreeSet<u16> =
            hits.flat_map(|hit| missable.iter().copied().filter(|word| !has(&hit.words, *word))).collect();
        let text = |word: u16| Some(trace.words.get(usize::from(word))?.text.clone());
        Some(Self { after: full, missing: missing.into_iter().filter_map(text).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::aggregate::MergeFacts;
    use super::super::test_outline::Outline;
    use super::*;
    use crate::index::ExcludedChunks;

    const OUTLINE: &str = "doc\n  s\n    a\n    b\n    c\n  t\n    d\n    e\n  u";

    /// Returns the results of each tier, as `node score: parts`, with `+ node` for each companion.
    fn tiers(full: &[(&str, f32)], partial: &[(&str, f32)]) -> (Vec<String>, Vec<String>) {
        let outline = Outline::parse("t:doc.md", OUTLINE);
        let rules = Rules {
            threshold: 0.5,
            min_matches: 2,
            cap: 1.2,
            excluded: &ExcludedChunks::NONE,
            max_tokens: 1000,
            facts: &|_, _| MergeFacts::default(),
        };
        let hit = |&(name, score): &(&str, f32)| outline.hit(name, score);
        let lacking = |hit: Hit| Hit { is_partial: true, ..hit };
        let hits = full.iter().map(hit).chain(partial.iter().map(hit).map(lacking)).collect();
        let shown = |groups: &[Group]| -> Vec<String> {
            let parts = |group: &Group| -> Vec<&str> {
                group.parts.iter().map(|part| outline.name(part.ord)).collect()
            };
            let show = |group: &Group| {
                let own = format!(
                    "{} {:.1}: {}",
                    outline.name(group.node.ord),
                    group.score,
                    parts(group).join(" ")
                );
                let others = group.companions.iter().map(|other| outline.name(other.node.ord));
                others.fold(own, |text, name| text + " + " + name)
            };
            groups.iter().map(show).collect()
        };
        let Tiers { full, partial } = aggregate_tiers(hits, Aggregation::Sections, &rules);
        (shown(&full), shown(&partial))
    }

    #[test]
    fn a_section_that_lacks_a_word_changes_no_result_that_has_them_all() {
        let (full, partial) = tiers(&[("a", 2.0)], &[("b", 9.0)]);
        assert_eq!(full, ["a 2.0: a"], "no section represents both");
        assert_eq!(partial, ["b 2.0: b"], "the second result of the document");
        let (full, partial) = tiers(&[("a", 2.0)], &[("doc", 9.0), ("s", 8.0)]);
        assert_eq!(full, ["a 2.0: a"], "no ancestor takes it in");
        assert_eq!(partial, ["doc 2.0: doc + s"]);
        let (_, partial) = tiers(&[("a", 2.0)], &[("doc", 9.0), ("s", 6.0)]);
        assert_eq!(partial, ["doc 2.0: doc", "s 0.7: s"], "far behind the best");
    }

    #[test]
    fn what_is_shown_anyway_is_not_shown_again() {
        let (full, partial) = tiers(&[("a", 2.0), ("c", 2.0)], &[("b", 9.0)]);
        assert_eq!((full, partial), (vec!["s 2.4: a b c".to_owned()], Vec::new()));
    }

    #[test]
    fn sections_that_lack_a_word_come_together() {
        let (full, partial) = tiers(&[("u", 1.0)], &[("d", 4.0), ("e", 4.0)]);
        assert_eq!((full, partial), (vec!["u 1.0: u".to_owned()], vec!["t 1.0: d e".to_owned()]));
    }
}
