//! Any value: JSON, JSON lines, YAML, TOML and CSV to GCF's generic profile, and that to JSON.

use std::path::Path;

use gcf::generic::{Decoder, Encoder, Spec};
use serde_json::{Map, Value};
use wire_core::value::Unambiguous;
use wire_core::{CodecError, Position};

use crate::args::{ConvertOptions, Profile};
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::input::Input;
use crate::output;
use crate::response::{JSON, JSON_PRETTY, json_text};

const GCF: &str = "gcf";
/// How `toml` calls a date in serde's terms.
const TOML_DATE: &str = "$__toml_private_datetime";

/// What a value is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Json,
    JsonLines,
    Yaml,
    Toml,
    Csv,
    /// GCF in its generic profile.
    Generic,
}

impl Source {
    /// Those that are no formats of payloads: their names, aliases, descriptions, and what they are. An alias is an extension,
    /// too.
    pub(crate) const NAMED: &'static [(
        &'static str,
        &'static [&'static str],
        &'static str,
        Source,
    )] = &[
        ("jsonl", &["ndjson"], "JSON lines: a value on each line, as an array.", Source::JsonLines),
        ("yaml", &["yml"], "YAML: one document.", Source::Yaml),
        ("toml", &[], "TOML. Dates are texts.", Source::Toml),
        ("csv", &[], "CSV with a header: an array of objects. Its cells are texts.", Source::Csv),
    ];

    /// What an input is, by its name, its first bytes, or its extension; none if it is something else.
    fn of(from: Option<&str>, input: &Input) -> Option<Self> {
        let named = |name: &str| {
            let is_named = |known: &str, aliases: &[&str]| {
                known.eq_ignore_ascii_case(name)
                    || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
            };
            Source::NAMED
                .iter()
                .find(|(known, aliases, ..)| is_named(known, aliases))
                .map(|(.., source)| *source)
        };
        match from {
            Some(name) if name.eq_ignore_ascii_case(GCF) => {
                is_generic(&input.bytes).then_some(Source::Generic)
            }
            Some(name) if name.to_ascii_lowercase().starts_with(JSON) && named(name).is_none() => {
                Some(Source::Json)
            }
            Some(name) => named(name),
            None if is_generic(&input.bytes) => Some(Source::Generic),
            None => match input.extension().and_then(named) {
                Some(source) => Some(source),
                None if input
                    .extension()
                    .is_some_and(|extension| extension.eq_ignore_ascii_case(JSON)) =>
                {
                    Some(Source::Json)
                }
                None => looks_like_json(&input.bytes).then_some(Source::Json),
            },
        }
    }
}

/// Whether a text is GCF in its generic profile.
pub(crate) fn is_generic(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"GCF ")
        && String::from_utf8_lossy(line)
            .split_ascii_whitespace()
            .any(|field| field == "profile=generic")
}

