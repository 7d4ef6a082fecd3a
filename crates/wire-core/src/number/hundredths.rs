//! Two decimals.

/// Appends `value` with exactly two decimals, rounding half to even on the exact double (ruling
/// G6).
///
/// The text equals `format!("{value:.2}")` for every finite value, and is faster for the usual
/// range of scores. The caller has checked that `value` is finite; otherwise the text is that of
/// `format!`.
///
/// ```
/// let mut out = Vec::new();
/// wire_core::number::push_hundredths(&mut out, 0.125);
/// assert_eq!(out, b"0.12");
/// ```
#[inline]
pub fn push_hundredths(out: &mut Vec<u8>, value: f64) {
    if let Some(short) = short_hundredths(value) {
        out.extend_from_slice(&short);
        return;
    }
    match hundredths(value) {
        Some(n) => {
            use std::io::Write as _;
            write!(out, "{}.", n / 100).expect("writing to a Vec does not fail");
            out.extend_from_slice(&two_digits(n % 100));
        }
        None => {
            use std::io::Write as _;
            write!(out, "{value:.2}").expect("writing to a Vec does not fail");
        }
    }
}

/// The four bytes that [`push_hundredths`] writes for a value from 0 to 9.99, the usual range of
/// scores; `None` for other values.
#[inline]
pub fn short_hundredths(value: f64) -> Option<[u8; 4]> {
    let n = hundredths(value).filter(|n| *n < 1_000)?;
    let [tens, ones] = two_digits(n % 100);
    Some([digit(n / 100), b'.', tens, ones])
}

/// The value that reading the text of [`push_hundredths`] returns.
pub fn round_to_hundredths(value: f64) -> f64 {
    match hundredths(value) {
        // Both operands are exact, so the quotient is the double nearest to the decimal.
        Some(n) => f64::from(n) / 100.0,
        None => format!("{value:.2}").parse().unwrap_or(value),
    }
}

/// `value` in hundredths, rounded half to even on the exact double; `None` outside the range in
/// which integer arithmetic is exact (negative, or at least 2^20).
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the range check makes both exact
fn hundredths(value: f64) -> Option<u32> {
    // Scaled by 2^33 a double below 2^20 keeps all bits above 2^-33; the rest is in `exact`.
    const SHIFT: u32 = 33;
    if !(value.is_sign_positive() && value < 1_048_576.0) {
        return None;
    }
    #[allow(clippy::cast_precision_loss)] // a power of two is exact
    let scaled = value * (1u64 << SHIFT) as f64; // exact: a power of two
    let whole = scaled as u64; // below 2^53
    #[allow(clippy::cast_precision_loss)] // below 2^53
    let exact = whole as f64 == scaled;
    // value * 100 = product / 2^33, plus less than 100 / 2^33 when bits were cut off.
    let product = whole * 100;
    let quotient = (product >> SHIFT) as u32;
    let remainder = product & ((1 << SHIFT) - 1);
    let half = 1u64 << (SHIFT - 1);
    if exact {
        let up = remainder > half || (remainder == half && quotient % 2 == 1);
        return Some(quotient + u32::from(up));
    }
    // Cut bits add less than 100 units to the remainder: decide only where they can't matter.
    if remainder >= half {
        Some(quotient + 1)
    } else if remainder + 100 <= half {
        Some(quotient)
    } else {
        None
    }
}

#[inline]
fn two_digits(n: u32) -> [u8; 2] {
    [digit(n / 10), digit(n % 10)]
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // n is a digit
fn digit(n: u32) -> u8 {
    b'0' + n as u8
}
