//! The graph profile of GCF.

use gcf::graph::{Decoder, Dialect, Encoder};
use wire_core::Payload;

use crate::pieces::Pieces;
use crate::same::same;

/// What decodes can be encoded, and comes back as the codec's fidelity says; a reader and the
/// lenient decoder read the same.
pub fn gcf_decode(input: &[u8]) {
    let Ok(payload) = gcf::graph::from_slice(input) else { return };
    let text = std::str::from_utf8(input).expect("because it decodes");
    let pieces = Pieces { bytes: input, most: 5 };
    let read = gcf::graph::from_reader(pieces).expect("because the text decodes");
    assert!(same(&payload, &read), "a reader and a text differ");
    let (lenient, report) =
        Decoder::new().decode_lenient(text).expect("because it decodes strictly");
    assert!(same(&payload, &lenient) && report.skipped.is_empty(), "strict and lenient differ");

    // Since specification 3.1 a header may be without a tool, which the dialects before can't
    // write.
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

/// The lenient decoder never panics, counts what it returns, and what it returns can be encoded.
pub fn gcf_lenient(input: &[u8]) {
    let Ok((mut payload, report)) = Decoder::new().decode_lenient(input) else { return };
    assert_eq!(report.found_symbols, payload.symbols.len() as u64);
    assert_eq!(report.found_edges, payload.edges.len() as u64);
    if payload.tool.is_empty() {
        payload.tool = "t".into();
    }
    let encoded = gcf::graph::to_vec(&payload).expect("because it decodes");
    assert!(gcf::graph::from_slice(&encoded).is_ok());
}

/// Recovery never panics, leaves whole text alone, and counts what it returns, which can be
/// encoded.
pub fn gcf_recover(input: &[u8]) {
    let Ok((mut payload, recovery)) = Decoder::new().recover(input) else { return };
    assert_eq!(recovery.found_symbols, payload.symbols.len() as u64);
    assert_eq!(recovery.found_edges, payload.edges.len() as u64);
    assert!(recovery.repairs.is_sorted_by_key(|repair| repair.offset));
    assert_eq!(recovery.repairs.is_empty(), gcf::graph::from_slice(input).is_ok());
    if payload.tool.is_empty() {
        payload.tool = "t".into();
    }
    let encoded = gcf::graph::to_vec(&payload).expect("because it decodes");
    assert!(gcf::graph::from_slice(&encoded).is_ok());
}

/// A delta that decodes can be encoded and comes back; applying it to anything never panics, and
/// verified it gives what its roots say.
pub fn gcf_delta(input: &[u8]) {
    let Ok(mut delta) = Decoder::new().decode_delta(input) else { return };
    if delta.tool.is_empty() {
        delta.tool = "t".into();
    }
    for symbol in &mut delta.added {
        symbol.score = wire_core::number::round_to_hundredths(symbol.score);
    }
    for encoder in [Encoder::new().distances_in_deltas(true), Encoder::new().dialect(Dialect::V3)] {
        let text = encoder.delta_to_string(&delta).expect("because it decodes");
        let back = Decoder::new().decode_delta(&text).expect("because it was encoded");
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

/// A consumer of a session, and of an exchange, never panics, and an error leaves a session as it
/// was.
pub fn gcf_session(input: &[u8]) {
    let mut reader = gcf::graph::SessionReader::new();
    let declaration = b"GCF tool=t session=true\n@0 fn a 0.50 x\n@1 type b 0.25 y\n";
    reader.decode(declaration).expect("because it is a payload of a session");
    let known = reader.ids();
    match reader.decode(input) {
        Ok(payload) => {
            let again = reader.clone().decode(input).expect("because ids stay bound");
            assert!(same(&payload, &again) || !input.starts_with(b"GCF"));
        }
        Err(_) => assert_eq!(reader.ids(), known),
    }
    if let Ok(text) = std::str::from_utf8(input) {
        let _ = reader.decode_delta(text);
        if let Ok(held) = gcf::graph::Replica::new(Payload::default()) {
            match held.receive(text) {
                Ok(held) => drop(held.receive(text)),
                Err(lost) => drop(lost.receive(text)),
            }
        }
    }
}
