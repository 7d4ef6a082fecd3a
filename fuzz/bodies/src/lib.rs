//! What the fuzzers check: one function `check(&[u8])` a decoder, which panics when a law is broken.
//!
//! `cargo xtask fuzz` runs them on stable Rust with the [`Mutator`] here; the targets in
//! `fuzz/fuzz_targets` hand them to libFuzzer.

mod mutator;
mod random;

use gcf::graph::{Decoder, Dialect, Encoder};
use serde_json::{Map, Value};
use wire_core::{Codec, Payload};
use wire_registry::json::Json;
use wire_registry::xml::Xml;

pub use mutator::Mutator;
pub use random::Random;

/// A function to fuzz.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Its name.
    pub name: &'static str,
    /// How inputs begin that it looks into.
    pub begins: &'static [&'static str],
    /// Panics when the input breaks a law.
    pub check: fn(&[u8]),
}

const GRAPH: &[&str] = &["GCF"];
const GENERIC: &[&str] = &["GCF profile=generic"];
const GCX: &[&str] = &["GCX1"];

/// Every body.
pub const BODIES: &[Body] = &[
    Body { name: "gcf_decode", begins: GRAPH, check: gcf_decode },
    Body { name: "gcf_lenient", begins: GRAPH, check: gcf_lenient },
    Body { name: "gcf_recover", begins: GRAPH, check: gcf_recover },
    Body { name: "gcf_events", begins: GRAPH, check: gcf_events },
    Body { name: "gcf_delta", begins: &["GCF"], check: gcf_delta },
    Body { name: "gcf_session", begins: GRAPH, check: gcf_session },
    Body { name: "generic_decode", begins: GENERIC, check: generic_decode },
    Body { name: "generic_rows", begins: GENERIC, check: generic_rows },
    Body { name: "generic_recover", begins: GENERIC, check: generic_recover },
    Body { name: "generic_keyed", begins: GENERIC, check: generic_keyed },
    Body { name: "gcb_decode", begins: &["GCB1"], check: gcb_decode },
    Body { name: "gcx_rows", begins: GCX, check: gcx_rows },
    Body { name: "gcx_records", begins: GCX, check: gcx_records },
    Body { name: "gcx_decode", begins: GCX, check: gcx_decode },
    Body { name: "goon_decode", begins: &["@header"], check: goon_decode },
    Body { name: "goon_json", begins: &["{\"query_type", "{"], check: goon_json },
    Body { name: "json_decode", begins: &["{"], check: json_decode },
    Body { name: "xml_decode", begins: &["<"], check: xml_decode },
    Body { name: "detect", begins: &[""], check: detect },
];

/// Equality under which NaN is equal to itself.
fn same(one: &Payload<'_>, other: &Payload<'_>) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}

/// What decodes can be encoded, and comes back as the codec's fidelity says; the pull parser and the
/// lenient decoder agree with the strict one.
pub fn gcf_decode(input: &[u8]) {
    let Ok(payload) = gcf::graph::from_slice(input) else { return };
    let text = std::str::from_utf8(input).expect("because it decodes");
    assert!(
        Decoder::new().events(text).all(|event| event.is_ok()),
        "the pull parser refuses a line"
    );
    let (lenient, report) =
        Decoder::new().from_str_lenient(text).expect("because it decodes strictly");
    assert!(same(&payload, &lenient) && report.skipped.is_empty(), "strict and lenient differ");

    // Since specification 3.1 a header may be without a tool, which the dialects before can't write.
    let mut expected = payload.clone();
    if expected.tool.is_empty() {
        expected.tool = "t".into();
    }
    for dialect in Dialect::ALL {
        let encoded =
            Encoder::new().dialect(*dialect).to_string(&expected).expect("because it decodes");
        let mut projected = expected.clone();
        dialect.fidelity().project(&mut projected);
        let back = gcf::graph::from_str(&encoded).expect("because it was encoded");
        assert!(same(&back, &projected), "{back:?}\n{projected:?}");
        let again =
            Encoder::new().dialect(*dialect).to_string(&back).expect("because it was encoded");
        assert_eq!(again, encoded);
    }
}

