//! JSON as values: with all digits of its integers, and without.

use std::convert::Infallible;
use std::fmt;

use gcx::json::Exact;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::PrettyFormatter;
use wire_core::value::{Flaw, JsonText, flaw, is_out_of_range, message};
use wire_core::{CodecError, MAX_NESTING, Position};

use super::brackets::Brackets;
use super::checked::Checked;
use super::integers::{AsStrings, Integers};
use super::utf8::text;
use crate::source::JSON_PRETTY;

/// The value of a JSON text, with all digits.
pub(crate) fn parse(bytes: &[u8]) -> Result<Exact, CodecError> {
    let text = text(bytes)?;
    text.parse().map_err(|error| wrong(text, 0, bytes, &error, Integers::All))
}

/// The content of a JSON text at an offset of the input. It uses only the memory of reading; errors
/// are those of reading a value that is kept.
pub(super) fn check(
    text: &str,
    offset: usize,
    input: &[u8],
    integers: Integers,
) -> Result<Checked, CodecError> {
    let checked =
        checked(text, integers).map_err(|error| wrong(text, offset, input, &error, integers))?;
    check_integers(text, offset, input, integers)?;
    Ok(checked)
}

/// What a JSON text contains, in which integers may have any length.
pub(super) fn checked(text: &str, integers: Integers) -> serde_json::Result<Checked> {
    match serde_json::from_str(text) {
        // Integers beyond doubles are numbers, too. As strings they are scalars all the same.
        Err(error) if integers == Integers::All && is_out_of_range(&error) => {
            serde_json::from_str(&AsStrings::of(text, Integers::Any).text)
        }
        checked => checked,
    }
}

/// Checks a line or an item as [`check`] does. Its array nests it one level deeper.
pub(super) fn check_item(
    text: &str,
    offset: usize,
    input: &[u8],
    integers: Integers,
) -> Result<Checked, CodecError> {
    let checked = check(text, offset, input, integers);
    match (&checked, too_deep(text, MAX_NESTING - 1)) {
        (Err(error), _) if error.code() != TOO_DEEP => checked,
        (_, Some(at)) => {
            let message = format!(
                "arrays and objects are nested more than {MAX_NESTING} levels deep, with the array that this value is an item of"
            );
            let position = Position::in_text(input, offset + at);
            Err(CodecError::new(TOO_DEEP, Some(position), message))
        }
        _ => checked,
    }
}

const TOO_DEEP: &str = "too_deep";

/// The offset of the first bracket of a JSON text that is nested deeper than this.
fn too_deep(text: &str, most: usize) -> Option<usize> {
    // A shorter text has too few brackets.
    if text.len() <= 2 * most {
        return None;
    }
    let mut brackets = Brackets::default();
    text.bytes().position(|byte| brackets.after(byte).is_some_and(|depth| depth > most))
}

/// A value for people: a number that does not fit 64 bits is shown as its digits.
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

/// The first error of a JSON text at an offset of the input, with the code that the libraries use.
#[cold]
fn wrong(
    text: &str,
    offset: usize,
    input: &[u8],
    error: &serde_json::Error,
    integers: Integers,
) -> CodecError {
    // `serde_json` refuses integers beyond doubles. As strings they are accepted.
    let read_as = if integers == Integers::All { Integers::Any } else { Integers::All };
    let strings = AsStrings::of(text, read_as);
    let refused = |literal: &str| {
        (!integers.hold_literal(literal)).then(|| integers.too_large(literal, None).to_string())
    };
    let position = |at: usize| Position::in_text(input, offset.saturating_add(at));
    let Some(found) = flaw(&strings.text, refused) else {
        let at = position(wire_core::value::offset(text, error));
        return CodecError::new("json_syntax", Some(at), message(error));
    };
    let is_end = found.at >= strings.text.len();
    let code = match found.kind {
        Flaw::Syntax if is_end => "json_unexpected_end",
        Flaw::Syntax => "json_syntax",
        Flaw::TooDeep => TOO_DEEP,
        Flaw::DuplicateKey => "duplicate_key",
        Flaw::OutOfRange => "out_of_range",
    };
    let place = position(strings.place(found.at));
    let mut message = found.into_message();
    if message == "trailing characters" && place.line > 1 && place.column == 1 {
        message += "; values on lines of their own are --from jsonl";
    }
    CodecError::new(code, Some(place), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_the_first_by_their_codes_and_places() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let digits = "9".repeat(400);
        for (text, integers, code, at) in [
            ("[1,\n x]".to_owned(), Integers::All, "json_syntax", 5),
            ("[1,\n".to_owned(), Integers::All, "json_unexpected_end", 4),
            ("{\"a\":1,\n\"a\":2}".to_owned(), Integers::All, "duplicate_key", 8),
            ("[1e400, x]".to_owned(), Integers::All, "out_of_range", 1),
            ("[1e400, x]".to_owned(), Integers::Signed, "out_of_range", 1),
            (format!("[{digits}, x]"), Integers::Signed, "out_of_range", 1),
            (format!("[{digits}, x]"), Integers::All, "json_syntax", 403),
            (format!("[\"{digits}\", {digits} x]"), Integers::All, "json_syntax", 806),
            ("[9223372036854775808]".to_owned(), Integers::Signed, "out_of_range", 1),
            (deep(128), Integers::All, "too_deep", 127),
        ] {
            let error = check(&text, 0, text.as_bytes(), integers).unwrap_err();
            let offset = error.position().unwrap().offset;
            assert_eq!((error.code(), offset), (code, at), "{text} {error}");
        }
        for (text, is_rows) in [(format!("[{{\"a\":{digits}}}]"), true), (deep(127), false)] {
            let found = check(&text, 0, text.as_bytes(), Integers::All).unwrap();
            assert_eq!(found.is_rows(), is_rows);
        }
    }

    #[test]
    fn items_are_nested_in_their_array() {
        let item = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let of = |text: &str| check_item(text, 0, text.as_bytes(), Integers::All);
        of(&item(126)).unwrap();
        of(&format!("[\"{}\\\"{}\"]", "[".repeat(200), "[".repeat(200))).unwrap();
        for levels in [127, 128, 400] {
            let error = of(&item(levels)).unwrap_err();
            assert_eq!((error.code(), error.position().unwrap().offset), ("too_deep", 126));
        }
        let error = of(&format!("{{\"a\":1,\"a\":{}}}", item(200))).unwrap_err();
        assert_eq!(error.code(), "duplicate_key");
    }
}
