//! What an answer may cost: its results are shown within a number of tokens.

use super::ask::Answers;
use crate::search::{self, Budget, Cost, Passage, Rest, Shown};
use crate::text::escape::{self, MARK};

impl Answers {
    /// Shows the results within a budget. The results of several
    /// questions share it by their rank.
    pub fn fit(&mut self, budget: &Budget<'_>) {
        let mut headings: Cost = match self.answers.as_slice() {
            [] | [_] => Cost::default(),
            many => many.iter().map(|answer| Cost::of(&(heading(&answer.query) + "\n"))).sum(),
        };
        let unnamed = headings.tokens > budget.tokens;
        if unnamed {
            headings = Cost::default();
        }
        let mut ranked: Vec<(usize, &mut Passage)> =
            self.answers.iter_mut().flat_map(|answer| (0..).zip(answer.passages.iter_mut())).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut passages: Vec<&mut Passage> = ranked.into_iter().map(|(_, passage)| passage).collect();
        let budget = Budget { tokens: budget.tokens.saturating_sub(headings.tokens), ..*budget };
        self.rest = Rest { unnamed, ..search::fit(&mut passages, &budget) };
        self.rest.cost = self.rest.cost + headings;
        for answer in &mut self.answers {
            answer.passages.retain(|passage| passage.shown != Shown::Nothing);
        }
    }

    /// Only names what an earlier question has already shown.
    pub fn name_repeats(&mut self) {
        let mut seen = Vec::new();
        for passage in self.answers.iter_mut().flat_map(|answer| &mut answer.passages) {
            let key = (passage.id.clone(), passage.lines);
            if seen.contains(&key) {
                passage.repeated = true;
                passage.show(Shown::Name);
            } else {
                seen.push(key);
            }
        }
    }
}

/// How many characters of a question stand above its results.
const HEADING: usize = 80;

/// What stands above the results of one of several questions.
pub fn heading(query: &str) -> String {
    format!("{MARK}query: {} ───", escape::one_line(&shortened(query)))
}

/// A question, or its beginning where it is long.
pub fn shortened(query: &str) -> String {
    match query.char_indices().nth(HEADING) {
        None => query.to_owned(),
        Some((end, _)) => format!("{}…", query[..end].trim_end()),
    }
}
