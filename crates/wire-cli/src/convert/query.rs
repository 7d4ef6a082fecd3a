//! Responses of graph queries: JSON to GOON, and GOON to JSON.

use std::borrow::Cow;
use std::ops::Range;

use goon::{Encoder, GraphResponse, Version};
use wire_core::__private::json::{Reader, Token};
use wire_core::{CodecError, Position};

use super::Converted;
use super::refuse;
use crate::args::{BigIntegers, ConvertOptions, Lossy};
use crate::diagnostic::Remark;
use crate::failure::Failure;
use crate::graph;
use crate::input::Input;
use crate::source::{GCF, GCX, GOON, JSON, JSON_PRETTY};
use crate::value::{self, json_text};

/// The response that JSON is, how many of its integers are strings, and what is lost of its
/// decimals.
pub(super) fn of_json(
    input: &Input,
    big_integers: BigIntegers,
) -> Result<(GraphResponse, usize, Vec<String>), CodecError> {
    let text = value::text(&input.bytes)?;
    let integers = match big_integers {
        BigIntegers::Error => Vec::new(),
        BigIntegers::String => big_integers_of(text),
    };
    let read = GraphResponse::from_json_str(&quoted(text, &integers));
    let response = read.map_err(|error| moved(error.into(), text, &integers))?;
    Ok((response, integers.len(), value::rounded(input)?.into_iter().collect()))
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
    options: &ConvertOptions,
    input: &Input,
    response: &GraphResponse,
    to: &str,
) -> Result<Converted, Failure> {
    refuse(&[("--budget", options.budget.is_some())], "the response of a query")?;
    match to {
        JSON | JSON_PRETTY => Ok(Converted::plain(json_text(&response.to_value(), to))),
        GOON => {
            let lowest = graph::lowest_version(response);
            let named = options.query.goon_version.as_deref().and_then(Version::from_name);
            let has = |version| graph::has_pagination(version, response);
            let version = named.unwrap_or(lowest);
            let encoder = Encoder::new()
                .version(version)
                .drop_unrepresentable(options.lossy.contains(&Lossy::Nodes) && has(version));
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
            if named.is_none() && lowest != Version::default() {
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