/// A reader gives the events of a text, and its errors, as the pull parser does.
pub fn gcf_events(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut reader = gcf::graph::EventReader::new(std::io::BufReader::with_capacity(5, input));
    for event in Decoder::new().events(text) {
        match (event, reader.next_event()) {
            (Ok(event), Ok(Some(read))) => assert_eq!(event, read),
            (Err(error), Err(read)) => assert_eq!(
                (error.kind(), error.position(), error.to_string()),
                (read.kind(), read.position(), read.to_string())
            ),
            (event, read) => panic!("{event:?} {read:?}"),
        }
    }
    assert!(matches!(reader.next_event(), Ok(None)), "the reader goes on behind the end");
}

/// The lenient decoder never panics, counts what it returns, and what it returns can be encoded.
pub fn gcf_lenient(input: &[u8]) {
    let Ok((mut payload, report)) = Decoder::new().from_slice_lenient(input) else { return };
    assert_eq!(report.found_symbols, payload.symbols.len() as u64);
    assert_eq!(report.found_edges, payload.edges.len() as u64);
    if payload.tool.is_empty() {
        payload.tool = "t".into();
    }
    let encoded = gcf::graph::to_vec(&payload).expect("because it decodes");
    assert!(gcf::graph::from_slice(&encoded).is_ok());
}

/// Recovery never panics, leaves whole text alone, and counts what it returns, which can be encoded.
pub fn gcf_recover(input: &[u8]) {
    let Ok((mut payload, recovery)) = Decoder::new().recover_slice(input) else { return };
    assert_eq!(recovery.found_symbols, payload.symbols.len() as u64);
    assert_eq!(recovery.found_edges, payload.edges.len() as u64);
    assert!(recovery.repairs.is_sorted_by_key(|repair| repair.offset));
    assert_eq!(recovery.is_empty(), gcf::graph::from_slice(input).is_ok());
    if payload.tool.is_empty() {
        payload.tool = "t".into();
    }
    let encoded = gcf::graph::to_vec(&payload).expect("because it decodes");
    assert!(gcf::graph::from_slice(&encoded).is_ok());
}

/// A delta that decodes can be encoded and comes back; applying it to anything never panics, and verified it gives
/// what its roots say.
pub fn gcf_delta(input: &[u8]) {
    let Ok(mut delta) = Decoder::new().delta_from_slice(input) else { return };
    if delta.tool.is_empty() {
        delta.tool = "t".into();
    }
    for symbol in &mut delta.added {
        symbol.score = wire_core::number::round_to_hundredths(symbol.score);
    }
    for encoder in [Encoder::new().distances_in_deltas(), Encoder::new().dialect(Dialect::V3)] {
        let text = encoder.delta_to_string(&delta).expect("because it decodes");
        let back = gcf::graph::Delta::from_str(&text).expect("because it was encoded");
        assert_eq!(back, delta);
        assert_eq!(encoder.delta_to_string(&back).expect("because it decodes"), text);
    }
    let added = Payload { symbols: delta.added.clone(), ..Payload::default() };
    for base in [Payload::default(), added] {
        if let Ok(new) = delta.apply_unverified(&base) {
            assert!(new.edges.iter().all(|edge| {
                [edge.source, edge.target].iter().all(|end| (*end as usize) < new.symbols.len())
            }));
        }
        if let Ok(new) = delta.apply(&base) {
            assert_eq!(new.pack_root.as_ref(), Some(&delta.new_root));
        }
    }
}

/// A consumer of a session, and of an exchange, never panics, and an error leaves a session as it was.
pub fn gcf_session(input: &[u8]) {
    let mut reader = gcf::graph::SessionReader::new();
    let declaration = b"GCF tool=t session=true\n@0 fn a 0.50 x\n@1 type b 0.25 y\n";
    reader.from_slice(declaration).expect("because it is a payload of a session");
    let known = reader.len();
    match reader.from_slice(input) {
        Ok(payload) => {
            let again = reader.clone().from_slice(input).expect("because ids stay bound");
            assert!(same(&payload, &again) || !input.starts_with(b"GCF"));
        }
        Err(_) => assert_eq!(reader.len(), known),
    }
    if let Ok(text) = std::str::from_utf8(input) {
        let _ = reader.delta_from_str(text);
        if let Ok(held) = gcf::graph::Holding::new(Payload::default()) {
            match held.receive(text) {
                Ok(held) => drop(held.receive(text)),
                Err(lost) => drop(lost.receive(text)),
            }
        }
    }
}

