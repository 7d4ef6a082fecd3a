//! `wirefmt view`: the content of a file, as tables.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use gcx::SliceReader;
use goon::{GraphResponse, Node, QueryType};
use serde_json::Value;
use wire_core::{CodecError, Payload};
use wire_input::Held;
use wire_input::graph;
use wire_registry::Registry;

use crate::args::ViewOptions;
use crate::batch::Working;
use crate::diagnostic::{Diagnostics, Remark, RemarkLevel};
use crate::failure::{Failure, shown};
use crate::grid::{Look, Page};
use crate::input::Input;
use crate::source::registry;
use crate::{output, pager};
use wire_input::Kind;

pub(crate) fn run(options: &ViewOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let working = Working::on(&options.file, diagnostics.is_quiet(), false);
    let input = Input::read(&options.file)?;
    let text = text(&input, options, &registry, diagnostics)?;
    drop(working);
    if options.no_pager { output::to_stdout(text.as_bytes()) } else { pager::show(&text) }
}

fn text(
    input: &Input,
    options: &ViewOptions,
    registry: &Registry,
    diagnostics: &Diagnostics,
) -> Result<String, Failure> {
    let mut page = Page::new(Look::new(options));
    let document = input.detect_reading(options.from.as_deref(), &options.reading, registry)?;
    match document.kind {
        // The content of a GCX response is shown unchanged, whether or not its tool is known.
        Kind::Response => {
            sections(&mut page, input).map_err(|error| input.refused(error))?;
            return page.finish();
        }
        Kind::Delta => {
            if let Ok(delta) = gcf::graph::Decoder::new().decode_delta(&input.bytes) {
                delta_tables(&mut page, &delta);
                return page.finish();
            }
        }
        _ => {}
    }
    let (held, remarks) = input.held(&document, None)?;
    match held {
        Held::Payload(payload) => payload_tables(&mut page, &payload),
        Held::Query(response) => graph_tables(&mut page, &response),
        Held::Response { value, .. } | Held::Value(value) => {
            value_tables(&mut page, &value.for_people());
        }
    }
    let text = page.finish()?;
    // What is left out is seen to be, and types save nothing here.
    let is_told =
        |remark: &&Remark| remark.level == RemarkLevel::Note && remark.code != "infer_types";
    for remark in remarks.iter().filter(is_told) {
        diagnostics.say(&input.name, remark);
    }
    Ok(text)
}

/// The removals and additions of a delta.
fn delta_tables(page: &mut Page<'_>, delta: &gcf::graph::Delta<'_>) {
    let mut symbols = page.look.grid(["", "qualified name", "kind", "score", "provenance"]);
    for symbol in &delta.removed {
        let (name, kind) = (shown(&symbol.qualified_name), shown(symbol.kind.as_str()));
        symbols.row(["-".to_owned(), name, kind]);
    }
    for symbol in &delta.added {
        let (name, kind) = (shown(&symbol.qualified_name), shown(symbol.kind.as_str()));
        let (score, provenance) = (symbol.score.to_string(), shown(symbol.provenance.as_str()));
        symbols.row(["+".to_owned(), name, kind, score, provenance]);
    }
    let mut edges = page.look.grid(["", "source", "type", "target"]);
    for (sign, list) in [("-", &delta.edges_removed), ("+", &delta.edges_added)] {
        for edge in list {
            let ends = [&edge.source, &edge.target].map(|name| shown(name));
            let [source, target] = ends;
            edges.row([sign.to_owned(), source, shown(edge.edge_type.as_str()), target]);
        }
    }
    let meta = [
        format!("base_root={}", shown(delta.base_root.as_str())),
        format!("new_root={}", shown(delta.new_root.as_str())),
    ];
    let title = if delta.tool.is_empty() { "delta".to_owned() } else { shown(&delta.tool) };
    let count = delta.removed.len() + delta.added.len();
    page.push(&title, count, "changed symbol", &meta, &symbols);
    let count = delta.edges_removed.len() + delta.edges_added.len();
    page.push(&title, count, "changed edge", &[], &edges);
}

/// A value: an array of objects as a table, and so the members of an object that are one; all else
/// as JSON.
fn value_tables(page: &mut Page<'_>, value: &Value) {
    match value {
        Value::Object(members) if members.values().any(is_table) => {
            let (tables, rest): (Vec<_>, Vec<_>) =
                members.iter().partition(|(_, value)| is_table(value));
            if !rest.is_empty() {
                let mut table = page.look.grid(["member", "value"]);
                for (key, value) in &rest {
                    table.row([shown(key), cell(Some(value))]);
                }
                page.push("value", rest.len(), "member", &[], &table);
            }
            for (key, value) in tables {
                rows(page, &shown(key), value);
            }
        }
        value if is_table(value) => rows(page, "value", value),
        value => page.lines(&format!("{value:#}")),
    }
}

