//! The order in which the text of a result is shown. Any token budget shows a prefix of this order, so a
//! larger budget never hides text that a smaller one shows.
//!
//! The order starts with the best block of the best section, continues with adjacent blocks until the section
//! is complete, and then takes the other matching sections, best first. A block with many tokens is split
//! into pieces because it may exceed the budget.

use std::collections::HashMap;

use super::passage::{PassageSection, Role};
use crate::document::{Block, BlockKind};
use crate::index::Match;
use crate::text::Span;
use crate::tokens;

/// A block with more tokens is added piece by piece.
const MAX_BLOCK_TOKENS: usize = 30;

/// The share of the scores of its two neighbors that is added to the score of a block.
const NEIGHBOUR: f32 = 0.3;
/// A side is rated by its next blocks, each worth this share of the one before it.
const DISTANCE: f32 = 0.5;
const SIDE_BLOCKS: usize = 5;

/// Two terms are close if their matches are fewer than this many bytes apart.
const CLOSE_BYTES: usize = 40;
/// Two close terms add this share of the smaller of their weights.
const PROXIMITY_WEIGHT: f32 = 0.5;

/// Boost of the first paragraph, which says what a section is about.
const OPENING: f32 = 1.25;
/// Boost of the first paragraph if the heading has every query term: the paragraph then defines what the
/// heading names.
const DEFINITION: f32 = 2.0;

/// Factor for metadata, raw HTML, macros and link definitions, which repeat what the text says better.
const MARKUP: f32 = 0.2;

/// The order in which the text of a result is shown.
#[derive(Debug)]
pub(super) struct BlockOrder {
    pub(super) additions: Vec<Addition>,
    /// The best block, and how many of the first additions are pieces of it.
    pub(super) seed: Block,
    pub(super) seed_pieces: usize,
}

/// The next piece of text to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addition {
    /// The number of the section.
    pub(super) section: usize,
    pub(super) span: Span,
    /// The tokens of everything up to and including this addition, with headings.
    pub(super) total: usize,
}

/// The best block of a result.
pub(super) struct Seed {
    /// The number of its section.
    pub(super) section: usize,
    /// The blocks of that section, and the score of each.
    blocks: Vec<Block>,
    rated: Vec<f32>,
    /// The number of the best block in `blocks`.
    at: usize,
}

impl Seed {
    /// Finds the best block of the best matching section. Returns `None` if no section matches or it has no blocks.
    pub(super) fn new(sections: &[PassageSection], ranked: &[usize], weights: &[f32]) -> Option<Self> {
        let section = *ranked.first()?;
        let blocks = sections[section].blocks();
        let first = blocks.iter().position(|block| block.kind == BlockKind::Paragraph);
        let is_named = sections[section].has_terms_in_heading(weights.len());
        let rate = |(nr, block): (usize, &Block)| {
            let opening = match Some(nr) == first {
                true if is_named => DEFINITION,
                true => OPENING,
                false => 1.0,
            };
            opening * rate(&sections[section], block, weights)
        };
        let rated: Vec<f32> = blocks.iter().enumerate().map(rate).collect();
        (!blocks.is_empty()).then(|| Self { at: best(&rated, &blocks), section, blocks, rated })
    }

    pub(super) fn block(&self) -> Block {
        self.blocks[self.at]
    }
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
        let seed = Block { span: Span::default(), kind: BlockKind::Paragraph };
        let mut growth = Self { additions: Vec::new(), seed, seed_pieces: 0 };
        let ranked = ranked(sections, weights);
        let is_whole = match Seed::new(sections, &ranked, weights) {
            Some(seed) => growth.section(&sections[seed.section], &seed, weights, max_tokens),
            None => true,
        };
        if !is_whole {
            return growth;
        }
        // Sections that don't match are shown as context, or if there is no token limit.
        let is_shown = |nr: &usize| max_tokens == usize::MAX || sections[*nr].role == Role::Context;
        let unranked = (0..sections.len()).filter(|nr| !ranked.contains(nr) && is_shown(nr));
        let begun = growth.additions.first().map(|first| first.section);
        for nr in ranked.iter().copied().chain(unranked).filter(|nr| Some(*nr) != begun) {
            let text = &sections[nr].text;
            growth.add(nr, Span::new(0, text.len()), text, max_tokens);
        }
        growth
    }

    /// Adds text unless it exceeds `max_tokens`. The first addition is accepted whatever its length.
    fn add(&mut self, section: usize, span: Span, text: &str, max_tokens: usize) -> bool {
        let before = self.additions.last().map_or(0, |last| last.total);
        let room = if self.additions.is_empty() { usize::MAX } else { max_tokens.saturating_sub(before) };
        let Some(tokens) = tokens::count_to(text, room) else { return false };
        self.additions.push(Addition { section, span, total: before + tokens });
        true
    }

    /// Adds the blocks of a section, from the best one outwards. Returns true if all of them were added.
    fn section(&mut self, section: &PassageSection, best: &Seed, weights: &[f32], max_tokens: usize) -> bool {
        let text = &section.text;
        let Seed { section: nr, blocks, rated, at: seed } = best;
        let (nr, seed) = (*nr, *seed);
        self.seed = blocks[seed];
        let pieces = match tokens::count_to(self.seed.span.of(text), MAX_BLOCK_TOKENS) {
            Some(_) => vec![self.seed.span],
            None => self.seed.pieces(text),
        };
        self.seed_pieces = pieces.len();
        let rated_pieces: Vec<f32> =
            pieces.iter().map(|piece| score(section.matches_in(*piece), weights, piece.len())).collect();
        let first = best_of(&rated_pieces);
        let head = [Span::new(0, section.heading), self.seed.header(text).unwrap_or_default()];
        let mut complete = true;
        outwards(&rated_pieces, first, &|_| false, |at| {
            let piece = pieces[at];
            // The first piece is shown with the heading, and a table row with the header of its table.
            let added = if at == first {
                let above: String = head.iter().map(|span| span.of(text)).collect();
                self.add(nr, piece, &(above + piece.of(text)), max_tokens)
            } else {
                self.add(nr, piece, piece.of(text), max_tokens)
            };
            complete &= added;
            added
        });
        if !complete {
            return false;
        }
        let introduces = |at: usize| {
            let is_introduction = matches!(blocks[at].kind, BlockKind::Paragraph | BlockKind::Heading);
            is_introduction
                && (blocks[at].kind == BlockKind::Heading
                    || blocks[at].span.of(text).trim_end().ends_with(':'))
        };
        outwards(rated, seed, &introduces, |at| {
            let added = at == seed || self.add(nr, blocks[at].span, blocks[at].span.of(text), max_tokens);
            complete &= added;
            added
        });
        complete
    }
}

