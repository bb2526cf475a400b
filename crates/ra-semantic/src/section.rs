//! Encodes sections without a transformer: a weighted mean of token vectors, then a small MLP.

use std::sync::LazyLock;

use fearless_simd::{Level, Simd, dispatch, prelude::*};

use crate::{
    kernel::{
        half::{HALF_BYTES, half_to_f32, read_halves},
        norm::set_length,
        scalar::gelu,
    },
    model::SECTION_DIMENSIONS,
    tokenizer::token_ids,
};

/// A unit vector for a section, comparable with [`QueryVectors::section`](crate::QueryVectors::section).
pub type SectionVector = [f32; SECTION_DIMENSIONS];

const MLP_DIMENSIONS: usize = 512;
const MAX_TITLE_TOKENS: usize = 40;
const MAX_BODY_TOKENS: usize = 448;
/// A token of the title counts this many times.
const TITLE_WEIGHT: u16 = 2;
/// Length of the vector that enters the MLP.
const MLP_INPUT_LENGTH: f32 = 4.0;
/// Outputs computed together: their sums stay in registers.
const BAND_OUTPUTS: usize = 64;

/// The tokens of a passage and of the title of its section.
#[derive(Clone, Debug)]
pub struct PassageTokens(Vec<TokenCount>);

/// Encodes passages, each by itself. Several at once are faster than one after the other.
pub fn encode_passages<'a>(passages: impl IntoIterator<Item = &'a PassageTokens>) -> Vec<SectionVector> {
    encode_passages_with(Level::new(), passages)
}

pub(crate) fn encode_passages_with<'a>(
    level: Level,
    passages: impl IntoIterator<Item = &'a PassageTokens>,
) -> Vec<SectionVector> {
    dispatch!(level, simd => {
        let mut vectors = Vec::new();
        for PassageTokens(counts) in passages {
            let mut sums = [0.0; SECTION_DIMENSIONS];
            add_tokens(counts, &mut sums);
            set_length(&mut sums, MLP_INPUT_LENGTH);
            vectors.push(sums);
        }
        add_mlp(simd, &MLP, &mut vectors);
        vectors.iter_mut().for_each(|vector| set_length(vector, 1.0));
        vectors
    })
}

impl PassageTokens {
    /// Counts the tokens of the passages of a section. The first 40 of the title and 448 of a passage count.
    pub fn of_section<'a>(title: &str, passages: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let title = token_ids(title, MAX_TITLE_TOKENS);
        let counts = |passage| Self(TokenCount::all(&title, &token_ids(passage, MAX_BODY_TOKENS)));
        passages.into_iter().map(counts).collect()
    }
}

/// The occurrences of a token in title and body.
#[derive(Clone, Debug)]
struct TokenCount {
    id: u16,
    title: u16,
    body: u16,
}

impl TokenCount {
    /// Counts all tokens, in the order of their ids.
    fn all(title: &[u16], body: &[u16]) -> Vec<Self> {
        // One number sorts faster than a pair: the id, and whether it's in the body.
        let mut keys: Vec<u32> = title.iter().map(|&id| u32::from(id) << 1).collect();
        keys.extend(body.iter().map(|&id| u32::from(id) << 1 | 1));
        keys.sort_unstable();
        keys.chunk_by(|a, b| a >> 1 == b >> 1).map(Self::of_run).collect()
    }

    fn of_run(run: &[u32]) -> Self {
        let title = run.iter().filter(|key| **key & 1 == 0).count() as u16;
        Self { id: (run[0] >> 1) as u16, title, body: run.len() as u16 - title }
    }

    /// Returns the weight of all occurrences together: each has the inverse root of their number.
    fn weight(&self) -> f32 {
        f32::from(TITLE_WEIGHT * self.title + self.body) / f32::from(self.title + self.body).sqrt()
    }
}

/// Adds the weighted vectors of the tokens to `sums`. A mean isn't needed because the length is set afterwards.
#[inline(always)]
fn add_tokens(counts: &[TokenCount], sums: &mut SectionVector) {
    let table = ra_model_sections::TOKEN_TABLE.as_chunks::<SECTION_DIMENSIONS>().0;
    let scales = ra_model_sections::TOKEN_SCALES.as_chunks::<4>().0;
    for count in counts {
        let id = usize::from(count.id);
        let weight = count.weight() * f32::from_le_bytes(scales[id]);
        for (sum, &value) in sums.iter_mut().zip(&table[id]) {
            *sum += weight * f32::from(value as i8);
        }
    }
}

/// The MLP with weights as `f32`: 1 MB, unpacked before the first use.
struct Mlp {
    inner: Dense,
    outer: Dense,
}

/// A linear layer. The weights are in bands of 64 outputs; within a band, all outputs of an input are
/// neighbors.
struct Dense {
    weights: Vec<[f32; BAND_OUTPUTS]>,
    bias: Vec<f32>,
}

