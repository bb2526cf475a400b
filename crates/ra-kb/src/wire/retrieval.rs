//! How well sections are found by their own words: what `ra check --retrieval` measured.

use std::collections::BTreeMap;

use ra_core::eval::{KnownItemOrigin, Retrievability, Tally, TreeRetrievability};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Retrieval {
    pub(crate) trees: Vec<TreeRetrieval>,
    /// Headings that too many sections share to name any of them.
    pub(crate) generic: Vec<GenericHeading>,
}

#[derive(Serialize)]
pub(crate) struct TreeRetrieval {
    pub(crate) tree: String,
    pub(crate) asked: Vec<AskedKind>,
    pub(crate) overall: Rates,
    /// The sections that their own heading does not find: how many for each reason.
    pub(crate) unfindable: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
pub(crate) struct AskedKind {
    /// What the queries are made of.
    pub(crate) kind: &'static str,
    /// How many of them there are; more than `queries` when those are a sample.
    pub(crate) known: usize,
    #[serde(flatten)]
    pub(crate) rates: Rates,
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Rates {
    pub(crate) queries: usize,
    pub(crate) hit_at_1: f64,
    pub(crate) hit_at_10: f64,
    pub(crate) mrr: f64,
}

#[derive(Serialize)]
pub(crate) struct GenericHeading {
    pub(crate) heading: String,
    pub(crate) sections: usize,
}

impl Retrieval {
    pub(crate) fn new(found: &Retrievability) -> Self {
        let heading = |(heading, sections): &(String, usize)| GenericHeading {
            heading: heading.clone(),
            sections: *sections,
        };
        Retrieval {
            trees: found.trees.iter().map(TreeRetrieval::new).collect(),
            generic: found.generic.iter().map(heading).collect(),
        }
    }
}

impl TreeRetrieval {
    fn new(tree: &TreeRetrievability) -> Self {
        let asked = tree.asked.iter().map(|asked| AskedKind {
            kind: match asked.origin {
                KnownItemOrigin::Heading => "heading",
                KnownItemOrigin::Description => "description",
                KnownItemOrigin::Link => "link",
            },
            known: asked.known,
            rates: Rates::new(&asked.tally),
        });
        let mut unfindable = BTreeMap::new();
        for section in &tree.unfindable {
            *unfindable.entry(section.reason.name()).or_default() += 1;
        }
        TreeRetrieval {
            tree: tree.tree.to_string(),
            asked: asked.collect(),
            overall: Rates::new(&tree.all),
            unfindable,
        }
    }
}

impl Rates {
    fn new(tally: &Tally) -> Self {
        Rates { queries: tally.queries, hit_at_1: tally.first, hit_at_10: tally.hit, mrr: tally.mrr }
    }
}