/// Calls `add` with the first number and then with the neighbors of what has been added, the better side
/// first, until neither side accepts more. A block that introduces the one after it is added before anything
/// else.
fn outwards(
    rated: &[f32],
    first: usize,
    introduces: &dyn Fn(usize) -> bool,
    mut add: impl FnMut(usize) -> bool,
) {
    if !add(first) {
        return;
    }
    let (mut low, mut high) = (first, first + 1);
    let (mut is_low_open, mut is_high_open) = (true, true);
    loop {
        is_low_open &= low > 0;
        is_high_open &= high < rated.len();
        let below =
            || rated[..low].iter().rev().take(SIDE_BLOCKS).rev().fold(0.0, |sum, rate| sum * DISTANCE + rate);
        let above =
            || rated[high..].iter().take(SIDE_BLOCKS).rev().fold(0.0, |sum, rate| sum * DISTANCE + rate);
        match (is_low_open, is_high_open) {
            (false, false) => return,
            (true, is_high_open) if !is_high_open || introduces(low - 1) || below() > above() => {
                is_low_open = add(low - 1);
                low -= usize::from(is_low_open);
            }
            _ => {
                is_high_open = add(high);
                high += usize::from(is_high_open);
            }
        }
    }
}

/// Rates how well a block matches.
fn rate(section: &PassageSection, block: &Block, weights: &[f32]) -> f32 {
    let text = block.span.of(&section.text).trim();
    let is_macro = text.starts_with("{{") && text.ends_with("}}") && !text.contains('\n');
    let is_link =
        text.starts_with('[') && text.lines().all(|line| line.trim().is_empty() || line.contains("]: "));
    let is_markup = matches!(block.kind, BlockKind::FrontMatter | BlockKind::Html) || is_macro || is_link;
    let factor = if is_markup { MARKUP } else { 1.0 };
    factor * score(section.matches_in(block.span), weights, block.span.len())
}

/// Rates the matches in a text of `bytes` bytes: each term counts by its weight, terms close to each other
/// count more, and a long text lowers the score.
fn score(matches: &[Match], weights: &[f32], bytes: usize) -> f32 {
    let weight = |found: &Match| weights.get(usize::from(found.term)).copied().unwrap_or(1.0);
    let mut counts: Vec<(u16, f32, u32)> = Vec::new();
    for found in matches {
        match counts.iter_mut().find(|(term, ..)| *term == found.term) {
            Some((_, _, count)) => *count += 1,
            None => counts.push((found.term, weight(found), 1)),
        }
    }
    let terms: f32 =
        counts.iter().map(|(_, weight, count)| weight * (1.5 * *count as f32 / (*count as f32 + 0.5))).sum();
    let mut close: Vec<(u16, u16, f32)> = Vec::new();
    for pair in matches.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let is_known = |(x, y, _): &(u16, u16, f32)| (*x, *y) == (a.term, b.term);
        if a.term != b.term && b.span.start < a.span.end + CLOSE_BYTES && !close.iter().any(is_known) {
            close.push((a.term, b.term, weight(&a).min(weight(&b))));
        }
    }
    let proximity: f32 = close.iter().map(|(_, _, weight)| PROXIMITY_WEIGHT * weight).sum();
    (terms + proximity) / (0.8 + 0.2 * bytes as f32 / 500.0)
}

/// Returns the number of the best block, where good neighbors raise the score. Without any match, returns the
/// first block that is neither metadata nor a heading.
fn best(rated: &[f32], blocks: &[Block]) -> usize {
    if rated.iter().all(|rate| *rate <= 0.0) {
        let is_text = |block: &Block| !matches!(block.kind, BlockKind::FrontMatter | BlockKind::Heading);
        return blocks.iter().position(is_text).unwrap_or_default();
    }
    let at = |nr: Option<usize>| nr.and_then(|nr| rated.get(nr)).copied().unwrap_or_default();
    let smooth: Vec<f32> = (0..rated.len())
        .map(|nr| match rated[nr] {
            rate if rate > 0.0 => rate + NEIGHBOUR * (at(nr.checked_sub(1)) + at(Some(nr + 1))),
            _ => 0.0,
        })
        .collect();
    best_of(&smooth)
}

/// Returns the first position of the largest value.
fn best_of(rated: &[f32]) -> usize {
    (0..rated.len()).rev().max_by(|a, b| rated[*a].total_cmp(&rated[*b])).unwrap_or_default()
}
