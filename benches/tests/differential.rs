//! The same bytes as other people's implementation, on random payloads: the crate `gcf` of the
//! format's authors, which writes the dialect V3.

use std::time::Duration;

use gcf::graph::{Delta, Dialect, Encoder, RootAlgorithm, Session};
use wire_benches::packs::payload;
use wire_benches::{for_gcf_peer, pack};
use wire_core::{Payload, WordPunctuation};

const ROUNDS: u64 = 300;

fn v3() -> Encoder {
    Encoder::new().dialect(Dialect::V3)
}

#[test]
fn payloads_are_the_same_bytes_and_read_by_each_other() {
    for seed in 0..ROUNDS {
        let payload = payload(seed);
        let ours = v3().to_string(&payload).unwrap();
        assert_eq!(ours, gcf_peer::encode(&for_gcf_peer(&payload)), "seed {seed}");
        let theirs = gcf_peer::decode(&ours).unwrap_or_else(|error| panic!("{error:?}\n{ours}"));
        let back = gcf::graph::from_str(&ours).unwrap();
        let mut plain = for_gcf_peer(&back);
        // What the text does not carry.
        for symbol in &mut plain.symbols {
            symbol.signature.clear();
        }
        assert_eq!(format!("{:?}", theirs.symbols), format!("{:?}", plain.symbols), "seed {seed}");
    }
    let large = pack(1_000, 7);
    assert_eq!(v3().to_string(&large).unwrap(), gcf_peer::encode(&for_gcf_peer(&large)));
}

#[test]
fn pack_roots_are_the_same() {
    for seed in 0..ROUNDS {
        let payload = payload(seed);
        let peer = for_gcf_peer(&payload);
        let ours = RootAlgorithm::PackRootV1.root(&payload).unwrap();
        assert_eq!(ours.as_str(), gcf_peer::pack_root(&peer.symbols, &peer.edges), "seed {seed}");
    }
}

#[test]
fn deltas_are_the_same_bytes() {
    for seed in 0..ROUNDS {
        let (base, new) = (payload(seed), payload(seed + ROUNDS));
        let Ok(delta) = Delta::between(&base, &new, &v3(), &WordPunctuation).unwrap() else {
            panic!("seed {seed}: nothing stands in the way of a delta");
        };
        let symbol = |kind: &str, name: &str| gcf_peer::Symbol {
            qualified_name: name.to_owned(),
            kind: kind.to_owned(),
            score: 0.0,
            provenance: String::new(),
            distance: 0,
            signature: String::new(),
            components: Default::default(),
        };
        let edge = |edge: &gcf::graph::DeltaEdge<'_>| gcf_peer::Edge {
            source: edge.source.to_string(),
            target: edge.target.to_string(),
            edge_type: edge.edge_type.as_str().to_owned(),
            status: String::new(),
        };
        let added = Payload { symbols: delta.added.clone(), ..Payload::default() };
        let peer = gcf_peer::DeltaPayload {
            tool: delta.tool.to_string(),
            base_root: delta.base_root.as_str().to_owned(),
            new_root: delta.new_root.as_str().to_owned(),
            removed: delta
                .removed
                .iter()
                .map(|key| symbol(key.kind.as_str(), &key.qualified_name))
                .collect(),
            added: for_gcf_peer(&added).symbols,
            removed_edges: delta.edges_removed.iter().map(edge).collect(),
            added_edges: delta.edges_added.iter().map(edge).collect(),
            delta_tokens: delta.tokens.unwrap() as i64,
            full_tokens: delta.full_tokens.unwrap() as i64,
        };
        assert_eq!(
            v3().delta_to_string(&delta).unwrap(),
            gcf_peer::encode_delta(&peer),
            "seed {seed}"
        );
    }
}

#[test]
fn sessions_are_the_same_bytes() {
    // Theirs goes by the qualified name alone, so no name here comes with two kinds.
    for seed in 0..ROUNDS {
        let theirs = gcf_peer::Session::new();
        let mut ours = Session::new(v3());
        for call in 0..4 {
            let mut payload = payload(seed * 4 + call);
            for symbol in &mut payload.symbols {
                symbol.kind = "function".into();
            }
            let mut out = Vec::new();
            let sent = ours.encode(&payload, Duration::ZERO, &mut out).unwrap();
            ours.confirm(sent.delivery);
            let text = String::from_utf8(out).unwrap();
            let expected = gcf_peer::encode_with_session(&for_gcf_peer(&payload), &theirs);
            assert_eq!(
                with_sorted_edges(&text),
                with_sorted_edges(&expected),
                "seed {seed}, call {call}"
            );
        }
    }
}

/// In a session theirs leaves edges in the order in which they were given; the specification
/// (3.5.3, section 16.1) and ours have them by their ends.
fn with_sorted_edges(text: &str) -> String {
    let (symbols, edges) = text.split_once("## edges").unwrap_or((text, ""));
    let mut lines: Vec<&str> = edges.lines().collect();
    lines.sort_unstable();
    format!("{symbols}## edges{}", lines.join("\n"))
}
