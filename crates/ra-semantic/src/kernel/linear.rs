//! Multiplies rows of 16-bit values by a matrix of 4-bit weights.
//!
//! The matrix is stored in tiles of 16 rows by 32 columns. The lanes of a vector are rows of the matrix, so
//! nothing is added up across lanes. The sum of a tile is exact: 32 products below 2^18 fit into 24 bits.

use fearless_simd::{Level, Simd, SimdCvtFloat, dispatch, prelude::*};
use rayon::prelude::*;

use super::{
    half::{HALF_BYTES, halves},
    quantized_rows::{GROUP_COLUMNS, GROUP_PAIRS, QuantizedGroup, QuantizedRows},
};

/// Rows of a tile.
pub(crate) const TILE_ROWS: usize = 16;
const TILE_WEIGHT_BYTES: usize = TILE_ROWS * GROUP_PAIRS;
const TILE_BYTES: usize = TILE_WEIGHT_BYTES + TILE_ROWS * HALF_BYTES;
/// Input rows that share the loads of a tile: with two vectors of matrix rows, their sums take 12 of the 16
/// registers of x86-64.
const BLOCK_ROWS: usize = 6;

/// A thread multiplies at least this many bands of tiles. On two cores, a query of 11 tokens takes 3.4 ms instead of
/// 4.6.
const MIN_TASK_BANDS: usize = 6;

/// The products of 16 matrix rows with each input row.
type BandSums = Vec<[f32; TILE_ROWS]>;

/// A matrix of 4-bit weights, with a bias for each row.
#[derive(Clone, Copy)]
pub(crate) struct Linear {
    rows: usize,
    columns: usize,
    tiles: &'static [u8],
    bias: Option<&'static [u8]>,
}

/// An unpacked tile: for each pair of columns the two weights of each row, as 16-bit halves of a `u32`.
struct Tile {
    pairs: [[u32; TILE_ROWS]; GROUP_PAIRS],
    scales: [f32; TILE_ROWS],
}

impl Linear {
    /// Wraps a matrix of the model. `bias` has `f16` numbers.
    pub(crate) fn new(
        rows: usize,
        columns: usize,
        tiles: &'static [u8],
        bias: Option<&'static [u8]>,
    ) -> Self {
        Self { rows, columns, tiles, bias }
    }

    /// Returns the size of the tiles of a matrix.
    pub(crate) const fn tile_bytes(rows: usize, columns: usize) -> usize {
        rows / TILE_ROWS * (columns / GROUP_COLUMNS) * TILE_BYTES
    }

    /// Multiplies each row of `values` by the matrix and adds the bias.
    pub(crate) fn apply(&self, level: Level, values: &[f32]) -> Vec<f32> {
        let [output] = Self::apply_all([self], level, &QuantizedRows::new(level, values, self.columns));
        output
    }

    /// Multiplies each row of `input` by matrices of the same number of columns and adds their biases, on all cores.
    pub(crate) fn apply_all<const N: usize>(
        matrices: [&Self; N],
        level: Level,
        input: &QuantizedRows,
    ) -> [Vec<f32>; N] {
        let bands: Vec<&[u8]> = matrices.iter().flat_map(|matrix| matrix.bands()).collect();
        let sums: Vec<BandSums> = bands
            .into_par_iter()
            .with_min_len(MIN_TASK_BANDS)
            .map(|tiles| dispatch!(level, simd => multiply_band(simd, tiles, input)))
            .collect();
        let mut sums = sums.iter();
        matrices.map(|matrix| {
            let mut output = vec![0.0; input.scales().len() * matrix.rows];
            for (first, sums) in (0..matrix.rows).step_by(TILE_ROWS).zip(&mut sums) {
                matrix.write_band(first, input, sums, &mut output);
            }
            output
        })
    }

    /// Returns the tiles of each 16 rows.
    fn bands(&self) -> impl Iterator<Item = &'static [u8]> {
        self.tiles.chunks_exact(self.columns / GROUP_COLUMNS * TILE_BYTES)
    }

    /// Scales the sums of 16 matrix rows and adds the bias.
    fn write_band(&self, first: usize, input: &QuantizedRows, sums: &[[f32; TILE_ROWS]], output: &mut [f32]) {
        let bias = self.bias.map_or([0.0; TILE_ROWS], |bias| halves(&bias[first * HALF_BYTES..]));
        let rows = output.chunks_exact_mut(self.rows).zip(sums).zip(input.scales());
        for ((output, sums), &scale) in rows {
            for ((output, &sum), &bias) in output[first..].iter_mut().zip(sums).zip(&bias) {
                *output = sum * scale + bias;
            }
        }
    }
}

