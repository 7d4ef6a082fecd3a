//! Responses of graph queries: JSON to GOON, and GOON to JSON.

use goon::GraphResponse;
use wire_core::CodecError;

use crate::args::{BigIntegers, ConvertOptions};
use crate::converted::Converted;
use crate::encoders::goon_encoder;
use crate::failure::Failure;
use crate::graph;
use crate::input::Input;
use crate::source::{GCF, GCX, GOON, JSON, JSON_PRETTY};
use crate::value::{self, AsStrings, Integers, json_text};

/// The response that JSON is, and how many of its integers are strings.
pub(super) fn of_json(
    input: &Input,
    big_integers: BigIntegers,
) -> Result<(GraphResponse, usize), CodecError> {
    let held = match big_integers {
        BigIntegers::Error => Integers::All,
        BigIntegers::String => Integers::Any,
    };
    let json = AsStrings::of(value::text(&input.bytes)?, held);
    let response = GraphResponse::from_json_str(&json.text);
    response.map(|response| (response, json.count())).map_err(|error| json.moved(error.into()))
}

/// Converts a response.
pub(super) fn convert(
    options: &ConvertOptions,
    input: &Input,
    response: &GraphResponse,
    to: &str,
) -> Result<Converted, Failure> {
    if options.budget.is_some() {
        let message = "--budget applies only to payloads, and the input is the response of a query";
        return Err(Failure::usage(message.to_owned()));
    }
    match to {
        JSON | JSON_PRETTY => Ok(Converted::plain(json_text(&response.to_value(), to))),
        GOON => {
            let (text, losses) =
                graph::encode(&goon_encoder(&options.goon)?, response, &input.bytes)
                    .map_err(|error| Failure::encode(input.name.clone(), to, error))?;
            Ok(Converted::lossy(text, to, losses))
        }
        _ => {
            let message = format!(
                "the response of a query can be written as {GOON}, {GCF}, {JSON} and {JSON_PRETTY}, and as {GCX} with --tool; --to is {to}"
            );
            Err(Failure::usage(message))
        }
    }
}
