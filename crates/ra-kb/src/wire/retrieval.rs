//! The report of `ra check --retrieval`: how well sections are found by their own words.

use std::collections::BTreeMap;

use ra_core::eval::{KnownItemOrigin, Retrievability, Tally, TreeRetrievability};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Retrieval {
    pub(crate) trees: Vec<TreeRetrieval>,
    /// Headings shared by too many sections to identify one of them.
    pub(crate) generic: Vec<GenericHeading>,
}

#[derive(Serialize)]
pub(crate) struct TreeRetrieval {
    pub(crate) tree: String,
    pub(crate) asked: Vec<AskedKind>,
    pub(crate) overall: Rates,
    /// The number of sections that their own heading does not find, by reason.
    pub(crate) unfindable: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
pub(crate) struct AskedKind {
    /// The part of a document that the queries are made from.
    pub(crate) kind: &'static str,
    /// How many there are; more than `queries` if those are a sample.
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
