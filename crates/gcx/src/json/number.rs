//! Numbers in cells and in JSON.

use serde_json::Number;
use wire_core::__private::json::{self as literal, Fidelity};
use wire_core::number::Digits;

/// The text when it is an integer in canonical notation: digits without leading zeros, which a
/// minus sign may precede.
pub(crate) fn digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    (plain && !leading_zero && text != "-0").then_some(text)
}

/// Whether the text is a number by the grammar of JSON.
pub(crate) fn is_number(text: &str) -> bool {
    literal::Number::new(text).is_some()
}

/// Whether a decimal is written as exactly this double.
pub(crate) fn is_exact(text: &str) -> bool {
    let number = literal::Number::new(text);
    number.is_some_and(|number| matches!(number.fidelity(), Fidelity::Exact(_)))
}

/// The double of a text that is a number by the grammar of JSON.
pub(crate) fn double(text: &str) -> Option<f64> {
    let number = is_number(text).then(|| text.parse::<f64>().ok()).flatten();
    number.filter(|number| number.is_finite())
}

/// The integer of a text that consists of its digits and fits in 64 bits.
pub(crate) fn integer(text: &str) -> Option<Number> {
    let digits = digits(text)?;
    digits
        .parse::<i64>()
        .map(Number::from)
        .or_else(|_| digits.parse::<u64>().map(Number::from))
        .ok()
}

/// The number of a text by the grammar of JSON, as it decodes after encoding: `1.0` and `1e0` as 1.
pub(crate) fn any_number(text: &str) -> Option<Number> {
    number(text).or_else(|| number(Digits::new().shortest(double(text)?)))
}

/// The number of which this is the exact canonical text: an integer or a double (ruling X6).
pub(crate) fn number(text: &str) -> Option<Number> {
    if let Some(integer) = integer(text) {
        return Some(integer);
    }
    let number = double(text)?;
    (Digits::new().shortest(number) == text).then(|| Number::from_f64(number)).flatten()
}
