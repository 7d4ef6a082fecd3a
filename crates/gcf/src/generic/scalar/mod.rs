//! Scalars: which texts are quoted, and what a token is read as (specification 3.5.3, section 2).

mod number;
mod quote;

use std::borrow::Cow;

use wire_core::__private::json::is_number;
use wire_core::__private::text::shown;
use wire_core::number::Digits;

pub(super) use self::number::{out_of_range, push_double, push_integer, short_integer};
pub(super) use self::quote::{push_text, quoted_length, read_quoted};
pub(super) use wire_core::__private::json::push_quoted;

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
            if length < token.len() {
                let message = format!(
                    "a quoted string is followed by {}, expected nothing after it",
                    shown(&token[length..])
                );
                return Err(Problem::new(ErrorKind::TrailingCharacters, &token[length..], message));
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
