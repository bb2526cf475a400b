//! Applies the activation function to whole layers.

use fearless_simd::{Level, dispatch};

use super::scalar::gelu;

/// Replaces each value by its GELU.
pub(crate) fn gelu_all(level: Level, values: &mut [f32]) {
    dispatch!(level, _simd => gelu_each(values));
}

#[inline(always)]
fn gelu_each(values: &mut [f32]) {
    for value in values {
        *value = gelu(*value);
    }
}
