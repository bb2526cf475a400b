//! Spreads results over documents, so that one long document does not fill the page.

use std::collections::HashMap;

use super::aggregate::Group;
use crate::index::RecordId;

/// What each further result of a document keeps of its score.
const KEPT: f32 = 0.5;

/// Discounts the second, third and further results of a document, and ranks again. None is dropped.
pub fn spread(groups: &mut [Group]) {
    let mut seen: HashMap<RecordId, i32> = HashMap::new();
    for group in groups.iter_mut() {
        let before = seen.entry(group.record).or_insert(0);
        group.score *= KEPT.powi(*before);
        *before += 1;
    }
    groups.sort_by(Group::ranking);
}

#[cfg(test)]
mod tests {
    use super::super::sample::Outline;
    use super::*;

    #[test]
    fn further_results_of_a_document_make_room_for_others() {
        let long = Outline::parse("t:long.md", "doc\n  one\n  two\n  three");
        let short = Outline::parse("t:short.md", "doc\n  only");
        let hits =
            [long.hit("one", 8.0), long.hit("two", 7.0), long.hit("three", 6.0), short.hit("only", 5.0)];
        let mut groups: Vec<Group> = hits.iter().filter_map(Group::alone).collect();
        spread(&mut groups);
        let ranked: Vec<(&str, u32, f32)> =
            groups.iter().map(|group| (&*group.doc, group.node.ord, group.score)).collect();
        let expected =
            [("t:long.md", 1, 8.0), ("t:short.md", 1, 5.0), ("t:long.md", 2, 3.5), ("t:long.md", 3, 1.5)];
        assert_eq!(ranked, expected);
    }
}
