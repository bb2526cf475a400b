//! Sums, lengths and layer normalization. Sums use 16 partial sums in every instruction set, so the order of
//! additions is the same everywhere.

use fearless_simd::{Level, dispatch};

/// The number of values must be a multiple of this in every sum.
pub(crate) const PARTIAL_SUMS: usize = 16;
const LAYER_NORM_EPSILON: f32 = 1e-12;
const MIN_LENGTH: f32 = 1e-12;

/// Adds up values, each mapped by `map`.
#[inline(always)]
pub(crate) fn sum_by(values: &[f32], map: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0; PARTIAL_SUMS];
    for chunk in values.as_chunks::<PARTIAL_SUMS>().0 {
        for (sum, &value) in sums.iter_mut().zip(chunk) {
            *sum += map(value);
        }
    }
    fold_sums(sums)
}

/// Adds up partial sums: halves onto each other until one is left.
#[inline(always)]
pub(crate) fn fold_sums(mut sums: [f32; PARTIAL_SUMS]) -> f32 {
    let mut width = PARTIAL_SUMS / 2;
    while width > 0 {
        for at in 0..width {
            sums[at] += sums[at + width];
        }
        width /= 2;
    }
    sums[0]
}

/// Scales a vector to the given length. A zero vector stays zero.
pub(crate) fn set_length(values: &mut [f32], length: f32) {
    let factor = length / sum_by(values, |x| x * x).sqrt().max(MIN_LENGTH);
    for value in values {
        *value *= factor;
    }
}

/// Adds `added` to `values` and normalizes each row of `N` values.
pub(crate) fn add_and_normalize<const N: usize>(
    level: Level,
    values: &mut [f32],
    added: &[f32],
    weight: &[f32; N],
    bias: &[f32; N],
) {
    dispatch!(level, _simd => {
        for (row, added) in values.as_chunks_mut::<N>().0.iter_mut().zip(added.as_chunks::<N>().0) {
            for (value, &added) in row.iter_mut().zip(added) {
                *value += added;
            }
            normalize_row(row, weight, bias);
        }
    });
}

#[inline(always)]
fn normalize_row<const N: usize>(row: &mut [f32; N], weight: &[f32; N], bias: &[f32; N]) {
    let mean = sum_by(row, |x| x) / N as f32;
    let variance = sum_by(row, |x| (x - mean) * (x - mean)) / N as f32;
    let factor = 1.0 / (variance + LAYER_NORM_EPSILON).sqrt();
    for ((value, &weight), &bias) in row.iter_mut().zip(weight).zip(bias) {
        *value = (*value - mean) * factor * weight + bias;
    }
}
