//! Values: JSON, JSON lines, YAML, TOML and CSV to GCF's generic profile, and that to JSON.

use gcf::generic::{Encoder, Spec};

use crate::args::{BigIntegers, ConvertOptions, Profile};
use crate::converted::{Converted, Remark, Warning};
use crate::document::{Document, Kind};
use crate::failure::Failure;
use crate::input::Input;
use crate::members::JsonKind;
use crate::source::{GCF, GCX, JSON, JSON_PRETTY, Source};
use crate::value::{self, Integers, JsonText, Tree, json_text};

/// Whether the options ask for a value, and not for a payload or a tool's response; `None` if they
/// don't decide.
pub(super) fn asked(options: &ConvertOptions, to: &str) -> Result<Option<bool>, Failure> {
    let generic = options.profile == Some(Profile::Generic) || options.spec.is_some();
    if generic && options.profile == Some(Profile::Graph) {
        return Err(Failure::usage(
            "--spec applies only to the generic profile, and --profile is graph",
        ));
    }
    if generic && (options.tool.is_some() || options.typed) {
        return Err(Failure::usage(
            "--tool and --typed apply only to gcx, and --profile and --spec only to gcf",
        ));
    }
    if options.spec.is_some() && to != GCF {
        return Err(Failure::usage(format!("--spec applies only to gcf, and --to is {to}")));
    }
    if options.profile.is_some() && !matches!(to, GCF | JSON | JSON_PRETTY) {
        return Err(Failure::usage(format!("--profile applies only to gcf, and --to is {to}")));
    }
    let other = options.profile == Some(Profile::Graph)
        || options.tool.is_some()
        || options.typed
        || options.drop_dangling_edges;
    Ok(if generic { Some(true) } else { other.then_some(false) })
}

/// The format of a document that is converted as a value; `None` if it is converted as a payload or
/// a response.
pub(super) fn source(
    options: &ConvertOptions,
    asked: Option<bool>,
    document: &Document<'_>,
    to: &str,
) -> Result<Option<Source>, Failure> {
    if asked == Some(false) {
        return match document.kind {
            Kind::Value(_) if options.profile.is_some() => Err(Failure::usage(
                "--profile graph accepts only payloads, in json, gcf, gcb, gcx and goon",
            )),
            _ => Ok(None),
        };
    }
    let source = document.source();
    match (to, source, asked) {
        // Rows, as a response.
        (GCX, ..) => Ok(None),
        (GCF | JSON | JSON_PRETTY, Some(Source::Json), None) => {
            let kind = document.json();
            let is_payload = matches!(kind, Some(JsonKind::Payload | JsonKind::PayloadWithMore));
            Ok(source.filter(|_| !is_payload))
        }
        (GCF | JSON | JSON_PRETTY, None, Some(true)) => {
            Ok(matches!(document.kind, Kind::Unknown).then_some(Source::Json))
        }
        (GCF | JSON | JSON_PRETTY, ..) => Ok(source),
        (_, Some(_), _) => document.no_graph(to).map_or(Ok(None), Err),
        (_, None, _) => Ok(None),
    }
}

/// Converts a document as a value.
pub(super) fn convert(
    options: &ConvertOptions,
    asked: Option<bool>,
    document: &Document<'_>,
    source: Source,
    to: &str,
) -> Result<Converted, Failure> {
    let mut converted = write(options, document.input, source, to)?;
    if asked.is_none() && document.json() == Some(JsonKind::AlmostPayload) {
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
    if options.gcf.dialect.is_some()
        || options.gcf.replace_white_space.is_some()
        || options.budget.is_some()
    {
        return Err(Failure::usage(
            "--dialect, --replace-white-space and --budget apply only to payloads, and the input is another value",
        ));
    }
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
        Source::Json | Source::JsonLines | Source::Generic if to != GCF => {
            Ok(Converted::plain(value::to_json(source, &input.bytes, to).map_err(refused)?))
        }
        Source::Json | Source::JsonLines => straight(encoder, input, source, as_strings),
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
    let json = match source {
        Source::JsonLines => JsonText::lines(text),
        _ => JsonText::new(text),
    };
    let json = json.signed().big_integers_as_strings(as_strings);
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
