//! Functions of one number, without branches, so the compiler vectorizes loops over them.

/// Added and subtracted again, it rounds a number below 2^22 to an integer, half to even. Its low bits then
/// hold that integer.
const ROUNDING: f32 = 12_582_912.0;

/// Rounds a number below 2^22 to the nearest integer, half to even.
#[inline(always)]
pub(crate) fn round_to_i32(x: f32) -> i32 {
    (x + ROUNDING).to_bits().wrapping_sub(ROUNDING.to_bits()) as i32
}

/// Computes e^x for x <= 0 with a relative error below 3e-7. Below -87, where the result is negligible, it
/// returns e^-87.
#[inline(always)]
pub(crate) fn exp_nonpositive(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.max(-87.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDING;
    let exponent = rounded - ROUNDING;
    let r = x - exponent * LN_2_HIGH - exponent * LN_2_LOW;
    let series = 1.0
        + r * (1.0 + r * (1.0 / 2.0 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r / 720.0)))));
    let power = rounded.to_bits().wrapping_sub(ROUNDING.to_bits()).wrapping_add(127) << 23;
    series * f32::from_bits(power)
}

/// Computes x times the normal distribution function of x, with an error below 2e-7 |x|. The error function
/// is formula 7.1.26 of Abramowitz and Stegun, "Handbook of Mathematical Functions".
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series =
        t * (0.254_829_6 + t * (-0.284_496_74 + t * (1.421_413_7 + t * (-1.453_152_1 + t * 1.061_405_4))));
    let half_tail = 0.5 * series * exp_nonpositive(-(z * z));
    x * if x < 0.0 { half_tail } else { 1.0 - half_tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_accurate() {
        for step in 0..87_000 {
            let x = -(step as f32) / 1000.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp_nonpositive(x)) - exact).abs() / exact;
            assert!(error < 3e-7, "e^{x} is off by {error}");
        }
        assert_eq!(exp_nonpositive(0.0), 1.0);
        assert!(exp_nonpositive(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn gelu_is_accurate() {
        let cases = [
            (0.0, 0.0),
            (0.1, 0.053_982_784),
            (-0.1, -0.046_017_216),
            (1.0, 0.841_344_8),
            (-1.0, -0.158_655_25),
            (-3.0, -0.004_049_694),
            (6.0, 6.0),
            (-30.0, 0.0),
            (100.0, 100.0),
        ];
        for (x, expected) in cases {
            assert!((gelu(x) - expected).abs() <= 2e-7 * x.abs(), "gelu({x}) is {}", gelu(x));
        }
    }

    #[test]
    fn halves_round_to_even() {
        let cases = [(0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (2.4, 2), (-32_767.0, -32_767)];
        for (x, expected) in cases {
            assert_eq!(round_to_i32(x), expected, "{x}");
        }
    }
}