/// Returns `true` if a value is an array of objects.
fn is_table(value: &Value) -> bool {
    value.as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(Value::is_object))
}

/// An array of objects, with a column for each member that one of them has.
fn rows(page: &mut Page<'_>, title: &str, value: &Value) {
    let objects: Vec<&serde_json::Map<String, Value>> =
        value.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
    let mut seen = HashSet::new();
    let keys: Vec<&str> = objects
        .iter()
        .flat_map(|object| object.keys())
        .map(String::as_str)
        .filter(|key| seen.insert(*key))
        .collect();
    let mut table = page.look.grid(keys.iter().copied());
    for object in &objects {
        table.row_of(|column| cell(object.get(keys[column])));
    }
    page.push(title, objects.len(), "row", &[], &table);
}

/// The sections of a response, each with its rows.
fn sections(page: &mut Page<'_>, input: &Input) -> Result<(), CodecError> {
    let mut reader = SliceReader::from_slice(&input.bytes)?;
    while let Some(header) = reader.next_section()? {
        let mut table = page.look.grid(header.fields());
        let mut rows = 0;
        while let Some(row) = reader.next_row()? {
            table.row(row.cells().map(shown));
            rows += 1;
        }
        let meta: Vec<String> = header
            .all_meta()
            .map(|(key, value)| format!("{}={}", shown(key), shown(value)))
            .collect();
        page.push(&shown(header.tool()), rows, "row", &meta, &table);
    }
    Ok(())
}

/// The nodes of a response by their types, its edges, and its rows.
fn graph_tables(page: &mut Page<'_>, response: &GraphResponse) {
    let all = graph::nodes(response);
    let mut groups: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    for node in &all {
        groups.entry(&node.entity_type).or_default().push(node);
    }
    for (entity_type, nodes) in groups {
        let keys: BTreeSet<&str> =
            nodes.iter().flat_map(|node| node.properties.keys()).map(String::as_str).collect();
        let mut table = page.look.grid(std::iter::once("id").chain(keys.iter().copied()));
        for node in &nodes {
            let cells = keys.iter().map(|key| cell(node.properties.get(*key)));
            table.row(std::iter::once(node.id.to_string()).chain(cells));
        }
        page.push(&shown(entity_type), nodes.len(), "node", &[], &table);
    }
    let title = response.query_type.name();
    if response.query_type == QueryType::Aggregation {
        let groups = response.group_columns.iter().map(|column| &*column.name);
        let names: Vec<&str> =
            groups.chain(response.columns.iter().map(|column| &*column.name)).collect();
        let mut table = page.look.grid(names.iter().copied());
        for row in &response.rows {
            table.row_of(|column| cell(row.get(names[column])));
        }
        page.push(title, response.rows.len(), "row", &[], &table);
    }
    if response.query_type != QueryType::Aggregation || !response.edges.is_empty() {
        let mut table = page.look.grid(["path", "from", "type", "to", "depth"]);
        for edge in &response.edges {
            let number =
                |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
            table.row([
                number(edge.path_id),
                shown(&format!("{}:{}", edge.from, edge.from_id)),
                shown(&edge.edge_type),
                shown(&format!("{}:{}", edge.to, edge.to_id)),
                number(edge.depth),
            ]);
        }
        page.push(title, response.edges.len(), "edge", &[], &table);
    }
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
fn payload_tables(page: &mut Page<'_>, payload: &Payload<'_>) {
    let fields = ["", "qualified name", "kind", "score", "provenance", "distance", "signature"];
    let mut symbols = page.look.grid(fields);
    for (index, symbol) in payload.symbols.iter().enumerate() {
        symbols.row([
            index.to_string(),
            shown(&symbol.qualified_name),
            shown(symbol.kind.as_str()),
            symbol.score.to_string(),
            shown(symbol.provenance.as_str()),
            symbol.distance.to_string(),
            shown(&symbol.signature),
        ]);
    }
    let mut edges = page.look.grid(["source", "type", "target", "status"]);
    let name = |index: u32| {
        payload
            .symbols
            .get(index as usize)
            .map_or_else(|| index.to_string(), |symbol| shown(&symbol.qualified_name))
    };
    for edge in &payload.edges {
        edges.row([
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
    let title = if payload.tool.is_empty() { "payload".to_owned() } else { shown(&payload.tool) };
    page.push(&title, payload.symbols.len(), "symbol", &meta, &symbols);
    page.push(&title, payload.edges.len(), "edge", &[], &edges);
}
