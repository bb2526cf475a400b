//! What ranking knows of a match: where it stands in its document and how well it scored.

use std::cmp::Ordering;
use std::sync::Arc;

/// A node of a document's outline, as far as ranking needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The node's place in the pre-order of its document.
    pub ord: u32,
    /// One past the last descendant.
    pub end: u32,
    /// The number of direct child nodes, whether or not they match.
    pub children: u32,
    /// The heading level; 0 is the document.
    pub level: u8,
}

/// How many bits of a packed step each number takes, from the lowest.
const ORD: u32 = 21;
const CHILDREN: u32 = 19;

impl Step {
    /// The step as one integer. Numbers over two million are cut to the largest that fits.
    pub(super) fn pack(self) -> u64 {
        let fit = |value: u32, bits: u32| u64::from(value.min((1 << bits) - 1));
        let level = fit(u32::from(self.level), 3);
        ((level << CHILDREN | fit(self.children, CHILDREN)) << ORD | fit(self.end, ORD)) << ORD
            | fit(self.ord, ORD)
    }

    /// The inverse of [`Step::pack`].
    pub(super) fn unpack(packed: u64) -> Self {
        let take = |shift: u32, bits: u32| (packed >> shift) as u32 & ((1 << bits) - 1);
        Self {
            ord: take(0, ORD),
            end: take(ORD, ORD),
            children: take(2 * ORD, CHILDREN),
            level: take(2 * ORD + CHILDREN, 3) as u8,
        }
    }

    /// Whether the node `ord` of the same document is this node or one of its descendants.
    pub fn contains(&self, ord: u32) -> bool {
        self.ord <= ord && ord < self.end
    }
}

/// A matching chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document, as `tree:path`.
    pub doc: Arc<str>,
    /// The tree that the document belongs to.
    pub tree: u16,
    /// How well the chunk matches: finite and not negative.
    pub score: f32,
    /// The chunk's own node, then each ancestor up to the document. It is never empty.
    pub lineage: Vec<Step>,
    /// The time of the file's last change, in nanoseconds since 1970.
    pub mtime: i64,
    /// What each word of the query gave to the score, by the number of the word.
    pub words: Vec<(u16, f32)>,
}

impl Hit {
    /// The order of results: best score first, ties by document and then by place in it.
    ///
    /// The order is total over distinct chunks, so equal scores never make an answer vary.
    pub fn ranking(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then_with(|| self.doc.cmp(&other.doc))
            .then_with(|| self.ord().cmp(&other.ord()))
    }

    /// The chunk's place in its document. A hit without a lineage, which retrieval never makes, comes last.
    pub fn ord(&self) -> u32 {
        self.lineage.first().map_or(u32::MAX, |step| step.ord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::sample::Outline;

    #[test]
    fn ranks_by_score_then_document_then_place() {
        let a = Outline::parse("t:a.md", "doc\n  one\n  two");
        let b = Outline::parse("t:b.md", "doc\n  one\n  two");
        let ranked = [a.hit("two", 2.0), a.hit("one", 1.0), a.hit("two", 1.0), b.hit("one", 1.0)];
        let mut hits: Vec<Hit> = ranked.iter().rev().cloned().collect();
        hits.sort_by(Hit::ranking);
        assert_eq!(hits, ranked);
    }

    #[test]
    fn packing_is_lossless_within_its_bounds() {
        for (ord, end, children, level) in
            [(0, 1, 0, 0), (7, 9, 1, 6), ((1 << 21) - 2, (1 << 21) - 1, (1 << 19) - 1, 7)]
        {
            let step = Step { ord, end, children, level };
            assert_eq!(Step::unpack(step.pack()), step);
        }
    }

    #[test]
    fn a_node_contains_itself_and_its_descendants_only() {
        let step = Step { ord: 3, end: 6, children: 2, level: 1 };
        let inside: Vec<u32> = (0..9).filter(|&ord| step.contains(ord)).collect();
        assert_eq!(inside, [3, 4, 5]);
    }
}
