//! Rounds the input of a linear layer to 16 bits per value.

use fearless_simd::{Level, dispatch};

use super::scalar::round_to_i32;

/// Columns that share one weight scale.
pub(crate) const GROUP_COLUMNS: usize = 32;
/// Column pairs of a group: a pair is one `u32` here and one byte of 4-bit weights in the model.
pub(crate) const GROUP_PAIRS: usize = GROUP_COLUMNS / 2;

/// 4-bit weights are stored plus this.
const WEIGHT_BIAS: i32 = 8;
const MAX_VALUE: f32 = 32_767.0;
const MIN_MAGNITUDE: f32 = 1e-30;

/// Rows of 16-bit values with one scale for each row.
pub(crate) struct QuantizedRows {
    scales: Vec<f32>,
    /// For each group of columns, all rows.
    groups: Vec<QuantizedGroup>,
}

/// The same 32 columns of all rows.
pub(crate) struct QuantizedGroup {
    /// For each row the values, two in each `u32`.
    pub(crate) pairs: Vec<[u32; GROUP_PAIRS]>,
    /// For each row the sum of the values, times minus the bias of the stored weights.
    pub(crate) corrections: Vec<i32>,
}

impl QuantizedRows {
    /// Rounds rows of `columns` values.
    pub(crate) fn new(level: Level, values: &[f32], columns: usize) -> Self {
        let rows = values.len() / columns;
        let groups = (0..columns / GROUP_COLUMNS).map(|_| QuantizedGroup::with_capacity(rows)).collect();
        let mut quantized = Self { scales: Vec::with_capacity(rows), groups };
        dispatch!(level, _simd => values.chunks_exact(columns).for_each(|row| quantized.push_row(row)));
        quantized
    }

    /// Returns for each row the factor that turns its integers back into values.
    pub(crate) fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// Returns the groups of columns.
    pub(crate) fn groups(&self) -> &[QuantizedGroup] {
        &self.groups
    }

    #[inline(always)]
    fn push_row(&mut self, row: &[f32]) {
        let largest = largest_magnitude(row);
        let factor = MAX_VALUE / largest;
        self.scales.push(largest / MAX_VALUE);
        for (values, group) in row.as_chunks::<GROUP_COLUMNS>().0.iter().zip(&mut self.groups) {
            group.push(values, factor);
        }
    }
}

impl QuantizedGroup {
    fn with_capacity(rows: usize) -> Self {
        Self { pairs: Vec::with_capacity(rows), corrections: Vec::with_capacity(rows) }
    }

    #[inline(always)]
    fn push(&mut self, values: &[f32; GROUP_COLUMNS], factor: f32) {
        let mut rounded = [0; GROUP_COLUMNS];
        for (rounded, &value) in rounded.iter_mut().zip(values) {
            *rounded = round_to_i32(value * factor);
        }
        let mut pairs = [0; GROUP_PAIRS];
        for (pair, values) in pairs.iter_mut().zip(rounded.as_chunks::<2>().0) {
            *pair = (values[0] & 0xffff | values[1] << 16) as u32;
        }
        self.pairs.push(pairs);
        self.corrections.push(-WEIGHT_BIAS * rounded.iter().sum::<i32>());
    }
}

#[inline(always)]
fn largest_magnitude(row: &[f32]) -> f32 {
    let mut largest = [MIN_MAGNITUDE; GROUP_COLUMNS];
    for chunk in row.as_chunks::<GROUP_COLUMNS>().0 {
        for (largest, value) in largest.iter_mut().zip(chunk) {
            *largest = if value.abs() > *largest { value.abs() } else { *largest };
        }
    }
    largest.into_iter().fold(MIN_MAGNITUDE, f32::max)
}
