//! Numbers in cells and in JSON.

use serde_json::Number;
use wire_core::number::Digits;
use wire_core::value::{integer_out_of_range, integers};

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
    // `serde_json` would pass over white space.
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && serde_json::from_str::<Number>(text).is_ok()
}

/// The double of a text that is a number by the grammar of JSON.
pub(crate) fn double(text: &str) -> Option<f64> {
    let number = is_number(text).then(|| text.parse::<f64>().ok()).flatten();
    number.filter(|number| number.is_finite())
}

/// Whether a [`Value`] can represent the integers of a JSON text: those of 64 bits, and those that
/// are the text of a double (rulings A6, X6).
pub(crate) fn holds_integers(text: &str) -> bool {
    integer_out_of_range(text).is_none()
        || integers(text).all(|(_, digits)| number(digits).is_some())
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
