//! Canonical text of numbers: equal numbers have equal bytes, in every codec and on every machine.
//! For crates of formats.
//!
//! There are three rules: two decimals, the shortest digits that read back, and 32-bit floats as
//! doubles. The tests compare every fast path with a simple version.

mod hundredths;
mod shortest;

pub use hundredths::{push_hundredths, round_to_hundredths, short_hundredths};
pub use shortest::{Digits, push_shortest};

/// The digits of a number below 100,000,000 and how many there are, as the lowest bytes of a word,
/// the first digit lowest; `None` for others.
///
/// Eight digits need four multiplications and no branch; a loop has one for each digit.
///
/// ```
/// let (word, length) = wire_core::__private::number::short_decimal(1847).expect("because it is small");
/// assert_eq!(&word[..length], b"1847");
/// assert_eq!(wire_core::__private::number::short_decimal(100_000_000), None);
/// ```
#[inline]
pub fn short_decimal(n: u32) -> Option<([u8; 8], usize)> {
    if n >= 100_000_000 {
        return None;
    }
    // Two halves of four digits, then four of two, then eight of one; the first digit stays lowest.
    let halves = u64::from(n / 10_000) | u64::from(n % 10_000) << 32;
    let hundreds = ((halves * 5_243) >> 19) & 0x0000_007f_0000_007f;
    let pairs = hundreds | (halves - hundreds * 100) << 16;
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    let digits = tens | (pairs - tens * 10) << 8;
    // The last digit is there even when it is a zero.
    let zeros = (digits | 1 << 56).trailing_zeros() / 8;
    let text = (digits | 0x3030_3030_3030_3030) >> (8 * zeros);
    Some((text.to_le_bytes(), 8 - zeros as usize))
}

/// Widens a 32-bit float to the double of the same shortest decimal: the `f32` nearest to 0.78
/// becomes 0.78 and not 0.7799999713897705. NaN and infinities are unchanged.
///
/// ```
/// assert_eq!(wire_core::__private::number::widen_f32(0.78), 0.78);
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

/// [`widen_f32`] for several floats at once, without a branch for each, so that a processor
/// converts them together.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::needless_bitwise_bool)] // reading back is the test itself, and a branch is slower
pub fn widen_f32s<const N: usize>(singles: [f32; N]) -> [f64; N] {
    // Adding it to a smaller number rounds that number to an integer, and subtracting it again
    // leaves the integer. A cast would be a call for each number. This rounds halves to even, which
    // has no effect here: a single below 8 that is halfway between two decimals reads back from
    // neither of them.
    const ROUND: f64 = 4_503_599_627_370_496.0;
    let mut wide = [0.0; N];
    let mut are_short = true;
    for (wide, single) in wide.iter_mut().zip(singles) {
        let exact = f64::from(single);
        let scaled = (exact.abs() * 1e6 + ROUND) - ROUND;
        *wide = (scaled / 1e6).copysign(exact);
        are_short &= (exact.abs() < 8.0) & (*wide as f32 == single);
    }
    if are_short { wide } else { singles.map(widen_f32) }
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

    #[test]
    fn short_decimals_are_those_of_the_twin() {
        for n in (0..200_000).chain((0..100_000_000).step_by(9_973)).chain(99_999_900..100_000_000)
        {
            let (word, length) = short_decimal(n).unwrap();
            assert_eq!(&word[..length], n.to_string().as_bytes());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        #[allow(clippy::cast_precision_loss)] // any single does
        fn singles_are_widened_together_as_one_by_one(singles in proptest::array::uniform4(prop_oneof![
            1 => any::<u32>().prop_map(f32::from_bits),
            6 => -8.0..8.0f32,
            6 => (0u32..8_000_000).prop_map(|n| n as f32 / 1e6),
            4 => (0u32..16_000_000).prop_map(|n| n as f32 / 2e6),
            1 => Just(-0.0f32),
            1 => Just(8.0f32),
        ])) {
            let bits = |doubles: [f64; 4]| doubles.map(f64::to_bits);
            prop_assert_eq!(bits(widen_f32s(singles)), bits(singles.map(widen_f32)));
            for single in singles {
                prop_assert_eq!(widen_f32s([single])[0].to_bits(), widen_f32(single).to_bits());
            }
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
