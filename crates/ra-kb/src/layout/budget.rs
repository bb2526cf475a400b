//! The token budget. Text is added in a fixed order, and the budget only decides how far that goes. So a larger
//! budget shows everything that a smaller one does, and the best results come first and get the most. Results
//! that have no room for text become single lines. There is one exception: a result whose heading alone takes more
//! than three quarters of the budget is left out, and the results after it get its room.

use ra_core::retrieval::Passage;
use ra_core::tokens;
use rayon::prelude::*;

use super::result::{Detail, ResultText};

/// The tokens of text that the first results get, each before the next one begins. The best result is shown in full.
/// Three results fit into 2,000 tokens.
const FIRST_TOKENS: [usize; 3] = [usize::MAX, 500, 300];

/// The tokens that each other result gets before the first ones grow to their full length.
const BASE_TOKENS: usize = 150;

/// A result after the first has at least this many tokens of text, unless it is shorter.
const MIN_PASSAGE_TOKENS: usize = 100;

/// A block is not cut if it has at most this many times the share of its result.
const BLOCK_SLACK: usize = 2;

/// A result is shown whole if it has at most this many times its share.
const WHOLE_SLACK: f64 = 1.3;

/// Below this budget, only the id and the text of a result are shown.
const TIGHT_BUDGET: usize = 300;

/// Single-line entries take at most `1 / ENTRIES` of the budget. Half of that is reserved for them while text
/// is added.
const ENTRIES: usize = 5;

/// The results that a budget omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OmittedResults {
    /// The number of results.
    pub(crate) results: usize,
    /// The line about them; empty if nothing was omitted, or if there is no room for it.
    pub(crate) line: String,
}

/// Shows as much of the results, best first, as fits into `budget` tokens. `left_out` formats the line about a
/// number of results that are omitted.
pub(crate) fn fit(
    results: &mut [&mut ResultText],
    budget: usize,
    left_out: &dyn Fn(usize) -> String,
) -> OmittedResults {
    // Choosing the blocks of a passage takes a tenth of the time of a query, so all cores do it.
    results.par_iter().filter(|result| result.detail == Detail::Full).for_each(|result| {
        result.passage.steps();
    });
    if !(TIGHT_BUDGET..2 * TIGHT_BUDGET).contains(&budget) {
        return fit_once(results, budget, left_out);
    }
    // Just above the limit, heads and entries take room that a smaller budget spends on text. They must not take
    // so much that less text is left.
    let details =
        |results: &[&mut ResultText]| results.iter().map(|result| result.detail).collect::<Vec<Detail>>();
    let reset = |results: &mut [&mut ResultText], details: &[Detail]| {
        results.iter_mut().zip(details).for_each(|(result, detail)| result.show(*detail));
    };
    let whole = details(results);
    fit_once(results, TIGHT_BUDGET - 1, left_out);
    let least = details(results);
    reset(results, &whole);
    let omitted = fit_once(results, budget, left_out);
    if details(results).iter().zip(&least).all(|(now, least)| amount(*now) >= amount(*least)) {
        return omitted;
    }
    reset(results, &whole);
    fit_once(results, TIGHT_BUDGET - 1, left_out)
}

/// Returns how much a result shows, to compare it with another size of the same result.
fn amount(detail: Detail) -> usize {
    match detail {
        Detail::Full => usize::MAX,
        Detail::Steps(number) | Detail::Lines(number) => number,
        Detail::Entry => 1,
        Detail::Line | Detail::Above | Detail::Nothing => 0,
    }
}

/// True if the heading of a result leaves room for its text.
pub(super) fn has_room_for_head(result: &ResultText, budget: usize) -> bool {
    result.head_cost() <= budget * 3 / 4
}

