//! The position of a chunk: the nodes above it in its document, and the record of that document.

/// The part of an outline node that ranking needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineageNode {
    /// The position of the node in the pre-order of its document.
    pub ord: u32,
    /// One past the last descendant.
    pub end: u32,
    /// The number of direct child nodes, whether or not they match.
    pub children: u32,
}

/// The lowest bits of a packed node contain the width of each of its numbers.
const WIDTH: u32 = 5;
const WIDEST: u32 = 19;

impl LineageNode {
    /// Packs the node into one integer, which is small if the document has few nodes: the column stores each
    /// integer with as many bits as the largest one needs. Documents with more than half a million nodes
    /// don't fit; their last nodes are ranked as one.
    pub(crate) fn pack(self, nodes: usize) -> u64 {
        let width = (usize::BITS - nodes.leading_zeros()).clamp(1, WIDEST);
        let fit = |value: u32| u64::from(value.min((1 << width) - 1));
        let numbers = (fit(self.children) << width | fit(self.end)) << width | fit(self.ord);
        numbers << WIDTH | u64::from(width)
    }

    /// The inverse of [`LineageNode::pack`].
    pub(crate) fn unpack(packed: u64) -> Self {
        let width = (packed as u32 & ((1 << WIDTH) - 1)).clamp(1, WIDEST);
        let take = |nr: u32| (packed >> (WIDTH + nr * width)) as u32 & ((1 << width) - 1);
        Self { ord: take(0), end: take(1), children: take(2) }
    }

    /// True if the node is the document itself.
    pub fn is_document(&self) -> bool {
        self.ord == 0
    }

    /// True if the node `ord` of the same document is this node or one of its descendants.
    pub fn contains(&self, ord: u32) -> bool {
        self.ord <= ord && ord < self.end
    }
}

/// The location of a document's record in a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId {
    pub(crate) segment: u32,
    pub(crate) entry: u32,
}

#[cfg(test)]
impl RecordId {
    /// Creates the id of a document that isn't in any snapshot.
    pub(crate) fn sample(doc: &str) -> Self {
        Self { segment: 0, entry: crc32fast::hash(doc.as_bytes()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_is_lossless_within_its_bounds() {
        for (ord, end, children, nodes) in
            [(0, 1, 0, 1), (7, 9, 1, 10), (0, 1000, 999, 1000), (499_999, 500_000, 0, 500_000)]
        {
            let step = LineageNode { ord, end, children };
            assert_eq!(LineageNode::unpack(step.pack(nodes)), step);
        }
    }

    #[test]
    fn a_node_contains_itself_and_its_descendants_only() {
        let step = LineageNode { ord: 3, end: 6, children: 2 };
        let inside: Vec<u32> = (0..9).filter(|&ord| step.contains(ord)).collect();
        assert_eq!(inside, [3, 4, 5]);
    }
}
