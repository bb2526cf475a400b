//! Outlines and hits for the tests of the stages.

use std::sync::Arc;

use crate::index::{Hit, LineageNode, RecordId};

/// A document that can create hits on its nodes.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    doc: Arc<str>,
    names: Vec<String>,
    steps: Vec<LineageNode>,
    parents: Vec<Option<usize>>,
}

impl Outline {
    /// Parses one name per line, with two spaces of indentation per level. The first line is the document.
    pub(super) fn parse(doc: &str, text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let (depths, names) = lines
            .map(|line| ((line.len() - line.trim_start().len()) / 2, line.trim().to_owned()))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        Self { names, ..Self::from_depths(doc, &depths) }
    }

    /// Creates an unnamed outline from the depth of each node in pre-order.
    pub(super) fn from_depths(doc: &str, depths: &[usize]) -> Self {
        let mut steps: Vec<LineageNode> = Vec::new();
        let mut parents = Vec::new();
        for (at, &depth) in depths.iter().enumerate() {
            let parent = depths[..at].iter().rposition(|&above| above < depth);
            let size = depths[at + 1..].iter().take_while(|&&below| below > depth).count();
            steps.push(LineageNode { ord: at as u32, end: (at + 1 + size) as u32, children: 0 });
            if let Some(parent) = parent {
                steps[parent].children += 1;
            }
            parents.push(parent);
        }
        Self { doc: doc.into(), names: Vec::new(), steps, parents }
    }

    /// Returns a hit on the node with this name.
    pub(super) fn hit(&self, name: &str, score: f32) -> Hit {
        let at = self.names.iter().position(|known| known == name);
        self.hit_at(at.unwrap_or_else(|| panic!("the outline has no node {name}")), score)
    }

    /// Returns a hit on the node at this position.
    pub(super) fn hit_at(&self, at: usize, score: f32) -> Hit {
        let lineage = std::iter::successors(Some(at), |&at| self.parents[at]).map(|at| self.steps[at]);
        Hit {
            doc: self.doc.clone(),
            tree: 0,
            score,
            is_partial: false,
            record: RecordId::sample(&self.doc),
            lineage: lineage.collect(),
            document: 0.0,
            proximity: 0.0,
            words: Vec::new(),
        }
    }

    /// Returns the name of a node.
    pub(super) fn name(&self, ord: u32) -> &str {
        &self.names[ord as usize]
    }

    /// Returns the parent of a node.
    pub(super) fn parent(&self, ord: u32) -> Option<LineageNode> {
        self.parents[ord as usize].map(|parent| self.steps[parent])
    }
}

/// Returns a hit on a document without sections.
pub(super) fn document(doc: &str, tree: u16, score: f32) -> Hit {
    Hit { tree, ..Outline::from_depths(doc, &[0]).hit_at(0, score) }
}

#[test]
fn hits_rank_by_score_then_document_then_place() {
    let a = Outline::parse("t:a.md", "doc\n  one\n  two");
    let b = Outline::parse("t:b.md", "doc\n  one\n  two");
    let ranked = [a.hit("two", 2.0), a.hit("one", 1.0), a.hit("two", 1.0), b.hit("one", 1.0)];
    let mut hits: Vec<Hit> = ranked.iter().rev().cloned().collect();
    hits.sort_by(Hit::ranking);
    assert_eq!(hits, ranked);
}
