//! Aggregates the hits of each document into the sections that represent them.
//!
//! A node *represents* its whole subtree if it is a hit itself, or if enough of its
//! direct children represent theirs. The results are the topmost such nodes. Every hit represents at least
//! itself, so each hit is inside exactly one result.
//!
//! The usual description of this algorithm is a walk through the hits in score order that merges groups as it
//! goes. Both rules only ever add representing nodes, and a change inside such a node has no effect outside
//! of it, so the walk gives the same result in any order. One pass from the leaves to the root computes that
//! result directly; a test compares it with the walk.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::index::{ExcludedChunks, Hit, LineageNode, Record, RecordId};

/// When a section represents the matches in it, and with which score.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The share of a section's children that must match. More than 1 turns sibling aggregation off.
    pub threshold: f64,
    /// The number of a section's children that must match.
    pub min_matches: usize,
    /// The highest score of a section, as a multiple of its best match. Less than 1 counts as 1.
    pub cap: f64,
    /// Sections that contain an excluded chunk are never merged with their subsections.
    pub excluded: &'a ExcludedChunks,
    /// The maximum number of tokens shown per result. A section isn't merged if both its text and its
    /// matching parts have more.
    pub max_tokens: usize,
    /// Reads the facts about a document, given the ords of its hits.
    pub facts: &'a dyn Fn(RecordId, &[u32]) -> MergeFacts,
}

impl std::fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Rules { threshold, min_matches, cap, max_tokens, .. } = self;
        write!(f, "{threshold} {min_matches} {cap} {max_tokens}")
    }
}

/// Facts about a document that decide which of its hits are merged.
#[derive(Clone, Debug, Default)]
pub struct MergeFacts {
    /// The record, for the token counts of its nodes. Without one, every node fits.
    pub record: Option<Arc<Record>>,
    /// The hits, and possibly the document, whose heading is the query. They are never merged into a larger
    /// section that isn't in this list.
    pub asked_for: Vec<u32>,
}

impl MergeFacts {
    /// True if a node, or the hits in it, have at most `max_tokens` tokens.
    fn fits(&self, node: &LineageNode, hits: &[Hit], max_tokens: usize) -> bool {
        let Some(record) = &self.record else { return true };
        let own = |ord: u32| record.parts.get(ord as usize).map_or(0, |part| part.tokens as usize);
        let inside = hits.iter().map(Hit::ord).filter(|ord| node.contains(*ord));
        record.tokens(node.ord) <= max_tokens || inside.map(own).sum::<usize>() <= max_tokens
    }

    /// True if a node contains a hit that must not be merged into it.
    fn keeps_apart(&self, node: &LineageNode) -> bool {
        !self.asked_for.contains(&node.ord) && self.asked_for.iter().any(|ord| node.contains(*ord))
    }
}

/// A result: a node and the hits that it represents.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The document, as `tree:path`.
    pub doc: Arc<str>,
    /// The record of the document.
    pub record: RecordId,
    /// The tree that the document belongs to.
    pub tree: u16,
    /// The node that is shown.
    pub node: LineageNode,
    /// The score of the group as a whole.
    pub score: f32,
    /// The score of its best hit.
    pub best: f32,
    /// True if the node is a hit itself.
    pub own: bool,
    /// Every hit in the node, including its own, in document order.
    pub parts: Vec<GroupHit>,
    /// Other sections of the document that are shown with it, best first.
    pub companions: Vec<Group>,
}

impl Group {
    /// Creates the group of a single hit.
    pub fn alone(hit: &Hit) -> Option<Self> {
        let node = *hit.lineage.first()?;
        let parts = vec![GroupHit { ord: node.ord, score: hit.score }];
        let (doc, record) = (hit.doc.clone(), hit.record);
        let (score, companions) = (hit.score, Vec::new());
        Some(Self { doc, record, tree: hit.tree, node, score, best: score, own: true, parts, companions })
    }

    /// The order of results: best score first, ties by document and then by position in it.
    pub fn ranking(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then_with(|| self.doc.cmp(&other.doc))
            .then_with(|| self.node.ord.cmp(&other.node.ord))
    }

    /// True if the group has a hit other than the node itself.
    pub fn is_aggregated(&self) -> bool {
        self.parts.iter().any(|part| part.ord != self.node.ord)
    }

