//! Measures search without judgments: a section's heading, a document's description or the text of a link, used as a
//! query, should find that section or document. Sections that can't be found this way are listed with the reason.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::known_items::{KnownItem, KnownItemOrigin, KnownItems};
use super::metrics::RankMetrics;
use super::miss_reason::{KnownItemSearcher, MissReason, RETRIEVABILITY_DEPTH};
use crate::error::Result;
use crate::id::{ChunkId, TreeName};
use crate::index::Snapshot;
use crate::kb::{Finding, FindingKind, KnowledgeBase, Severity};

/// How well sections are found by their own words.
#[derive(Clone, Debug)]
pub struct Retrievability {
    /// The results by tree.
    pub trees: Vec<TreeRetrievability>,
    /// The headings that more than [`RETRIEVABILITY_DEPTH`] sections share, spelled as in one of them, with the number
    /// of sections, most common first. These sections are not queried.
    pub generic: Vec<(String, usize)>,
}

/// The results of one tree.
#[derive(Clone, Debug)]
pub struct TreeRetrievability {
    /// The tree.
    pub tree: TreeName,
    /// The results for each kind of query that the tree provides.
    pub asked: Vec<Asked>,
    /// The results for all of them together.
    pub all: Tally,
    /// The sections that can't be found by their own heading, in the order of their ids.
    pub unfindable: Vec<MissedSection>,
}

/// The queries of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Their origin.
    pub origin: KnownItemOrigin,
    /// How many exist; more than were run if they were sampled.
    pub known: usize,
    /// The results of those that were run.
    pub tally: Tally,
}

/// The results of a set of queries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many queries were run.
    pub queries: usize,
    /// The fraction whose first result was correct.
    pub first: f64,
    /// The fraction with the correct result among the first [`RETRIEVABILITY_DEPTH`].
    pub hit: f64,
    /// The mean reciprocal rank.
    pub mrr: f64,
}

/// A section that its own heading doesn't find.
#[derive(Clone, Debug)]
pub struct MissedSection {
    /// The section.
    pub id: ChunkId,
    /// Its first line.
    pub line: usize,
    /// Its heading.
    pub heading: String,
    /// Why it isn't found.
    pub reason: MissReason,
}

/// The result of one query: the rank of its target, or why it is missing.
struct KnownItemResult<'a> {
    known: &'a KnownItem,
    rank: Option<usize>,
    reason: Option<MissReason>,
}

/// Runs up to `sample` known items of each kind in each tree.
pub fn measure_retrievability(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    sample: usize,
) -> Result<Retrievability> {
    let known = KnownItems::collect(kb, snapshot, RETRIEVABILITY_DEPTH)?;
    let mut groups: BTreeMap<(&TreeName, KnownItemOrigin), Vec<&KnownItem>> = BTreeMap::new();
    for item in &known.items {
        groups.entry((item.target.tree(), item.origin)).or_default().push(item);
    }
    let counts: BTreeMap<(&TreeName, KnownItemOrigin), usize> =
        groups.iter().map(|(group, items)| (*group, items.len())).collect();
    let chosen: Vec<&KnownItem> = groups.into_values().flat_map(|items| choose(items, sample)).collect();
    let asker = KnownItemSearcher { kb, snapshot, known: &known };
    let outcomes: Vec<KnownItemResult<'_>> =
        chosen.into_par_iter().map(|item| outcome(&asker, item)).collect::<Result<_>>()?;
    let trees = kb.config().trees.iter().map(|tree| {
        let of_tree = |outcome: &&KnownItemResult<'_>| *outcome.known.target.tree() == tree.name;
        let outcomes: Vec<&KnownItemResult<'_>> = outcomes.iter().filter(of_tree).collect();
        report(&tree.name, &outcomes, &counts)
    });
    let mut generic: Vec<(String, usize)> = known.generic.values().cloned().collect();
    generic.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(Retrievability { trees: trees.collect(), generic })
}

/// Returns a sample of the items, chosen by a hash: random, but always the same.
fn choose(mut items: Vec<&KnownItem>, sample: usize) -> Vec<&KnownItem> {
    if items.len() > sample {
        let hash = |item: &&KnownItem| {
            *blake3::hash(format!("{}\0{}", item.target.id, item.query).as_bytes()).as_bytes()
        };
        items.sort_by_cached_key(hash);
        items.truncate(sample);
    }
    items
}

fn outcome<'a>(asker: &KnownItemSearcher<'_>, known: &'a KnownItem) -> Result<KnownItemResult<'a>> {
    let rank = asker.rank(known)?;
    let reason = match (rank, known.origin) {
        (None, KnownItemOrigin::Heading) => Some(asker.reason(known)?),
        _ => None,
    };
    Ok(KnownItemResult { known, rank, reason })
}

fn report(
    tree: &TreeName,
    outcomes: &[&KnownItemResult<'_>],
    counts: &BTreeMap<(&TreeName, KnownItemOrigin), usize>,
) -> TreeRetrievability {
    let mut asked = Vec::new();
    for origin in KnownItemOrigin::ALL {
        let Some(known) = counts.get(&(tree, origin)) else { continue };
        let of_kind = outcomes.iter().filter(|outcome| outcome.known.origin == origin);
        asked.push(Asked { origin, known: *known, tally: Tally::of(of_kind.map(|outcome| outcome.rank)) });
    }
    let missing = outcomes.iter().filter_map(|outcome| {
        Some(MissedSection {
            id: outcome.known.target.id.clone(),
            line: outcome.known.target.line,
            heading: outcome.known.query.clone(),
            reason: outcome.reason.clone()?,
        })
    });
    let mut unfindable: Vec<MissedSection> = missing.collect();
    unfindable.sort_by(|a, b| (&a.id.doc, a.line).cmp(&(&b.id.doc, b.line)));
    let all = Tally::of(outcomes.iter().map(|outcome| outcome.rank));
    TreeRetrievability { tree: tree.clone(), asked, all, unfindable }
}

impl Tally {
    /// Counts ranks, from 0 for the best.
    fn of(ranks: impl Iterator<Item = Option<usize>>) -> Self {
        let (mut queries, mut first) = (0, 0);
        let scores = RankMetrics::mean(ranks.map(|rank| {
            queries += 1;
            first += usize::from(rank == Some(0));
            let grades: Vec<f64> = rank.map(|rank| [vec![0.0; rank], vec![1.0]].concat()).unwrap_or_default();
            RankMetrics::of(&grades, &[1.0], RETRIEVABILITY_DEPTH)
        }));
        let first = first as f64 / (queries as f64).max(1.0);
        Tally { queries, first, hit: scores.hit, mrr: scores.reciprocal_rank }
    }
}

impl MissedSection {
    /// Returns the section as a finding of `ra check`.
    pub fn finding(&self) -> Finding {
        Finding {
            severity: Severity::Warning,
            kind: FindingKind::Unfindable,
            place: self.id.to_string(),
            line: Some(self.line),
            message: format!("`{}` does not find it: {}", self.heading, self.reason),
            hint: self.reason.hint().map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_counted() {
        for (ranks, tally) in [
            (vec![], Tally::default()),
            (vec![Some(0)], Tally { queries: 1, first: 1.0, hit: 1.0, mrr: 1.0 }),
            (
                vec![Some(0), Some(1), Some(3), None],
                Tally { queries: 4, first: 0.25, hit: 0.75, mrr: 0.4375 },
            ),
        ] {
            assert_eq!(Tally::of(ranks.into_iter()), tally);
        }
    }
}
