//! Responses of tools: JSON to GCX, and GCX to JSON.

use std::collections::BTreeSet;
use std::fmt;

use gcx::json::Exact;
use gcx::layout::Layout;
use gcx::workspace::{ERROR, TOOL_DEFINITIONS, TOOL_REQUEST};
use gcx::{Encoder, Reader};
use wire_core::{Codec, CodecError, Position};
use wire_registry::Registry;

use crate::args::ConvertOptions;
use crate::converted::{Converted, Remark};
use crate::failure::Failure;
use crate::graph;
use crate::input::Input;
use crate::value::{self, Source};

pub(crate) const GCX: &str = "gcx";
pub(crate) const JSON: &str = "json";
pub(crate) const JSON_PRETTY: &str = "json-pretty";

/// Whether the input is GCX and no payload.
pub(crate) fn is_response(from: &dyn Codec, input: &Input) -> bool {
    let Ok(text) = std::str::from_utf8(&input.bytes) else { return false };
    let header = || Reader::new(text).next_section();
    from.info().name() == GCX
        && matches!(header(), Ok(Some(header)) if !gcx::Gcx::is_payload(&header))
}

/// Converts a response. None if the options and the input are about a payload.
pub(crate) fn convert(
    options: &ConvertOptions,
    input: &Input,
    registry: &Registry,
    to: &dyn Codec,
) -> Result<Option<Converted>, Failure> {
    let to = to.info().name();
    let rows = (to == GCX && options.tool.is_none()).then(|| rows(options, input, registry));
    let rows = rows.flatten();
    let tool = options.tool.as_deref().or(rows.is_some().then_some(ROWS));
    let asked = tool.is_some() || options.typed;
    let source = Source::of(options.from.as_deref(), input, registry);
    let other = source.filter(|source| !matches!(source, Source::Json | Source::Generic));
    if let Some(source) = other.filter(|_| asked) {
        return of_source(options, tool, input, source, to).map(Some);
    }
    let is_value = match source {
        Some(Source::Json) => {
            value::shape(&input.bytes) == value::Shape::Other && !graph::is_response(&input.bytes)
        }
        Some(source) => source != Source::Generic,
        None => false,
    };
    if to == GCX && !asked && is_value {
        // It would be rows if it was some; what is no value at all is told from that.
        value::read_exact(source.unwrap_or(Source::Json), &input.bytes)
            .map_err(|error| input.refused(error))?;
        return Err(no_tool());
    }
    let from = match (&options.from, asked) {
        (None, true) => input.codec(None, registry).or_else(|_| json(registry))?,
        (named, _) => input.codec(named.as_deref(), registry)?,
    };
    let from_gcx = is_response(from, input);
    if !asked && !from_gcx {
        return graph::convert(options, input, from, to);
    }
    if options.budget.is_some() || options.recover {
        return Err(Failure::usage(
            "--budget and --recover are about payloads, and this is a tool's response",
        ));
    }
    let decoded = |error| input.refused(error);
    let (tool, value) = if from_gcx {
        if options.tool.is_some() {
            return Err(Failure::usage(
                "--tool is for JSON, and a response in gcx says its tool itself",
            ));
        }
        let (tool, value) = read(input).map_err(decoded)?;
        (tool, value)
    } else {
        if from.info().name() != JSON && from.info().name() != JSON_PRETTY {
            let message = format!(
                "--tool and --typed are for the JSON of a tool's response, and this is {}",
                from.info().name()
            );
            return Err(Failure::usage(message));
        }
        let Some(tool) = tool else { return Err(no_tool()) };
        let value = rows.map_or_else(|| parse(&input.bytes).map_err(decoded), Ok)?;
        (tool.to_owned(), value)
    };
    match to {
        JSON | JSON_PRETTY => {
            let lost = from_gcx.then(|| lost_meta(input)).flatten();
            let losses = lost.into_iter().collect();
            Ok(Some(Converted::lossy(json_text(&value, to), to, losses)))
        }
        GCX => write(options, input, &tool, &value).map(Some),
        _ => {
            let message = format!(
                "a tool's response can be written as {GCX}, {JSON} and {JSON_PRETTY}, and --to is {to}"
            );
            Err(Failure::usage(message))
        }
    }
}

/// Converts YAML, TOML, CSV or JSON lines to the response of a tool.
fn of_source(
    options: &ConvertOptions,
    tool: Option<&str>,
    input: &Input,
    source: Source,
    to: &str,
) -> Result<Converted, Failure> {
    if to != GCX {
        return Err(Failure::usage(format!(
            "--tool and --typed are about {GCX}, and --to is {to}"
        )));
    }
    let tool = tool.ok_or_else(no_tool)?;
    let (value, warnings) =
        value::read_exact(source, &input.bytes).map_err(|error| input.refused(error))?;
    let mut converted = write(options, input, tool, &value)?;
    let losses = warnings.iter().filter(|warning| warning.is_loss);
    converted.losses.extend(losses.map(|warning| warning.message.clone()));
    converted.remarks.extend(warnings.into_iter().map(Remark::from));
    Ok(converted)
}

/// The response as GCX.
fn write(
    options: &ConvertOptions,
    input: &Input,
    tool: &str,
    value: &Exact,
) -> Result<Converted, Failure> {
    let form = Form {
        typed: options.typed,
        layout_only: options.layout_only,
        extra_columns: options.extra_columns,
    };
    let (text, losses) = encode(tool, value, form)
        .map_err(|error| Failure::encode(input.name.clone(), GCX, error))?;
    Ok(Converted::lossy(text, GCX, losses))
}

