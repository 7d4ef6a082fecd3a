//! Responses of graph queries: JSON to GOON, and GOON to JSON.

use std::path::Path;

use goon::{Decoder, Encoder, GraphResponse, Version};
use serde_json::Value;
use wire_core::{Codec, CodecError};

use crate::args::ConvertOptions;
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::input::Input;
use crate::output;
use crate::response::{self, JSON, JSON_PRETTY};

pub(crate) const GOON: &str = "goon";

/// The response that a GOON input holds, if it is no payload.
pub(crate) fn response(
    from: &dyn Codec,
    input: &Input,
) -> Option<Result<GraphResponse, CodecError>> {
    if from.info().name() != GOON {
        return None;
    }
    match Decoder::new().from_slice(&input.bytes) {
        Ok(response) if goon::Goon::is_payload(&response) => None,
        outcome => Some(outcome.map_err(CodecError::from)),
    }
}

/// Converts a response. None if the options and the input are about a payload.
pub(crate) fn convert(
    options: &ConvertOptions,
    input: &Input,
    from: &dyn Codec,
    to: &str,
    destination: Option<&Path>,
    diagnostics: &Diagnostics,
) -> Result<Option<()>, Failure> {
    let decoded =
        |error| Failure::Decode { file: input.name.clone(), error, input: input.bytes.clone() };
    let from_name = from.info().name();
    let of_json = to == GOON && (from_name == JSON || from_name == JSON_PRETTY);
    let response = match response(from, input) {
        Some(response) => response.map_err(decoded)?,
        None if of_json && is_response(&input.bytes) => {
            let text = std::str::from_utf8(&input.bytes).expect("because it is JSON");
            GraphResponse::from_json(text).map_err(|error| decoded(error.into()))?
        }
        None => return Ok(None),
    };
    if options.budget.is_some() {
        let message = "--budget is about payloads, and this is the response of a query";
        return Err(Failure::Usage { message: message.to_owned() });
    }
    match to {
        JSON | JSON_PRETTY => {
            output::write(destination, |writer| {
                writer.write_all(response::json_text(&response.to_value(), to).as_bytes())
            })?;
        }
        GOON => {
            let encoder = encoder(options)?;
            let text = encoder.to_string(&response).map_err(|error| Failure::Encode {
                file: input.name.clone(),
                format: to.to_owned(),
                error: error.into(),
            })?;
            let losses = losses(&encoder, &response, &text);
            if options.deny_loss && !losses.is_empty() {
                return Err(Failure::Loss { format: to.to_owned(), losses });
            }
            output::write(destination, |writer| writer.write_all(text.as_bytes()))?;
            for loss in losses {
                diagnostics.warning("loss", &input.name, &format!("in goon {loss}"));
            }
        }
        _ => {
            let message = format!(
                "the response of a query can be written as {GOON}, {JSON} and {JSON_PRETTY}, and --to is {to}"
            );
            return Err(Failure::Usage { message });
        }
    }
    Ok(Some(()))
}

/// Whether a JSON input is a response: it has the member that each response has, and no payload.
fn is_response(bytes: &[u8]) -> bool {
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    value.is_some_and(|value| value.get("query_type").is_some())
}

/// The encoder of the options.
pub(crate) fn encoder(options: &ConvertOptions) -> Result<Encoder, Failure> {
    let mut encoder = Encoder::new();
    if let Some(name) = &options.goon.goon_version {
        let version = Version::from_name(name)
            .ok_or_else(|| Failure::Usage { message: format!("there is no version {name:?}") })?;
        encoder = encoder.version(version);
    }
    if options.goon.quote_numbers {
        encoder = encoder.quote_numbers();
    }
    if options.goon.no_truncation {
        encoder = encoder.without_truncation();
    }
    if options.goon.drop_unrepresentable {
        encoder = encoder.drop_unrepresentable();
    }
    Ok(encoder)
}

/// What of a response does not come back from its text.
fn losses(encoder: &Encoder, response: &GraphResponse, text: &str) -> Vec<String> {
    let mut losses = Vec::new();
    if response.format_version.is_some() {
        losses.push("the version of the JSON form is dropped".to_owned());
    }
    if response.group_columns.iter().any(|column| column.node.is_some()) {
        losses.push("the aliases of group columns are dropped".to_owned());
    }
    let whole = encoder.without_truncation().to_string(response);
    if whole.as_deref().ok() != Some(text) {
        losses.push("long texts are cut; --no-truncation keeps them".to_owned());
    }
    let mut expected = response.clone();
    expected.format_version = None;
    for column in &mut expected.group_columns {
        column.node = None;
    }
    // As text puts them; what differs then is what values became.
    let shown = |response: &GraphResponse| {
        let mut nodes: Vec<String> =
            response.nodes.iter().map(|node| format!("{node:?}")).collect();
        let mut edges: Vec<String> =
            response.edges.iter().map(|edge| format!("{edge:?}")).collect();
        nodes.sort();
        edges.sort();
        let GraphResponse { columns, group_columns, rows, pagination, .. } = response;
        format!("{nodes:?} {edges:?} {columns:?} {group_columns:?} {rows:?} {pagination:?}")
    };
    let back = whole.ok().and_then(|text| goon::from_str(&text).ok());
    if back.is_none_or(|back| shown(&back) != shown(&expected)) {
        losses.push(
            "not all comes back as it was: null and empty values, texts that look like numbers, integral doubles, \
             nested values, places of edges, what the version has no place for"
                .to_owned(),
        );
    }
    losses
}
