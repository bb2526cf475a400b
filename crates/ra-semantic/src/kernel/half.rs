//! Reads `f16` numbers.

/// Bytes of an `f16`.
pub(crate) const HALF_BYTES: usize = 2;

/// Converts an `f16`, exactly. The exponent is rebiased by a multiplication, which also covers subnormal
/// numbers; infinities don't occur in the models.
#[inline(always)]
pub(crate) fn half_to_f32(half: u16) -> f32 {
    const REBIAS: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude = f32::from_bits(u32::from(half & 0x7fff) << 13) * REBIAS;
    f32::from_bits(magnitude.to_bits() | u32::from(half & 0x8000) << 16)
}

/// Converts little-endian `f16` bytes.
#[inline(always)]
pub(crate) fn read_halves(bytes: &[u8], values: &mut [f32]) {
    for (value, half) in values.iter_mut().zip(bytes.as_chunks::<HALF_BYTES>().0) {
        *value = half_to_f32(u16::from_le_bytes(*half));
    }
}

/// Converts little-endian `f16` bytes into a fixed number of values.
#[inline(always)]
pub(crate) fn halves<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let mut values = [0.0; N];
    read_halves(bytes, &mut values);
    values
}

#[cfg(test)]
mod tests {
    use super::half_to_f32;

    #[test]
    fn known_halves_are_converted() {
        let cases = [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x8001, -5.960_464_5e-8),
            (0x3555, 0.333_251_95),
        ];
        for (half, expected) in cases {
            assert_eq!(half_to_f32(half), expected, "{half:#06x}");
        }
    }
}
