//! Values: JSON, JSON lines, YAML, TOML and CSV to GCF's generic profile, and that to JSON.

use gcf::{Encoder, Spec};
use wire_input::Document;
use wire_input::value::{self, Integers, JsonText, Tree};

use super::Converted;
use crate::args::{BigIntegers, ConvertOptions};
use crate::diagnostic::Warning;
use crate::failure::Failure;
use crate::input::Input;
use crate::source::{GCF, GCX, JSON, JSON_PRETTY, Source};

/// How a value is converted.
#[derive(Default)]
pub(super) struct Options {
    encoder: Encoder,
    /// `true` if integers beyond 64 bits are strings of their digits.
    as_strings: bool,
}

impl Options {
    pub(super) fn of(options: &ConvertOptions) -> Self {
        let spec = options.spec.as_deref().and_then(Spec::from_name).unwrap_or_default();
        let as_strings = options.big_integers == BigIntegers::String;
        Options { encoder: Encoder::new().spec(spec), as_strings }
    }
}

/// Converts the value in a model's answer.
pub(super) fn recovered(
    options: &Options,
    input: &Input,
    document: &Document<'_>,
    to: &str,
) -> Result<Converted, Failure> {
    if !matches!(to, GCF | JSON | JSON_PRETTY) {
        return Err(input.no_graph(document, to).unwrap_or_else(|| {
            Failure::usage(format!(
                "a value can be written as {GCF}, {GCX}, {JSON} and {JSON_PRETTY}, and --to is {to}"
            ))
        }));
    }
    let (json, repairs) = value::recover(&input.bytes).map_err(|error| input.refused(error))?;
    let repairs = repairs.iter().map(Warning::of_repair);
    let json = input.with_bytes(json.into_bytes());
    Ok(convert(options, &json, Source::Json, to)?.read_with(repairs))
}

/// Converts a value.
pub(super) fn convert(
    options: &Options,
    input: &Input,
    source: Source,
    to: &str,
) -> Result<Converted, Failure> {
    let Options { encoder, as_strings } = *options;
    let refused = |error| input.refused(error);
    let not_encoded = |error| Failure::encode(input.name.clone(), to, error);
    match source {
        Source::Json | Source::JsonLines | Source::JsonValues | Source::Generic if to != GCF => {
            Ok(Converted::plain(value::to_json(source, &input.bytes, to).map_err(refused)?))
        }
        Source::Json | Source::JsonLines | Source::JsonValues => {
            straight(encoder, input, source, as_strings)
        }
        Source::Generic => {
            let json = value::to_json(source, &input.bytes, JSON).map_err(refused)?;
            let json = input.with_bytes(json.into_bytes());
            straight(encoder, &json, Source::Json, as_strings)
        }
        source => {
            let tree = value::read(source, &input.bytes, Integers::of(to), as_strings && to == GCF);
            let Tree { json, strings, warnings } = tree.map_err(refused)?;
            let converted = if to == GCF {
                let json = JsonText::new(&json).signed();
                let prepared = encoder.prepare(&json).map_err(not_encoded)?;
                let losses = value::losses(&json.doubles(), None);
                Converted::lossy(prepared, to, losses).with_big_integers(strings)
            } else {
                Converted::plain(
                    value::to_json(Source::Json, json.as_bytes(), to).map_err(refused)?,
                )
            };
            Ok(converted.read_with(warnings))
        }
    }
}

/// Converts JSON to GCF without building a tree.
fn straight(
    encoder: Encoder,
    input: &Input,
    source: Source,
    as_strings: bool,
) -> Result<Converted, Failure> {
    let text = value::text(&input.bytes).map_err(|error| input.refused(error))?;
    let json = JsonText::of(source, text).signed().big_integers_as_strings(as_strings);
    match encoder.prepare(&json) {
        Ok(prepared) => {
            let doubles = json.doubles();
            let first = doubles.first_rounded.and_then(|at| input.position(at));
            let losses = value::losses(&doubles, first);
            Ok(Converted::lossy(prepared, GCF, losses).with_big_integers(json.strings()))
        }
        Err(error) => Err(match json.error(&input.bytes) {
            Some(error) => input.refused(error),
            None => Failure::encode(input.name.clone(), GCF, error),
        }),
    }
}