/// What decodes encodes to the same bytes; the view and the reader agree.
pub fn gcb_decode(input: &[u8]) {
    let view = gcb::View::new(input);
    let Ok(payload) = gcb::from_slice(input) else {
        assert!(view.is_err(), "the view takes what the decoder refuses");
        return;
    };
    let encoded = gcb::to_vec(&payload).expect("because it decodes");
    let any_nan = payload.symbols.iter().any(|symbol| {
        let c = symbol.components;
        [symbol.score, c.blast_radius, c.confidence, c.recency, c.distance]
            .iter()
            .any(|number| number.is_nan())
    });
    // The bits of a NaN are no part of its value.
    assert!(any_nan || encoded == input, "decoding and encoding changes the bytes");

    let view = view.expect("because it decodes");
    assert!(
        view.symbols()
            .map(|symbol| symbol.qualified_name())
            .eq(payload.symbols.iter().map(|s| &*s.qualified_name))
    );
    assert!(
        view.edges().map(|edge| edge.target()).eq(payload.edges.iter().map(|edge| edge.target))
    );
    let mut reader = gcb::Reader::new(input).expect("because it decodes");
    let mut read = Payload { tool: payload.tool.clone(), ..Payload::default() };
    read.tokens_used = reader.tokens_used();
    read.token_budget = reader.token_budget();
    while let Some(symbol) = reader.next_symbol().expect("because it decodes") {
        read.symbols.push(symbol);
    }
    while let Some(edge) = reader.next_edge().expect("because it decodes") {
        read.edges.push(edge);
    }
    assert!(same(&read, &payload), "the reader gives another payload");
}

/// The readers of slices and of streams agree, and what they read can be written and comes back.
pub fn gcx_rows(input: &[u8]) {
    let slice = sections(|sections| {
        let mut reader = gcx::Reader::from_slice(input)?;
        while let Some(header) = reader.next_section()? {
            sections.push((header.into_owned(), Vec::new()));
            while let Some(row) = reader.next_row()? {
                sections.last_mut().expect("because it has begun").1.push(row.into_owned());
            }
        }
        Ok(())
    });
    let stream = sections(|sections| {
        let mut reader = gcx::StreamReader::new(std::io::BufReader::with_capacity(7, input));
        while let Some(header) = reader.next_section()? {
            sections.push((header, Vec::new()));
            while let Some(row) = reader.next_row()? {
                sections.last_mut().expect("because it has begun").1.push(row);
            }
        }
        Ok(())
    });
    let sections = match (slice, stream) {
        (Ok(slice), Ok(stream)) => {
            assert_eq!(slice, stream);
            slice
        }
        // What is not UTF-8 is so at once, or when a stream comes to it.
        (Err(slice), Err(stream)) => {
            let late = slice.kind() == gcx::ErrorKind::InvalidUtf8;
            let shown = |error: &gcx::Error| (error.to_string(), error.position());
            return assert!(late || shown(&slice) == shown(&stream), "{slice:?} {stream:?}");
        }
        (slice, stream) => panic!("{slice:?} {stream:?}"),
    };
    let mut writer = gcx::Writer::new(Vec::new()).escape_commas();
    for (header, rows) in &sections {
        // A cell may hold a CR that was not written by us; a writer leaves it out.
        if writer.begin(header).is_err() {
            return;
        }
        for row in rows {
            writer.row(row.cells()).expect("because it was read");
        }
    }
    let text = writer.finish().expect("because it was read");
    let mut reader = gcx::Reader::from_slice(&text).expect("because it is made of strings");
    for (header, rows) in sections {
        let again =
            reader.next_section().expect("because it was written").expect("because it was written");
        assert_eq!(again.fields().len(), header.fields().len());
        // A row of one empty cell is a blank line, and only counted rows are.
        let counted = header.rows().is_some() || header.fields().len() > 1;
        let mut found = 0;
        while reader.next_row().expect("because it was written").is_some() {
            found += 1;
        }
        assert!(!counted || found == rows.len());
    }
}

