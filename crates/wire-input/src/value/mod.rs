//! Any value: of JSON, JSON lines, YAML, TOML, CSV and GCF's generic profile.

mod alike;
mod checked;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "csv")]
mod csv_types;
mod generic;
mod json;
mod numbers;
mod pieces;
#[cfg(feature = "toml")]
mod toml;
#[cfg(feature = "yaml")]
mod yaml;

use serde_json::Value;
use wire_core::CodecError;
use wire_core::json::{Json, Strings, laid_out};

pub use self::alike::are_alike;
pub use self::checked::Checked;
#[cfg(feature = "csv")]
pub(crate) use self::csv::typed_columns;
#[cfg(feature = "csv")]
pub use self::csv::write as to_csv;
pub(crate) use self::generic::decoder;
pub use self::generic::recover;
use self::json::Part;
pub(crate) use self::json::values_end;
pub use self::json::{JsonText, json_lines, losses, rounded, text};
pub use self::numbers::Integers;
pub use self::pieces::{Cut, Piece, Pieces};
use crate::source::{JSON_PRETTY, Source};
use crate::warning::Warning;

/// The value of an input in another form than JSON.
#[derive(Debug)]
pub struct Tree {
    /// The value as JSON without white space. Its decimals are doubles.
    pub json: String,
    /// The number of integers that became strings.
    pub strings: usize,
    /// Warnings about reading it.
    pub warnings: Vec<Warning>,
}

/// The value of YAML, TOML or CSV. With `as_strings`, integers that can't be represented are
/// strings. A decimal that is not a double is rounded, with a warning (ruling A7).
///
/// # Errors
///
/// What is wrong with the input.
pub fn read(
    source: Source,
    bytes: &[u8],
    integers: Integers,
    as_strings: bool,
) -> Result<Tree, CodecError> {
    let text = text(bytes)?;
    match source {
        #[cfg(feature = "csv")]
        Source::Csv(options) => {
            let (value, warnings) = csv::read(text, options)?;
            Ok(Tree { json: value.to_string(), strings: 0, warnings })
        }
        #[cfg(feature = "toml")]
        Source::Toml => {
            let tree = toml::read(text, as_strings).map(Tree::from)?;
            // Its parser bounds the levels of keys and of values, each alone.
            let checked = Part::whole(&tree.json).check();
            checked.map_err(|error| CodecError::new(error.kind().code(), None, error.message()))?;
            Ok(tree)
        }
        #[cfg(feature = "yaml")]
        Source::Yaml(tags) => yaml::read(text, tags, integers, as_strings).map(Tree::from),
        other => {
            let message = format!("{} is not compiled in, expected another format", other.name());
            Err(CodecError::new("unknown_input_format", None, message))
        }
    }
}

/// The content of an input. JSON and JSON lines use only the memory of reading.
///
/// # Errors
///
/// What is wrong with the input.
pub fn check(source: Source, bytes: &[u8]) -> Result<(Checked, Vec<Warning>), CodecError> {
    let plain = |checked| Ok((checked, Vec::new()));
    match source {
        Source::Json => {
            let part = Part::whole(text(bytes)?);
            plain(part.check().map_err(|error| part.refused(bytes, &error))?)
        }
        Source::JsonLines | Source::JsonValues => {
            let checked = json::check_all(source, text(bytes)?);
            plain(checked.map_err(|(line, error)| line.refused(bytes, &error))?)
        }
        source => {
            let Tree { json, warnings, .. } = read(source, bytes, Integers::Any, false)?;
            Ok((checked(&json).expect("because the levels of all sources are bounded"), warnings))
        }
    }
}

/// Returns `true` if a text is TOML and no JSON.
pub(crate) fn is_toml(bytes: &[u8]) -> bool {
    let is_json = || text(bytes).is_ok_and(|text| checked(text).is_some());
    #[cfg(feature = "toml")]
    return !is_json()
        && read(Source::Toml, bytes, Integers::Any, false).is_ok_and(|tree| tree.json != "{}");
    #[cfg(not(feature = "toml"))]
    false
}

/// The content of a JSON text; `None` for other text.
pub fn checked(text: &str) -> Option<Checked> {
    Part::whole(text).check().ok()
}

/// The value of a JSON text that is an item of an array, or a line.
///
/// # Errors
///
/// What is wrong with the text.
pub fn parse_item(bytes: &[u8]) -> Result<Json<'_>, CodecError> {
    let part = Part { is_item: true, ..Part::whole(text(bytes)?) };
    Json::read_whole(part.reader()).map_err(|error| part.refused(bytes, &error))
}

/// An input in JSON, JSON lines or GCF in one of the forms of JSON, with the literals of its
/// numbers (ruling A7), and a last line ending.
///
/// # Errors
///
/// What is wrong with the input.
pub fn to_json(source: Source, bytes: &[u8], form: &str) -> Result<String, CodecError> {
    let text = text(bytes)?;
    match source {
        Source::JsonLines | Source::JsonValues => {
            json::array_again(json::parts(source, text), bytes, form)
        }
        Source::Generic => {
            let decoder = decoder(bytes).pretty(form == JSON_PRETTY);
            Ok(decoder.gcf_to_json(text)? + "\n")
        }
        _ => {
            let json = laid_out(text, json::layout(form), Strings::Shortest);
            let json = json.map_err(|error| Part::whole(text).refused(bytes, &error))?;
            Ok(json + "\n")
        }
    }
}

/// A value in one of the forms of JSON.
pub fn json_text(value: &Value, form: &str) -> String {
    if form == JSON_PRETTY { format!("{value:#}\n") } else { format!("{value}\n") }
}
