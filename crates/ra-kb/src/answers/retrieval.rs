//! The part of `ra check --retrieval`: how well sections are found by their own words.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;

use ra_core::eval::{KnownItemOrigin, Retrievability, Tally, TreeRetrievability};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{Page, Table, count, grouped};

/// How well sections are found by their own words.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Retrieval {
    /// The results for each tree.
    pub(crate) trees: Vec<TreeRetrieval>,
    /// Headings that more than ten sections share, which are not searched for.
    pub(crate) generic: Vec<GenericHeading>,
}

/// The results for a tree.
#[derive(JsonSchema, Serialize)]
pub(crate) struct TreeRetrieval {
    /// The name of the tree.
    pub(crate) tree: String,
    /// The results for each kind of query that is made from the tree.
    pub(crate) asked: Vec<AskedKind>,
    /// The results for all queries together.
    pub(crate) overall: Rates,
    /// The number of sections that their own heading does not find, by reason: `beaten`, `common-words`, `elbow`,
    /// `function-words`, `no-words`, `nothing`, `shared`, `spread`, `syntax`.
    #[schemars(with = "BTreeMap<String, NonZeroUsize>")]
    pub(crate) unfindable: BTreeMap<&'static str, usize>,
}

/// The results for queries of one kind.
#[derive(JsonSchema, Serialize)]
pub(crate) struct AskedKind {
    /// The part of a document that the queries are made from.
    #[schemars(extend("enum" = ["heading", "description", "link"]))]
    pub(crate) kind: &'static str,
    /// How many there are; more than `queries` if those are a sample.
    pub(crate) known: usize,
    #[serde(flatten)]
    pub(crate) rates: Rates,
}

/// How often queries find the section that they were made from.
#[derive(Clone, Copy, JsonSchema, Serialize)]
pub(crate) struct Rates {
    /// The number of queries.
    pub(crate) queries: usize,
    /// The share of queries whose first result is the right section.
    #[schemars(range(min = 0, max = 1))]
    pub(crate) hit_at_1: f64,
    /// The share of queries with the right section among the first ten results.
    #[schemars(range(min = 0, max = 1))]
    pub(crate) hit_at_10: f64,
    /// MRR: the reciprocal rank of the right section, on average.
    #[schemars(range(min = 0, max = 1))]
    pub(crate) mrr: f64,
}

/// A heading that many sections share.
#[derive(JsonSchema, Serialize)]
pub(crate) struct GenericHeading {
    /// The heading, as one of the sections writes it.
    pub(crate) heading: String,
    /// The number of sections that have it.
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

/// How many headings that many sections share are listed.
const MAX_NAMED_HEADINGS: usize = 5;

impl Retrieval {
    pub(super) fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let mut table = Table::new(&["tree", "asked by", ">queries", ">of", ">hit@1", ">hit@10", ">MRR"]);
        let row = |tree: &str, kind: &str, rates: &Rates, known: usize| {
            let numbers = [rates.hit_at_1, rates.hit_at_10, rates.mrr].map(|number| format!("{number:.4}"));
            let counts = [grouped(rates.queries), grouped(known)];
            [tree.to_owned(), kind.to_owned()].into_iter().chain(counts).chain(numbers)
        };
        for tree in &self.trees {
            for asked in &tree.asked {
                table.row(row(&tree.tree, asked.kind, &asked.rates, asked.known));
            }
            if tree.asked.len() > 1 {
                let known = tree.asked.iter().map(|asked| asked.known).sum();
                table.row(row(&tree.tree, "all", &tree.overall, known));
            }
        }
        page.table(&table)?;
        if self.trees.iter().flat_map(|tree| &tree.asked).any(|asked| asked.known > asked.rates.queries) {
            page.line("hint: these are samples; `--sample N` asks for more")?;
        }
        self.generic(page)
    }

    fn generic(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.generic.is_empty() {
            return Ok(());
        }
        let sections: usize = self.generic.iter().map(|heading| heading.sections).sum();
        let named = self.generic.iter().take(MAX_NAMED_HEADINGS);
        let named: Vec<String> =
            named.map(|it| format!("{} ({})", page.clean(&it.heading), grouped(it.sections))).collect();
        let more = if self.generic.len() > MAX_NAMED_HEADINGS { ", …" } else { "" };
        page.line(format!(
            "not asked: {} under {} that more than 10 share: {}{more}",
            count(sections, "section"),
            count(self.generic.len(), "heading"),
            named.join(", "),
        ))
    }
}
