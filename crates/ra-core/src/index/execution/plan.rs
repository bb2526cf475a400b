//! A query as the index understands it: words become tokens, and fields, filters and boosts find their
//! place.

use super::filter::Filter;
use crate::config::Boosts;
use crate::index::storage::schema::{TEXTS, Text};
use crate::query::Field;

/// What to look for.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// One word or phrase, by its number in [`Compiled::leaves`].
    Leaf(usize),
    /// Several words that were written as one.
    Compound(Compound),
    /// All of these.
    All(Vec<Plan>),
    /// At least one of these.
    Any(Vec<Plan>),
    /// Everything but this.
    Not(Box<Plan>),
    /// This, with its score multiplied.
    Boost(Box<Plan>, f32),
    /// Everything in these places.
    Filter(Filter),
    /// Everything.
    Everything,
}

impl Plan {
    /// Whether it names what is looked for or where, and doesn't only exclude.
    pub(crate) fn selects(&self) -> bool {
        match self {
            Plan::Leaf(_) | Plan::Compound(_) | Plan::Filter(_) => true,
            Plan::Not(_) | Plan::Everything => false,
            Plan::Boost(inner, _) => inner.selects(),
            Plan::All(items) | Plan::Any(items) => items.iter().any(Plan::selects),
        }
    }

    /// Whether it tells one chunk from another, and does not only let some pass.
    pub(crate) fn gives_score(&self) -> bool {
        match self {
            Plan::Leaf(_) | Plan::Compound(_) => true,
            Plan::All(items) | Plan::Any(items) => items.iter().any(Plan::gives_score),
            Plan::Boost(inner, _) => inner.gives_score(),
            Plan::Not(_) | Plan::Filter(_) | Plan::Everything => false,
        }
    }

    /// Whether a part of it excludes something.
    pub(crate) fn excludes(&self) -> bool {
        match self {
            Plan::Not(_) => true,
            Plan::All(items) | Plan::Any(items) => items.iter().any(Plan::excludes),
            Plan::Boost(inner, _) => inner.excludes(),
            Plan::Leaf(_) | Plan::Compound(_) | Plan::Filter(_) | Plan::Everything => false,
        }
    }

    /// The plan without its exclusions; none when it has none.
    pub(crate) fn without_exclusions(&self) -> Option<Plan> {
        fn strip(plan: &Plan) -> Plan {
            let others = |items: &[Plan]| {
                items.iter().filter(|item| !matches!(item, Plan::Not(_))).map(strip).collect::<Vec<_>>()
            };
            match plan {
                Plan::All(items) => Plan::All(others(items)),
                Plan::Any(items) => Plan::Any(others(items)),
                Plan::Boost(inner, factor) => Plan::Boost(Box::new(strip(inner)), *factor),
                other => other.clone(),
            }
        }
        self.excludes().then(|| strip(self))
    }

    /// For how many plain words this stands, which a query may do without.
    pub(crate) fn words(&self, leaves: &[Leaf]) -> usize {
        match self {
            Plan::Leaf(leaf) => usize::from(leaves[*leaf].may_be_missing),
            Plan::Compound(compound) => compound.words,
            Plan::All(items) => items.iter().map(|item| item.words(leaves)).sum(),
            // Each alternative is a query of its own.
            Plan::Any(items) => items.iter().map(|item| item.words(leaves)).max().unwrap_or(0),
            Plan::Boost(inner, _) => inner.words(leaves),
            Plan::Not(_) | Plan::Filter(_) | Plan::Everything => 0,
        }
    }

    /// The compounds in it that are looked for.
    pub(crate) fn compounds(&self) -> Vec<&Compound> {
        match self {
            Plan::Compound(compound) => vec![compound],
            Plan::All(items) | Plan::Any(items) => items.iter().flat_map(Plan::compounds).collect(),
            Plan::Boost(inner, _) => inner.compounds(),
            Plan::Leaf(_) | Plan::Not(_) | Plan::Filter(_) | Plan::Everything => Vec::new(),
        }
    }
}

/// Several words that were written as one, such as `element.classList.add` or a sentence without spaces. They mean
/// what was written; where not every word of a query is required, what has them apart counts for less.
#[derive(Clone, Debug)]
pub(crate) struct Compound {
    /// The leaf of what was written.
    pub(crate) whole: usize,
    /// The leaves of the parts that say something by themselves.
    pub(crate) parts: Vec<usize>,
    /// For how many words of a query it stands.
    pub(crate) words: usize,
}

impl Compound {
    /// How much a part counts for.
    pub(crate) const COMPOUND_PART_WEIGHT: f32 = 0.5;
}

/// One word or phrase of the query.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// As the user wrote it.
    pub(crate) text: String,
    /// What it may match; the first is the best.
    pub(crate) forms: Vec<TermForm>,
    /// The only field that it is looked for in.
    pub(crate) field: Option<Field>,
    /// The weight of each text field; 0 leaves a field out.
    pub(crate) weights: Weights,
    /// True for plain words, which a query may do without when nothing has them all.
    pub(crate) may_be_missing: bool,
    /// Whether the index has what was written, and not only words near it.
    pub(crate) is_known: bool,
}

/// A way in which a word can stand in a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TermForm {
    /// One token, or several that must follow each other.
    pub(crate) tokens: Vec<String>,
    /// How much this form is worth: 1 for what was written, less for what is only near.
    pub(crate) form_weight: f32,
    /// How it is related to what was written.
    pub(crate) kind: FormKind,
}

/// How a form is related to the word that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormKind {
    /// The same word: as it was written, in another spelling, or another name of the same thing. All such forms count as
    /// one term, with one document frequency.
    Same,
    /// A word that a typo may have turned into this one.
    Near,
}

/// The weight of each text field.
pub(crate) type Weights = [f32; TEXTS.len()];

/// How much the headings above a section count beside its own.
const ANCESTOR_HEADING_WEIGHT: f64 = 0.3;

/// The weights of a search in all fields, or in one.
pub(crate) fn weights(boosts: &Boosts, only: Option<Field>) -> Weights {
    TEXTS.map(|(text, _)| {
        let wanted = match only {
            None => true,
            Some(Field::Title) => matches!(text, Text::Title | Text::Hierarchy),
            Some(Field::Tags) => text == Text::Tags,
            Some(Field::Path) => text == Text::Path,
            Some(Field::Body) => text == Text::Body,
            Some(Field::Tree) => false,
        };
        let boost = match text {
            Text::Title => boosts.hierarchy,
            // What stands above many sections tells less about each of them than their own heading.
            Text::Hierarchy => boosts.hierarchy * ANCESTOR_HEADING_WEIGHT,
            Text::About | Text::Tags => boosts.tags,
            Text::Path => boosts.path,
            Text::Body => boosts.body,
        };
        match (wanted, only) {
            (false, _) => 0.0,
            (true, None) => boost as f32,
            // A field that is asked for by name is searched even when its boost is 0.
            (true, Some(_)) => (boost as f32).max(1.0),
        }
    })
}
