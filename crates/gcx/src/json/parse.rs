//! JSON values of texts.

use serde_json::Number;
use wire_core::__private::json::{Error, Fidelity, Kind, Reader, Token};
use wire_core::text::shown;

use super::number::number;
use super::value::{Json, Object};

/// What becomes of decimals that are not doubles (ruling A7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decimals {
    /// The nearest double.
    Nearest,
    /// They are an error.
    Refused,
    /// Their literals are kept.
    Kept,
}

/// The value of a JSON text. Integers beyond 64 bits are their digits.
pub(crate) fn parse(text: &str, decimals: Decimals) -> Result<Json, Error> {
    let mut reader = Reader::new(text);
    let value = read(&mut reader, decimals)?;
    reader.end()?;
    Ok(value)
}

/// The next value. It recurses as deep as the reader allows.
fn read(reader: &mut Reader<'_>, decimals: Decimals) -> Result<Json, Error> {
    Ok(match reader.value()? {
        Token::Null => Json::Null,
        Token::Bool(truth) => Json::Bool(truth),
        Token::String(string) => Json::String(string.decode().into_owned()),
        Token::Number(literal) => {
            let digits = || Json::Digits(literal.literal().to_owned());
            let double = |double| Number::from_f64(double).map_or_else(digits, Json::Number);
            match (literal.as_u64(), literal.as_i64(), literal.fidelity()) {
                (Some(integer), ..) => Json::Number(integer.into()),
                (_, Some(integer), _) => Json::Number(integer.into()),
                _ if literal.is_integer() => digits(),
                (_, _, Fidelity::Exact(value)) => double(value),
                _ if decimals == Decimals::Kept => digits(),
                (_, _, Fidelity::Rounded(value)) if decimals == Decimals::Nearest => double(value),
                (.., fidelity) => {
                    let (kind, expected) = match fidelity {
                        Fidelity::OutOfRange => (Kind::OutOfRange, "in the range of doubles"),
                        _ => (Kind::Inexact, "that is exactly a double"),
                    };
                    let found = shown(literal.literal());
                    let message = format!("the number is {found}, expected a number {expected}");
                    return Err(Error::new(kind, reader.start(), message));
                }
            }
        }
        Token::Array => {
            let mut items = Vec::new();
            while reader.item()? {
                items.push(read(reader, decimals)?);
            }
            Json::Array(items)
        }
        Token::Object => {
            let mut members = Object::default();
            while let Some(key) = reader.key()? {
                let key = key.decode().into_owned();
                members.insert(key, read(reader, decimals)?);
            }
            Json::Object(members)
        }
    })
}

/// Whether a `Value` can represent the integers of a JSON text: those of 64 bits, and those that
/// are the text of a double (rulings A6, X6).
pub(crate) fn holds_integers(text: &str) -> bool {
    long_integers(text, |literal| number(literal).is_some())
}

/// Whether all integers of a JSON text have 64 bits.
pub(crate) fn has_short_integers(text: &str) -> bool {
    long_integers(text, |_| false)
}

/// Whether all integers beyond 64 bits are accepted. What is wrong with the text is for its reader
/// to say.
fn long_integers(text: &str, is_accepted: impl Fn(&str) -> bool) -> bool {
    let mut all = true;
    let _ = Reader::new(text).walk(|token, _| {
        if let Token::Number(number) = token
            && number.is_integer()
            && number.as_u64().is_none()
            && number.as_i64().is_none()
        {
            all &= is_accepted(number.literal());
        }
        Ok(())
    });
    all
}
