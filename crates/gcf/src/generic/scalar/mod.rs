//! Scalars: which texts are quoted, and what a token is read as (specification 3.5.3, section 2).

mod quote;

use std::borrow::Cow;

use wire_core::json::is_number;
use wire_core::number::Digits;
use wire_core::text::shown;

pub(super) use self::quote::{push_text, quoted_length, read_quoted};
pub(super) use wire_core::json::push_quoted;

use super::problem::Problem;
use crate::ErrorKind;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    Integer(i64),
    /// Any other number, as it is written. Only [`read_scalar`] checks that it is a finite double.
    Decimal(&'a str),
    Text(Cow<'a, str>),
}

pub(super) fn push_scalar(out: &mut String, scalar: &Scalar<'_>) {
    match scalar {
        Scalar::Null => out.push('-'),
        Scalar::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Scalar::Integer(integer) => push_integer(out, *integer),
        Scalar::Decimal(number) => {
            push_double(out, &mut Digits::new(), number.parse().expect("because it was checked"));
        }
        Scalar::Text(text) => push_text(out, text),
    }
}

/// The kind of a cell's token, before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark<'a> {
    Scalar,
    /// `~`
    Missing,
    /// `^`
    Attachment,
    /// `^{fields}`, with the list in braces.
    Schema(&'a str),
}

/// Returns `true` if a character is white space that belongs to the structure around tokens
/// (section 4.2).
pub(super) fn blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// Without the white space that belongs to the structure.
#[inline]
pub(super) fn trimmed(token: &str) -> &str {
    match token.as_bytes() {
        [b' ' | b'\t', ..] | [.., b' ' | b'\t'] => token.trim_matches(blank),
        _ => token,
    }
}

pub(super) fn mark(token: &str) -> Mark<'_> {
    match token.as_bytes() {
        b"~" => Mark::Missing,
        b"^" => Mark::Attachment,
        [b'^', b'{', .., b'}'] => Mark::Schema(&token[1..]),
        _ => Mark::Scalar,
    }
}

/// The scalar of a trimmed token (section 2.1); a decimal may be beyond doubles.
///
/// ```abnf
/// scalar = quoted / "-" / "true" / "false" / number / bare
/// quoted = DQUOTE *( char / escape ) DQUOTE
/// number = [ "-" ] int [ "." 1*DIGIT ] [ ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT ]
/// ```
pub(super) fn read_token(token: &str) -> Result<Scalar<'_>, Problem> {
    let bytes = token.as_bytes();
    Ok(match bytes {
        [b'"', ..] => {
            let (text, length) = read_quoted(token)?;
            let rest = &token[length..];
            if !rest.is_empty() {
                let found = shown(rest);
                let message =
                    format!("a quoted string is followed by {found}, expected nothing after it");
                return Err(Problem::new(ErrorKind::TrailingCharacters, rest, message));
            }
            Scalar::Text(text)
        }
        b"-" => Scalar::Null,
        b"true" => Scalar::Bool(true),
        b"false" => Scalar::Bool(false),
        [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] if is_number(bytes) => {
            if token.contains(['.', 'e', 'E']) {
                return Ok(Scalar::Decimal(token));
            }
            match token.parse() {
                Ok(integer) => Scalar::Integer(integer),
                Err(_) => return Err(beyond(token)),
            }
        }
        _ => match mark(token) {
            Mark::Scalar => Scalar::Text(token.into()),
            Mark::Missing => {
                let message =
                    "found `~`, expected a value: `~` is allowed only in the rows of tables";
                return Err(Problem::new(ErrorKind::InvalidMissing, token, message));
            }
            Mark::Attachment | Mark::Schema(_) => {
                let message = "found `^`, the mark of an attachment, expected a value: marks are allowed only in the rows of tables";
                return Err(Problem::new(ErrorKind::InvalidAttachmentMarker, token, message));
            }
        },
    })
}

#[cold]
fn beyond(number: &str) -> Problem {
    Problem::new(ErrorKind::OutOfRange, number, out_of_range(number))
}

/// The scalar of a trimmed token. A decimal is a finite double.
pub(super) fn read_scalar(token: &str) -> Result<Scalar<'_>, Problem> {
    match read_token(token)? {
        Scalar::Decimal(number) if !number.parse().is_ok_and(f64::is_finite) => Err(beyond(number)),
        scalar => Ok(scalar),
    }
}

/// A number, or what could be misread as a malformed one.
fn looks_like_number(bytes: &[u8]) -> bool {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    match bytes[0] {
        b'+' | b'-' => digit(1) || (bytes.get(1) == Some(&b'.') && digit(2)),
        b'0' if digit(1) => true,
        _ => is_number(bytes),
    }
}

/// Appends an integer of the domain (section 2.3.2).
pub(super) fn push_integer(out: &mut String, integer: i64) {
    out.push_str(itoa::Buffer::new().format(integer));
}

/// Appends a finite double (section 2.3.1). `digits` is memory for its digits.
pub(super) fn push_double(out: &mut String, digits: &mut Digits, double: f64) {
    out.push_str(digits.canonical(double));
}

/// The message for a number outside the domain (section 2.3.2).
pub(super) fn out_of_range(number: &str) -> String {
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
pub(super) fn short_integer(bytes: &[u8]) -> Option<i64> {
    if bytes.is_empty() || bytes.len() > 18 || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    bytes.iter().try_fold(0, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| value * 10 + i64::from(digit))
    })
}