fn fit_once(
    results: &mut [&mut ResultText],
    budget: usize,
    left_out: &dyn Fn(usize) -> String,
) -> OmittedResults {
    let is_tight = budget < TIGHT_BUDGET;
    results.iter_mut().for_each(|result| result.is_tight = is_tight);
    // A heading may be longer than the budget; such a result must not block those after it.
    let (mut fitting, too_long): (Vec<_>, Vec<_>) =
        results.iter_mut().partition(|result| has_room_for_head(result, budget));
    let set_aside = too_long.len();
    too_long.into_iter().for_each(|result| result.show(Detail::Nothing));
    let results = fitting.as_mut_slice();
    let left_out = |number: usize| left_out(number + set_aside);
    let entries = Entries::new(results, budget, set_aside, &left_out);
    let mut costs: Vec<usize> = vec![0; results.len()];
    let mut shown = 0;
    for (rank, limit) in schedule(results.len()) {
        let others: usize =
            costs[..shown].iter().enumerate().filter(|(nr, _)| *nr != rank).map(|(_, cost)| cost).sum();
        let is_new = rank == shown;
        let next = if is_new { rank + 1 } else { shown };
        let room = budget.saturating_sub(others + entries.cost_after(next));
        let Some((cost, is_all)) = grow(results[rank], limit, costs[rank], is_new, rank == 0, room) else {
            break;
        };
        costs[rank] = cost;
        shown = next;
        if !is_all {
            break;
        }
    }
    let room = budget.saturating_sub(costs.iter().sum());
    let mut rest = entries.show(&mut results[shown..], shown, room);
    rest.results += set_aside;
    rest
}

/// Returns the order in which `results` results grow: a rank, and the number of tokens that its text may then have.
fn schedule(results: usize) -> impl Iterator<Item = (usize, usize)> {
    let shares = FIRST_TOKENS.into_iter().chain(std::iter::repeat(BASE_TOKENS));
    let full = (0..results).map(|rank| (rank, usize::MAX));
    (0..results).zip(shares).chain(full)
}

/// Grows a result to `limit` tokens of text, or to as many as there is room for. Returns its cost and whether
/// it got all of them; `None` if there is no room for it at all, and then the result is unchanged.
fn grow(
    result: &mut ResultText,
    limit: usize,
    before: usize,
    is_new: bool,
    is_first: bool,
    room: usize,
) -> Option<(usize, bool)> {
    let old = result.detail;
    let target = match old {
        _ if !is_new && before > 0 && (old == Detail::Full || !result.has_text()) => {
            return Some((before, true));
        }
        Detail::Full | Detail::Steps(_) => text_of(&result.passage, limit),
        Detail::Lines(count) => Detail::Lines(count.min(result.passage.matching_lines().len())),
        other => other,
    };
    result.show(target);
    if let Some(cost) = result.cost_within(room) {
        return Some((cost, true));
    }
    let least = match (old, target) {
        // Never show less of it than before.
        (Detail::Steps(steps), _) if !is_new => Some(steps),
        (_, Detail::Full | Detail::Steps(_)) => Some(least_steps(&result.passage, is_first)),
        _ => None,
    };
    let smaller: Vec<Detail> = match (target, least) {
        (Detail::Steps(steps), Some(least)) => (least..steps).rev().map(Detail::Steps).collect(),
        (Detail::Full, Some(least)) => (least..=result.passage.steps()).rev().map(Detail::Steps).collect(),
        (Detail::Lines(_), _) => {
            // The line about the others takes a few tokens too, so try a few lines fewer.
            let most = result.lines_within(room);
            (most.saturating_sub(3)..=most).rev().filter(|count| *count > 0).map(Detail::Lines).collect()
        }
        _ => Vec::new(),
    };
    let tokens = |detail: &Detail| match detail {
        Detail::Steps(steps) => result.passage.tokens_after(*steps),
        _ => 0,
    };
    let smaller: Vec<Detail> = smaller.into_iter().filter(|detail| tokens(detail) < room).collect();
    for detail in smaller {
        result.show(detail);
        if let Some(cost) = result.cost_within(room) {
            return Some((cost, false));
        }
    }
    result.show(old);
    (!is_new).then_some((before, false))
}

