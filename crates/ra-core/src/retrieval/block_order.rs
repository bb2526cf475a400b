//! The order in which the text of a result is shown. Any token budget shows a prefix of this order, so a
//! larger budget never hides text that a smaller one shows.
//!
//! The order starts with the best block of the best section and continues with adjacent blocks. If other sections
//! match, too, the best run of blocks of each follows, as soon as the best section is complete or has a run of some
//! length. Then all are completed, best first. Blocks that can only be read together are added together. The best block
//! is split into pieces if it has many tokens, because it may exceed the budget, and so is a later block that is too
//! large to be shown as a whole.

use std::collections::HashMap;
use std::ops::Range;

use super::block_rating::{best, best_of, rate_blocks, score};
use super::block_units::unit_starts;
use super::passage_section::{PassageSection, Role};
use crate::document::Block;
use crate::text::Span;
use crate::tokens;

/// A block with more tokens is added piece by piece.
const MAX_BLOCK_TOKENS: usize = 30;

/// A side is rated by its next blocks, each worth this share of the one before it.
const DISTANCE_DECAY: f32 = 0.5;
const SIDE_ITEMS: usize = 5;

/// If several sections are shown, the best one first gets at most this many tokens.
const FIRST_RUN_TOKENS: usize = 250;
/// Then the others get at most these, one number after the other: three of them begin within 400 tokens. Then each is
/// completed.
const OTHER_RUN_TOKENS: [usize; 2] = [120, FIRST_RUN_TOKENS];
/// A best section of at most this many tokens is an exception: it is completed before the others begin.
const SHORT_SECTION_TOKENS: usize = 500;

/// A part of a block that is too large to be shown as a whole has at least this many tokens.
const MIN_PART_TOKENS: usize = 100;

/// The order in which the text of a result is shown.
#[derive(Debug)]
pub(super) struct BlockOrder {
    pub(super) additions: Vec<Addition>,
    /// How many of the first additions are pieces of the best block.
    pub(super) seed_pieces: usize,
}

/// The next piece of text to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addition {
    /// The number of the section.
    pub(super) section: usize,
    pub(super) span: Span,
    /// The block that it is a piece of, unless it consists of whole blocks.
    pub(super) block: Option<Block>,
    /// The tokens of everything up to and including this addition, with headings.
    pub(super) total: usize,
}

/// The blocks of a section, and the run of them that is shown so far.
struct SectionRun<'a> {
    /// The number of the section.
    nr: usize,
    section: &'a PassageSection,
    blocks: Vec<Block>,
    rated: Vec<f32>,
    /// For each block, the first block of its unit.
    units: Vec<usize>,
    run: Run,
    /// The tokens of the run.
    tokens: usize,
}

impl<'a> SectionRun<'a> {
    /// Creates a run of the best block. Returns `None` if the section has no blocks.
    fn new(sections: &'a [PassageSection], nr: usize, weights: &[f32]) -> Option<Self> {
        let section = &sections[nr];
        let blocks = section.blocks();
        let rated = rate_blocks(section, &blocks, weights);
        let run = (!blocks.is_empty()).then(|| Run::of(best(&rated, &blocks)))?;
        let units = unit_starts(&section.text, &blocks);
        Some(Self { nr, section, blocks, rated, units, run, tokens: 0 })
    }

    /// Returns the best block, as long as the run has no other.
    fn seed(&self) -> Block {
        self.blocks[self.run.low]
    }

    /// Adds the neighbors of the run, best side first, while `add` accepts them and the run has at most `limit` tokens.
    fn grow(&mut self, limit: usize, mut add: impl FnMut(Span) -> Option<usize>) {
        let text = self.section.text.as_str();
        let Self { blocks, rated, units, tokens, .. } = self;
        self.run.grow(rated, units, |added| {
            let span = Span::new(blocks[added.start].span.start, blocks[added.end - 1].span.end);
            let is_within = tokens::count_to(span.of(text), limit.saturating_sub(*tokens)).is_some();
            let added = if is_within { add(span) } else { None };
            *tokens += added.unwrap_or_default();
            added.is_some()
        });
    }

