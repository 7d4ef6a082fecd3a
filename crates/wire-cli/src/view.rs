//! `wirefmt view`: what a file holds, as tables.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use comfy_table::Table;
use gcx::SliceReader;
use goon::{GraphResponse, Node, QueryType};
use serde_json::Value;
use wire_core::{CodecError, Payload};
use wire_registry::Registry;

use crate::args::ViewOptions;
use crate::document::{Document, Kind};
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::forms::Held;
use crate::input::Input;
use crate::{graph, output, pager, table, value};

pub(crate) fn run(options: &ViewOptions) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let input = Input::read(&options.file)?;
    let text = text(&input, options.from.as_deref(), &registry)?;
    if options.no_pager { output::to_stdout(text.as_bytes()) } else { pager::show(&text) }
}

fn text(input: &Input, from: Option<&str>, registry: &Registry) -> Result<String, Failure> {
    let document = Document::detect(input, from, registry);
    match document.kind {
        // What a response in GCX has is shown as it is, be it of a known tool or not.
        Kind::Response => return sections(input).map_err(|error| input.refused(error)),
        Kind::Delta => {
            if let Ok(delta) = gcf::graph::Decoder::new().delta_from_slice(&input.bytes) {
                return Ok(delta_tables(&delta));
            }
        }
        _ => {}
    }
    // What is left out is seen to be.
    let (held, _) = Held::read(document, None)?;
    Ok(match held {
        Held::Payload(payload) => payload_tables(&payload),
        Held::Query(response) => graph_tables(&response),
        Held::Response { value, .. } | Held::Value(value) => {
            value_tables(&value::with_digits(value))
        }
    })
}

/// What a delta removes and adds.
fn delta_tables(delta: &gcf::graph::Delta<'_>) -> String {
    let mut symbols = table::new(["", "qualified name", "kind", "score", "provenance"].into_iter());
    for symbol in &delta.removed {
        let (name, kind) = (shown(&symbol.qualified_name), shown(symbol.kind.as_str()));
        symbols.add_row(["-".to_owned(), name, kind]);
    }
    for symbol in &delta.added {
        let (name, kind) = (shown(&symbol.qualified_name), shown(symbol.kind.as_str()));
        let (score, provenance) = (symbol.score.to_string(), shown(symbol.provenance.as_str()));
        symbols.add_row(["+".to_owned(), name, kind, score, provenance]);
    }
    let mut edges = table::new(["", "source", "type", "target"].into_iter());
    for (sign, list) in [("-", &delta.edges_removed), ("+", &delta.edges_added)] {
        for edge in list {
            let ends = [&edge.source, &edge.target].map(|name| shown(name));
            let [source, target] = ends;
            edges.add_row([sign.to_owned(), source, shown(edge.edge_type.as_str()), target]);
        }
    }
    let meta = [
        format!("base_root={}", shown(delta.base_root.as_str())),
        format!("new_root={}", shown(delta.new_root.as_str())),
    ];
    let title = if delta.tool.is_empty() { "delta".to_owned() } else { shown(&delta.tool) };
    let count = delta.removed.len() + delta.added.len();
    let mut text = String::new();
    push(&mut text, &title, count, "changed symbol", &meta, &symbols);
    let count = delta.edges_removed.len() + delta.edges_added.len();
    push(&mut text, &title, count, "changed edge", &[], &edges);
    text
}

/// A value: an array of objects as a table, and so the members of an object that are one; all else as JSON.
fn value_tables(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Object(members) if members.values().any(is_table) => {
            let (tables, rest): (Vec<_>, Vec<_>) =
                members.iter().partition(|(_, value)| is_table(value));
            if !rest.is_empty() {
                let mut table = table::new(["member", "value"].into_iter());
                for (key, value) in &rest {
                    table.add_row([shown(key), cell(Some(value))]);
                }
                push(&mut text, "value", rest.len(), "member", &[], &table);
            }
            for (key, value) in tables {
                rows(&mut text, &shown(key), value);
            }
        }
        value if is_table(value) => rows(&mut text, "value", value),
        value => {
            for line in format!("{value:#}").lines() {
                let _ = writeln!(text, "{}", shown(line));
            }
        }
    }
    text
}

/// Whether a value is an array of objects.
fn is_table(value: &Value) -> bool {
    value.as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(Value::is_object))
}

/// An array of objects, with a column for each member that one of them has.
fn rows(text: &mut String, title: &str, value: &Value) {
    let objects: Vec<&serde_json::Map<String, Value>> =
        value.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
    let mut seen = HashSet::new();
    let keys: Vec<&str> = objects
        .iter()
        .flat_map(|object| object.keys())
        .map(String::as_str)
        .filter(|key| seen.insert(*key))
        .collect();
    let mut table = table::new(keys.iter().copied());
    for object in &objects {
        table.add_row(keys.iter().map(|key| cell(object.get(*key))));
    }
    push(text, title, objects.len(), "row", &[], &table);
}

/// The sections of a response, each with its rows.
fn sections(input: &Input) -> Result<String, CodecError> {
    let mut text = String::new();
    let mut reader = SliceReader::from_slice(&input.bytes)?;
    while let Some(header) = reader.next_section()? {
        let mut table = table::new(header.fields());
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
        let mut table = table::new(std::iter::once("id").chain(keys.iter().copied()));
        for node in &nodes {
            let cells = keys.iter().map(|key| cell(node.properties.get(*key)));
            table.add_row(std::iter::once(node.id.to_string()).chain(cells));
        }
        push(&mut text, &shown(entity_type), nodes.len(), "node", &[], &table);
    }
    let title = response.query_type.name();
    if response.query_type == QueryType::Aggregation {
        let groups = response.group_columns.iter().map(|column| &*column.name);
        let names: Vec<&str> =
            groups.chain(response.columns.iter().map(|column| &*column.name)).collect();
        let mut table = table::new(names.iter().copied());
        for row in &response.rows {
            table.add_row(names.iter().map(|name| cell(row.get(*name))));
        }
        push(&mut text, title, response.rows.len(), "row", &[], &table);
    }
    if response.query_type != QueryType::Aggregation || !response.edges.is_empty() {
        let mut table = table::new(["path", "from", "type", "to", "depth"].into_iter());
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
    let mut symbols = table::new(
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
    let mut edges = table::new(["source", "type", "target", "status"].into_iter());
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
        text.push_str(&table::text(table));
    }
}