    /// Returns the group and its companions.
    pub fn with_companions(&self) -> impl Iterator<Item = &Group> {
        std::iter::once(self).chain(&self.companions)
    }
}

/// A hit inside a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupHit {
    /// The ord of the hit's node in the document.
    pub ord: u32,
    /// The hit's own score.
    pub score: f32,
}

/// Aggregates hits, in any order, into groups, best first with ties by document and position.
///
/// Of several hits on one chunk, only the best counts.
pub fn aggregate(mut hits: Vec<Hit>, rules: &Rules<'_>) -> Vec<Group> {
    hits.sort_unstable_by(|a, b| a.place().cmp(&b.place()).then_with(|| b.score.total_cmp(&a.score)));
    let documents = hits.chunk_by(|a, b| a.record == b.record);
    let mut groups: Vec<Group> = documents.flat_map(|hits| aggregate_document(hits, rules)).collect();
    groups.sort_unstable_by(Group::ranking);
    groups
}

/// A node that is a hit or contains one.
struct Node {
    step: LineageNode,
    own: Option<f32>,
    represents: bool,
}

/// Aggregates the hits of one document, given in document order. A group that can't be shown is split again.
/// Its best part keeps the score of the group, because the whole group is evidence for the document.
fn aggregate_document(hits: &[Hit], rules: &Rules<'_>) -> Vec<Group> {
    let Some(Hit { record, .. }) = hits.first() else { return Vec::new() };
    let is_free = |node: &LineageNode| !rules.excluded.are_in(*record, node);
    let groups = merge(hits, rules, &is_free);
    if !groups.iter().any(Group::is_aggregated) {
        return groups;
    }
    let facts = (rules.facts)(*record, &hits.iter().map(Hit::ord).collect::<Vec<_>>());
    let can_be_shown = |node: &LineageNode| {
        is_free(node) && !facts.keeps_apart(node) && facts.fits(node, hits, rules.max_tokens)
    };
    let mut shown = Vec::new();
    for group in groups {
        if !group.is_aggregated() || can_be_shown(&group.node) {
            shown.push(group);
            continue;
        }
        let inside: Vec<Hit> = hits.iter().filter(|hit| group.node.contains(hit.ord())).cloned().collect();
        let mut parts = merge(&inside, rules, &can_be_shown);
        let is_asked_for = |part: &Group| facts.asked_for.contains(&part.node.ord);
        let lead = parts.iter_mut().max_by(|a, b| {
            let by_heading = is_asked_for(a).cmp(&is_asked_for(b));
            by_heading.then_with(|| a.best.total_cmp(&b.best)).then_with(|| b.ranking(a))
        });
        if let Some(lead) = lead {
            (lead.score, lead.best) = (lead.score.max(group.score), group.best);
        }
        shown.extend(parts);
    }
    shown
}

/// Merges hits of one document where `may_merge` allows it.
fn merge(hits: &[Hit], rules: &Rules<'_>, may_merge: &dyn Fn(&LineageNode) -> bool) -> Vec<Group> {
    let Some(first) = hits.first() else { return Vec::new() };
    let mut nodes = touched(hits);
    decide(&mut nodes, rules, may_merge);
    let mut merged: Vec<(LineageNode, Vec<GroupHit>)> = Vec::new();
    for Node { step, own, represents } in nodes {
        let inside = merged.last().is_some_and(|(top, _)| top.contains(step.ord) && may_merge(top));
        if represents && !inside {
            merged.push((step, Vec::new()));
        }
        if let (Some(score), Some((_, parts))) = (own, merged.last_mut()) {
            parts.push(GroupHit { ord: step.ord, score });
        }
    }
    let group = |(node, parts): (LineageNode, Vec<GroupHit>)| Group {
        doc: first.doc.clone(),
        record: first.record,
        tree: first.tree,
        node,
        score: rules.score(node, &parts),
        best: parts.iter().map(|part| part.score).fold(0.0, f32::max),
        own: parts.iter().any(|part| part.ord == node.ord),
        parts,
        companions: Vec::new(),
    };
    merged.into_iter().map(group).collect()
}

/// Returns the hits and all their ancestors in pre-order, each once.
fn touched(hits: &[Hit]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for hit in hits {
        // An ancestor that starts no later than the last node also contains it, so it's already in the list.
        let last = nodes.last().map(|node| node.step.ord);
        let new = hit.lineage.iter().take_while(|step| Some(step.ord) > last).count();
        nodes.extend(hit.lineage.iter().take(new).rev().map(|&step| Node {
            step,
            own: (step.ord == hit.ord()).then_some(hit.score),
            represents: false,
        }));
    }
    nodes
}

