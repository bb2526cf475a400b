//! Rates blocks by the matches in them.

use super::passage_section::PassageSection;
use crate::document::{Block, BlockKind};
use crate::index::Match;

/// The share of the scores of its two neighbors that is added to the score of a block.
const NEIGHBOR_SHARE: f32 = 0.3;
/// Two terms are close if their matches are fewer than this many bytes apart.
const CLOSE_BYTES: usize = 40;
/// Two close terms add this share of the smaller of their weights.
const PROXIMITY_WEIGHT: f32 = 0.5;

/// Boost of the first paragraph, which says what a section is about.
const OPENING_BOOST: f32 = 1.25;
/// Boost of the first paragraph if the heading has every query term: the paragraph then defines what the
/// heading names.
const DEFINITION_BOOST: f32 = 2.0;

/// Factor for markup, which repeats what the text says better.
const MARKUP_FACTOR: f32 = 0.2;

/// Returns the rating of each block of a section.
pub(super) fn rate_blocks(section: &PassageSection, blocks: &[Block], weights: &[f32]) -> Vec<f32> {
    let is_prose = |block: &Block| block.kind == BlockKind::Paragraph && !is_markup(section, block);
    let first = blocks.iter().position(is_prose);
    let is_named = section.has_terms_in_heading(weights.len());
    let rate = |(nr, block): (usize, &Block)| {
        let opening = match Some(nr) == first {
            true if is_named => DEFINITION_BOOST,
            true => OPENING_BOOST,
            false => 1.0,
        };
        opening * rate(section, block, weights)
    };
    blocks.iter().enumerate().map(rate).collect()
}

/// True for raw HTML, macros and link definitions.
fn is_markup(section: &PassageSection, block: &Block) -> bool {
    let text = block.span.of(&section.text).trim();
    let is_macro = text.starts_with("{{") && text.ends_with("}}") && !text.contains('\n');
    let is_link =
        text.starts_with('[') && text.lines().all(|line| line.trim().is_empty() || line.contains("]: "));
    block.kind == BlockKind::Html || is_macro || is_link
}

/// Rates how well a block matches.
fn rate(section: &PassageSection, block: &Block, weights: &[f32]) -> f32 {
    let factor = if is_markup(section, block) { MARKUP_FACTOR } else { 1.0 };
    factor * score(section.matches_in(block.span), weights, block.span.len())
}

/// Rates the matches in a text of `bytes` bytes: each term counts by its weight, terms close to each other
/// count more, and a long text lowers the score.
pub(super) fn score(matches: &[Match], weights: &[f32], bytes: usize) -> f32 {
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
/// first block that isn't a heading.
pub(super) fn best(rated: &[f32], blocks: &[Block]) -> usize {
    if rated.iter().all(|rate| *rate <= 0.0) {
        return blocks.iter().position(|block| block.kind != BlockKind::Heading).unwrap_or_default();
    }
    let at = |nr: Option<usize>| nr.and_then(|nr| rated.get(nr)).copied().unwrap_or_default();
    let smooth: Vec<f32> = (0..rated.len())
        .map(|nr| match rated[nr] {
            rate if rate > 0.0 => rate + NEIGHBOR_SHARE * (at(nr.checked_sub(1)) + at(Some(nr + 1))),
            _ => 0.0,
        })
        .collect();
    best_of(&smooth)
}

/// Returns the first position of the largest value.
pub(super) fn best_of(rated: &[f32]) -> usize {
    (0..rated.len()).rev().max_by(|a, b| rated[*a].total_cmp(&rated[*b])).unwrap_or_default()
}
