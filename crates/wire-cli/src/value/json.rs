//! JSON as values: with all digits of its integers, and without.

use std::convert::Infallible;
use std::fmt;

use gcx::json::Exact;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::PrettyFormatter;
use wire_core::value::{JsonText, is_out_of_range};
use wire_core::{CodecError, Position};

use super::checked::Checked;
use super::integers::Integers;
use crate::source::JSON_PRETTY;

/// The value of a JSON text, with all digits.
pub(crate) fn parse(bytes: &[u8]) -> Result<Exact, CodecError> {
    let text = text(bytes)?;
    text.parse().map_err(|error| wrong(text, 0, bytes, &error, Integers::All))
}

/// The text of an input in JSON.
pub(super) fn text(bytes: &[u8]) -> Result<&str, CodecError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        CodecError::new("json_syntax", Some(position), "the input is not UTF-8, expected JSON")
    })
}

/// What a JSON text at an offset of the input holds, in as little memory as reading takes; what is
/// wrong with it is as of one whose value is kept.
pub(super) fn check(
    text: &str,
    offset: usize,
    input: &[u8],
    integers: Integers,
) -> Result<Checked, CodecError> {
    let checked = match serde_json::from_str(text) {
        Ok(checked) => checked,
        // Those are numbers, too, with digits of their own.
        Err(error) if is_out_of_range(&error) && integers == Integers::All => {
            let value = text
                .parse::<Exact>()
                .map_err(|error| wrong(text, offset, input, &error, integers))?;
            Checked::of(&with_digits(value))
        }
        Err(error) => return Err(wrong(text, offset, input, &error, integers)),
    };
    check_integers(text, offset, input, integers)?;
    Ok(checked)
}

/// A value as people see it: what 64 bits can't hold is its digits.
pub(crate) fn with_digits(value: Exact) -> Value {
    let Ok(value) = value.into_value_with(|digits| Ok::<_, Infallible>(digits.into()));
    value
}

/// A JSON text that was [checked](check) in one of the forms of JSON, as [`json_text`] of its
/// value, in the memory of the text.
pub(super) fn again(text: &str, form: &str) -> Result<String, CodecError> {
    if wire_core::value::integer_out_of_range(text).is_some() {
        // Only a value keeps its digits.
        return Ok(json_text(&parse(text.as_bytes())?, form));
    }
    let mut json = Vec::with_capacity(text.len() + 1);
    let source = JsonText::new(text);
    let written = if form == JSON_PRETTY {
        let pretty = PrettyFormatter::new();
        source.serialize(&mut serde_json::Serializer::with_formatter(&mut json, pretty))
    } else {
        source.serialize(&mut serde_json::Serializer::new(&mut json))
    };
    written.map_err(|error| wrong(text, 0, text.as_bytes(), &error, Integers::All))?;
    json.push(b'\n');
    Ok(String::from_utf8(json).expect("because JSON is made of strings"))
}

/// A value in one of the forms of JSON.
pub(crate) fn json_text(value: &impl fmt::Display, form: &str) -> String {
    if form == JSON_PRETTY { format!("{value:#}\n") } else { format!("{value}\n") }
}

/// The value of a JSON text at an offset of the input.
pub(super) fn read(
    text: &str,
    offset: usize,
    input: &[u8],
    integers: Integers,
) -> Result<Value, CodecError> {
    let value = wire_core::value::from_str(text)
        .map_err(|error| wrong(text, offset, input, &error, integers))?;
    check_integers(text, offset, input, integers)?;
    Ok(value)
}

/// Refuses integers that have become doubles, and so other numbers, since they have more digits.
fn check_integers(
    text: &str,
    offset: usize,
    input: &[u8],
    integers: Integers,
) -> Result<(), CodecError> {
    if integers == Integers::All {
        return Ok(());
    }
    let out_of_range =
        wire_core::value::integers(text).find(|(_, integer)| !integers.hold_digits(integer));
    match out_of_range {
        None => Ok(()),
        Some((at, integer)) => {
            let position = Position::in_text(input, offset + at);
            Err(integers.too_large(integer, Some(position)))
        }
    }
}

/// What is wrong with a JSON text at an offset of the input.
fn wrong(
    text: &str,
    offset: usize,
    input: &[u8],
    error: &serde_json::Error,
    integers: Integers,
) -> CodecError {
    let found = wire_registry::json::error(text.as_bytes(), error);
    let at = found
        .position()
        .map_or(0, |position| usize::try_from(position.offset).unwrap_or(usize::MAX));
    let place = found.position().map(|position| format!("{position}: ")).unwrap_or_default();
    let message = found.to_string();
    let message = message.strip_prefix(&place).unwrap_or(&message).to_owned();
    let position = Position::in_text(input, offset.saturating_add(at));
    if message.starts_with("number out of range") {
        return integers.too_large("of the text", Some(position));
    }
    CodecError::new(found.code(), Some(position), message)
}
