//! Numbers, which are of one domain in every implementation (specification 3.5.3, section 2.3).

use wire_core::__private::json::is_number;
use wire_core::number::Digits;

/// A number, or what could be misread as a malformed one.
pub(super) fn looks_like_number(bytes: &[u8]) -> bool {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    match bytes[0] {
        b'+' | b'-' => digit(1) || (bytes.get(1) == Some(&b'.') && digit(2)),
        b'0' if digit(1) => true,
        _ => is_number(bytes),
    }
}

/// Appends an integer of the domain (section 2.3.2).
pub(in crate::generic) fn push_integer(out: &mut String, integer: i64) {
    out.push_str(itoa::Buffer::new().format(integer));
}

/// Appends a finite double (section 2.3.1). `digits` is memory for its digits.
pub(in crate::generic) fn push_double(out: &mut String, digits: &mut Digits, double: f64) {
    out.push_str(digits.canonical(double));
}

/// The message for a number outside the domain (section 2.3.2).
pub(in crate::generic) fn out_of_range(number: &str) -> String {
    const LONGEST: usize = 60;
    let more = if number.len() > LONGEST { "…" } else { "" };
    let number: String = number.chars().take(LONGEST).collect();
    format!(
        "the number {number}{more} is out of range, expected an integer from -9223372036854775808 to 9223372036854775807 or a \
         finite double; write larger ones as strings"
    )
}

/// The integer without a sign of up to 18 digits that a token is.
#[inline]
pub(in crate::generic) fn short_integer(bytes: &[u8]) -> Option<i64> {
    if bytes.is_empty() || bytes.len() > 18 || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    bytes.iter().try_fold(0, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| value * 10 + i64::from(digit))
    })
}