/// Rows as values of serde's are the same from a slice and a reader, and what is read is written again.
pub fn gcx_records(input: &[u8]) {
    let slice = gcx::from_slice::<Vec<Map<String, Value>>>(input);
    let reader = gcx::from_reader::<Vec<Map<String, Value>>>(input);
    let rows = match (slice, reader) {
        (Ok(slice), Ok(reader)) => {
            assert_eq!(slice, reader);
            slice
        }
        (Err(slice), Err(reader)) => {
            let late = slice.kind() == gcx::ErrorKind::InvalidUtf8;
            return assert!(late || slice.position() == reader.position(), "{slice} {reader}");
        }
        (slice, reader) => panic!("{slice:?} {reader:?}"),
    };
    // Names may have what only an option writes.
    let writer = gcx::Encoder::new().escape_commas();
    let Ok(text) = writer.to_string("t", &rows) else { return };
    // The plain form writes an object and a map whose only member is the text of one alike.
    if text.contains(" fields=value rows=") && text.contains("\n{") {
        return;
    }
    let back: Vec<Map<String, Value>> = gcx::from_str(&text).expect("because it was written");
    let again = writer.to_string("t", &back).expect("because it was read");
    // A carriage return is not written (ruling X5): a name without it sorts elsewhere, a cell may be of another type.
    let has_returns = || rows.iter().cloned().collect::<Value>().to_string().contains("\\r");
    assert!(again == text || has_returns(), "{again:?} {text:?}");
}

type Section = (gcx::Header<'static>, Vec<gcx::Row<'static>>);

fn sections(
    read: impl FnOnce(&mut Vec<Section>) -> Result<(), gcx::Error>,
) -> Result<Vec<Section>, gcx::Error> {
    let mut sections = Vec::new();
    read(&mut sections).map(|()| sections)
}

/// What decodes as a response is written again in the typed form, and by its layout, and comes back; what decodes as a
/// payload, too.
pub fn gcx_decode(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(value) = gcx::decode_response(text) {
        match gcx::encode_typed("t", &value) {
            Ok(typed) => {
                let back = gcx::decode_response(&typed).expect("because it was encoded");
                assert_eq!(back, value, "{typed}");
            }
            Err(error) => assert_eq!(error.kind(), gcx::ErrorKind::TooDeep),
        }
        let header = gcx::Reader::new(text).next_section().expect("because it decodes");
        let header = header.expect("because it decodes");
        if header.meta("typed").is_none()
            && let Some((tool, _)) = gcx::layout::Layout::of_section(header.tool())
            && tool != "get_repo_outline"
            && !text.contains('\r')
            && !text.contains("\\r")
        {
            let encoded = gcx::Encoder::new().encode_response(tool, &value);
            let encoded = encoded.expect("because it decodes");
            assert!(encoded.left_out.is_empty(), "{:?}", encoded.left_out);
            let back = gcx::decode_response(&encoded.text).expect("because it was encoded");
            assert_eq!(back, value, "{}", encoded.text);
        }
    }
    let codec = gcx::Gcx::default();
    if let Ok(payload) = codec.decode(input)
        && !text.contains('\r')
    {
        let mut encoded = Vec::new();
        codec.encode(&payload, &mut encoded).expect("because it decodes");
        let back = codec.decode(&encoded).expect("because it was encoded");
        assert_eq!(back, payload);
    }
}

/// What decodes is encoded again, to a text that decodes to the same and is written the same.
pub fn goon_decode(input: &[u8]) {
    let Ok(response) = goon::from_slice(input) else { return };
    let encoder = goon::Encoder::new().version(goon::Version::V4_0_1).drop_unrepresentable();
    let Ok(text) = encoder.to_string(&response) else { return };
    // What one reads and another can't write says so; all else comes back.
    let back = goon::from_str(&text).expect("because it was written");
    let again = encoder.to_string(&back).expect("because it was read");
    assert_eq!(again, text);
    assert_eq!(goon::from_str(&again).expect("because it was written"), back);
    let json = back.to_value();
    assert_eq!(goon::GraphResponse::from_value(&json).expect("because it is one"), back);
}

/// A response in JSON never panics, and what is read comes back.
pub fn goon_json(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(response) = goon::GraphResponse::from_json(text) {
        let json = response.to_value();
        assert_eq!(goon::GraphResponse::from_value(&json).expect("because it is one"), response);
        if let Ok(text) = goon::to_string(&response) {
            let back = goon::from_str(&text).expect("because it was written");
            assert_eq!(goon::to_string(&back).expect("because it was read"), text);
        }
    }
}

/// What decodes is encoded again, by every specification, to a text that decodes to what is written the same.
pub fn generic_decode(input: &[u8]) {
    use gcf::generic::{Encoder as Writer, Spec};
    if let Ok(value) = gcf::generic::from_slice::<Value>(input) {
        for &spec in Spec::ALL {
            // Members that leave no text have no depth of their own, so what is read can be written.
            let writer = Writer::new().spec(spec);
            let text = writer.to_string(&value).expect("because it decodes");
            let back: Value = gcf::generic::from_str(&text).expect("because it was encoded");
            // 1.0 comes back as 1, and so the texts are compared.
            assert_eq!(writer.to_string(&back).expect("because it decodes"), text);
        }
    }
}