fn looks_like_json(bytes: &[u8]) -> bool {
    matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Whether the shape of a value is that of a payload, maybe of one with a mistake in it.
fn is_payload(value: &Value) -> bool {
    let has = |member: &str| value.get(member).is_some();
    let ranked = || {
        value["symbols"].as_array().is_some_and(|symbols| {
            symbols.iter().any(|symbol| symbol.get("qualified_name").is_some())
        })
    };
    (has("tool") && ["symbols", "edges", "tokens_used", "token_budget"].into_iter().any(has))
        || ranked()
}

/// Converts a value. None if the options and the input are about a payload, or a tool's response.
pub(crate) fn convert(
    options: &ConvertOptions,
    input: &Input,
    to: &str,
    destination: Option<&Path>,
    diagnostics: &Diagnostics,
) -> Result<Option<()>, Failure> {
    let asked = options.profile == Some(Profile::Generic) || options.spec.is_some();
    if asked && options.profile == Some(Profile::Graph) {
        return Err(usage("--spec is about the generic profile, and --profile is graph"));
    }
    if options.profile == Some(Profile::Graph) || options.tool.is_some() || options.typed {
        return if asked {
            Err(usage("--tool and --typed are about gcx, --profile and --spec about gcf"))
        } else {
            Ok(None)
        };
    }
    if asked && to != GCF {
        let message = format!("--profile generic and --spec are about gcf, and --to is {to}");
        return Err(Failure::Usage { message });
    }
    let in_answer = options.recover && input.bytes.windows(HEADER.len()).any(|part| part == HEADER);
    if options.recover && !in_answer {
        return if asked {
            Err(usage("--recover finds no text of the generic profile in the answer"))
        } else {
            Ok(None)
        };
    }
    let Some(source) = (if in_answer {
        Some(Source::Generic)
    } else {
        Source::of(options.from.as_deref(), input)
    }) else {
        return if asked {
            Err(usage("the input is no value, expected --from json, jsonl, yaml, toml or csv"))
        } else {
            Ok(None)
        };
    };
    let is_json = matches!(to, JSON | JSON_PRETTY);
    if source == Source::Json
        && (to != GCF
            || !asked
                && matches!(read(Source::Json, &input.bytes), Ok(value) if is_payload(&value)))
    {
        return Ok(None);
    }
    if to != GCF && !is_json {
        let message =
            format!("a value can be written as {GCF}, {JSON} and {JSON_PRETTY}, and --to is {to}");
        return Err(Failure::Usage { message });
    }
    if options.gcf.dialect.is_some()
        || options.gcf.replace_white_space.is_some()
        || options.stream
        || options.budget.is_some()
    {
        return Err(usage(
            "--dialect, --replace-white-space, --stream and --budget are about payloads, and this is another value",
        ));
    }
    let failed =
        |error| Failure::Decode { file: input.name.clone(), error, input: input.bytes.clone() };
    let (value, repairs) = if in_answer {
        let (value, recovery) =
            Decoder::new().recover_slice(&input.bytes).map_err(|error| failed(error.into()))?;
        (value, recovery.repairs)
    } else {
        (read(source, &input.bytes).map_err(failed)?, Vec::new())
    };
    let describe = |repair: &gcf::graph::Repair| {
        let reason =
            repair.reason.map(|reason| format!(": {}", reason.summary())).unwrap_or_default();
        format!("line {}: {}{reason}", repair.line, repair.kind.summary())
    };
    let losses: Vec<String> =
        repairs.iter().filter(|repair| repair.kind.is_loss()).map(describe).collect();
    if options.deny_loss && !losses.is_empty() {
        return Err(Failure::Loss { format: to.to_owned(), losses });
    }
    let text = if is_json {
        json_text(&value, to)
    } else {
        let spec = options.spec.as_deref().and_then(Spec::from_name).unwrap_or_default();
        Encoder::new().spec(spec).to_string(&value).map_err(|error| Failure::Encode {
            file: input.name.clone(),
            format: to.to_owned(),
            error: error.into(),
        })?
    };
    output::write(destination, |writer| writer.write_all(text.as_bytes()))?;
    for repair in &repairs {
        diagnostics.warning(repair.kind.code(), &input.name, &describe(repair));
    }
    Ok(Some(()))
}

const HEADER: &[u8] = b"GCF profile=generic";

fn usage(message: &str) -> Failure {
    Failure::Usage { message: message.to_owned() }
}

/// The value of an input.
fn read(source: Source, bytes: &[u8]) -> Result<Value, CodecError> {
    if source == Source::Generic {
        return Ok(gcf::generic::from_slice(bytes)?);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        CodecError::new(
            "invalid_utf8",
            Some(position),
            "the input is not UTF-8, expected UTF-8 text",
        )
    })?;
    match source {
        Source::Json | Source::Generic => json(text, 0, bytes),
        Source::JsonLines => {
            let mut values = Vec::new();
            let mut offset = 0;
            for line in text.split_inclusive('\n') {
                if !line.trim().is_empty() {
                    values.push(json(line, offset, bytes)?);
                }
                offset += line.len();
            }
            Ok(values.into())
        }
        Source::Yaml => {
            serde_yaml_ng::from_str::<Unambiguous>(text).map(|value| value.0).map_err(|error| {
                let position =
                    error.location().map(|place| Position::in_text(bytes, place.index()));
                CodecError::new("yaml_syntax", position, without_place(&error.to_string()))
            })
        }
        Source::Toml => {
            toml::from_str::<Unambiguous>(text).map(|value| dates(value.0)).map_err(|error| {
                let position = error.span().map(|span| Position::in_text(bytes, span.start));
                CodecError::new("toml_syntax", position, error.message().to_owned())
            })
        }
        Source::Csv => csv(text),
    }
}

