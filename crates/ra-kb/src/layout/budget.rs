//! The token budget. Text is added in a fixed order, and the budget only decides how far that goes. So a larger
//! budget shows everything that a smaller one does, and the best results come first and get the most. Results
//! that have no room for text become single lines, and so do entries of a list. There is one exception: a result whose
//! heading alone takes more than three quarters of the budget is left out, and the results after it get its room.

use ra_core::retrieval::Passage;
use ra_core::tokens;

use super::result::{Detail, ResultText};

/// The tokens of text that the first results get, each before the next one begins. With their headings, three results
/// fit into 1,000 tokens, and four into 1,200.
const FIRST_TOKENS: [usize; 4] = [400, 250, 150, 150];

/// The tokens that they have before the others begin. The best result is shown in full.
const BEST_TOKENS: [usize; 3] = [usize::MAX, 500, 300];

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

/// Single-line entries take at most `1 / ENTRIES` of the budget. Half of that is reserved for them while text is added,
/// but all of it up to `MIN_ENTRIES_TOKENS`: if the first result is wrong, the next ones must at least be named.
const ENTRIES: usize = 5;
const MIN_ENTRIES_TOKENS: usize = 100;

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
    match result.detail {
        // An entry can be shortened to a single line.
        Detail::Entry => tokens::count(&result.line()) <= budget * 3 / 4,
        _ => result.head_cost() <= budget * 3 / 4,
    }
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
        let before = costs[..shown].get(rank).copied();
        let next = shown.max(rank + 1);
        let room = budget.saturating_sub(others + entries.cost_after(next));
        let Some(growth) = grow(results[rank], rank, limit, before, room) else { break };
        costs[rank] = growth.cost;
        shown = next;
        if !growth.is_all {
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
    let base = BEST_TOKENS.into_iter().chain(std::iter::repeat(BASE_TOKENS));
    let full = std::iter::repeat_n(usize::MAX, results);
    (0..results).zip(FIRST_TOKENS).chain((0..results).zip(base)).chain((0..results).zip(full))
}

/// The size to which a result has grown.
struct Growth {
    cost: usize,
    /// True if it got as much text as it may have.
    is_all: bool,
}

/// Grows a result to `limit` tokens of text, or to as many as there is room for. `before` is its cost if it is shown
/// already. Returns `None` if there is no room for it at all, and then the result is unchanged.
fn grow(
    result: &mut ResultText,
    rank: usize,
    limit: usize,
    before: Option<usize>,
    room: usize,
) -> Option<Growth> {
    let old = result.detail;
    if let Some(cost) = before
        && (old == Detail::Full || !result.has_text())
    {
        return Some(Growth { cost, is_all: true });
    }
    let largest = match old {
        Detail::Full | Detail::Steps(_) => text_of(&result.passage, limit),
        Detail::Lines(count) => Detail::Lines(count.min(result.passage.matching_lines().len())),
        other => other,
    };
    if let Some(cost) = show_first_that_fits(result, vec![largest], room) {
        return Some(Growth { cost, is_all: true });
    }
    let smaller = match (largest, old) {
        // Never show less of it than before.
        (_, Detail::Steps(least)) if before.is_some() => smaller_texts(&result.passage, largest, least, room),
        (Detail::Full | Detail::Steps(_), _) => {
            let least = if rank == 0 { 1 } else { MIN_PASSAGE_TOKENS };
            smaller_texts(&result.passage, largest, least_steps(&result.passage, least), room)
        }
        (Detail::Lines(_), _) => fewer_lines(result, room),
        _ => Vec::new(),
    };
    let cost = show_first_that_fits(result, smaller, room);
    if cost.is_none() {
        result.show(old);
    }
    cost.or(before).map(|cost| Growth { cost, is_all: false })
}

/// Shows a result in the first of these ways that fits, and returns its cost.
fn show_first_that_fits(result: &mut ResultText, details: Vec<Detail>, room: usize) -> Option<usize> {
    details.into_iter().find_map(|detail| {
        result.show(detail);
        result.cost_within(room)
    })
}

/// Returns the ways to show less of a passage than `largest`, from large to small.
fn smaller_texts(passage: &Passage, largest: Detail, least: usize, room: usize) -> Vec<Detail> {
    let below = match largest {
        Detail::Steps(steps) => steps,
        _ => passage.steps() + 1,
    };
    (least..below).rev().filter(|steps| passage.tokens_after(*steps) < room).map(Detail::Steps).collect()
}

/// Returns the numbers of matching lines that may fit, from large to small. The line about the others takes a few
/// tokens too, so these are a few.
fn fewer_lines(result: &ResultText, room: usize) -> Vec<Detail> {
    let most = result.lines_within(room);
    (most.saturating_sub(3)..=most).rev().filter(|count| *count > 0).map(Detail::Lines).collect()
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
    match within.max(least_steps(passage, MIN_PASSAGE_TOKENS)) {
        all if all == steps => Detail::Full,
        some => Detail::Steps(some),
    }
}

/// Returns the fewest steps after which a passage has at least this many tokens.
fn least_steps(passage: &Passage, tokens: usize) -> usize {
    let steps = passage.steps();
    (1..=steps).find(|steps| passage.tokens_after(*steps) >= tokens).unwrap_or(steps)
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
            Detail::Full | Detail::Entry => tokens::count(&(result.line() + "\n")),
            Detail::Above => result.cost(),
            // Matching lines have no shorter form.
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
        let share = self.budget / ENTRIES;
        let reserved = (share / 2).max(share.min(MIN_ENTRIES_TOKENS));
        if self.budget < TIGHT_BUDGET { 0 } else { self.within(from, reserved).1 }
    }

    /// Shows the results as entries, as many as fit.
    fn show(&self, results: &mut [&mut &mut ResultText], from: usize, room: usize) -> OmittedResults {
        // If nothing else is shown, or only entries are, they may take everything.
        let is_list = results.first().is_some_and(|first| first.detail == Detail::Entry);
        let share = if from == 0 || is_list { room } else { room.min(self.budget / ENTRIES) };
        let (count, cost) = self.within(from, share);
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
