//! Transformer layers of the query encoder: sentence-transformers/all-MiniLM-L6-v2, rounded to 4 bits, and a
//! projection into the space of the section vectors. `ra-semantic` knows the layout; this crate only embeds
//! the bytes.
//!
//! License of the weights: Apache-2.0 (<https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2>).
//! Changes: the weights were quantized to 4 bits in groups of 32, a projection to 256 dimensions was trained
//! and added, and `model/pack.py` rearranged the matrices into tiles.

/// All tensors of `query.bin` after the word embeddings, in the same order. Vectors are little-endian `f16`;
/// matrices are tiles of 16 rows by 32 columns.
pub static LAYERS: &[u8] = include_bytes!("../data/layers.bin");
