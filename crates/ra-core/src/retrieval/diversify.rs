//! Diversifies results over documents, to keep one long document from filling the page.

use std::collections::HashMap;

use super::aggregate::Group;
use crate::index::RecordId;

/// The factor for each further result of the same document.
const REPEAT_DISCOUNT: f32 = 0.5;

/// Discounts the second, third and further results of a document, and ranks all results again. Drops none.
/// `seen` counts the results of each document so far. It may already contain the counts of groups that rank
/// before all of these.
///
/// The first result of a document is the one with its best match: a section that scores more because it
/// represents several hits must not push that one off the page.
pub fn diversify(groups: &mut [Group], seen: &mut HashMap<RecordId, i32>) {
    groups.sort_by(|a, b| b.best.total_cmp(&a.best).then_with(|| a.ranking(b)));
    for group in groups.iter_mut() {
        let before = seen.entry(group.record).or_insert(0);
        group.score *= REPEAT_DISCOUNT.powi(*before);
        *before += 1;
    }
    groups.sort_by(Group::ranking);
}

#[cfg(test)]
mod tests {
    use super::super::aggregate::{MergeFacts, Rules, aggregate};
    use super::super::test_outline::Outline;
    use super::*;

    #[test]
    fn further_results_of_a_document_make_room_for_others() {
        let long = Outline::parse("t:long.md", "doc\n  one\n  two\n  three");
        let short = Outline::parse("t:short.md", "doc\n  only");
        let hits =
            [long.hit("one", 8.0), long.hit("two", 7.0), long.hit("three", 6.0), short.hit("only", 5.0)];
        let mut groups: Vec<Group> = hits.iter().filter_map(Group::alone).collect();
        diversify(&mut groups, &mut HashMap::new());
        let ranked: Vec<(&str, u32, f32)> =
            groups.iter().map(|group| (&*group.doc, group.node.ord, group.score)).collect();
        let expected =
            [("t:long.md", 1, 8.0), ("t:short.md", 1, 5.0), ("t:long.md", 2, 3.5), ("t:long.md", 3, 1.5)];
        assert_eq!(ranked, expected);
    }

    #[test]
    fn the_best_match_of_a_document_is_not_discounted() {
        let outline = Outline::parse("t:long.md", "doc\n  several\n    one\n    two\n  best\n  other");
        let excluded = crate::index::ExcludedChunks::default();
        let facts = |_, _: &[u32]| MergeFacts::default();
        let rules = Rules {
            threshold: 0.5,
            min_matches: 2,
            cap: 1.2,
            excluded: &excluded,
            max_tokens: 1000,
            facts: &facts,
        };
        let hits = vec![outline.hit("one", 8.0), outline.hit("two", 8.0), outline.hit("best", 9.0)];
        let mut groups = aggregate(hits, &rules);
        assert_eq!(groups.iter().map(|group| group.node.ord).collect::<Vec<_>>(), [1, 4]);
        diversify(&mut groups, &mut HashMap::new());
        assert_eq!(groups.iter().map(|group| group.node.ord).collect::<Vec<_>>(), [4, 1]);
    }
}
