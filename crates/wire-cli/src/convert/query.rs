//! Responses of graph queries: JSON to GOON, and GOON to JSON.

use std::borrow::Cow;
use std::ops::Range;

use goon::{Encoder, GraphResponse, Version};
use wire_core::json::{Reader, Token};
use wire_core::{CodecError, Position};
use wire_input::value::{self, json_text};

use super::Converted;
use crate::args::{BigIntegers, ConvertOptions, Lossy};
use crate::diagnostic::Remark;
use crate::failure::Failure;
use crate::input::Input;
use crate::source::{GCF, GCX, GOON, JSON, JSON_PRETTY};
use wire_input::graph;

/// How the response of a query is converted.
#[derive(Default)]
pub(super) struct Options {
    /// The version of GOON; `None` for the lowest that has its members.
    version: Option<Version>,
    /// `true` if a node keeps the properties that came first.
    keeps_first: bool,
    /// `true` if integers beyond 64 bits are strings of their digits.
    as_strings: bool,
}

impl Options {
    pub(super) fn of(options: &ConvertOptions) -> Self {
        Options {
            version: options.query.goon_version.as_deref().and_then(Version::from_name),
            keeps_first: options.lossy.contains(&Lossy::Nodes),
            as_strings: options.big_integers == BigIntegers::String,
        }
    }
}

/// Converts JSON that is a response to GOON.
pub(super) fn of_json(options: &Options, input: &Input) -> Result<Converted, Failure> {
    let refused = |error| input.refused(error);
    let text = value::text(&input.bytes).map_err(refused)?;
    let integers = if options.as_strings { big_integers_of(text) } else { Vec::new() };
    let response = GraphResponse::from_json_str(&quoted(text, &integers))
        .map_err(|error| refused(moved(error.into(), text, &integers)))?;
    let losses = value::rounded(&input.bytes, |at| input.position(at))
        .map_err(refused)?
        .into_iter()
        .collect();
    let converted = convert(options, input, &response, GOON)?;
    let read = Converted::lossy(Vec::new(), GOON, losses);
    Ok(read.followed_by(converted).with_big_integers(integers.len()))
}

/// The ranges of the integers beyond 64 bits.
fn big_integers_of(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // The error of a text that is not JSON is that of its reader.
    let _ = Reader::new(text).walk(|token, offset| {
        if let Token::Number(number) = token
            && number.is_integer()
            && number.as_u64().is_none()
            && number.as_i64().is_none()
        {
            found.push(offset..offset + number.literal().len());
        }
        Ok(())
    });
    found
}

/// A text with quotes around these ranges.
fn quoted<'t>(text: &'t str, ranges: &[Range<usize>]) -> Cow<'t, str> {
    if ranges.is_empty() {
        return text.into();
    }
    let mut quoted = String::with_capacity(text.len() + 2 * ranges.len());
    let mut end = 0;
    for range in ranges {
        quoted.push_str(&text[end..range.start]);
        quoted.push('"');
        quoted.push_str(&text[range.clone()]);
        quoted.push('"');
        end = range.end;
    }
    quoted.push_str(&text[end..]);
    quoted.into()
}

/// An error in a text with quotes around these ranges, with its position in the text without them.
fn moved(error: CodecError, text: &str, ranges: &[Range<usize>]) -> CodecError {
    let Some(position) = error.position().filter(|_| !ranges.is_empty()) else { return error };
    let at = usize::try_from(position.offset).unwrap_or(usize::MAX);
    let opening =
        ranges.iter().enumerate().filter(|(index, range)| range.start + 2 * index < at).count();
    let closing =
        ranges.iter().enumerate().filter(|(index, range)| range.end + 2 * index + 1 < at).count();
    let position = Position::in_text(text.as_bytes(), at - opening - closing);
    CodecError::new(error.code(), Some(position), error.message())
}

/// Converts a response.
pub(super) fn convert(
    options: &Options,
    input: &Input,
    response: &GraphResponse,
    to: &str,
) -> Result<Converted, Failure> {
    match to {
        JSON | JSON_PRETTY => Ok(Converted::plain(json_text(&response.to_value(), to))),
        GOON => {
            let lowest = graph::lowest_version(response);
            let has = |version| graph::has_pagination(version, response);
            let version = options.version.unwrap_or(lowest);
            let encoder = Encoder::new()
                .version(version)
                .drop_unrepresentable(options.keeps_first && has(version));
            let refused = |error| {
                let failure = Failure::encode(input.name.clone(), to, error);
                if has(version) || !has(lowest) {
                    return failure;
                }
                failure.with_hint(&format!("version {} has it", lowest.name()))
            };
            let (text, losses) =
                graph::encode(&encoder, response, &input.bytes).map_err(refused)?;
            let mut converted = Converted::lossy(text, to, losses);
            if options.version.is_none() && lowest != Version::default() {
                let message = format!(
                    "written as version {}, the first with these members of the pagination",
                    lowest.name()
                );
                converted.remarks.push(Remark::note("goon_version", message));
            }
            Ok(converted)
        }
        _ => {
            let message = format!(
                "the response of a query can be written as {GOON}, {GCF}, {JSON} and {JSON_PRETTY}, and as {GCX} with --tool; --to is {to}"
            );
            Err(Failure::usage(message))
        }
    }
}
