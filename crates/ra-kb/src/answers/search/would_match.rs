//! Suggestions for a query without results.

use ra_core::kb::{Condition, Suggestion};
use schemars::JsonSchema;
use serde::Serialize;

use crate::hints::Surface;
use crate::output::count;

/// A similar query that matches.
#[derive(JsonSchema, Serialize)]
pub(crate) struct WouldMatch {
    /// The condition that was removed or loosened.
    pub(crate) without: String,
    /// The query that matches.
    pub(crate) query: String,
    /// The number of sections that match it.
    #[schemars(range(min = 1))]
    pub(crate) matches: usize,
    #[serde(skip)]
    pub(crate) condition: Condition,
}

impl WouldMatch {
    pub(super) fn new(offer: &Suggestion, surface: Surface) -> Self {
        WouldMatch {
            without: given(&offer.without, surface),
            query: offer.query.clone(),
            matches: offer.matches,
            condition: offer.without.clone(),
        }
    }
}

/// Formats a condition as the user gave it.
fn given(condition: &Condition, surface: Surface) -> String {
    let (flag, argument, values) = match condition {
        Condition::Part(text) | Condition::Phrase(text) | Condition::Field(text) => return text.clone(),
        Condition::Trees(names) => ("--tree", "trees", names),
        Condition::Paths(paths) => ("--path", "paths", paths),
        Condition::Tags(tags) => ("--tag", "tags", tags),
        Condition::Properties(fields) => ("--field", "fields", fields),
        Condition::Kinds(kinds) => ("--type", "types", kinds),
    };
    match surface {
        Surface::CommandLine => {
            values.iter().map(|value| format!("{flag} {value}")).collect::<Vec<_>>().join(" ")
        }
        Surface::Tools => format!("{argument}: {}", values.join(", ")),
    }
}

impl WouldMatch {
    /// Describes the condition that prevents matches, and the query that would match without it.
    pub(super) fn hint(&self) -> String {
        let WouldMatch { without, query, matches, condition } = self;
        let (found, has) = match matches {
            1 => ("1 section matches".to_owned(), "has"),
            _ => (format!("{matches} sections match"), "have"),
        };
        let sections = count(*matches, "section");
        match condition {
            Condition::Phrase(_) => format!("{sections} {has} the words of {without} apart: {query}"),
            Condition::Field(_) => format!("{found} if `{without}` may be in any field: {query}"),
            _ => format!("{found} without `{without}`: {query}"),
        }
    }
}
