//! Any value: of JSON, JSON lines, YAML, TOML, CSV and GCF's generic profile.

mod csv;
mod csv_types;
mod generic;
mod integers;
mod json;
mod lines;
mod toml;
mod yaml;

use std::convert::Infallible;

use gcx::json::Exact;
use serde_json::Value;
use wire_core::{CodecError, Position};

pub(crate) use self::generic::{decoder, recover};
pub(crate) use self::integers::Integers;
pub(crate) use self::json::{json_text, parse};
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

/// The value of an input with all digits of its integers; those of YAML and TOML are of 64 bits.
pub(crate) fn read_exact(
    source: Source,
    bytes: &[u8],
) -> Result<(Exact, Vec<Warning>), CodecError> {
    match source {
        Source::Json => parse(bytes).map(|value| (value, Vec::new())),
        Source::JsonLines => lines::parse(text(bytes)?).map(|value| (value, Vec::new())),
        source => {
            read(source, bytes, Integers::Any).map(|(value, warnings)| (value.into(), warnings))
        }
    }
}

fn text(bytes: &[u8]) -> Result<&str, CodecError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        let message = "the input is not UTF-8, expected UTF-8 text";
        CodecError::new("invalid_utf8", Some(position), message)
    })
}

/// A value as people see it: what 64 bits can't hold is its digits.
pub(crate) fn with_digits(value: Exact) -> Value {
    let Ok(value) = value.into_value_with(|digits| Ok::<_, Infallible>(digits.into()));
    value
}

/// How many of what a value holds.
pub(crate) fn counts_of(value: &Value) -> (usize, &'static str) {
    match value {
        Value::Object(members) => (members.len(), "member"),
        Value::Array(items) => (items.len(), "item"),
        _ => (1, "scalar"),
    }
}
