//! Numbers as they are written.

/// The literal of a number:
///
/// ```text
/// number = [ "-" ] int [ frac ] [ exp ]
/// int    = "0" / ( %x31-39 *DIGIT )
/// frac   = "." 1*DIGIT
/// exp    = ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    pub(super) literal: &'a str,
    /// The length of `[ "-" ] int`.
    pub(super) whole: usize,
}

/// The treatment of a number that is written as its nearest double (ruling A7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fidelity {
    /// The shortest decimal of this double has the same value.
    Exact(f64),
    /// The double is another number: digits are lost.
    Rounded(f64),
    /// The nearest double is infinite, or zero where the number is not.
    OutOfRange,
}

impl<'a> Number<'a> {
    /// The number of a literal that is one.
    pub fn new(literal: &'a str) -> Option<Self> {
        let (end, whole) = scan(literal.as_bytes(), 0).ok()?;
        (end == literal.len()).then_some(Number { literal, whole })
    }

    /// As it is written.
    pub fn literal(self) -> &'a str {
        self.literal
    }

    /// Returns `true` if it is written without a fraction and an exponent. `-0` is not an integer,
    /// because no integer type has it.
    pub fn is_integer(self) -> bool {
        self.whole == self.literal.len() && self.literal != "-0"
    }

    /// The integer, if it is written as one and fits.
    pub fn as_u64(self) -> Option<u64> {
        const SHORT: usize = 19;
        if self.whole < self.literal.len() {
            return None;
        }
        if self.literal.len() > SHORT {
            return self.literal.parse().ok();
        }
        let add = |sum: u64, byte: u8| match byte {
            b'0'..=b'9' => Some(sum * 10 + u64::from(byte - b'0')),
            _ => None,
        };
        self.literal.bytes().try_fold(0, add)
    }

    /// The integer, if it is written as one and fits.
    pub fn as_i64(self) -> Option<i64> {
        self.is_integer().then(|| self.literal.parse().ok()).flatten()
    }

    /// The nearest double, if it is in their range.
    pub fn as_f64(self) -> Option<f64> {
        self.literal.parse().ok().filter(|double: &f64| double.is_finite())
    }

    /// The nearest double, and whether it is the same number (ruling A7).
    pub fn fidelity(self) -> Fidelity {
        self.as_f64().map_or(Fidelity::OutOfRange, |double| fidelity(self.literal, double))
    }

    /// Returns `true` if it is a zero with a minus sign, which many formats write without the sign.
    pub fn is_negative_zero(self) -> bool {
        self.literal.starts_with('-') && is_zero(self.literal)
    }
}

/// What becomes of a decimal that is written as `double`, its nearest double, which is finite
/// (ruling A7). The decimal may also begin or end with a point, as YAML has it.
pub fn fidelity(decimal: &str, double: f64) -> Fidelity {
    // Between the smallest normal double and the largest, decimals of 15 digits are exact.
    const SHORT: usize = 15;
    if decimal.len() <= SHORT && !decimal.contains(['e', 'E']) {
        return Fidelity::Exact(double);
    }
    if double == 0.0 {
        return if is_zero(decimal) { Fidelity::Exact(double) } else { Fidelity::OutOfRange };
    }
    let mut digits = zmij::Buffer::new();
    match (Decimal::of(decimal), Decimal::of(digits.format_finite(double))) {
        (Some(decimal), Some(shortest)) if decimal == shortest => Fidelity::Exact(double),
        _ => Fidelity::Rounded(double),
    }
}

/// Returns `true` if all digits before the exponent are zeros.
fn is_zero(decimal: &str) -> bool {
    let mantissa = decimal.split(['e', 'E']).next().unwrap_or_default();
    !mantissa.contains(|c: char| matches!(c, '1'..='9'))
}

/// Equal decimals: `1`, `1.0` and `10e-1` are equal, and so are `0` and `-0`.
impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.literal == other.literal
            || match (Decimal::of(self.literal), Decimal::of(other.literal)) {
                (Some(one), Some(other)) => one == other,
                _ => false,
            }
    }
}

/// Returns `true` if the whole text is a number.
#[inline]
pub fn is_number(text: &[u8]) -> bool {
    scan(text, 0).is_ok_and(|(end, _)| end == text.len())
}

/// The end of the number that begins at `at`, and that of its integer; else the offset of the byte
/// that can't be there.
#[inline]
pub(super) fn scan(bytes: &[u8], mut at: usize) -> Result<(usize, usize), usize> {
    let digits = |mut at: usize| {
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if at == start { Err(at) } else { Ok(at) }
    };
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    let first = at;
    at = digits(at)?;
    if bytes[first] == b'0' && at > first + 1 {
        return Err(first + 1);
    }
    let whole = at;
    if bytes.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits(at)?;
    }
    Ok((at, whole))
}

/// The exact value of a number: a sign, digits without zeros at either end, and the power of ten of
/// the last one.
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'a> {
    is_negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// The value of a literal that is a number by [`is_number`]. `None` for an exponent of more than
    /// 17 digits, without zeros in front, of a number that is not zero.
    pub fn of(literal: &'a str) -> Option<Self> {
        let is_zero = is_zero(literal);
        let unsigned = literal.strip_prefix('-').unwrap_or(literal);
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
        let mut exponent: i64 = match digits {
            _ if is_zero || digits.is_empty() => 0,
            digits if digits.len() > 17 => return None,
            digits if exponent.starts_with('-') => -digits.parse::<i64>().ok()?,
            digits => digits.parse().ok()?,
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut whole = whole.trim_start_matches('0');
        let mut fraction = fraction.trim_end_matches('0');
        if fraction.is_empty() {
            let trimmed = whole.trim_end_matches('0');
            exponent += i64::try_from(whole.len() - trimmed.len()).ok()?;
            whole = trimmed;
        } else {
            exponent -= i64::try_from(fraction.len()).ok()?;
            if whole.is_empty() {
                fraction = fraction.trim_start_matches('0');
            }
        }
        Some(Decimal {
            is_negative: literal.starts_with('-') && !is_zero,
            whole,
            fraction,
            exponent: if is_zero { 0 } else { exponent },
        })
    }

    fn digits(self) -> impl Iterator<Item = u8> + 'a {
        self.whole.bytes().chain(self.fraction.bytes())
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.is_negative == other.is_negative
            && self.exponent == other.exponent
            && self.digits().eq(other.digits())
    }
}

/// `-125e-1`: one text for all numbers of the value.
impl std::fmt::Display for Decimal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        write!(f, "{sign}{}{}e{}", self.whole, self.fraction, self.exponent)
    }
}
