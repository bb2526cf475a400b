//! Weights of the section encoder: a static token table and a small MLP, trained for `ra` on documentation
//! text. `ra-semantic` knows the layout; this crate only embeds the bytes.
//!
//! The token ids are those of the BERT uncased vocabulary. License: MIT OR Apache-2.0, like `ra`.

/// `i8[30522][256]`, row-major: one row for each token of the vocabulary.
pub static TOKEN_TABLE: &[u8] = include_bytes!("../data/doc_table.i8");

/// `f32[30522]`, little-endian: the scale of each row of [`TOKEN_TABLE`].
pub static TOKEN_SCALES: &[u8] = include_bytes!("../data/doc_scale.f32");

/// `f16`, little-endian: weights `[512][256]`, bias `[512]`, weights `[256][512]`, bias `[256]`.
pub static MLP: &[u8] = include_bytes!("../data/doc_mlp.f16");