    /// Returns the text of the run.
    fn span(&self) -> Span {
        Span::new(self.blocks[self.run.low].span.start, self.blocks[self.run.high - 1].span.end)
    }
}

/// Returns the best block of the best section, and the number of that section.
pub(super) fn best_block(sections: &[PassageSection], weights: &[f32]) -> Option<(usize, Block)> {
    let nr = *ranked(sections, weights).first()?;
    SectionRun::new(sections, nr, weights).map(|run| (nr, run.seed()))
}

/// Returns the numbers of the matching sections, best first.
pub(super) fn ranked(sections: &[PassageSection], weights: &[f32]) -> Vec<usize> {
    let has_scores = sections.iter().any(|section| section.score.is_some());
    let is_ranked =
        |section: &PassageSection| section.role == Role::Match && (section.score.is_some() || !has_scores);
    let mut ranked: Vec<usize> = (0..sections.len()).filter(|nr| is_ranked(&sections[*nr])).collect();
    // Pieces of one chunk have the same score.
    let rank = |nr: &usize| {
        let section = &sections[*nr];
        let inside = Span::new(section.heading, section.text.len());
        (section.score.unwrap_or_default(), score(section.matches_in(inside), weights, 0))
    };
    let ranks: HashMap<usize, (f32, f32)> = ranked.iter().map(|nr| (*nr, rank(nr))).collect();
    ranked.sort_by(|a, b| {
        let (a, b) = (ranks[a], ranks[b]);
        b.0.total_cmp(&a.0).then_with(|| b.1.total_cmp(&a.1))
    });
    ranked
}

impl BlockOrder {
    /// Computes the order for sections, given the weight of each query term. Stops at `max_tokens`.
    pub(super) fn new(sections: &[PassageSection], weights: &[f32], max_tokens: usize) -> Self {
        let mut order = Self { additions: Vec::new(), seed_pieces: 0 };
        let ranked = ranked(sections, weights);
        let mut runs: Vec<SectionRun<'_>> =
            ranked.iter().filter_map(|nr| SectionRun::new(sections, *nr, weights)).collect();
        if let Some(best) = runs.first_mut()
            && !order.add_seed(best, weights, max_tokens)
        {
            return order;
        }
        // The best section isn't completed before the others begin, unless it is short.
        if let [best, others @ ..] = runs.as_mut_slice()
            && !others.is_empty()
        {
            let best_text = best.section.shown().of(&best.section.text);
            let is_short = tokens::count_to(best_text, SHORT_SECTION_TOKENS).is_some();
            order.grow(best, if is_short { usize::MAX } else { FIRST_RUN_TOKENS }, max_tokens);
            for limit in OTHER_RUN_TOKENS {
                others.iter_mut().for_each(|other| order.extend_run(other, limit, max_tokens));
            }
        }
        for run in runs.iter_mut().filter(|run| run.tokens > 0) {
            order.grow(run, usize::MAX, max_tokens);
            order.add_part(run, weights, max_tokens);
        }
        // Sections that don't match are shown as context, or if there is no token limit.
        let is_shown = |nr: &usize| max_tokens == usize::MAX || sections[*nr].role == Role::Context;
        let has_run = |nr: &usize| runs.iter().any(|run| run.nr == *nr && run.tokens > 0);
        let without_run =
            (0..sections.len()).filter(|nr| !has_run(nr) && (ranked.contains(nr) || is_shown(nr)));
        for nr in without_run {
            let span = sections[nr].shown();
            order.add(nr, span, span.of(&sections[nr].text), max_tokens);
        }
        order
    }

    /// Returns the tokens of all additions.
    fn total(&self) -> usize {
        self.additions.last().map_or(0, |last| last.total)
    }

