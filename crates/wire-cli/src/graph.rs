//! Responses of graph queries: JSON to GOON, and GOON to JSON.

use std::collections::HashSet;

use goon::{Decoder, EncodeReport, Encoder, GraphResponse, Node, Pagination, Version};
use serde_json::Value;
use wire_core::{Codec, CodecError};

use crate::args::ConvertOptions;
use crate::converted::Converted;
use crate::failure::Failure;
use crate::input::Input;
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
) -> Result<Option<Converted>, Failure> {
    let decoded = |error| input.refused(error);
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
        return Err(Failure::usage(message.to_owned()));
    }
    match to {
        JSON | JSON_PRETTY => {
            Ok(Some(Converted::plain(response::json_text(&response.to_value(), to))))
        }
        GOON => {
            let encoder = encoder(options)?;
            let mut text = Vec::new();
            let report = encoder
                .encode(&response, &mut text)
                .map_err(|error| Failure::encode(input.name.clone(), to, error))?;
            // What is written again is all that was there.
            let same = text == input.bytes;
            let text = String::from_utf8(text).expect("because it is a text");
            let losses = if same { Vec::new() } else { losses(&encoder, &response, &text, report) };
            Ok(Some(Converted::lossy(text, to, losses)))
        }
        _ => {
            let message = format!(
                "the response of a query can be written as {GOON}, {JSON} and {JSON_PRETTY}, and --to is {to}"
            );
            Err(Failure::usage(message))
        }
    }
}

/// Whether a JSON input is a response: it has the member that each response has, and no payload.
pub(crate) fn is_response(bytes: &[u8]) -> bool {
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    value.is_some_and(|value| value.get("query_type").is_some())
}

/// The encoder of the options.
pub(crate) fn encoder(options: &ConvertOptions) -> Result<Encoder, Failure> {
    let mut encoder = Encoder::new();
    if let Some(name) = &options.goon.goon_version {
        let version = Version::from_name(name)
            .ok_or_else(|| Failure::usage(format!("there is no version {name:?}")))?;
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
pub(crate) fn losses(
    encoder: &Encoder,
    response: &GraphResponse,
    text: &str,
    report: EncodeReport,
) -> Vec<String> {
    let mut losses = Vec::new();
    let cells = report.conflicting_nodes;
    if cells > 0 {
        losses.push(format!(
            "nodes keep the properties that came first: {cells} cells with other ones are dropped"
        ));
    }
    if report.pagination_members > 0 {
        losses.push(
            "members of the pagination that the version does not have are dropped".to_owned(),
        );
    }
    if response.format_version.is_some() {
        losses.push("the version of the JSON form is dropped".to_owned());
    }
    if response.group_columns.iter().any(|column| column.node.is_some()) {
        losses.push("the aliases of group columns are dropped".to_owned());
    }
    // Of the whole text what differs is what values became.
    let whole = encoder.without_truncation().to_string(response).ok();
    // Without cuts two nodes may differ, which is an error.
    if whole.as_ref().is_none_or(|whole| whole.len() != text.len()) {
        losses.push("long texts are cut; --no-truncation keeps them".to_owned());
    }
    let back = goon::from_str(whole.as_deref().unwrap_or(text));
    if back.ok().map(comparable) != Some(comparable(response.clone())) {
        losses.push(
            "not all comes back as it was: null and empty values, texts that look like numbers, integral doubles, \
             nested values, control characters, datetimes with a space, repeated edges and their places"
                .to_owned(),
        );
    }
    losses
}

/// A response for comparing: what text puts in order is in order, and what it says by leaving it out is left out.
fn comparable(mut response: GraphResponse) -> String {
    response.format_version = None;
    for column in &mut response.group_columns {
        column.node = None;
        column.property = column.property.take().filter(|property| *property != column.name);
    }
    let mut nodes: Vec<Node> = std::mem::take(&mut response.nodes);
    for row in &mut response.rows {
        for cell in row.values_mut() {
            if let Ok(node) = Node::from_cell(cell) {
                *cell = Value::String(format!("{}:{}", node.entity_type, node.id));
                nodes.push(node);
            }
        }
    }
    let sorted = |mut lines: Vec<String>| {
        lines.sort();
        lines.dedup();
        lines.join("\n")
    };
    let nodes = sorted(nodes.iter().map(|node| format!("{node:?}")).collect());
    let edges = sorted(response.edges.iter().map(|edge| format!("{edge:?}")).collect());
    let said = |pagination: &Pagination| {
        pagination.has_more
            || pagination.total_rows.is_some()
            || pagination.truncated == Some(true)
            || pagination.next_cursor.is_some()
    };
    let GraphResponse { columns, group_columns, rows, pagination, .. } = response;
    let pagination = pagination.filter(said);
    format!("{nodes}\n{edges}\n{columns:?} {group_columns:?} {rows:?} {pagination:?}")
}

/// All nodes of a response: its own, and those that the cells of its rows are.
pub(crate) fn nodes(response: &GraphResponse) -> Vec<Node> {
    let mut nodes = response.nodes.clone();
    let mut known: HashSet<(String, i64)> =
        nodes.iter().map(|node| (node.entity_type.clone(), node.id)).collect();
    for cell in response.rows.iter().flat_map(|row| row.values()).filter(|cell| cell.is_object()) {
        if let Ok(node) = Node::from_cell(cell)
            && known.insert((node.entity_type.clone(), node.id))
        {
            nodes.push(node);
        }
    }
    nodes
}
