//! Canonical text of numbers: equal numbers have equal bytes, in every codec and on every machine.
//!
//! There are three rules: two decimals ([`push_hundredths`]), the shortest digits that read back
//! ([`Digits`]), and 32-bit floats as doubles ([`widen_f32`]).

mod hundredths;
mod shortest;

pub use hundredths::{push_hundredths, round_to_hundredths, short_hundredths};
pub use shortest::{Digits, push_shortest};

/// Widens a 32-bit float to the double of the same shortest decimal: the `f32` nearest to 0.78
/// becomes 0.78 and not 0.7799999713897705. NaN and infinities are unchanged.
///
/// ```
/// assert_eq!(wire_core::number::widen_f32(0.78), 0.78);
/// ```
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // reading back is the test itself
pub fn widen_f32(single: f32) -> f64 {
    let wide = f64::from(single);
    // Below 8 neighbouring f32s differ by less than 10^-6, so at most one decimal with six fraction
    // digits reads back as `single`. If there is one, then any shorter decimal would be another
    // such one, so it is the shortest. `wide * 1e6` (24 + 20 bits) and the quotient of two integers
    // are correctly rounded, so `candidate` is the double that the decimal names.
    if wide.abs() < 8.0 {
        // Rounded by a cast, which is an instruction where `round` is a call. The sign is that of
        // `single`, so that a negative zero stays one.
        let scaled = (wide.abs() * 1e6 + 0.5) as u32;
        let candidate = (f64::from(scaled) / 1e6).copysign(wide);
        if candidate as f32 == single {
            return candidate;
        }
    }
    if single.is_finite() {
        let mut buffer = zmij::Buffer::new();
        return buffer
            .format_finite(single)
            .parse()
            .expect("the shortest decimal of a float is a float");
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(push: fn(&mut Vec<u8>, f64), value: f64) -> String {
        let mut out = Vec::new();
        push(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    /// The naive twin of `push_shortest`: digits and exponent from `{:e}`, laid out by the
    /// algorithm of ECMA-262, `Number::toString`.
    fn ecmascript(value: f64) -> String {
        if value == 0.0 {
            return "0".into();
        }
        let scientific = format!("{:e}", value.abs());
        let (mantissa, exponent) = scientific.split_once('e').unwrap();
        let digits = mantissa.replace('.', "");
        let k = i32::try_from(digits.len()).unwrap();
        let n = exponent.parse::<i32>().unwrap() + 1;
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap());
        let unsigned = if k <= n && n <= 21 {
            format!("{digits}{}", zeros(n - k))
        } else if 0 < n && n <= 21 {
            let (whole, fraction) = digits.split_at(usize::try_from(n).unwrap());
            format!("{whole}.{fraction}")
        } else if -6 < n && n <= 0 {
            format!("0.{}{digits}", zeros(-n))
        } else {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{first}{point}{rest}e{:+}", n - 1)
        };
        format!("{}{unsigned}", if value < 0.0 { "-" } else { "" })
    }

    #[test]
    fn hundredths_round_half_to_even_on_the_exact_double() {
        for (value, expected) in [
            (0.125, "0.12"),
            (0.375, "0.38"),
            (0.045, "0.04"),
            (0.005, "0.01"), // the double is above the decimal
            (0.625, "0.62"),
            (1.0, "1.00"),
            (9.995, "9.99"),
            (9.999, "10.00"),
            (0.0, "0.00"),
            (-0.001, "-0.00"),
            (-0.0, "-0.00"),
            (1_048_575.999, "1048576.00"),
            (12_345.675, "12345.67"),
        ] {
            assert_eq!(text(push_hundredths, value), expected);
        }
    }

    #[test]
    fn shortest_has_the_layout_of_ecmascript() {
        for (value, expected) in [
            (1.0, "1"),
            (-1.5, "-1.5"),
            (-0.0, "0"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (0.00001, "0.00001"),
            (0.000_001, "0.000001"),
            (1e-7, "1e-7"),
            (1.25e-7, "1.25e-7"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(text(push_shortest, value), expected);
        }
    }

    fn digits(text: &str) -> usize {
        text.bytes().filter(u8::is_ascii_digit).count()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8_000))]

        #[test]
        fn hundredths_equal_format(value in prop_oneof![
            0.0..1.0f64,
            0.0..2_000_000.0f64,
            // the hardest: exact midpoints and their neighbours
            (0u64..2_000_000, -2i64..=2).prop_map(|(n, ulps)| {
                let midpoint = f64::from(u32::try_from(n).unwrap()) / 8.0;
                f64::from_bits(midpoint.to_bits().saturating_add_signed(ulps))
            }),
            (0u32..2_000_000).prop_map(|n| f64::from(n) / 1000.0),
            any::<f64>().prop_filter("finite", |v| v.is_finite() && v.abs() < 1e30),
        ]) {
            prop_assert_eq!(text(push_hundredths, value), format!("{value:.2}"));
            let back: f64 = format!("{value:.2}").parse().unwrap();
            prop_assert_eq!(round_to_hundredths(value), back);
        }

        #[test]
        fn shortest_equals_ecmascript(value in prop_oneof![
            any::<f64>().prop_filter("finite", |v| v.is_finite()),
            (any::<i32>(), -12i32..25).prop_map(|(n, e)| f64::from(n) * 10f64.powi(e)),
        ]) {
            // If two shortest decimals are equally near, ours chooses the even one, as ECMA-262
            // advises; the twin may choose the other.
            let (ours, twin) = (text(push_shortest, value), ecmascript(value));
            prop_assert_eq!(ours.parse::<f64>().unwrap(), value);
            prop_assert_eq!(ours.len(), twin.len());
            prop_assert!(ours == twin || digits(&twin) >= 16, "{} {}", ours, twin);
        }

        #[test]
        #[allow(clippy::cast_possible_truncation)] // reading back is what is tested
        fn widening_is_the_shortest_decimal(single in prop_oneof![
            any::<f32>().prop_filter("finite", |v| v.is_finite()),
            0.0..1.0f32,
            -20.0..20.0f32,
            Just(-0.0f32),
            (0u16..u16::MAX).prop_map(|n| f32::from(n) / 1e3),
        ]) {
            let widened = widen_f32(single);
            prop_assert_eq!(widened.is_sign_negative(), single.is_sign_negative());
            prop_assert_eq!(widened as f32, single);
            // Not equality: two shortest decimals may be equally near (3723126.2 and 3723126.3).
            let (ours, twin) = (widened.to_string(), single.to_string());
            prop_assert_eq!(digits(&ours), digits(&twin));
            prop_assert!(ours == twin || digits(&twin) >= 8, "{} {}", ours, twin);
        }
    }

    #[test]
    fn canonical_numbers_have_exponents_outside_of_their_range() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.78, "0.78"),
            (100.0, "100"),
            (1e-6, "0.000001"),
            (9.99e-7, "9.99e-7"),
            (-1e-7, "-1e-7"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (9_007_199_254_740_992.0, "9.007199254740992e+15"),
            (-1e16, "-1e+16"),
            (1.25e21, "1.25e+21"),
            (9e18, "9e+18"),
            (1e300, "1e+300"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(Digits::new().canonical(value), expected, "{value}");
        }
    }

    proptest! {
        #[test]
        fn canonical_numbers_read_back(value in any::<f64>().prop_filter("finite", |v| v.is_finite())) {
            prop_assert_eq!(Digits::new().canonical(value).parse::<f64>().unwrap(), value);
        }
    }
}