/// Whether the responses of a tool have no form of their own.
pub(crate) fn has_no_layout(tool: &str) -> bool {
    let shapes = [TOOL_DEFINITIONS, TOOL_REQUEST, ERROR];
    Layout::of_section(tool).is_none() && !shapes.contains(&tool)
}

/// The name that rows have without one.
const ROWS: &str = "rows";

/// The value of an input that is an array of objects, and so rows, whatever tool gave them.
fn rows(options: &ConvertOptions, input: &Input, registry: &Registry) -> Option<Exact> {
    let value = match Source::of(options.from.as_deref(), input, registry)? {
        // What is a value in GCF is no response.
        Source::Generic => return None,
        source => value::read_exact(source, &input.bytes).ok()?.0,
    };
    value.is_rows().then_some(value)
}

#[cold]
fn no_tool() -> Failure {
    Failure::usage(
        "it is not an array of objects, which would be rows; --tool NAME writes it as the response of a tool",
    )
}

/// How a response is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// With the types of all columns.
    typed: bool,
    /// By the layout of the tool, whatever that leaves out; else typed where the response does not fit it.
    layout_only: bool,
    /// With what the layout has no place for behind it.
    extra_columns: bool,
}

impl Form {
    /// By the layout.
    pub(crate) const LAYOUT: Form = Form { typed: false, layout_only: false, extra_columns: false };
    /// By the layout, with what that has no place for behind it.
    pub(crate) const EXTRA: Form = Form { extra_columns: true, ..Form::LAYOUT };
    /// With types.
    pub(crate) const TYPED: Form = Form { typed: true, ..Form::LAYOUT };
}

/// A value in one of the forms of JSON.
pub(crate) fn json_text(value: &impl fmt::Display, form: &str) -> String {
    if form == JSON_PRETTY { format!("{value:#}\n") } else { format!("{value}\n") }
}

/// The text of a response, and what of it does not come back.
pub(crate) fn encode(
    tool: &str,
    value: &Exact,
    form: Form,
) -> Result<(String, Vec<String>), gcx::Error> {
    let mut encoder = Encoder::new();
    if form.typed {
        return Ok((encoder.encode_typed(tool, value)?, Vec::new()));
    }
    if form.layout_only {
        encoder = encoder.layout_only();
    }
    if form.extra_columns {
        encoder = encoder.extra_columns();
    }
    let written = encoder.encode_response(tool, value)?;
    let mut losses: Vec<String> =
        written.left_out.iter().map(|path| format!("{path} is left out")).collect();
    if losses.is_empty() && gcx::decode_exact(&written.text)? != *value {
        losses.push(if Layout::of(tool).is_some() {
            format!("the response comes back in the canonical form of {tool}")
        } else {
            "null, empty and missing members are one, and so are text and the value that it looks like; --typed keeps them apart".to_owned()
        });
    }
    Ok((written.text, losses))
}

/// The tool and the JSON of a response in GCX.
pub(crate) fn read(input: &Input) -> Result<(String, Exact), CodecError> {
    let mut reader = Reader::from_slice(&input.bytes)?;
    let header = reader.next_section()?.unwrap_or_default();
    let text = std::str::from_utf8(&input.bytes).expect("because the reader took it");
    let value = gcx::decode_exact(text)?;
    let tool = Layout::of_section(header.tool()).map_or(header.tool(), |(tool, _)| tool);
    Ok((tool.to_owned(), value))
}

/// What the headers of a response in GCX say that its JSON does not, and so its text would not if it were written again.
pub(crate) fn lost_meta(input: &Input) -> Option<String> {
    let text = std::str::from_utf8(&input.bytes).unwrap_or_default();
    let mut reader = Reader::new(text);
    let mut lost = Vec::new();
    let mut is_typed = None;
    while let Ok(Some(header)) = reader.next_section() {
        let layout = Layout::of_section(header.tool())
            .filter(|_| !*is_typed.get_or_insert_with(|| header.meta(TYPED).is_some()));
        let section = layout.and_then(|(tool, layout)| {
            let suffix = header.tool().strip_prefix(tool)?;
            layout.sections.iter().find(|section| section.suffix == suffix)
        });
        let of_layout: BTreeSet<&str> =
            section.into_iter().flat_map(|section| section.meta).map(|meta| meta.key).collect();
        let extras = section.and_then(|_| header.meta(EXTRAS)).unwrap_or_default();
        let further: BTreeSet<&str> = extras.split(',').skip(1).collect();
        let is_lost = |key: &str| {
            let is_form = key == TYPED || (key == EXTRAS && section.is_some());
            !is_form && !of_layout.contains(key) && !further.contains(key)
        };
        let of_section = header.all_meta().filter(|(key, _)| is_lost(key));
        lost.extend(of_section.map(|(key, value)| format!("{key}={value} of {}", header.tool())));
    }
    (!lost.is_empty()).then(|| {
        format!("metadata is left out, which the JSON has no place for: {}", lost.join(", "))
    })
}

/// The keys of the typed form, and of what stands behind a layout.
const TYPED: &str = "typed";
const EXTRAS: &str = "extras";

/// The value of a JSON text.
pub(crate) fn parse(bytes: &[u8]) -> Result<Exact, CodecError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        CodecError::new("json_syntax", Some(position), "the input is not UTF-8, expected JSON")
    })?;
    text.parse().map_err(|error| value::json_error(text, 0, bytes, &error, value::Integers::All))
}

fn json(registry: &Registry) -> Result<&dyn Codec, Failure> {
    registry.get(JSON).map_err(|error| Failure::usage(error.to_string()))
}
