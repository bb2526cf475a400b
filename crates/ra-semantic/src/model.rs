//! Finds the tensors of the query encoder in the embedded bytes. Nothing is copied.

use std::sync::LazyLock;

use crate::kernel::{
    attention::MAX_POSITIONS,
    half::{HALF_BYTES, halves},
    linear::Linear,
    quantized_rows::GROUP_COLUMNS,
};

/// Dimensions of a page vector and of the hidden states of the query encoder.
pub const PAGE_DIMENSIONS: usize = 384;
/// Dimensions of a section vector.
pub const SECTION_DIMENSIONS: usize = 256;

const LAYERS: usize = 6;
const INTERMEDIATE_DIMENSIONS: usize = 1536;
const TOKEN_TYPES: usize = 2;
const WORD_WEIGHT_BYTES: usize = PAGE_DIMENSIONS / 2;
const WORD_ROW_BYTES: usize = WORD_WEIGHT_BYTES + PAGE_DIMENSIONS / GROUP_COLUMNS * HALF_BYTES;

/// One value for each hidden dimension.
pub(crate) type Hidden = [f32; PAGE_DIMENSIONS];

/// Weight and bias of a layer normalization, as `f16`.
#[derive(Clone, Copy)]
pub(crate) struct LayerNorm {
    weight: &'static [u8],
    bias: &'static [u8],
}

/// A transformer layer.
pub(crate) struct Layer {
    pub(crate) query: Linear,
    pub(crate) key: Linear,
    pub(crate) value: Linear,
    pub(crate) attention_output: Linear,
    pub(crate) attention_norm: LayerNorm,
    pub(crate) intermediate: Linear,
    pub(crate) output: Linear,
    pub(crate) output_norm: LayerNorm,
}

/// The query encoder.
pub(crate) struct QueryModel {
    positions: &'static [u8],
    token_type: &'static [u8],
    pub(crate) embedding_norm: LayerNorm,
    pub(crate) layers: [Layer; LAYERS],
    pub(crate) projection: Linear,
}

static QUERY_MODEL: LazyLock<QueryModel> =
    LazyLock::new(|| TensorReader(ra_model_query_layers::LAYERS).model());

/// Returns the query encoder.
pub(crate) fn query_model() -> &'static QueryModel {
    &QUERY_MODEL
}

impl LayerNorm {
    /// Returns weight and bias.
    pub(crate) fn parameters(&self) -> (Hidden, Hidden) {
        (halves(self.weight), halves(self.bias))
    }
}

impl QueryModel {
    /// Returns the embedding of a position, with that of the only token type in use.
    pub(crate) fn position(&self, position: usize) -> Hidden {
        let mut sum: Hidden = halves(&self.positions[position * PAGE_DIMENSIONS * HALF_BYTES..]);
        let token_type: Hidden = halves(self.token_type);
        for (sum, token_type) in sum.iter_mut().zip(token_type) {
            *sum += token_type;
        }
        sum
    }
}

/// Returns the embedding of a token.
pub(crate) fn word_embedding(id: u16) -> Hidden {
    let row = &ra_model_query_words::WORD_EMBEDDINGS[usize::from(id) * WORD_ROW_BYTES..][..WORD_ROW_BYTES];
    let (weights, scales) = row.split_at(WORD_WEIGHT_BYTES);
    let scales: [f32; PAGE_DIMENSIONS / GROUP_COLUMNS] = halves(scales);
    std::array::from_fn(|column| {
        let nibble = weights[column / 2] >> (column % 2 * 4) & 0xf;
        (f32::from(nibble) - 8.0) * scales[column / GROUP_COLUMNS]
    })
}

/// Takes tensors from the front of the bytes, in the order of `query.bin`.
struct TensorReader(&'static [u8]);

impl TensorReader {
    fn take(&mut self, bytes: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(bytes);
        self.0 = rest;
        taken
    }

    fn halves(&mut self, count: usize) -> &'static [u8] {
        self.take(count * HALF_BYTES)
    }

    fn linear(&mut self, rows: usize, columns: usize) -> Linear {
        let tiles = self.take(Linear::tile_bytes(rows, columns));
        Linear::new(rows, columns, tiles, Some(self.halves(rows)))
    }

    fn norm(&mut self) -> LayerNorm {
        LayerNorm { weight: self.halves(PAGE_DIMENSIONS), bias: self.halves(PAGE_DIMENSIONS) }
    }

    fn layer(&mut self) -> Layer {
        Layer {
            query: self.linear(PAGE_DIMENSIONS, PAGE_DIMENSIONS),
            key: self.linear(PAGE_DIMENSIONS, PAGE_DIMENSIONS),
            value: self.linear(PAGE_DIMENSIONS, PAGE_DIMENSIONS),
            attention_output: self.linear(PAGE_DIMENSIONS, PAGE_DIMENSIONS),
            attention_norm: self.norm(),
            intermediate: self.linear(INTERMEDIATE_DIMENSIONS, PAGE_DIMENSIONS),
            output: self.linear(PAGE_DIMENSIONS, INTERMEDIATE_DIMENSIONS),
            output_norm: self.norm(),
        }
    }

    fn projection(&mut self) -> Linear {
        let tiles = self.take(Linear::tile_bytes(SECTION_DIMENSIONS, PAGE_DIMENSIONS));
        Linear::new(SECTION_DIMENSIONS, PAGE_DIMENSIONS, tiles, None)
    }

    fn model(mut self) -> QueryModel {
        QueryModel {
            positions: self.halves(MAX_POSITIONS * PAGE_DIMENSIONS),
            token_type: self.halves(TOKEN_TYPES * PAGE_DIMENSIONS),
            embedding_norm: self.norm(),
            layers: std::array::from_fn(|_| self.layer()),
            projection: self.projection(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tensors_use_all_bytes() {
        let mut reader = TensorReader(ra_model_query_layers::LAYERS);
        reader.halves((MAX_POSITIONS + TOKEN_TYPES) * PAGE_DIMENSIONS);
        reader.norm();
        (0..LAYERS).for_each(|_| _ = reader.layer());
        reader.projection();
        assert!(reader.0.is_empty());
        assert_eq!(ra_model_query_words::WORD_EMBEDDINGS.len() % WORD_ROW_BYTES, 0);
    }
}
