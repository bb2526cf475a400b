//! Word embeddings of the query encoder: sentence-transformers/all-MiniLM-L6-v2, rounded to 4 bits.
//! `ra-semantic` knows the layout; this crate only embeds the bytes.
//!
//! License of the weights: Apache-2.0 (<https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2>).
//! Changes: the weights were quantized to 4 bits in groups of 32; `model/pack.py` then
//! placed the scales of a row after its weights.

/// 30,522 rows of 216 bytes: 384 weights of 4 bits (even columns in the low half of a byte, biased by 8),
/// then 12 little-endian `f16` scales, one for each 32 columns.
pub static WORD_EMBEDDINGS: &[u8] = include_bytes!("../data/word_embeddings.q4");