/// What `serde_yaml` says without where.
fn without_place(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

/// A JSON text at an offset of the input.
fn json(text: &str, offset: usize, input: &[u8]) -> Result<Value, CodecError> {
    let value = wire_core::value::from_str(text).map_err(|error| {
        let found = wire_registry::json::error(text.as_bytes(), &error);
        let at = found
            .position()
            .map_or(0, |position| usize::try_from(position.offset).unwrap_or(usize::MAX));
        let place = found.position().map(|position| format!("{position}: ")).unwrap_or_default();
        let message = found.to_string();
        let message = message.strip_prefix(&place).unwrap_or(&message).to_owned();
        CodecError::new(
            found.code(),
            Some(Position::in_text(input, offset.saturating_add(at))),
            message,
        )
    })?;
    // An integer of more digits has become a double, and so another number.
    if let Some((at, integer)) = integers(text).find(|(_, integer)| integer.parse::<i64>().is_err())
    {
        let shown = wire_core::text::shown(integer);
        let message = format!(
            "the integer {shown} is out of range, expected one of 64 bits with a sign; write larger ones as strings"
        );
        return Err(CodecError::new(
            "out_of_range",
            Some(Position::in_text(input, offset + at)),
            message,
        ));
    }
    Ok(value)
}

/// The integers of a text that is JSON, and where they are.
fn integers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            at += 1;
            match byte {
                b'"' => {
                    while let Some(&inner) = bytes.get(at).filter(|&&inner| inner != b'"') {
                        at += if inner == b'\\' { 2 } else { 1 };
                    }
                    at += 1;
                }
                b'-' | b'0'..=b'9' => {
                    let is_part =
                        |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                    while bytes.get(at).is_some_and(is_part) {
                        at += 1;
                    }
                    if !text[start..at].contains(['.', 'e', 'E']) {
                        return Some((start, &text[start..at]));
                    }
                }
                _ => {}
            }
        }
        None
    })
}

/// A value of TOML with its dates as texts.
fn dates(value: Value) -> Value {
    match value {
        Value::Object(members) if members.len() == 1 && members.contains_key(TOML_DATE) => {
            members.into_iter().next().map_or(Value::Null, |(_, date)| date)
        }
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (key, dates(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(dates).collect(),
        other => other,
    }
}

/// The rows of a CSV text by its header.
fn csv(text: &str) -> Result<Value, CodecError> {
    let failed = |error: &csv::Error| {
        let position = error.position().map(|place| {
            let offset = usize::try_from(place.byte()).unwrap_or(usize::MAX);
            Position::in_text(text.as_bytes(), offset)
        });
        let message = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("a row has {len} cells, expected {expected_len}")
            }
            _ => error.to_string(),
        };
        CodecError::new("csv_syntax", position, message)
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| failed(&error))?.clone();
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| failed(&error))?;
        let mut members = Map::new();
        for (name, cell) in header.iter().zip(&row) {
            if members.insert(name.to_owned(), cell.into()).is_some() {
                let message =
                    format!("the header has {} twice, expected once", wire_core::text::shown(name));
                return Err(CodecError::new(
                    "duplicate_key",
                    Some(Position::in_text(text.as_bytes(), 0)),
                    message,
                ));
            }
        }
        rows.push(members.into());
    }
    Ok(Value::Array(rows))
}
