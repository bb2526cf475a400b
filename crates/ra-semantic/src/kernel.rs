//! Arithmetic of the encoders. Results are bit-identical on every CPU: integer sums are exact, and each `f32`
//! result is one chain of additions and multiplications in a fixed order, whatever the vector width. There are
//! no fused operations and no calls into the platform's math library.
//!
//! Each public function takes the instruction set to use and runs a version compiled for it.

pub(crate) mod activation;
pub(crate) mod attention;
pub(crate) mod half;
pub(crate) mod linear;
pub(crate) mod norm;
pub(crate) mod quantized_rows;
pub(crate) mod scalar;