/// Returns how to show a passage with `limit` tokens of text, or a few more if that makes it whole.
fn text_of(passage: &Passage, limit: usize) -> Detail {
    if passage.is_short((limit as f64 * WHOLE_SLACK) as usize) {
        return Detail::Full;
    }
    let steps = passage.steps();
    let within = (1..=steps).rev().find(|steps| passage.tokens_after(*steps) <= limit).unwrap_or(1);
    let block = passage.block_steps();
    let is_block_shown = passage.tokens_after(block) <= limit.saturating_mul(BLOCK_SLACK);
    let within = if is_block_shown { within.max(block) } else { within };
    match within.max(least_steps(passage, false)) {
        all if all == steps => Detail::Full,
        some => Detail::Steps(some),
    }
}

/// Returns the fewest steps that make a passage worth showing.
fn least_steps(passage: &Passage, is_first: bool) -> usize {
    let least = if is_first { 1 } else { MIN_PASSAGE_TOKENS };
    let steps = passage.steps();
    (1..=steps).find(|steps| passage.tokens_after(*steps) >= least).unwrap_or(steps)
}

/// The single-line entries for the results that have no room for text.
struct Entries<'a> {
    /// The cost of each.
    costs: Vec<usize>,
    budget: usize,
    /// The number of results that are omitted in any case.
    set_aside: usize,
    left_out: &'a dyn Fn(usize) -> String,
}

impl<'a> Entries<'a> {
    fn new(
        results: &[&mut &mut ResultText],
        budget: usize,
        set_aside: usize,
        left_out: &'a dyn Fn(usize) -> String,
    ) -> Self {
        let cost = |result: &&mut &mut ResultText| match result.detail {
            Detail::Full => tokens::count(&(result.line() + "\n")),
            Detail::Above => result.cost(),
            // List entries and matching lines have no shorter form.
            _ => usize::MAX,
        };
        Self { costs: results.iter().map(cost).collect(), budget, set_aside, left_out }
    }

    /// Returns how many entries from index `from` on fit into `room` tokens, and their cost including the line
    /// about the others.
    fn within(&self, from: usize, room: usize) -> (usize, usize) {
        let costs = self.costs.get(from..).unwrap_or_default();
        let mut best = (0, self.line_cost(costs.len()));
        let mut sum = 0usize;
        for (nr, cost) in costs.iter().enumerate() {
            sum = sum.saturating_add(*cost);
            let all = sum.saturating_add(self.line_cost(costs.len() - nr - 1));
            if all <= room {
                best = (nr + 1, all);
            }
        }
        best
    }

    fn line_cost(&self, results: usize) -> usize {
        match results + self.set_aside {
            0 => 0,
            _ => tokens::count(&(self.left_out)(results)),
        }
    }

    /// Returns the tokens to reserve for the entries from index `from` on. A tight budget is spent on text
    /// only.
    fn cost_after(&self, from: usize) -> usize {
        if self.budget < TIGHT_BUDGET { 0 } else { self.within(from, self.budget / ENTRIES / 2).1 }
    }

    /// Shows the results as entries, as many as fit.
    fn show(&self, results: &mut [&mut &mut ResultText], from: usize, room: usize) -> OmittedResults {
        let (count, cost) = self.within(from, room.min(self.budget / ENTRIES));
        for (nr, result) in results.iter_mut().enumerate() {
            match result.detail {
                Detail::Above if nr < count => {}
                _ => result.show(if nr < count { Detail::Line } else { Detail::Nothing }),
            }
        }
        let results = results.len() - count;
        let has_room = results + self.set_aside > 0 && cost <= room;
        OmittedResults { results, line: if has_room { (self.left_out)(results) } else { String::new() } }
    }
}