static MLP: LazyLock<Mlp> = LazyLock::new(|| {
    let inner_bytes = (SECTION_DIMENSIONS + 1) * MLP_DIMENSIONS * HALF_BYTES;
    let (inner, outer) = ra_model_sections::MLP.split_at(inner_bytes);
    Mlp { inner: Dense::new(inner, SECTION_DIMENSIONS), outer: Dense::new(outer, MLP_DIMENSIONS) }
});

impl Dense {
    /// Unpacks row-major `f16` weights, followed by the bias.
    fn new(bytes: &[u8], inputs: usize) -> Self {
        let outputs = bytes.len() / HALF_BYTES / (inputs + 1);
        let (weights, bias_bytes) = bytes.split_at(inputs * outputs * HALF_BYTES);
        let mut bias = vec![0.0; outputs];
        read_halves(bias_bytes, &mut bias);
        let bands = weights.chunks_exact(BAND_OUTPUTS * inputs * HALF_BYTES);
        Self { weights: bands.flat_map(|band| transposed_band(band, inputs)).collect(), bias }
    }

    /// Computes all outputs for each row of `inputs`. Four rows share each load of the weights; the last rows are
    /// computed one by one.
    #[inline(always)]
    fn apply<S: Simd, const I: usize, const O: usize>(&self, simd: S, inputs: &[[f32; I]]) -> Vec<[f32; O]> {
        let mut outputs = vec![[0.0; O]; inputs.len()];
        let (inputs, last_inputs) = inputs.as_chunks::<4>();
        let (blocks, last_outputs) = outputs.as_chunks_mut::<4>();
        for (inputs, outputs) in inputs.iter().zip(blocks) {
            self.apply_rows::<S, I, O, 4, 2>(simd, inputs, outputs);
        }
        for (input, output) in last_inputs.iter().zip(last_outputs) {
            self.apply_rows::<S, I, O, 1, 8>(simd, &[*input], std::array::from_mut(output));
        }
        outputs
    }

    /// Computes all outputs of `T` rows, `V` vectors at a time.
    #[inline(always)]
    fn apply_rows<S: Simd, const I: usize, const O: usize, const T: usize, const V: usize>(
        &self,
        simd: S,
        inputs: &[[f32; I]; T],
        outputs: &mut [[f32; O]; T],
    ) {
        for (band, (weights, bias)) in
            self.weights.as_chunks::<I>().0.iter().zip(self.bias.as_chunks::<BAND_OUTPUTS>().0).enumerate()
        {
            for first in (0..BAND_OUTPUTS).step_by(V * S::f32s::LEN) {
                let sums = multiply_band::<S, I, T, V>(simd, weights, inputs, bias, first);
                for (sums, output) in sums.iter().zip(outputs.iter_mut()) {
                    for (v, sum) in sums.iter().enumerate().take((BAND_OUTPUTS - first) / S::f32s::LEN) {
                        let at = band * BAND_OUTPUTS + first + v * S::f32s::LEN;
                        sum.store_slice(&mut output[at..][..S::f32s::LEN]);
                    }
                }
            }
        }
    }
}

fn transposed_band(band: &[u8], inputs: usize) -> Vec<[f32; BAND_OUTPUTS]> {
    let halves = band.as_chunks::<HALF_BYTES>().0;
    let weight =
        |input: usize, output: usize| half_to_f32(u16::from_le_bytes(halves[output * inputs + input]));
    (0..inputs).map(|input| std::array::from_fn(|output| weight(input, output))).collect()
}

/// Computes outputs of a band from `first` on: `V` vectors, or as many as are left, for each of `T` rows.
#[inline(always)]
fn multiply_band<S: Simd, const I: usize, const T: usize, const V: usize>(
    simd: S,
    weights: &[[f32; BAND_OUTPUTS]; I],
    inputs: &[[f32; I]; T],
    bias: &[f32; BAND_OUTPUTS],
    first: usize,
) -> [[S::f32s; V]; T] {
    let lanes = S::f32s::LEN;
    let vectors = ((BAND_OUTPUTS - first) / lanes).min(V);
    let mut sums = [[S::f32s::splat(simd, 0.0); V]; T];
    for sums in &mut sums {
        for v in 0..vectors {
            sums[v] = S::f32s::from_slice(simd, &bias[first + v * lanes..][..lanes]);
        }
    }
    for (input, weights) in weights.iter().enumerate() {
        for v in 0..vectors {
            let weights = S::f32s::from_slice(simd, &weights[first + v * lanes..][..lanes]);
            for (sums, inputs) in sums.iter_mut().zip(inputs) {
                sums[v] += weights * S::f32s::splat(simd, inputs[input]);
            }
        }
    }
    sums
}

/// Adds the output of the MLP to its input.
#[inline(always)]
fn add_mlp<S: Simd>(simd: S, mlp: &Mlp, vectors: &mut [SectionVector]) {
    let mut hidden: Vec<[f32; MLP_DIMENSIONS]> = mlp.inner.apply(simd, vectors);
    for value in hidden.as_flattened_mut() {
        *value = gelu(*value);
    }
    let changes: Vec<SectionVector> = mlp.outer.apply(simd, &hidden);
    for (value, change) in vectors.as_flattened_mut().iter_mut().zip(changes.as_flattened()) {
        *value += change;
    }
}
