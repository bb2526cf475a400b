//! The token budget: a promise that is kept to the token. What does not fit is shown with less of its text,
//! the last results first and all of them a little before one of them much; what even then does not fit is
//! left out and counted.

use super::passage::{Passage, Shown};
use crate::tokens;

/// What an answer may cost.
pub struct Budget<'a> {
    /// Tokens at the most.
    pub tokens: usize,
    /// The ways of showing a result, from most to least.
    pub levels: &'a [Shown],
    /// What a result looks like.
    pub look: Look<'a>,
    /// What is said of so many results that are left out.
    pub rest: &'a dyn Fn(usize) -> String,
}

/// What a result looks like, which is what it costs.
#[derive(Clone, Copy)]
pub enum Look<'a> {
    /// As [`Passage::text`] has it.
    Text,
    /// As this function has it.
    Other(&'a dyn Fn(&Passage) -> String),
}

impl Look<'_> {
    fn of(self, passage: &Passage) -> String {
        match self {
            Look::Text => passage.text(),
            Look::Other(text) => text(passage),
        }
    }

    /// What a result surely does not exceed, where that is known without counting.
    fn at_most(self, passage: &Passage) -> Option<Cost> {
        match self {
            Look::Text => passage.at_most(),
            Look::Other(_) => None,
        }
    }
}

/// What a budget left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// The number of results.
    pub left_out: usize,
    /// What is said of them; empty when nothing was left out, and when there is no room to say so.
    pub line: String,
    /// What the answer costs with that.
    pub cost: Cost,
    /// Whether there is not even room for naming the questions.
    pub unnamed: bool,
}

/// What some text costs. Where a line of it ends and another begins without a blank, the costs of both add up to
/// that of the whole: no piece of the encoding reaches from one into the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Tokens at the most.
    pub tokens: usize,
    /// The bytes of the text.
    pub bytes: usize,
}

impl Cost {
    /// The cost of a text.
    pub fn of(text: &str) -> Self {
        Self { tokens: tokens::count(text), bytes: text.len() }
    }
}

impl std::ops::Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { tokens: self.tokens + other.tokens, bytes: self.bytes + other.bytes }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), |sum, cost| sum + cost)
    }
}

/// How many bytes of lines around the matches are shown of a section that is too long, and how many when there
/// is little room. An English token has four bytes.
pub(super) const WIDE: usize = 2400;
const NARROW: usize = 800;
const SCANT: usize = 320;

/// The ways of showing results with their text.
pub const TEXTS: &[Shown] = &[
    Shown::Whole,
    Shown::Matching,
    Shown::Windows(WIDE),
    Shown::Windows(NARROW),
    Shown::Windows(SCANT),
    Shown::Entry,
    Shown::Name,
];

/// The ways of showing the lines that match.
pub const MATCHES: &[Shown] =
    &[Shown::Matching, Shown::Windows(WIDE), Shown::Windows(NARROW), Shown::Windows(SCANT)];

/// The ways of showing a list of results.
pub const LIST: &[Shown] = &[Shown::Entry, Shown::Name];

/// Shows as much of the results, best first, as the budget allows. Gives what is said of those that are left out,
/// and how many they are.
pub fn fit(passages: &mut [&mut Passage], budget: &Budget<'_>) -> Rest {
    let counted = |passage: &Passage| Cost::of(&budget.look.of(passage));
    let bounds: Vec<Option<Cost>> = passages.iter().map(|passage| budget.look.at_most(passage)).collect();
    let bound = |(passage, bound): (&&mut Passage, &Option<Cost>)| bound.unwrap_or_else(|| counted(passage));
    let mut costs: Vec<Cost> = passages.iter().zip(&bounds).map(bound).collect();
    let mut cost: Cost = costs.iter().copied().sum();
    // Mostly the bounds show that there is room. Otherwise what has the largest ones is counted, while that may help.
    let mut uncounted: Vec<usize> = (0..costs.len()).filter(|nr| bounds[*nr].is_some()).collect();
    uncounted.sort_by_key(|nr| costs[*nr].tokens);
    while cost.tokens > budget.tokens
        && let Some(nr) = uncounted.pop()
    {
        let tokens = counted(passages[nr]).tokens;
        cost.tokens = cost.tokens - costs[nr].tokens + tokens;
        costs[nr].tokens = tokens;
    }
    if cost.tokens <= budget.tokens {
        return Rest { cost, ..Rest::default() };
    }
    let mut fitting = Fitting::new(passages, budget, costs);
    fitting.shorten();
    fitting.leave_out();
    fitting.lengthen();
    let (left_out, total) = (fitting.left_out, fitting.total);
    // A budget can be too small even for saying that it is.
    let said = left_out > 0 && total <= budget.tokens;
    let line = if said { (budget.rest)(left_out) } else { String::new() };
    let results = fitting.now.iter().map(|(_, cost)| *cost).sum::<Cost>();
    Rest { left_out, cost: results + Cost::of(&line), line, unnamed: false }
}

