//! Any value: of JSON, JSON lines, YAML, TOML, CSV and GCF's generic profile.

mod alike;
mod brackets;
mod checked;
mod csv;
mod csv_types;
mod generic;
mod integers;
mod json;
mod lines;
mod pieces;
mod toml;
mod utf8;
mod yaml;

use std::borrow::Cow;

use serde_json::Value;
use wire_core::CodecError;

pub(crate) use self::alike::are_alike;
pub(crate) use self::checked::Checked;
pub(crate) use self::generic::{decoder, recover};
pub(crate) use self::integers::{AsStrings, Integers};
pub(crate) use self::json::{json_text, parse, with_digits};
pub(crate) use self::lines::of_json as json_lines;
pub(crate) use self::pieces::{Cut, Piece, Pieces};
pub(crate) use self::utf8::text;
use crate::converted::Warning;
use crate::source::Source;

/// The value of an input.
pub(crate) fn read(
    source: Source,
    bytes: &[u8],
    integers: Integers,
) -> Result<(Value, Vec<Warning>), CodecError> {
    let plain = |value| Ok((value, Vec::new()));
    match source {
        Source::Generic => plain(generic::read(bytes)?),
        Source::Json => plain(json::read(text(bytes)?, 0, bytes, integers)?),
        Source::JsonLines => plain(lines::read(text(bytes)?, integers)?),
        Source::Yaml => plain(yaml::read(text(bytes)?, integers)?),
        Source::Toml => plain(toml::read(text(bytes)?)?),
        Source::Csv(cells) => csv::read(text(bytes)?, b',', cells),
        Source::Tsv(cells) => csv::read(text(bytes)?, b'\t', cells),
    }
}

/// The same for YAML and TOML, with strings for integers that can't be represented, and their
/// number.
pub(crate) fn read_with_strings(
    source: Source,
    bytes: &[u8],
    integers: Integers,
) -> Result<(Value, usize), CodecError> {
    match source {
        Source::Toml => toml::read_with_strings(text(bytes)?),
        _ => yaml::read_with_strings(text(bytes)?, integers),
    }
}

/// The content of an input. JSON and JSON lines use only the memory of reading. Errors are those of
/// [`read`] says.
pub(crate) fn check(
    source: Source,
    bytes: &[u8],
    integers: Integers,
) -> Result<(Checked, Vec<Warning>), CodecError> {
    let plain = |checked| Ok((checked, Vec::new()));
    match source {
        Source::Json => plain(json::check(text(bytes)?, 0, bytes, integers)?),
        Source::JsonLines => plain(lines::check(text(bytes)?, integers)?),
        source => read(source, bytes, Integers::Any)
            .map(|(value, warnings)| (Checked::of(&value), warnings)),
    }
}

/// Checks a JSON text that is an item of an array, or a line.
pub(crate) fn check_item(bytes: &[u8], integers: Integers) -> Result<Checked, CodecError> {
    json::check_item(text(bytes)?, 0, bytes, integers)
}

/// What a JSON text contains, in which integers may have any length; `None` for other text.
pub(crate) fn checked(text: &str) -> Option<Checked> {
    json::checked(text, Integers::All).ok()
}

/// The text of an input in JSON, and of one in JSON lines that of their array.
pub(crate) fn as_json(
    source: Source,
    bytes: &[u8],
    integers: Integers,
) -> Result<Cow<'_, str>, CodecError> {
    let text = text(bytes)?;
    if source == Source::JsonLines {
        // What is a line of its own, no array tells.
        lines::check(text, integers)?;
        return Ok(lines::as_array(text).into());
    }
    Ok(text.into())
}

/// An input in JSON or JSON lines in one of the forms of JSON, with all digits and without a value
/// in between.
pub(crate) fn json_again(source: Source, bytes: &[u8], form: &str) -> Result<String, CodecError> {
    if source != Source::JsonLines {
        check(source, bytes, Integers::All)?;
    }
    json::again(&as_json(source, bytes, Integers::All)?, form)
}

/// The number of items or members of a value, and their name.
pub(crate) fn counts_of(value: &Value) -> (usize, &'static str) {
    match value {
        Value::Object(members) => (members.len(), "member"),
        Value::Array(items) => (items.len(), "item"),
        _ => (1, "scalar"),
    }
}
