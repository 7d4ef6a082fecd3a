//! Responses of tools: JSON, JSON lines, YAML, TOML and CSV to GCX, and GCX to JSON.

use crate::args::ConvertOptions;
use crate::converted::Converted;
use crate::document::{Document, Kind};
use crate::failure::Failure;
use crate::input::Input;
use crate::members::JsonKind;
use crate::minified::Minified;
use crate::response::{
    Form, ROWS, Written, encode, has_no_layout, lost_meta, plain_rows, read, typed_rows,
};
use crate::source::{GCF, GCX, JSON, JSON_PRETTY, Source};
use crate::value;

/// Whether the options ask for a response.
pub(super) fn is_asked(options: &ConvertOptions) -> bool {
    options.tool.is_some() || options.typed
}

/// Whether JSON or another value is to be written as a response, if it is one: as the options ask,
/// or as rows.
pub(super) fn is_wanted(options: &ConvertOptions, document: &Document<'_>, to: &str) -> bool {
    match &document.kind {
        Kind::Value(_) => is_asked(options) || to == GCX,
        // What is nothing else may be rows.
        Kind::Json(members) => {
            is_asked(options) || (to == GCX && members.kind() == JsonKind::Other)
        }
        Kind::Unknown => is_asked(options),
        _ => false,
    }
}

/// Writes JSON or another value as the response of a tool; of an array of objects, which are rows,
/// whatever tool gave them.
pub(super) fn convert(
    options: &ConvertOptions,
    document: &Document<'_>,
    to: &str,
) -> Result<Converted, Failure> {
    let input = document.input;
    let source = document.source().unwrap_or(Source::Json);
    if source != Source::Json && to != GCX {
        return Err(Failure::usage(format!(
            "--tool and --typed apply only to {GCX}, and --to is {to}"
        )));
    }
    if is_asked(options) {
        check_budget(options)?;
    }
    if options.tool.is_none() && to != GCX {
        return Err(Failure::usage(format!("--typed applies only to {GCX}, and --to is {to}")));
    }
    let are_rows = to == GCX
        && options.tool.as_deref().is_none_or(has_no_layout)
        && !options.layout_only
        && !options.extra_columns;
    if are_rows
        && source == Source::Json
        && let Some(converted) = straight(options, input)?
    {
        return Ok(converted);
    }
    let (value, warnings) =
        Minified::read(source, &input.bytes).map_err(|error| input.refused(error))?;
    if are_rows && source != Source::Json && value.is_rows() {
        check_budget(options)?;
        return Ok(rows(options, input, value.text())?.read_with(warnings));
    }
    let tool = options.tool.as_deref().or_else(|| value.is_rows().then_some(ROWS));
    let tool = tool.ok_or_else(no_tool)?;
    check_budget(options)?;
    match to {
        JSON | JSON_PRETTY => {
            let text = value.in_form(to).map_err(|error| input.refused(error))?;
            Ok(Converted::plain(text))
        }
        GCX => Ok(write(options, input, tool, &value)?.read_with(warnings)),
        _ => Err(no_format(options, to)),
    }
}

/// Converts a response in GCX.
pub(super) fn again(
    options: &ConvertOptions,
    input: &Input,
    to: &str,
) -> Result<Converted, Failure> {
    check_budget(options)?;
    if options.tool.is_some() {
        return Err(Failure::usage(
            "--tool applies only to JSON, and a response in gcx already names its tool",
        ));
    }
    let refused = |error| input.refused(error);
    match to {
        JSON | JSON_PRETTY => {
            let decoder = gcx::Decoder::new();
            let decoder = decoder.pretty(to == JSON_PRETTY);
            let json = decoder.to_json_slice(&input.bytes);
            let mut json = json.map_err(|error| refused(error.into()))?;
            json.push(b'\n');
            Ok(Converted::lossy(json, to, lost_meta(input).into_iter().collect()))
        }
        GCX => {
            let (tool, value) = read(input).map_err(refused)?;
            write(options, input, &tool, &value)
        }
        _ => read(input).map_err(refused).and_then(|_| Err(no_format(options, to))),
    }
}

/// Converts a JSON array of objects to rows, without building a tree; `None` for any other JSON.
fn straight(options: &ConvertOptions, input: &Input) -> Result<Option<Converted>, Failure> {
    let found = value::check(Source::Json, &input.bytes);
    let (checked, _) = found.map_err(|error| input.refused(error))?;
    if !checked.is_rows() {
        return Ok(None);
    }
    check_budget(options)?;
    let json = std::str::from_utf8(&input.bytes).expect("because it is JSON");
    rows(options, input, json).map(Some)
}

/// The JSON text of rows as GCX, without a tree in between.
fn rows(options: &ConvertOptions, input: &Input, json: &str) -> Result<Converted, Failure> {
    let tool = options.tool.as_deref().unwrap_or(ROWS);
    let written = if options.typed { typed_rows(tool, json) } else { plain_rows(tool, json) };
    converted(input, json, written)
}

/// A text, with what it loses of the JSON that was made from an input.
fn converted(
    input: &Input,
    json: &str,
    written: Result<Written, gcx::Error>,
) -> Result<Converted, Failure> {
    let Written { text, mut losses, doubles } =
        written.map_err(|error| input.not_written(json, GCX, &error.into()))?;
    let first = doubles.first_rounded.and_then(|at| input.position_in(json, at));
    losses.extend(value::losses(&doubles, first));
    Ok(Converted::lossy(text, GCX, losses))
}

/// The error for an input that is not a response, although the options ask for one.
pub(super) fn refused(options: &ConvertOptions, document: &Document<'_>) -> Failure {
    let named = document.codec().map(|codec| codec.info().name());
    let usage = |name: &str| {
        Failure::usage(format!(
            "--tool and --typed apply only to the JSON of a tool's response, and the input is {name}"
        ))
    };
    match (named, check_budget(options)) {
        (Err(failure), _) | (Ok(_), Err(failure)) => failure,
        (Ok(name), Ok(())) => usage(name),
    }
}

fn check_budget(options: &ConvertOptions) -> Result<(), Failure> {
    match options.budget {
        None => Ok(()),
        Some(_) => Err(Failure::usage(
            "--budget and --recover apply only to payloads, and the input is a tool's response",
        )),
    }
}

/// The response as GCX.
fn write(
    options: &ConvertOptions,
    input: &Input,
    tool: &str,
    value: &Minified,
) -> Result<Converted, Failure> {
    let form = Form {
        typed: options.typed,
        layout_only: options.layout_only,
        extra_columns: options.extra_columns,
    };
    converted(input, value.text(), encode(tool, value, form))
}

#[cold]
fn no_tool() -> Failure {
    Failure::usage(
        "it is not an array of objects, which would be rows; --tool NAME writes it as the response of a tool, and --to gcf and json write any value",
    )
}

fn no_format(options: &ConvertOptions, to: &str) -> Failure {
    Failure::usage(match to {
        GCF if is_asked(options) => {
            format!("--tool and --typed apply only to {GCX}, and --to is {to}")
        }
        GCF => {
            "--profile graph accepts only payloads, and the input is a tool's response".to_owned()
        }
        _ => format!(
            "a tool's response can be written as {GCF}, {GCX}, {JSON} and {JSON_PRETTY}, and --to is {to}"
        ),
    })
}
