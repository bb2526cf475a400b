//! The order in which the text of a result is shown. Whatever the room, what is shown is a beginning of this order, so more
//! room never takes away what less room has shown.
//!
//! It begins with the best block of the best section, goes on with the blocks next to it until the section is whole, and
//! then takes the other matching sections, the best first. A block that has many tokens is taken piece by piece, because it
//! may be larger than the room.

use std::collections::HashMap;

use super::passage::{PassageSection, Role};
use crate::document::{Block, BlockKind};
use crate::index::Match;
use crate::text::Span;
use crate::tokens;

/// A block with more tokens than this is taken piece by piece.
const MAX_BLOCK_TOKENS: usize = 30;

/// A block is better by this part of the scores of its two neighbours.
const NEIGHBOUR: f32 = 0.3;
/// A side is rated by its next blocks, each worth this part of the one before it.
const DISTANCE: f32 = 0.5;
const SIDE_BLOCKS: usize = 5;

/// Two terms are close when fewer bytes than this are between their matches.
const CLOSE_BYTES: usize = 40;
/// Two close terms add this part of the smaller of their weights.
const PROXIMITY_WEIGHT: f32 = 0.5;

/// The first paragraph says what a section is about.
const OPENING: f32 = 1.25;
/// It defines what the heading names, so it is worth more when the heading has every term of the query.
const DEFINITION: f32 = 2.0;

/// Metadata, raw HTML, macros and link definitions repeat what the text says better.
const MARKUP: f32 = 0.2;

/// The order in which the text of a result is shown.
#[derive(Debug)]
pub(super) struct BlockOrder {
    pub(super) additions: Vec<Addition>,
    /// The best block, and how many of the first additions are pieces of it.
    pub(super) seed: Block,
    pub(super) seed_pieces: usize,
}

/// Text that is shown next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addition {
    /// The number of the section.
    pub(super) section: usize,
    pub(super) span: Span,
    /// The tokens of everything up to here, headings included.
    pub(super) total: usize,
}

/// The best block of a result.
pub(super) struct Seed {
    /// The number of its section.
    pub(super) section: usize,
    /// The blocks of that section, and how well each matches.
    blocks: Vec<Block>,
    rated: Vec<f32>,
    /// Its number among the blocks.
    at: usize,
}

impl Seed {
    /// The best block of the best section that matches; none when that has no block.
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

/// The numbers of the sections that match, the best first.
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
    /// The order for sections in which the terms of the query have these weights. At most `max_tokens` are shown.
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
        // Sections that don't match are shown around those that do, or where the whole result is.
        let is_shown = |nr: &usize| max_tokens == usize::MAX || sections[*nr].role == Role::Context;
        let unranked = (0..sections.len()).filter(|nr| !ranked.contains(nr) && is_shown(nr));
        let begun = growth.additions.first().map(|first| first.section);
        for nr in ranked.iter().copied().chain(unranked).filter(|nr| Some(*nr) != begun) {
            let text = &sections[nr].text;
            growth.add(nr, Span::new(0, text.len()), text, max_tokens);
        }
        growth
    }

    /// Adds text unless that would be too much. The first is added however long it is.
    fn add(&mut self, section: usize, span: Span, text: &str, max_tokens: usize) -> bool {
        let before = self.additions.last().map_or(0, |last| last.total);
        let room = if self.additions.is_empty() { usize::MAX } else { max_tokens.saturating_sub(before) };
        let Some(tokens) = tokens::count_to(text, room) else { return false };
        self.additions.push(Addition { section, span, total: before + tokens });
        true
    }

    /// Adds the blocks of a section, from the best one outwards. True when all of it was added.
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
            // The first is shown below the heading, and a row below the header of its table.
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

/// Calls `add` with the first number and then with those next to what has been added, the better side first, until neither
/// side takes more. Something that introduces what is after it goes before everything else.
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

/// How well a block matches.
fn rate(section: &PassageSection, block: &Block, weights: &[f32]) -> f32 {
    let text = block.span.of(&section.text).trim();
    let is_macro = text.starts_with("{{") && text.ends_with("}}") && !text.contains('\n');
    let is_link =
        text.starts_with('[') && text.lines().all(|line| line.trim().is_empty() || line.contains("]: "));
    let is_markup = matches!(block.kind, BlockKind::FrontMatter | BlockKind::Html) || is_macro || is_link;
    let factor = if is_markup { MARKUP } else { 1.0 };
    factor * score(section.matches_in(block.span), weights, block.span.len())
}

/// How much matches in a text of so many bytes say: each term by its weight, terms that are close to each other more, and
/// all of them less in a long text.
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

/// The best block, which good neighbours make better. Without any match the first that is neither metadata nor a heading.
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

/// The first of the largest.
fn best_of(rated: &[f32]) -> usize {
    (0..rated.len()).rev().max_by(|a, b| rated[*a].total_cmp(&rated[*b])).unwrap_or_default()
}
