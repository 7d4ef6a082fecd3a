//! The same bytes as implementations in other languages, on random input:
//! `others python|node <its folder> <documents>`.
//!
//! `cargo xtask differential` installs them and runs this.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use gcf::Spec;
use gcf::graph::{Delta, Dialect, Encoder, RootAlgorithm, Session};
use serde_json::{Value, json};
use wire_benches::generic::{Peer, as_read, compare};
use wire_benches::keyed::KeyedPeer;
use wire_benches::packs::payload;
use wire_benches::process::Process;
use wire_core::{Payload, WordPunctuation};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [language, folder, documents] = arguments.as_slice() else {
        panic!("expected `python` or `node`, its folder, and the number of documents")
    };
    let documents: u64 = documents.parse().expect("because it is a number");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    let (mut command, spec) = match language.as_str() {
        "python" => {
            let mut command = Command::new("python3");
            command.arg(scripts.join("peer.py")).env("PYTHONPATH", folder);
            (command, Spec::V3_6)
        }
        "node" => {
            let mut command = Command::new("node");
            command.arg(scripts.join("peer.mjs")).arg(folder);
            (command, Spec::V3_5)
        }
        other => panic!("there is no {other}, expected `python` or `node`"),
    };
    let process = Rc::new(Process::start(&mut command));
    payloads(&process, documents / 10);
    sessions(&process, documents / 40);
    deltas(&process, documents / 10);
    let keyed = Rc::clone(&process);
    let peer = KeyedPeer {
        one_kind_of_number: true,
        ask: Box::new(move |what, argument| keyed.ask(what, argument)),
    };
    wire_benches::keyed::compare(&peer, documents / 40);
    let decoding = Rc::clone(&process);
    let peer = Peer {
        spec,
        one_kind_of_number: language == "node",
        encode: Box::new(move |value| process.ask_text("encode_generic", value)),
        decode: Box::new(move |text| decoding.ask("decode_generic", &text.into())),
    };
    compare(&peer, documents);
}

fn v3() -> Encoder {
    Encoder::new().dialect(Dialect::V3)
}

/// A payload as the scripts take it.
fn plain(payload: &Payload<'_>) -> Value {
    let name = |index: u32| &payload.symbols[index as usize].qualified_name;
    let symbol = |symbol: &wire_core::Symbol<'_>| {
        json!({
            "qualified_name": symbol.qualified_name, "kind": symbol.kind.as_str(), "score": symbol.score,
            "provenance": symbol.provenance.as_str(), "distance": symbol.distance,
        })
    };
    let edge = |edge: &wire_core::Edge<'_>| {
        json!({
            "source": name(edge.source), "target": name(edge.target),
            "edge_type": edge.edge_type.as_str(), "status": "",
        })
    };
    json!({
        "tool": payload.tool, "tokens_used": payload.tokens_used, "token_budget": payload.token_budget,
        "pack_root": payload.pack_root.as_ref().map_or("", |root| root.as_str()),
        "symbols": payload.symbols.iter().map(symbol).collect::<Vec<_>>(),
        "edges": payload.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}

/// Payloads both ways, and their roots.
fn payloads(process: &Process, count: u64) {
    for seed in 0..count {
        let payload = payload(seed);
        let ours = v3().to_string(&payload).expect("because it has names");
        let theirs = process.ask_text("encode", &plain(&payload)).expect("because it is one");
        assert_eq!(ours, theirs, "seed {seed}");
        let back = gcf::graph::from_str(&ours).expect("because it was written");
        let read = process.ask("decode", &ours.as_str().into()).expect("because it was written");
        assert_eq!(as_read(&plain(&back)), as_read(&read), "seed {seed}\n{ours}");
        if let Ok(root) = process.ask_text("root", &plain(&payload)) {
            let ours = RootAlgorithm::PackRootV1.root(&payload).expect("because it has one");
            assert_eq!(ours.as_str(), root, "seed {seed}");
        }
    }
    println!("{count} payloads");
}

fn sessions(process: &Process, count: u64) {
    for seed in 0..count {
        process.ask("session", &Value::Null).expect("because it begins");
        let mut ours = Session::new(v3());
        for call in 0..4 {
            let mut payload = payload(seed * 4 + call);
            // Theirs goes by the qualified name alone, so no name here comes with two kinds.
            for symbol in &mut payload.symbols {
                symbol.kind = "function".into();
            }
            let mut out = Vec::new();
            let sent =
                ours.encode(&payload, Duration::ZERO, &mut out).expect("because there is room");
            ours.confirm(sent.delivery);
            let text = String::from_utf8(out).expect("because it is text");
            let theirs = process.ask_text("session", &plain(&payload)).expect("because it is one");
            assert_eq!(sorted_edges(&text), sorted_edges(&theirs), "seed {seed}, call {call}");
        }
    }
    println!("{count} sessions");
}

/// In a session theirs leaves edges in the order in which they were given.
fn sorted_edges(text: &str) -> (String, BTreeMap<&str, usize>) {
    let (symbols, edges) = text.split_once("## edges").unwrap_or((text, ""));
    let mut lines = BTreeMap::new();
    for line in edges.lines() {
        *lines.entry(line).or_default() += 1;
    }
    (symbols.to_owned(), lines)
}

fn deltas(process: &Process, count: u64) {
    let mut explained = 0;
    for seed in 0..count {
        let (base, new) = (payload(seed), payload(seed + count));
        let delta = match Delta::between(&base, &new, &v3(), &WordPunctuation) {
            Ok(Ok(delta)) => delta,
            other => panic!("seed {seed}: nothing stands in the way of a delta: {other:?}"),
        };
        let edge = |edge: &gcf::graph::DeltaEdge<'_>| {
            json!({
                "source": edge.source, "target": edge.target,
                "edge_type": edge.edge_type.as_str(), "status": "",
            })
        };
        let removed = delta
            .removed
            .iter()
            .map(|key| json!({ "qualified_name": key.qualified_name, "kind": key.kind.as_str() }));
        let added = Payload { symbols: delta.added.clone(), ..Payload::default() };
        let argument = json!({
            "tool": delta.tool, "base_root": delta.base_root.as_str(),
            "new_root": delta.new_root.as_str(), "removed": removed.collect::<Vec<_>>(),
            "added": plain(&added)["symbols"],
            "removed_edges": delta.edges_removed.iter().map(edge).collect::<Vec<_>>(),
            "added_edges": delta.edges_added.iter().map(edge).collect::<Vec<_>>(),
            "delta_tokens": delta.tokens, "full_tokens": delta.full_tokens,
        });
        let theirs = process.ask_text("delta", &argument).expect("because it is one");
        let ours = v3().delta_to_string(&delta).expect("because it was made");
        if ours == theirs {
            continue;
        }
        explained += 1;
        assert_eq!(without_losses(&ours), without_losses(&theirs), "seed {seed}");
    }
    println!("{count} deltas, {explained} of them with another whole percentage of a loss");
}

/// A delta without its savings if it costs more than the payload: half a percent below zero is
/// rounded away from zero by most languages, and up by one.
fn without_losses(text: &str) -> String {
    match text.split_once(" savings=-") {
        Some((before, behind)) => {
            format!("{before}{}", behind.split_once('%').map_or("", |(_, behind)| behind))
        }
        None => text.to_owned(),
    }
}
