//! How many beginnings of a payload are taken for a payload (ruling A3).

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use gcf::graph::{
    Decoder, Delta, Dialect, DiffOutcome, Encoder, Session, SessionReader, StreamHead,
};
use wire_conformance::{Corpus, fixtures_dir};
use wire_core::{Codec, Payload, WordPunctuation};

use crate::tools::registry;

/// The documented example of the format's first description.
const EXAMPLE: &str = "gcf/graph/documented_example.json#ten_symbols_v1";

/// Whether a way of reading takes an input.
type Takes = Box<dyn Fn(&[u8]) -> bool>;

/// How a format is written.
struct Form {
    name: &'static str,
    bytes: Vec<u8>,
    /// The ways of reading it, and whether a text is taken.
    modes: Vec<(&'static str, Takes)>,
}

/// A row a form and way of reading.
pub(crate) fn table() -> Result<String, String> {
    let mut table = String::from(
        "| form | bytes | mode | beginnings that decode | of them not the whole |\n|---|---|---|---|---|\n",
    );
    for Form { name, bytes, modes } in forms()? {
        for (mode, takes) in modes {
            let taken = (0..bytes.len()).filter(|&end| takes(&bytes[..end])).count();
            let whole = usize::from(takes(&bytes));
            let _ = writeln!(
                table,
                "| {name} | {} | {mode} | {} | {taken} |",
                bytes.len(),
                taken + whole
            );
        }
    }
    Ok(table)
}

fn forms() -> Result<Vec<Form>, String> {
    let corpus = Corpus::load(&fixtures_dir()).map_err(|error| error.to_string())?;
    let payload = corpus
        .cases()
        .iter()
        .find(|case| case.id == EXAMPLE)
        .and_then(|case| case.operation.payload().cloned())
        .ok_or(format!("there is no case {EXAMPLE}"))?;
    let registry = registry();
    let mut forms = Vec::new();
    for (name, dialect) in
        [("GCF `v1`", Dialect::V1), ("GCF `v1.4`", Dialect::V1_4), ("GCF `v3`", Dialect::V3)]
    {
        let encoder = Encoder::new().dialect(dialect);
        let bytes = encoder.to_vec(&payload).map_err(|error| error.to_string())?;
        forms.push(Form { name, bytes, modes: gcf_modes() });
    }
    for (name, dialect) in
        [("GCF `v1.4`, streamed", Dialect::V1_4), ("GCF `v3`, streamed", Dialect::V3)]
    {
        let bytes = streamed(&payload, dialect).map_err(|error| error.to_string())?;
        forms.push(Form { name, bytes, modes: gcf_modes() });
    }
    forms.extend(across_calls(&payload).map_err(|error| error.to_string())?);
    for (name, tool, file) in [
        ("GCX1, a response with rows", "search_symbols", "01_search_symbols_small"),
        ("GCX1, a response with two sections", "get_dependents", "14_get_dependents_small"),
        (
            "GCX1, a response whose sections may be missing",
            "get_repo_outline",
            "20_get_repo_outline",
        ),
    ] {
        let path = fixtures_dir().join(format!("payloads/tools/{file}.json"));
        let json = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        let response = gcx::json::from_str(&json).map_err(|error| format!("{file}: {error}"))?;
        let text = gcx::encode_response(tool, &response).map_err(|error| error.to_string())?;
        let mode = |decoder: gcx::Decoder| -> Takes {
            Box::new(move |input| {
                std::str::from_utf8(input).is_ok_and(|text| decoder.decode_response(text).is_ok())
            })
        };
        let modes = vec![
            ("default", mode(gcx::Decoder::new())),
            ("`require_final_newline`", mode(gcx::Decoder::new().require_final_newline(true))),
        ];
        forms.push(Form { name, bytes: text.into_bytes(), modes });
    }
    for (name, value) in [
        (
            "GCF `generic`, a table",
            serde_json::json!([{"id": 1, "name": "Alice", "tags": ["a", "b"]}, {"id": 2, "name": "Bob", "tags": []}]),
        ),
        (
            "GCF `generic`, an object",
            serde_json::json!({"version": "2.1", "ports": [8080, 8443], "users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]}),
        ),
    ] {
        let bytes = gcf::generic::to_vec(&value).map_err(|error| error.to_string())?;
        let mode = |decoder: gcf::generic::Decoder| -> Takes {
            Box::new(move |input| decoder.from_slice::<serde_json::Value>(input).is_ok())
        };
        let modes = vec![
            ("default", mode(gcf::generic::Decoder::new())),
            (
                "`require_final_newline`",
                mode(gcf::generic::Decoder::new().require_final_newline(true)),
            ),
        ];
        forms.push(Form { name, bytes, modes });
    }
    let takes =
        |codec: Box<dyn Codec>| -> Takes { Box::new(move |input| codec.decode(input).is_ok()) };
    for (name, format, codec) in [
        ("GCB1", "gcb", takes(Box::<gcb::Gcb>::default())),
        ("GCX1, payload", "gcx", takes(Box::<gcx::Gcx>::default())),
        ("GOON, payload", "goon", takes(Box::<goon::Goon>::default())),
        ("JSON, compact", "json", takes(Box::new(wire_registry::json::Json::compact()))),
    ] {
        let bytes = registry.encode(format, &payload).map_err(|error| error.to_string())?;
        forms.push(Form { name, bytes, modes: vec![("default", codec)] });
    }
    Ok(forms)
}

/// The first payload of a session, and a delta.
fn across_calls(payload: &Payload<'static>) -> Result<Vec<Form>, gcf::Error> {
    let mut forms = Vec::new();
    for (name, dialect) in [
        ("GCF `v1`, first of a session", Dialect::V1),
        ("GCF `v3`, first of a session", Dialect::V3),
    ] {
        let mut session = Session::new(Encoder::new().dialect(dialect));
        let mut bytes = Vec::new();
        session.encode(payload, Duration::ZERO, &mut bytes)?;
        let mode = |reader: SessionReader| -> Takes {
            Box::new(move |input| reader.clone().from_slice(input).is_ok())
        };
        let modes = vec![
            ("default", mode(SessionReader::new())),
            ("`require_symbol_count`", mode(SessionReader::new().require_symbol_count(true))),
        ];
        forms.push(Form { name, bytes, modes });
    }
    for (name, dialect) in [("delta, `v1`", Dialect::V1), ("delta, `v3`", Dialect::V3)] {
        let encoder = Encoder::new().dialect(dialect);
        let mut base = payload.clone();
        base.symbols[3].qualified_name = "example.com/renamed".into();
        let DiffOutcome::Delta(delta) = Delta::between(&base, payload, &encoder, &WordPunctuation)?
        else {
            unreachable!("nothing stands in the way of a delta of the example");
        };
        let bytes = encoder.delta_to_string(&delta)?.into_bytes();
        let read: Takes = Box::new(|input| Delta::from_slice(input).is_ok());
        let apply: Takes = Box::new(move |input| {
            Delta::from_slice(input).is_ok_and(|delta| delta.apply(&base).is_ok())
        });
        forms.push(Form { name, bytes, modes: vec![("read", read), ("applied", apply)] });
    }
    Ok(forms)
}

fn gcf_modes() -> Vec<(&'static str, Takes)> {
    let mode =
        |decoder: Decoder| -> Takes { Box::new(move |input| decoder.from_slice(input).is_ok()) };
    vec![
        ("default", mode(Decoder::new())),
        ("`require_final_newline`", mode(Decoder::new().require_final_newline(true))),
    ]
}

fn streamed(payload: &Payload<'_>, dialect: Dialect) -> Result<Vec<u8>, gcf::Error> {
    let head = StreamHead {
        tool: &payload.tool,
        token_budget: payload.token_budget,
        tokens_used: payload.tokens_used,
        pack_root: payload.pack_root.clone(),
    };
    let mut stream = Encoder::new().dialect(dialect).writer(Vec::new(), &head)?;
    for symbol in &payload.symbols {
        stream.symbol(symbol)?;
    }
    for edge in &payload.edges {
        stream.edge(edge)?;
    }
    stream.finish()
}
