//! Numbers of JSON: their exact decimal value, and their form in serde.

use serde::ser::Serializer;

/// The exact decimal value of a number: a sign, digits without zeros at either end, and the power
/// of ten of the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<'a> {
    is_negative: bool,
    /// The digits before and after the point.
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Number<'a> {
    /// The value of a number that JSON allows. `None` for an exponent of more than 15 digits.
    pub(crate) fn new(text: &'a str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        if exponent.len() > 16 {
            return None;
        }
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut whole = whole.trim_start_matches('0');
        let mut fraction = fraction.trim_end_matches('0');
        let mut exponent = exponent;
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
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Number {
            is_negative: text.starts_with('-') && !is_zero,
            whole,
            fraction,
            exponent: if is_zero { 0 } else { exponent },
        })
    }

    fn digits(self) -> impl Iterator<Item = u8> + 'a {
        self.whole.bytes().chain(self.fraction.bytes())
    }
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.is_negative == other.is_negative
            && self.exponent == other.exponent
            && self.digits().eq(other.digits())
    }
}

/// One text for all numbers of a value. A number whose exponent is too long is returned unchanged.
pub(crate) fn canonical(text: &str) -> String {
    let Some(number) = Number::new(text) else { return text.to_owned() };
    let sign = if number.is_negative { "-" } else { "" };
    format!("{sign}{}{}e{}", number.whole, number.fraction, number.exponent)
}

/// Whether a text is a number of JSON.
pub(super) fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// An integer of 64 bits as such, any other number as the nearest double. What that changes is
/// found when the text is read back.
pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(integer) = text.parse::<i64>() {
        return serializer.serialize_i64(integer);
    }
    if let Ok(integer) = text.parse::<u64>() {
        return serializer.serialize_u64(integer);
    }
    let double: f64 = text.parse().map_err(|_| serde::ser::Error::custom("not a number"))?;
    serializer.serialize_f64(double)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact() {
        for (a, b) in [
            ("1", "1.0"),
            ("1", "10e-1"),
            ("100", "1e2"),
            ("100", "1E+2"),
            ("0.001", "1e-3"),
            ("0", "-0.0"),
            ("0", "0e99"),
            ("-12.50", "-1250e-2"),
            ("1.00", "1"),
        ] {
            assert_eq!(Number::new(a), Number::new(b), "{a} {b}");
            assert_eq!(canonical(a), canonical(b), "{a} {b}");
        }
        for (a, b) in
            [("1", "-1"), ("1", "10"), ("0.1", "0.10000000000000001"), ("10", "1"), ("1", "0")]
        {
            assert_ne!(Number::new(a), Number::new(b), "{a} {b}");
            assert_ne!(canonical(a), canonical(b), "{a} {b}");
        }
        assert!(Number::new("1e99999999999999999999").is_none());
    }

    #[test]
    fn numbers_are_those_of_json() {
        for text in ["0", "-0", "1", "10.5", "1e5", "1E-05", "-1.0e+10", "0.0"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "1e", "+1", "1e+", "NaN", "0x1", "1 "] {
            assert!(!is_number(text), "{text}");
        }
    }
}