impl Tile {
    #[inline(always)]
    fn unpack(bytes: &[u8; TILE_BYTES]) -> Self {
        let (weights, scales) = bytes.split_at(TILE_WEIGHT_BYTES);
        let mut pairs = [[0; TILE_ROWS]; GROUP_PAIRS];
        for (pair, bytes) in pairs.iter_mut().zip(weights.as_chunks::<TILE_ROWS>().0) {
            for (weights, &byte) in pair.iter_mut().zip(bytes) {
                *weights = (u32::from(byte) | u32::from(byte) << 12) & 0x000f_000f;
            }
        }
        Self { pairs, scales: halves(scales) }
    }
}

#[inline(always)]
fn multiply_band<S: Simd>(simd: S, tiles: &[u8], input: &QuantizedRows) -> BandSums {
    let mut sums = vec![[0.0; TILE_ROWS]; input.scales().len()];
    for (tile, group) in tiles.as_chunks::<TILE_BYTES>().0.iter().zip(input.groups()) {
        add_tile(simd, &Tile::unpack(tile), group, &mut sums);
    }
    sums
}

/// Adds the products of one tile to the sums of all input rows.
#[inline(always)]
fn add_tile<S: Simd>(simd: S, tile: &Tile, group: &QuantizedGroup, sums: &mut [[f32; TILE_ROWS]]) {
    let rest = add_blocks::<S, BLOCK_ROWS>(simd, tile, (&group.pairs, &group.corrections), sums);
    let rest = add_blocks::<S, 3>(simd, tile, rest.0, rest.1);
    add_blocks::<S, 1>(simd, tile, rest.0, rest.1);
}

/// Values of several input rows, and their corrections.
type InputRows<'a> = (&'a [[u32; GROUP_PAIRS]], &'a [i32]);

/// Handles `T` input rows at a time and returns the rows that are left.
#[inline(always)]
fn add_blocks<'i, 's, S: Simd, const T: usize>(
    simd: S,
    tile: &Tile,
    (pairs, corrections): InputRows<'i>,
    sums: &'s mut [[f32; TILE_ROWS]],
) -> (InputRows<'i>, &'s mut [[f32; TILE_ROWS]]) {
    let (pairs, pairs_rest) = pairs.as_chunks::<T>();
    let (corrections, corrections_rest) = corrections.as_chunks::<T>();
    let (sums, sums_rest) = sums.as_chunks_mut::<T>();
    for ((pairs, corrections), sums) in pairs.iter().zip(corrections).zip(sums) {
        if S::i32s::LEN == TILE_ROWS {
            add_lanes::<S, T, 1>(simd, tile, 0, (pairs, corrections), sums);
        } else {
            for first in (0..TILE_ROWS).step_by(2 * S::i32s::LEN) {
                add_lanes::<S, T, 2>(simd, tile, first, (pairs, corrections), sums);
            }
        }
    }
    ((pairs_rest, corrections_rest), sums_rest)
}

/// Handles `V` vectors of tile rows, from `first` on, and `T` input rows at once.
#[inline(always)]
fn add_lanes<S: Simd, const T: usize, const V: usize>(
    simd: S,
    tile: &Tile,
    first: usize,
    (values, corrections): (&[[u32; GROUP_PAIRS]; T], &[i32; T]),
    sums: &mut [[f32; TILE_ROWS]; T],
) {
    let mut products = [[S::i32s::splat(simd, 0); V]; T];
    for (products, &correction) in products.iter_mut().zip(corrections) {
        *products = [S::i32s::splat(simd, correction); V];
    }
    for (pair, weights) in tile.pairs.iter().enumerate() {
        for (products, values) in products.iter_mut().zip(values) {
            let values: S::i16s = S::u32s::splat(simd, values[pair]).bitcast();
            for (v, product) in products.iter_mut().enumerate() {
                let weights = &weights[first + v * S::u32s::LEN..][..S::u32s::LEN];
                let weights: S::i16s = S::u32s::from_slice(simd, weights).bitcast();
                *product += weights.pairwise_dot_product(values);
            }
        }
    }
    for (products, sums) in products.iter().zip(sums) {
        for (v, &product) in products.iter().enumerate() {
            let lanes = first + v * S::f32s::LEN..first + (v + 1) * S::f32s::LEN;
            let scales = S::f32s::from_slice(simd, &tile.scales[lanes.clone()]);
            let sum = S::f32s::from_slice(simd, &sums[lanes.clone()]);
            (sum + S::f32s::float_from(product) * scales).store_slice(&mut sums[lanes]);
        }
    }
}
