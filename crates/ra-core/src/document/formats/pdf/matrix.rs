//! Transformations of coordinates.

use hayro_syntax::object::Number;

/// An affine transformation, as PDF writes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Reads the operands of an operator.
    pub(super) fn new(numbers: [Number; 6]) -> Self {
        Self(numbers.map(|number| number.as_f64()))
    }

    /// Returns the transformation that applies `self`, then `after`.
    pub(super) fn then(self, after: Self) -> Self {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, after.0);
        Self([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    pub(super) fn shift(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }
}
