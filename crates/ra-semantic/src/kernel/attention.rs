//! Self-attention over at most 128 positions.

use fearless_simd::{Level, dispatch};

use super::{
    norm::{PARTIAL_SUMS, sum_by},
    scalar::exp_nonpositive,
};

/// Positions that the model has embeddings for.
pub(crate) const MAX_POSITIONS: usize = 128;
const HEAD_DIMENSIONS: usize = 32;
/// 1 / sqrt(32)
const SCORE_SCALE: f32 = 0.176_776_7;

/// One value for each position.
type Scores = [f32; MAX_POSITIONS];

/// Queries, keys and values: rows of `width` numbers, 32 for each head.
#[derive(Clone, Copy)]
pub(crate) struct AttentionInput<'a> {
    pub(crate) width: usize,
    pub(crate) queries: &'a [f32],
    pub(crate) keys: &'a [f32],
    pub(crate) values: &'a [f32],
}

/// Returns for each position and head the mean of the values, weighted by attention.
pub(crate) fn attend(level: Level, input: AttentionInput<'_>) -> Vec<f32> {
    let mut output = vec![0.0; input.queries.len()];
    dispatch!(level, _simd => {
        for first in (0..input.width).step_by(HEAD_DIMENSIONS) {
            attend_head(input, first, &mut output);
        }
    });
    output
}

/// Handles the head whose numbers begin at column `first`.
#[inline(always)]
fn attend_head(input: AttentionInput<'_>, first: usize, output: &mut [f32]) {
    let keys = transposed_keys(input, first);
    let positions = input.queries.len() / input.width;
    let lanes = positions.next_multiple_of(PARTIAL_SUMS);
    for position in 0..positions {
        let columns = position * input.width + first..position * input.width + first + HEAD_DIMENSIONS;
        let mut scores = scores(&keys, &input.queries[columns.clone()], lanes);
        let total = softmax(&mut scores[..lanes], positions);
        let mean = weighted_values(input, first, &scores[..positions]).map(|sum| sum / total);
        output[columns].copy_from_slice(&mean);
    }
}

#[inline(always)]
fn transposed_keys(input: AttentionInput<'_>, first: usize) -> [Scores; HEAD_DIMENSIONS] {
    let mut keys = [[0.0; MAX_POSITIONS]; HEAD_DIMENSIONS];
    for (position, row) in input.keys.chunks_exact(input.width).enumerate() {
        for (key, &value) in keys.iter_mut().zip(&row[first..first + HEAD_DIMENSIONS]) {
            key[position] = value;
        }
    }
    keys
}

/// Computes the first `lanes` scores.
#[inline(always)]
fn scores(keys: &[Scores; HEAD_DIMENSIONS], query: &[f32], lanes: usize) -> Scores {
    let mut scores = [0.0; MAX_POSITIONS];
    for (key, &factor) in keys.iter().zip(query) {
        for (score, &key) in scores[..lanes].iter_mut().zip(&key[..lanes]) {
            *score += factor * key;
        }
    }
    scores
}

/// Turns scores into weights and returns their sum. Weights after `positions` are zero.
#[inline(always)]
fn softmax(scores: &mut [f32], positions: usize) -> f32 {
    let largest =
        scores[..positions].iter().fold(f32::MIN, |largest, &x| if x > largest { x } else { largest });
    for score in scores.iter_mut() {
        *score = exp_nonpositive((*score - largest).min(0.0) * SCORE_SCALE);
    }
    scores[positions..].fill(0.0);
    sum_by(scores, |x| x)
}

#[inline(always)]
fn weighted_values(input: AttentionInput<'_>, first: usize, weights: &[f32]) -> [f32; HEAD_DIMENSIONS] {
    let mut sums = [0.0; HEAD_DIMENSIONS];
    for (row, &weight) in input.values.chunks_exact(input.width).zip(weights) {
        for (sum, &value) in sums.iter_mut().zip(&row[first..first + HEAD_DIMENSIONS]) {
            *sum += weight * value;
        }
    }
    sums
}