    /// Adds text unless it exceeds `max_tokens`, and returns its tokens. The first addition is accepted whatever its
    /// length.
    fn add(&mut self, section: usize, span: Span, text: &str, max_tokens: usize) -> Option<usize> {
        let room =
            if self.additions.is_empty() { usize::MAX } else { max_tokens.saturating_sub(self.total()) };
        let tokens = tokens::count_to(text, room)?;
        self.additions.push(Addition { section, span, block: None, total: self.total() + tokens });
        Some(tokens)
    }

    /// Adds pieces of a block, the best one first, as many as fit. `above` is shown above the first. Returns true if all
    /// were added.
    fn add_pieces(
        &mut self,
        (nr, section): (usize, &PassageSection),
        (block, pieces): (Block, &[Span]),
        above: &str,
        weights: &[f32],
        max_tokens: usize,
    ) -> bool {
        let text = section.text.as_str();
        let rated: Vec<f32> =
            pieces.iter().map(|piece| score(section.matches_in(*piece), weights, piece.len())).collect();
        // A table row is shown with the header of its table. A part of a long header says less than a row.
        let header = block.header(text);
        let rows = pieces.partition_point(|piece| piece.start < block.body_start(text));
        let is_row_first = header.is_none() && rated[..rows].iter().all(|rate| *rate <= 0.0);
        let skipped = if is_row_first && rows < pieces.len() { rows } else { 0 };
        let first = skipped + best_of(&rated[skipped..]);
        let header = header.filter(|header| header.end <= pieces[first].start);
        let above = above.to_owned() + header.unwrap_or_default().of(text);
        let known = self.additions.len();
        let Some(_) = self.add(nr, pieces[first], &(above + pieces[first].of(text)), max_tokens) else {
            return false;
        };
        let mut run = Run::of(first);
        let units: Vec<usize> = (0..pieces.len()).collect();
        run.grow(&rated, &units, |Range { start, .. }| {
            self.add(nr, pieces[start], pieces[start].of(text), max_tokens).is_some()
        });
        let is_piece = pieces.len() > 1;
        self.additions[known..].iter_mut().for_each(|added| added.block = is_piece.then_some(block));
        run.low == 0 && run.high == pieces.len()
    }

    /// Adds the best block of the best section, in pieces if it has many tokens. Returns true if all of it was added.
    fn add_seed(&mut self, best: &mut SectionRun<'_>, weights: &[f32], max_tokens: usize) -> bool {
        let text = best.section.text.as_str();
        let seed = best.seed();
        let pieces = match tokens::count_to(seed.span.of(text), MAX_BLOCK_TOKENS) {
            Some(_) => vec![seed.span],
            None => seed.pieces(text),
        };
        self.seed_pieces = pieces.len();
        let heading = Span::new(0, best.section.heading).of(text);
        let block = (seed, pieces.as_slice());
        let is_whole = self.add_pieces((best.nr, best.section), block, heading, weights, max_tokens);
        best.tokens = self.total();
        is_whole
    }

    /// Adds a part of the block at which a run ends, if it is too large to be shown as a whole, and what announces it.
    fn add_part(&mut self, run: &SectionRun<'_>, weights: &[f32], max_tokens: usize) {
        let (nr, section, blocks) = (run.nr, run.section, run.blocks.as_slice());
        let text = section.text.as_str();
        let is_large = |block: &Block| tokens::count_to(block.span.of(text), max_tokens / 2).is_none();
        let Run { low, high } = run.run;
        let unit_end = high + run.units[high..].iter().take_while(|start| **start == run.units[high]).count();
        let below = (high..unit_end).find(|nr| is_large(&blocks[*nr]));
        let above = low.checked_sub(1).filter(|nr| is_large(&blocks[*nr]));
        let rated = |nr: &usize| run.rated[*nr];
        let Some(large) = [above, below].into_iter().flatten().max_by(|a, b| rated(a).total_cmp(&rated(b)))
        else {
            return;
        };
        let announcement = blocks[high.min(large)..large].iter().map(|block| block.span);
        let announcement = announcement.reduce(|all, span| Span::new(all.start, span.end));
        let room = max_tokens.saturating_sub(self.total() + MIN_PART_TOKENS);
        let has_room = tokens::count_to(announcement.unwrap_or_default().of(text), room).is_some();
        if room == 0 || !has_room {
            return;
        }
        let known = self.additions.len();
        if let Some(span) = announcement {
            self.add(nr, span, span.of(text), max_tokens);
        }
        let announced = self.additions.len();
        let block = blocks[large];
        self.add_pieces((nr, section), (block, &block.pieces(text)), "", weights, max_tokens);
        if self.additions.len() == announced {
            // An announcement is dropped if no part of what it announces fits.
            self.additions.truncate(known);
        }
    }