struct Fitting<'a, 'p> {
    passages: &'a mut [&'p mut Passage],
    budget: &'a Budget<'a>,
    /// For each result, its place among the levels and what it costs there.
    now: Vec<(usize, Cost)>,
    first: Vec<usize>,
    total: usize,
    left_out: usize,
}

impl<'a, 'p> Fitting<'a, 'p> {
    fn new(passages: &'a mut [&'p mut Passage], budget: &'a Budget<'a>, costs: Vec<Cost>) -> Self {
        let level = |passage: &Passage| {
            let known = budget.levels.iter().position(|level| *level == passage.shown);
            // Windows in which no match fits have become an entry.
            known.unwrap_or_default()
        };
        let total = costs.iter().map(|cost| cost.tokens).sum();
        let first: Vec<usize> = passages.iter().map(|passage| level(passage)).collect();
        let now = first.iter().copied().zip(costs).collect();
        Self { passages, budget, now, first, total, left_out: 0 }
    }

    /// Shows a result at a level, if it can be shown so and costs no more than `most`; otherwise all stays as
    /// it was.
    fn try_at(&mut self, nr: usize, level: usize, most: usize) -> bool {
        let passage = &mut *self.passages[nr];
        if self.budget.levels[level] == Shown::Matching && !passage.is_expanded() {
            // It would show the same.
            return false;
        }
        let before = passage.take();
        passage.show(self.budget.levels[level]);
        let text = self.budget.look.of(passage);
        let tokens = match passage.shown == self.budget.levels[level] {
            true => tokens::count_to(&text, most),
            false => None,
        };
        let Some(tokens) = tokens else {
            passage.put_back(before);
            return false;
        };
        self.total = self.total - self.now[nr].1.tokens + tokens;
        self.now[nr] = (level, Cost { tokens, bytes: text.len() });
        true
    }

    /// Takes away from the texts of all results, level by level and from the last to the first. What then still
    /// does not fit keeps only its name, so that the best results are the last to lose their text.
    fn shorten(&mut self) {
        let levels = self.budget.levels;
        let texts = (1..levels.len()).filter(|&level| levels[level].has_text());
        let last = levels.len() - 1;
        for level in texts.chain((last > 0).then_some(last)) {
            for nr in (0..self.passages.len()).rev() {
                if self.total <= self.budget.tokens {
                    return;
                }
                let (now, cost) = self.now[nr];
                if now < level && cost.tokens > 0 {
                    self.try_at(nr, level, cost.tokens - 1);
                }
            }
        }
    }

    /// Leaves out results from the end until the others fit, together with what is said of these. What cannot fit by
    /// itself goes first: it must not take the others with it.
    fn leave_out(&mut self) {
        let too_large = |(_, cost): &(usize, Cost)| cost.tokens > self.budget.tokens;
        let (large, others): (Vec<usize>, Vec<usize>) =
            (0..self.passages.len()).partition(|nr| too_large(&self.now[*nr]));
        let mut order = [others, large].concat();
        while self.total > self.budget.tokens
            && let Some(nr) = order.pop()
        {
            if self.left_out > 0 {
                self.total -= self.rest();
            }
            self.passages[nr].show(Shown::Nothing);
            self.total -= self.now[nr].1.tokens;
            self.now[nr].1 = Cost::default();
            self.left_out += 1;
            self.total += self.rest();
        }
    }

    fn rest(&self) -> usize {
        tokens::count(&(self.budget.rest)(self.left_out))
    }

    /// Gives text back where there is room after all, to the best results first. A result has text only where
    /// all better ones have, and more than its name only where they do.
    fn lengthen(&mut self) {
        let mut best = 0;
        for nr in 0..self.passages.len() {
            if self.passages[nr].shown == Shown::Nothing {
                continue;
            }
            let (now, cost) = self.now[nr];
            let room = cost.tokens + self.budget.tokens.saturating_sub(self.total);
            for level in self.first[nr].max(best)..now {
                if self.try_at(nr, level, room) {
                    break;
                }
            }
            if !self.passages[nr].shown.has_text() && !self.passages[nr].repeated {
                best = self.now[nr].0;
            }
        }
    }
}