/// Decides which nodes represent their subtree, children before parents.
fn decide(nodes: &mut [Node], rules: &Rules<'_>, may_represent: impl Fn(&LineageNode) -> bool) {
    // The roots of the subtrees decided so far whose parent isn't decided yet, the nearest on top.
    let mut waiting: Vec<(u32, bool)> = Vec::new();
    for Node { step, own, represents } in nodes.iter_mut().rev() {
        let mut matched = 0;
        while let Some((_, child)) = waiting.pop_if(|(ord, _)| step.contains(*ord)) {
            matched += usize::from(child);
        }
        // A hit always represents itself, even a whole document. `merge` checks whether it also absorbs the
        // hits below it.
        *represents = own.is_some() || rules.suffice(step, matched) && may_represent(step);
        waiting.push((step.ord, *represents));
    }
}

impl Rules<'_> {
    /// True if this many matching children are enough for their parent to represent them.
    ///
    /// A document is the last resort: all of its top-level sections must match.
    fn suffice(&self, parent: &LineageNode, matched: usize) -> bool {
        let threshold = if parent.is_document() { self.threshold.max(1.0) } else { self.threshold };
        matched >= self.min_matches && matched as f64 / f64::from(parent.children) >= threshold
    }

    /// Returns the higher of the node's own score and the sum of the hits below it, which is capped.
    ///
    /// The score depends only on the hits, not on the levels between them and the node. Capping at each level
    /// would multiply the caps and reward deeply nested sections.
    fn score(&self, node: LineageNode, parts: &[GroupHit]) -> f32 {
        let (mut own, mut sum, mut best) = (0.0_f32, 0.0_f64, 0.0_f32);
        for part in parts {
            if part.ord == node.ord {
                own = part.score;
            } else {
                sum += f64::from(part.score);
                best = best.max(part.score);
            }
        }
        own.max(sum.min(f64::from(best) * self.cap.max(1.0)) as f32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_outline::Outline;
    use super::*;

    const RULES: Rules<'_> = Rules {
        threshold: 0.5,
        min_matches: 2,
        cap: 2.0,
        excluded: &ExcludedChunks::NONE,
        max_tokens: usize::MAX,
        facts: &|_, _| MergeFacts::default(),
    };

    /// Aggregates hits on one outline and shows each group as `node score: parts`, with `*` if the node is a hit.
    fn shown(outline: &str, hits: &[(&str, f32)], rules: Rules<'_>) -> Vec<String> {
        let outline = Outline::parse("t:doc.md", outline);
        let hits = hits.iter().map(|&(name, score)| outline.hit(name, score)).collect();
        aggregate(hits, &rules).iter().map(|group| show(&outline, group)).collect()
    }

    fn show(outline: &Outline, group: &Group) -> String {
        let parts: Vec<&str> = group.parts.iter().map(|part| outline.name(part.ord)).collect();
        let own = if group.own { "*" } else { "" };
        let score = (group.score * 100.0).round() / 100.0;
        format!("{}{own} {score}: {}", outline.name(group.node.ord), parts.join(" "))
    }

    /// A section with four children and a sibling, so the document itself never qualifies.
    const SECTION: &str = "
doc
  s
    a
    b
    c
    d
  other
";

    /// Two sections with two children each, below one part of the document.
    const NESTED: &str = "
doc
  part
    s
      a
      b
    t
      c
      d
  other
";

    #[test]
    fn siblings_become_their_section() {
        let guide = Outline::parse(
            "docs:guide.md",
            "guide\n  error-handling\n    result-type\n    option-type\n  logging",
        );
        let api = Outline::parse("docs:api.md", "api\n  error-codes\n  limits");
        let hits =
            vec![api.hit("error-codes", 3.2), guide.hit("result-type", 2.1), guide.hit("option-type", 1.8)];
        let groups = aggregate(hits, &RULES);
        assert_eq!(show(&guide, &groups[0]), "error-handling 3.9: result-type option-type");
        assert_eq!(show(&api, &groups[1]), "error-codes* 3.2: error-codes");
        assert_eq!(groups.iter().map(Group::is_aggregated).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn a_matching_ancestor_subsumes_whatever_is_below_it() {
        let nested = |hits| shown(NESTED, hits, RULES);
        assert_eq!(nested(&[("s", 5.0), ("a", 1.0)]), ["s* 5: s a"]);
        assert_eq!(nested(&[("a", 5.0), ("s", 1.0)]), ["s* 5: s a"]);
        assert_eq!(nested(&[("a", 5.0), ("part", 1.0), ("c", 2.0)]), ["part* 7: part a c"]);
        assert_eq!(nested(&[("a", 5.0), ("doc", 1.0), ("other", 2.0)]), ["doc* 7: doc a other"]);
    }

    #[test]
    fn the_threshold_is_a_share_of_all_children() {
        let section = |threshold, hits| shown(SECTION, hits, Rules { threshold, ..RULES });
        assert_eq!(section(0.5, &[("a", 1.0), ("c", 1.0)]), ["s 2: a c"]);
        assert_eq!(section(0.51, &[("a", 1.0), ("c", 1.0)]), ["a* 1: a", "c* 1: c"]);
        assert_eq!(section(0.75, &[("a", 1.0), ("c", 1.0), ("d", 0.5)]), ["s 2: a c d"]);
        assert_eq!(
            section(1.1, &[("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0)]),
            ["a* 4: a", "b* 3: b", "c* 2: c", "d* 1: d"]
        );
    }

    #[test]
    fn a_section_needs_the_minimum_of_matches() {
        let only_child = "doc\n  s\n    a\n  other";
        let with = |min_matches| shown(only_child, &[("a", 1.0)], Rules { min_matches, ..RULES });
        assert_eq!(with(2), ["a* 1: a"]);
        assert_eq!(with(1), ["s 1: a"]);
        assert_eq!(with(0), ["s 1: a"]);
        let three = Rules { min_matches: 3, ..RULES };
        assert_eq!(shown(SECTION, &[("a", 2.0), ("b", 1.0)], three), ["a* 2: a", "b* 1: b"]);
    }

    #[test]
    fn scores_add_up_to_the_cap() {
        let section = |cap, hits| shown(SECTION, hits, Rules { cap, ..RULES });
        assert_eq!(section(2.0, &[("a", 4.0), ("b", 1.0)]), ["s 5: a b"]);
        assert_eq!(section(2.0, &[("a", 4.0), ("b", 3.0), ("c", 3.0)]), ["s 8: a b c"]);
        assert_eq!(section(1.5, &[("a", 4.0), ("b", 3.0)]), ["s 6: a b"]);
        assert_eq!(section(0.5, &[("a", 4.0), ("b", 3.0)]), ["s 4: a b"]);
        assert_eq!(section(f64::INFINITY, &[("a", 0.0), ("b", 0.0)]), ["s 0: a b"]);
        // The node's own score competes with the sum and isn't part of it.
        assert_eq!(section(2.0, &[("s", 6.0), ("a", 4.0), ("b", 1.0)]), ["s* 6: s a b"]);
        assert_eq!(section(2.0, &[("s", 3.0), ("a", 4.0), ("b", 1.0)]), ["s* 5: s a b"]);
    }

    #[test]
    fn a_leaf_without_company_stays_alone() {
        assert_eq!(shown(SECTION, &[("a", 3.0), ("other", 1.0)], RULES), ["a* 3: a", "other* 1: other"]);
    }

    #[test]
    fn represented_sections_cascade_upwards() {
        let all = [("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0)];
        // The cap is twice the best hit at every level.
        assert_eq!(shown(NESTED, &all, RULES), ["part 8: a b c d"]);
        assert_eq!(shown(NESTED, &[("a", 4.0), ("b", 3.0), ("t", 2.0)], RULES), ["part 8: a b t"]);
    }

    #[test]
    fn a_grandchild_does_not_speak_for_its_parent() {
        let hits = [("a", 4.0), ("b", 3.0), ("c", 2.0)];
        assert_eq!(shown(NESTED, &hits, RULES), ["s 7: a b", "c* 2: c"]);
    }

    #[test]
    fn a_section_swallows_what_did_not_count_towards_it() {
        let outline = "doc\n  s\n    a\n    b\n    c\n      deep\n      x\n      y\n  other";
        assert_eq!(shown(outline, &[("deep", 9.0), ("a", 2.0), ("b", 1.0)], RULES), ["s 12: a b deep"]);
    }

    #[test]
    fn a_document_represents_all_its_sections_or_none() {
        let outline = "doc\n  a\n  b\n  c\n    c1\n    c2";
        let document = |hits| shown(outline, hits, RULES);
        assert_eq!(document(&[("a", 2.0), ("b", 1.0)]), ["a* 2: a", "b* 1: b"]);
        assert_eq!(document(&[("a", 2.0), ("b", 1.0), ("c1", 0.5)]), ["a* 2: a", "b* 1: b", "c1* 0.5: c1"]);
        assert_eq!(document(&[("a", 2.0), ("b", 1.0), ("c1", 0.5), ("c2", 0.25)]), ["doc 3.75: a b c1 c2"]);
        assert_eq!(shown("doc\n  title\n    a", &[("title", 1.0)], RULES), ["title* 1: title"]);
    }

    #[test]
    fn an_ancestor_does_not_bring_back_an_excluded_section() {
        let outline = Outline::parse("t:doc.md", NESTED);
        for (hits, excluded, expected) in [
            (&["a", "b", "c", "d"][..], "other", &["part 2: a b c d"][..]),
            (&["a", "b", "c"], "d", &["s 2: a b", "c* 1: c"]),
            (&["s", "a", "b", "t", "c"], "d", &["s* 2: s a b", "t* 1: t", "c* 1: c"]),
            (&["doc", "a", "b"], "d", &["s 2: a b", "doc* 1: doc"]),
        ] {
            let record = outline.hit(excluded, 1.0).record;
            let places = [(record, outline.hit(excluded, 1.0).ord())];
            let rules = Rules { excluded: &places.into_iter().collect(), ..RULES };
            let groups = aggregate(hits.iter().map(|name| outline.hit(name, 1.0)).collect(), &rules);
            let shown: Vec<String> = groups.iter().map(|group| show(&outline, group)).collect();
            assert_eq!(shown, expected, "{hits:?} -{excluded}");
        }
    }

    #[test]
    fn documents_do_not_touch_each_other() {
        let one = Outline::parse("t:one.md", SECTION);
        let two = Outline::parse("t:two.md", SECTION);
        let groups = aggregate(vec![two.hit("b", 1.0), one.hit("a", 1.0)], &RULES);
        let docs: Vec<&str> = groups.iter().map(|group| &*group.doc).collect();
        assert_eq!(docs, ["t:one.md", "t:two.md"]);
        assert!(groups.iter().all(|group| !group.is_aggregated()));
    }

    #[test]
    fn of_several_hits_on_one_chunk_the_best_counts() {
        assert_eq!(shown(SECTION, &[("a", 1.0), ("a", 2.0), ("a", 1.5)], RULES), ["a* 2: a"]);
        assert_eq!(shown(SECTION, &[], RULES), [""; 0]);
    }

    /// The walk in score order from the module documentation, in its simplest form.
    fn walk(outline: &Outline, hits: &[Hit], rules: &Rules) -> Vec<u32> {
        let mut hits = hits.to_vec();
        hits.sort_by(Hit::ranking);
        let mut groups: Vec<LineageNode> = Vec::new();
        for hit in &hits {
            if groups.iter().any(|group| group.contains(hit.ord())) {
                continue;
            }
            let mut arrival = Some(hit.lineage[0]);
            while let Some(node) = arrival {
                groups.retain(|group| !node.contains(group.ord));
                groups.push(node);
                arrival = outline.parent(node.ord).filter(|parent| {
                    let children = groups.iter().filter(|group| outline.parent(group.ord) == Some(*parent));
                    let (matched, all) = (children.count(), parent.children as usize);
                    let enough = matched as f64 / all as f64 >= rules.threshold;
                    matched >= rules.min_matches && enough && (!parent.is_document() || matched == all)
                });
            }
        }
        let mut nodes: Vec<u32> = groups.iter().map(|group| group.ord).collect();
        nodes.sort_unstable();
        nodes
    }

    /// Up to two documents with a random subset of their nodes as hits. There are few distinct scores, to get
    /// many ties.
    fn searches() -> impl Strategy<Value = (Vec<Outline>, Vec<Hit>)> {
        let node = (0_usize..6, proptest::option::weighted(0.5, 0_u8..8));
        let document = proptest::collection::vec(node, 1..40);
        proptest::collection::vec(document, 1..3).prop_map(|documents| {
            let mut outlines = Vec::new();
            let mut hits = Vec::new();
            for (number, nodes) in documents.iter().enumerate() {
                let mut depths: Vec<usize> = Vec::new();
                for (depth, _) in nodes {
                    depths.push(depths.last().map_or(0, |above| depth % (above + 1) + 1));
                }
                let outline = Outline::from_depths(&format!("t:{number}.md"), &depths);
                let scores = nodes.iter().map(|(_, score)| score).enumerate();
                hits.extend(
                    scores.filter_map(|(at, score)| Some(outline.hit_at(at, f32::from((*score)?) / 3.0))),
                );
                outlines.push(outline);
            }
            (outlines, hits)
        })
    }

    fn rules() -> impl Strategy<Value = Rules<'static>> {
        let threshold = prop::sample::select(vec![0.0, 0.3, 0.5, 0.75, 1.0, 1.1]);
        let cap = prop::sample::select(vec![1.0, 1.5, 2.0, 10.0]);
        (threshold, 0_usize..4, cap).prop_map(|(threshold, min_matches, cap)| Rules {
            threshold,
            min_matches,
            cap,
            ..RULES
        })
    }

    proptest! {
        #[test]
        fn every_hit_is_in_exactly_one_group((_, hits) in searches(), rules in rules()) {
            let groups = aggregate(hits.clone(), &rules);
            let mut parts: Vec<(&str, u32, f32)> = Vec::new();
            for group in &groups {
                prop_assert!(group.parts.is_sorted_by(|a, b| a.ord < b.ord));
                prop_assert!(group.parts.iter().all(|part| group.node.contains(part.ord)));
                prop_assert_eq!(group.own, group.parts.iter().any(|part| part.ord == group.node.ord));
                parts.extend(group.parts.iter().map(|part| (&*group.doc, part.ord, part.score)));
            }
            parts.sort_by_key(|&(doc, ord, _)| (doc, ord));
            let expected: Vec<_> = hits.iter().map(|hit| (&*hit.doc, hit.ord(), hit.score)).collect();
            prop_assert_eq!(parts, expected);
        }

        #[test]
        fn groups_of_one_document_do_not_overlap((_, hits) in searches(), rules in rules()) {
            let mut groups = aggregate(hits, &rules);
            groups.sort_by(|a, b| (&a.doc, a.node.ord).cmp(&(&b.doc, b.node.ord)));
            for pair in groups.windows(2).filter(|pair| pair[0].doc == pair[1].doc) {
                prop_assert!(pair[0].node.end <= pair[1].node.ord);
            }
        }

        #[test]
        fn a_group_scores_between_its_best_part_and_the_cap((_, hits) in searches(), rules in rules()) {
            for group in aggregate(hits, &rules) {
                let best = group.parts.iter().map(|part| part.score).fold(0.0, f32::max);
                prop_assert!(group.score >= best);
                prop_assert!(group.score <= (f64::from(best) * rules.cap) as f32);
            }
        }

        #[test]
        fn the_order_of_the_hits_does_not_matter(
            (hits, shuffled) in searches()
                .prop_flat_map(|(_, hits)| (Just(hits.clone()), Just(hits).prop_shuffle())),
            rules in rules(),
        ) {
            let groups = aggregate(hits, &rules);
            prop_assert_eq!(&groups, &aggregate(shuffled, &rules));
            let in_order = groups.is_sorted_by(|a, b| {
                a.score > b.score || a.score == b.score && (&a.doc, a.node.ord) < (&b.doc, b.node.ord)
            });
            prop_assert!(in_order);
        }

        #[test]
        fn the_walk_in_score_order_ends_in_the_same_place((outlines, hits) in searches(), rules in rules()) {
            let groups = aggregate(hits.clone(), &rules);
            for (number, outline) in outlines.iter().enumerate() {
                let doc = format!("t:{number}.md");
                let of_doc: Vec<Hit> = hits.iter().filter(|hit| *hit.doc == *doc).cloned().collect();
                let mut nodes: Vec<u32> =
                    groups.iter().filter(|group| *group.doc == *doc).map(|group| group.node.ord).collect();
                nodes.sort_unstable();
                prop_assert_eq!(nodes, walk(outline, &of_doc, &rules));
            }
        }
    }
}
