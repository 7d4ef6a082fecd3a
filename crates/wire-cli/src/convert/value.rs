//! Values: JSON, JSON lines, YAML, TOML and CSV to GCF's generic profile, and that to JSON.

use gcf::{Encoder, Spec};

use super::Converted;
use super::{Wanted, refuse};
use crate::args::{BigIntegers, ConvertOptions};
use crate::diagnostic::{Remark, Warning};
use crate::document::{Document, JsonKind, Kind};
use crate::failure::Failure;
use crate::input::Input;
use crate::source::{GCF, GCX, JSON, JSON_PRETTY, Source};
use crate::value::{self, Integers, JsonText, Tree, json_text};

/// The format of a document that is converted as a value; `None` if it is converted as a payload or
/// a response.
pub(super) fn source(
    wanted: Wanted,
    document: &Document<'_>,
    to: &str,
) -> Result<Option<Source>, Failure> {
    let source = document.source();
    match (wanted, to) {
        (Wanted::Payload, GCF | JSON | JSON_PRETTY) => match document.kind {
            Kind::Value(_) => Err(Failure::usage(
                "--profile graph accepts only payloads, in json, gcf, gcb, gcx and goon",
            )),
            _ => Ok(None),
        },
        (_, GCX) | (Wanted::Rows, _) => Ok(None),
        (Wanted::Any, GCF | JSON | JSON_PRETTY) => {
            let is_payload =
                matches!(document.json(), Some(JsonKind::Payload | JsonKind::PayloadWithMore));
            Ok(source.filter(|_| !is_payload))
        }
        (Wanted::Value, GCF | JSON | JSON_PRETTY) => {
            let is_unknown = matches!(document.kind, Kind::Unknown);
            Ok(source.or(is_unknown.then_some(Source::Json)))
        }
        _ if source.is_some() => document.no_graph(to).map_or(Ok(None), Err),
        _ => Ok(None),
    }
}

/// Converts a document as a value.
pub(super) fn convert(
    options: &ConvertOptions,
    document: &Document<'_>,
    source: Source,
    to: &str,
) -> Result<Converted, Failure> {
    let mut converted = write(options, document.input, source, to)?;
    if Wanted::of(options) == Wanted::Any && document.json() == Some(JsonKind::AlmostPayload) {
        let message = "it is not a payload, or has members that payloads don't have, and is converted as any other JSON; use --profile graph to convert it as a payload";
        converted.remarks.insert(0, Remark::note("profile", message.to_owned()));
    }
    Ok(converted)
}

/// Converts the value in a model's answer.
pub(super) fn recovered(
    options: &ConvertOptions,
    document: &Document<'_>,
    to: &str,
) -> Result<Converted, Failure> {
    if matches!(to, GCF | JSON | JSON_PRETTY) {
        return write(options, document.input, Source::Generic, to);
    }
    Err(document.no_graph(to).unwrap_or_else(|| {
        Failure::usage(format!(
            "a value can be written as {GCF}, {GCX}, {JSON} and {JSON_PRETTY}, and --to is {to}"
        ))
    }))
}

/// Reads and writes a value.
fn write(
    options: &ConvertOptions,
    input: &Input,
    source: Source,
    to: &str,
) -> Result<Converted, Failure> {
    let flags = [
        ("--dialect", options.gcf.dialect.is_some()),
        ("--lossy", !options.lossy.is_empty()),
        ("--budget", options.budget.is_some()),
    ];
    refuse(&flags, "a value that is not a payload")?;
    if options.stream.is_some() {
        return Err(Failure::usage(format!(
            "--stream accepts payloads, JSON lines (--from jsonl), a JSON array and the generic profile of GCF, and the input is another value in {}",
            source.name()
        )));
    }
    let refused = |error| input.refused(error);
    let spec = options.spec.as_deref().and_then(Spec::from_name).unwrap_or_default();
    let encoder = Encoder::new().spec(spec);
    let not_encoded = |error| Failure::encode(input.name.clone(), to, error);
    let as_strings = options.big_integers == BigIntegers::String;
    if options.recover {
        let (json, repairs) = value::recover(&input.bytes).map_err(refused)?;
        let repairs = repairs.iter().map(Warning::of_repair).collect();
        let recovered = input.with_bytes(json.into_bytes());
        let converted = if to == GCF {
            straight(encoder, &recovered, Source::Json, as_strings)?
        } else {
            Converted::plain(value::to_json(Source::Json, &recovered.bytes, to).map_err(refused)?)
        };
        return Ok(converted.read_with(repairs));
    }
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
            let Tree { value, strings, warnings } = tree.map_err(refused)?;
            let converted = if to == GCF {
                let losses = value::losses(&value::doubles(&value), None);
                let prepared = encoder.prepare(&value).map_err(not_encoded)?;
                Converted::lossy(prepared, to, losses).with_big_integers(strings)
            } else {
                Converted::plain(json_text(&value, to))
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
