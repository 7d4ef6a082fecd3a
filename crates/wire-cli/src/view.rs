//! `wirefmt view`: what a file holds, as tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table};
use gcx::Reader;
use goon::{GraphResponse, Node, QueryType};
use serde_json::Value;
use wire_core::value::Unambiguous;
use wire_core::{CodecError, Payload};

use crate::args::ViewOptions;
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::input::Input;
use crate::{graph, output, response, value};

pub(crate) fn run(options: &ViewOptions) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let input = Input::read(&options.file)?;
    let codec = input.codec(options.from.as_deref(), &registry)?;
    let text = if codec.info().name() == "gcf" && value::is_generic(&input.bytes) {
        value::decoder(&input.bytes)
            .from_slice::<Unambiguous>(&input.bytes)
            .map(|value| format!("{:#}\n", value.0))
            .map_err(CodecError::from)
    } else if response::is_response(codec, &input) {
        sections(&input)
    } else if let Some(response) = graph::response(codec, &input) {
        response.map(|response| graph_tables(&response))
    } else {
        codec.decode(&input.bytes).map(|payload| payload_tables(&payload))
    };
    let text =
        text.map_err(|error| Failure::Decode { file: input.name, error, input: input.bytes })?;
    output::to_stdout(text.as_bytes())
}

/// The sections of a response, each with its rows.
fn sections(input: &Input) -> Result<String, CodecError> {
    let mut text = String::new();
    let mut reader = Reader::from_slice(&input.bytes)?;
    while let Some(header) = reader.next_section()? {
        let mut table = table(header.fields());
        let mut rows = 0;
        while let Some(row) = reader.next_row()? {
            table.add_row(row.cells().map(shown));
            rows += 1;
        }
        let meta: Vec<String> = header
            .all_meta()
            .map(|(key, value)| format!("{}={}", shown(key), shown(value)))
            .collect();
        push(&mut text, &shown(header.tool()), rows, "row", &meta, &table);
    }
    Ok(text)
}

/// The nodes of a response by their types, its edges, and its rows.
fn graph_tables(response: &GraphResponse) -> String {
    let mut text = String::new();
    let all = graph::nodes(response);
    let mut groups: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    for node in &all {
        groups.entry(&node.entity_type).or_default().push(node);
    }
    for (entity_type, nodes) in groups {
        let keys: BTreeSet<&str> =
            nodes.iter().flat_map(|node| node.properties.keys()).map(String::as_str).collect();
        let mut table = table(std::iter::once("id").chain(keys.iter().copied()));
        for node in &nodes {
            let cells = keys.iter().map(|key| cell(node.properties.get(*key)));
            table.add_row(std::iter::once(node.id.to_string()).chain(cells));
        }
        push(&mut text, &shown(entity_type), nodes.len(), "node", &[], &table);
    }
    let title = response.query_type.as_str();
    if response.query_type == QueryType::Aggregation {
        let groups = response.group_columns.iter().map(|column| &*column.name);
        let names: Vec<&str> =
            groups.chain(response.columns.iter().map(|column| &*column.name)).collect();
        let mut table = table(names.iter().copied());
        for row in &response.rows {
            table.add_row(names.iter().map(|name| cell(row.get(*name))));
        }
        push(&mut text, title, response.rows.len(), "row", &[], &table);
    }
    if response.query_type != QueryType::Aggregation || !response.edges.is_empty() {
        let mut table = table(["path", "from", "type", "to", "depth"].into_iter());
        for edge in &response.edges {
            let number =
                |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
            table.add_row([
                number(edge.path_id),
                shown(&format!("{}:{}", edge.from, edge.from_id)),
                shown(&edge.edge_type),
                shown(&format!("{}:{}", edge.to, edge.to_id)),
                number(edge.depth),
            ]);
        }
        push(&mut text, title, response.edges.len(), "edge", &[], &table);
    }
    text
}

/// A value for people: text as it is, a node by its type and id.
fn cell(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => shown(text),
        Some(Value::Object(node)) if node.contains_key("type") && node.contains_key("id") => {
            shown(&format!("{}:{}", node["type"].as_str().unwrap_or_default(), node["id"]))
        }
        Some(other) => shown(&other.to_string()),
    }
}

/// The symbols and the edges of a payload.
fn payload_tables(payload: &Payload<'_>) -> String {
    let mut symbols = table(
        ["", "qualified name", "kind", "score", "provenance", "distance", "signature"].into_iter(),
    );
    for (index, symbol) in payload.symbols.iter().enumerate() {
        symbols.add_row([
            index.to_string(),
            shown(&symbol.qualified_name),
            shown(symbol.kind.as_str()),
            symbol.score.to_string(),
            shown(symbol.provenance.as_str()),
            symbol.distance.to_string(),
            shown(&symbol.signature),
        ]);
    }
    let mut edges = table(["source", "type", "target", "status"].into_iter());
    let name = |index: u32| {
        payload
            .symbols
            .get(index as usize)
            .map_or_else(|| index.to_string(), |symbol| shown(&symbol.qualified_name))
    };
    for edge in &payload.edges {
        edges.add_row([
            name(edge.source),
            shown(edge.edge_type.as_str()),
            name(edge.target),
            shown(edge.status.as_str()),
        ]);
    }
    let mut meta = Vec::new();
    for (key, tokens) in [("budget", payload.token_budget), ("tokens", payload.tokens_used)] {
        meta.extend((tokens > 0).then(|| format!("{key}={tokens}")));
    }
    meta.extend(
        payload.pack_root.as_ref().map(|root| format!("pack_root={}", shown(root.as_str()))),
    );
    let mut text = String::new();
    let title = if payload.tool.is_empty() { "payload".to_owned() } else { shown(&payload.tool) };
    push(&mut text, &title, payload.symbols.len(), "symbol", &meta, &symbols);
    push(&mut text, &title, payload.edges.len(), "edge", &[], &edges);
    text
}

/// A line beneath the header, and no others.
const PRESET: &str = "     ──            ";

/// A table that wraps its cells where it is looked at in a terminal, and nowhere else.
fn table<'f>(fields: impl Iterator<Item = &'f str>) -> Table {
    let mut table = Table::new();
    table.load_preset(PRESET).set_content_arrangement(ContentArrangement::Disabled);
    if let Some((width, _)) = terminal_size::terminal_size_of(std::io::stdout()) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.0);
    }
    table.set_header(fields.map(shown));
    table
}

fn push(text: &mut String, title: &str, count: usize, noun: &str, meta: &[String], table: &Table) {
    if !text.is_empty() {
        text.push('\n');
    }
    let plural = if count == 1 { "" } else { "s" };
    let _ = write!(text, "{title}: {count} {noun}{plural}");
    for meta in meta {
        let _ = write!(text, ", {meta}");
    }
    text.push('\n');
    if count > 0 {
        for line in table.to_string().lines() {
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
}