/// What is read row by row is what is read whole.
pub fn generic_rows(input: &[u8]) {
    let Ok(value) = by_rows(input) else { return };
    let whole = gcf::generic::from_slice::<Value>(input);
    assert_eq!(whole.expect("because its rows are read"), value);
}

fn by_rows(input: &[u8]) -> Result<Value, gcf::Error> {
    let mut reader = gcf::generic::RowReader::new(input)?;
    let (mut members, mut root) = (Map::new(), None);
    while let Some(table) = reader.next_table()? {
        let mut rows =
            if table.is_map { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
        match &mut rows {
            Value::Object(rows) => {
                while let Some((key, row)) = reader.next_member::<Value>()? {
                    rows.insert(key, row);
                }
            }
            Value::Array(rows) => {
                while let Some(row) = reader.next_row::<Value>()? {
                    rows.push(row);
                }
            }
            _ => unreachable!("rows are an array or a map"),
        }
        match table.name {
            Some(name) => drop(members.insert(name, rows)),
            None => root = Some(rows),
        }
    }
    Ok(root.unwrap_or(Value::Object(members)))
}

/// Recovery never panics, leaves whole text alone, and says what it did.
pub fn generic_recover(input: &[u8]) {
    // Each mend reads the text again.
    if input.len() > 4_000 {
        return;
    }
    let strict = gcf::generic::from_slice::<Value>(input);
    match gcf::generic::Decoder::new().recover_slice::<Value>(input) {
        Ok((value, recovery)) => {
            assert_eq!(recovery.is_empty(), strict.is_ok());
            assert!(strict.is_err() || strict.is_ok_and(|strict| strict == value));
        }
        Err(_) => assert!(strict.is_err(), "recovery refuses what is whole"),
    }
}

/// What is read of sets with a key is written to a text that reads as the same.
pub fn generic_keyed(input: &[u8]) {
    use gcf::generic::keyed::Message;
    let Ok(text) = std::str::from_utf8(input) else { return };
    match Message::read(text) {
        Ok(Message::Full(set)) => {
            let again = Message::read(&set.to_text()).expect("because it was written");
            let again = again.apply(None).expect("because it is a whole set");
            assert_eq!(again.root(), set.root());
        }
        Ok(Message::Delta(delta)) => {
            let written = delta.to_text();
            let Ok(Message::Delta(again)) = Message::read(&written) else { panic!("{written}") };
            assert_eq!(again.to_text(), written);
        }
        _ => {}
    }
}

/// What decodes can be encoded, and comes back equal.
pub fn json_decode(input: &[u8]) {
    let Ok(payload) = Json::compact().decode(input) else { return };
    for codec in [Json::compact(), Json::pretty()] {
        let mut encoded = Vec::new();
        codec.encode(&payload, &mut encoded).expect("because it decodes");
        let back = codec.decode(&encoded).expect("because it was encoded");
        assert!(same(&back, &payload), "{back:?}\n{payload:?}");
    }
}

/// What decodes can be encoded, and comes back as the fidelity says; what is written is written again the same.
pub fn xml_decode(input: &[u8]) {
    let Ok(mut payload) = Xml.decode(input) else { return };
    let mut encoded = Vec::new();
    Xml.encode(&payload, &mut encoded).expect("because it decodes");
    let back = Xml.decode(&encoded).expect("because it was encoded");
    let mut again = Vec::new();
    Xml.encode(&back, &mut again).expect("because it decodes");
    assert_eq!(encoded, again);
    Xml.info().fidelity().project(&mut payload);
    assert!(same(&back, &payload), "{back:?}\n{payload:?}");
}

/// Telling a format, and decoding by it, never panics.
pub fn detect(input: &[u8]) {
    let mut registry = wire_registry::Registry::new();
    registry.register(gcf::Gcf::default()).expect("because the names are distinct");
    registry.register(gcb::Gcb::default()).expect("because the names are distinct");
    registry.register(gcx::Gcx::default()).expect("because the names are distinct");
    registry.register(goon::Goon::default()).expect("because the names are distinct");
    if let Some(codec) = registry.detect(input)
        && let Err(error) = codec.decode(input)
    {
        assert!(!error.code().is_empty() && !error.to_string().is_empty());
        assert!(error.position().is_none_or(|position| position.offset <= input.len() as u64));
    }
}
