//! The plan of a query: words become tokens, with their fields, filters and boosts.

use super::filter::Filter;
use crate::config::Boosts;
use crate::index::analysis::LanguageSet;
use crate::index::storage::schema::{TEXTS, TextField};
use crate::query::Field;

/// A node of the plan.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// One word or phrase, by its number in `Compiled::leaves`.
    Leaf(usize),
    /// Several words written as one.
    Compound(Compound),
    /// All of these.
    All(Vec<Plan>),
    /// At least one of these.
    Any(Vec<Plan>),
    /// Everything but this.
    Not(Box<Plan>),
    /// This, with its score multiplied.
    Boost(Box<Plan>, f32),
    /// Everything that passes the filter.
    Filter(Filter),
    /// Everything.
    Everything,
}

impl Plan {
    /// True if the plan names something to search for or where to search, and doesn't only exclude.
    pub(crate) fn selects(&self) -> bool {
        match self {
            Plan::Leaf(_) | Plan::Compound(_) | Plan::Filter(_) => true,
            Plan::Not(_) | Plan::Everything => false,
            Plan::Boost(inner, _) => inner.selects(),
            Plan::All(items) | Plan::Any(items) => items.iter().any(Plan::selects),
        }
    }

    /// True if the plan affects scores, and doesn't only filter.
    pub(crate) fn gives_score(&self) -> bool {
        match self {
            Plan::Leaf(_) | Plan::Compound(_) => true,
            Plan::All(items) | Plan::Any(items) => items.iter().any(Plan::gives_score),
            Plan::Boost(inner, _) => inner.gives_score(),
            Plan::Not(_) | Plan::Filter(_) | Plan::Everything => false,
        }
    }

    /// True if a part of the plan excludes something.
    pub(crate) fn excludes(&self) -> bool {
        match self {
            Plan::Not(_) => true,
            Plan::All(items) | Plan::Any(items) => items.iter().any(Plan::excludes),
            Plan::Boost(inner, _) => inner.excludes(),
            Plan::Leaf(_) | Plan::Compound(_) | Plan::Filter(_) | Plan::Everything => false,
        }
    }

    /// Returns the plan without its exclusions, or `None` if it has no exclusions.
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

    /// Returns how many optional plain words the plan counts for.
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

    /// Returns the compounds in the plan that aren't excluded.
    pub(crate) fn compounds(&self) -> Vec<&Compound> {
        match self {
            Plan::Compound(compound) => vec![compound],
            Plan::All(items) | Plan::Any(items) => items.iter().flat_map(Plan::compounds).collect(),
            Plan::Boost(inner, _) => inner.compounds(),
            Plan::Leaf(_) | Plan::Not(_) | Plan::Filter(_) | Plan::Everything => Vec::new(),
        }
    }
}

/// Several words written as one, such as `element.classList.add` or a sentence without spaces. A compound
/// must match as written. If not every word of the query is required, its separate parts match too, with a
/// lower weight.
#[derive(Clone, Debug)]
pub(crate) struct Compound {
    /// The leaf of the compound as written.
    pub(crate) whole: usize,
    /// The leaves of the parts that mean something on their own.
    pub(crate) parts: Vec<usize>,
    /// How many query words the compound counts for.
    pub(crate) words: usize,
}

impl Compound {
    /// The weight of a part.
    pub(crate) const COMPOUND_PART_WEIGHT: f32 = 0.5;
}

/// One word or phrase of the query.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The text as the user wrote it.
    pub(crate) text: String,
    /// The forms that match, best first.
    pub(crate) forms: Vec<TermForm>,
    /// The only field to search, if any.
    pub(crate) field: Option<Field>,
    /// The weight of each text field; 0 skips a field.
    pub(crate) weights: Weights,
    /// True for plain words, which may be missing if nothing contains them all.
    pub(crate) may_be_missing: bool,
    /// True if the index has the word as written, and not only near terms.
    pub(crate) is_known: bool,
}

/// A form in which a word can occur in a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TermForm {
    /// One token, or several that must follow each other.
    pub(crate) tokens: Vec<String>,
    /// The weight of this form: 1 for the word as written, less for near terms.
    pub(crate) form_weight: f32,
    /// How the form is related to the word as written.
    pub(crate) kind: FormKind,
    /// The languages of the documents in which the word has this form.
    pub(crate) languages: LanguageSet,
}

impl TermForm {
    /// Creates a form of the same word, in documents of all languages.
    pub(crate) fn same(tokens: Vec<String>, form_weight: f32) -> Self {
        Self { tokens, form_weight, kind: FormKind::Same, languages: LanguageSet::ALL }
    }
}

/// How a form is related to the word as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormKind {
    /// The same word: as written, in another spelling, or another name of the same thing. All such forms
    /// count as one term, with one document frequency.
    Same,
    /// A word that differs by a probable typo.
    Near,
}

/// The weight of each text field.
pub(crate) type Weights = [f32; TEXTS.len()];

/// The weight of the headings above a section relative to its own heading.
const ANCESTOR_HEADING_WEIGHT: f64 = 0.3;

/// Returns the field weights of a search in all fields, or in one.
pub(crate) fn weights(boosts: &Boosts, only: Option<Field>) -> Weights {
    TEXTS.map(|(text, _)| {
        let wanted = match only {
            None => true,
            Some(Field::Title) => matches!(text, TextField::Title | TextField::Hierarchy),
            Some(Field::Tags) => text == TextField::Tags,
            Some(Field::Path) => text == TextField::Path,
            Some(Field::Body) => text == TextField::Body,
            Some(Field::Tree | Field::Lang | Field::Linked) => false,
        };
        let boost = match text {
            TextField::Title => boosts.hierarchy,
            // A heading above many sections says less about each of them than their own heading.
            TextField::Hierarchy => boosts.hierarchy * ANCESTOR_HEADING_WEIGHT,
            TextField::About | TextField::Tags => boosts.tags,
            TextField::Path => boosts.path,
            TextField::Body => boosts.body,
        };
        match (wanted, only) {
            (false, _) => 0.0,
            (true, None) => boost as f32,
            // A field that the query names is searched even if its boost is 0.
            (true, Some(_)) => (boost as f32).max(1.0),
        }
    })
}
