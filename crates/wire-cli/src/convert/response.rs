//! Responses of tools: JSON, JSON lines, YAML, TOML and CSV to GCX, and GCX to JSON.

use wire_input::{Document, Minified, value};

use super::Converted;
use crate::args::{RowsOptions, not_for};
use crate::failure::Failure;
use crate::input::Input;
use crate::source::{GCF, GCX, JSON, JSON_PRETTY, Source};
use wire_input::response::{
    ROWS, Written, has_no_layout, lost_meta, plain, plain_rows, read, typed_rows,
};

/// Writes JSON or another value as the response of a tool; an array of objects are rows, whatever
/// tool gave them.
pub(super) fn convert(
    options: &RowsOptions,
    input: &Input,
    document: &Document<'_>,
) -> Result<Converted, Failure> {
    let source = document.source().unwrap_or(Source::Json);
    let RowsOptions { tool, typed } = options;
    let are_rows = tool.as_deref().is_none_or(has_no_layout);
    let refused = |error| input.refused(error);
    // An array of objects in JSON becomes rows without a copy of its text.
    if are_rows
        && source == Source::Json
        && value::check(Source::Json, &input.bytes).map_err(refused)?.0.is_rows()
    {
        let json = std::str::from_utf8(&input.bytes).expect("because it is JSON");
        let tool = tool.as_deref().unwrap_or(ROWS);
        let written = if *typed { typed_rows(tool, json) } else { plain_rows(tool, json) };
        return converted(input, json, written);
    }
    let (value, warnings) = Minified::read(source, &input.bytes).map_err(refused)?;
    let tool = tool.as_deref().or_else(|| value.is_rows().then_some(ROWS)).ok_or_else(no_tool)?;
    Ok(write(options, input, tool, &value, None)?.read_with(warnings))
}

/// Converts a response in GCX.
pub(super) fn again(options: &RowsOptions, input: &Input, to: &str) -> Result<Converted, Failure> {
    if options.tool.is_some() {
        return Err(not_for("--tool", "a response in gcx, which already names its tool"));
    }
    let refused = |error| input.refused(error);
    match to {
        JSON | JSON_PRETTY => {
            let decoder = gcx::Decoder::new();
            let decoder = decoder.pretty(to == JSON_PRETTY);
            let text = value::text(&input.bytes).map_err(refused)?;
            let json = decoder.gcx_to_json(text).map_err(|error| refused(error.into()))? + "\n";
            Ok(Converted::lossy(
                json.into_bytes(),
                to,
                lost_meta(&input.bytes).into_iter().collect(),
            ))
        }
        GCX => {
            let (tool, value) = read(&input.bytes).map_err(refused)?;
            write(options, input, &tool, &value, lost_meta(&input.bytes))
        }
        _ => read(&input.bytes).map_err(refused).and_then(|_| Err(no_format(to))),
    }
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

/// The response as GCX, with what was lost when its value was read.
fn write(
    options: &RowsOptions,
    input: &Input,
    tool: &str,
    value: &Minified,
    lost: Option<String>,
) -> Result<Converted, Failure> {
    let written = if options.typed { typed_rows(tool, value.text()) } else { plain(tool, value) };
    let written = written.map(|mut written| {
        written.losses.extend(lost);
        written
    });
    converted(input, value.text(), written)
}

#[cold]
fn no_tool() -> Failure {
    Failure::usage(
        "it is not an array of objects, which would be rows; --tool NAME writes it as the response of a tool, and --to gcf and json write any value",
    )
}

fn no_format(to: &str) -> Failure {
    Failure::usage(match to {
        GCF => {
            "--profile graph accepts only payloads, and the input is a tool's response".to_owned()
        }
        _ => format!(
            "a tool's response can be written as {GCF}, {GCX}, {JSON} and {JSON_PRETTY}, and --to is {to}"
        ),
    })
}