    /// Adds further blocks of a section until it has `limit` tokens.
    fn grow(&mut self, run: &mut SectionRun<'_>, limit: usize, max_tokens: usize) {
        let (nr, text) = (run.nr, run.section.text.as_str());
        run.grow(limit, |span| self.add(nr, span, span.of(text), max_tokens));
    }

    /// Gives the best run of a further section up to `limit` tokens.
    fn extend_run(&mut self, run: &mut SectionRun<'_>, limit: usize, max_tokens: usize) {
        match run.tokens {
            0 => self.add_run(run, limit, max_tokens),
            _ => self.grow(run, limit, max_tokens),
        }
    }

    /// Adds the best run of a further section, unless it exceeds `max_tokens`. It is added at once, because its parts
    /// alone would be shreds.
    fn add_run(&mut self, run: &mut SectionRun<'_>, limit: usize, max_tokens: usize) {
        let text = run.section.text.as_str();
        let heading = Span::new(0, run.section.heading);
        run.tokens = tokens::count(heading.of(text)) + tokens::count(run.seed().span.of(text));
        let room = max_tokens.saturating_sub(self.total()).min(limit);
        run.grow(room, |span| Some(tokens::count(span.of(text))));
        if run.tokens <= room {
            self.additions.push(Addition {
                section: run.nr,
                span: run.span(),
                block: None,
                total: self.total() + run.tokens,
            });
        } else {
            run.tokens = 0;
        }
    }
}

/// Consecutive items around a first one.
struct Run {
    low: usize,
    /// One past the last.
    high: usize,
}

impl Run {
    fn of(first: usize) -> Self {
        Self { low: first, high: first + 1 }
    }

    /// Calls `add` with the units next to the run, the better side first, until neither side accepts more. `units` has
    /// the first item of each item's unit. A unit that the run begins or ends inside of is completed first.
    fn grow(&mut self, rated: &[f32], units: &[usize], mut add: impl FnMut(Range<usize>) -> bool) {
        let (mut is_low_open, mut is_high_open) = (true, true);
        loop {
            is_low_open &= self.low > 0;
            is_high_open &= self.high < rated.len();
            let sum = |side: &mut dyn Iterator<Item = &f32>| {
                side.take(SIDE_ITEMS)
                    .fold((0.0, 1.0), |(sum, share), rate| (sum + share * rate, share * DISTANCE_DECAY))
                    .0
            };
            let is_low_better = || {
                let below = sum(&mut rated[..self.low].iter().rev());
                let above = sum(&mut rated[self.high..].iter());
                let ends_inside = is_high_open && units[self.high] == units[self.high - 1];
                units[self.low] < self.low || below > above && !ends_inside
            };
            match (is_low_open, is_high_open) {
                (false, false) => return,
                (true, is_high_open) if !is_high_open || is_low_better() => {
                    let start = units[self.low - 1];
                    is_low_open = add(start..self.low);
                    self.low = if is_low_open { start } else { self.low };
                }
                _ => {
                    let unit = units[self.high];
                    let end =
                        self.high + units[self.high..].iter().take_while(|start| **start == unit).count();
                    is_high_open = add(self.high..end);
                    self.high = if is_high_open { end } else { self.high };
                }
            }
        }
    }
}
