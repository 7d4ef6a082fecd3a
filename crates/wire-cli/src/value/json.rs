//! JSON as values: with all digits of its integers, and without.

use std::fmt;

use gcx::json::Exact;
use serde_json::Value;
use wire_core::{CodecError, Position};

use super::integers::Integers;
use crate::source::JSON_PRETTY;

/// The value of a JSON text, with all digits.
pub(crate) fn parse(bytes: &[u8]) -> Result<Exact, CodecError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        CodecError::new("json_syntax", Some(position), "the input is not UTF-8, expected JSON")
    })?;
    text.parse().map_err(|error| wrong(text, 0, bytes, &error, Integers::All))
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
    // An integer of more digits has become a double, and so another number.
    let out_of_range =
        wire_core::value::integers(text).find(|(_, integer)| !integers.hold_digits(integer));
    if let Some((at, integer)) = out_of_range {
        let position = Position::in_text(input, offset + at);
        return Err(integers.too_large(integer, Some(position)));
    }
    Ok(value)
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
