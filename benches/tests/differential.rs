//! The same bytes as other people's implementation, on random payloads: the crate `gcf` of the format's authors, which
//! writes the dialect V3.

use std::time::Duration;

use gcf::graph::{Between, Delta, Dialect, Encoder, RootAlgorithm, Session};
use wire_benches::{Rng, for_gcf_peer, pack};
use wire_core::{Edge, Payload, Symbol, WordPunctuation};

const ROUNDS: u64 = 300;

/// A small payload with scores on and near the midpoints of rounding, kinds outside the table and odd names. Ranked, as
/// the dialect writes it, so that ids are the same however they are given.
fn payload(seed: u64) -> Payload<'static> {
    let mut rng = Rng::new(seed);
    let mut payload = Payload { tool: "t".into(), ..Payload::default() };
    if rng.below(2) == 0 {
        (payload.token_budget, payload.tokens_used) =
            (rng.below(9_000) as u64, rng.below(900) as u64);
    }
    let kinds = ["function", "type", "interface", "widget", "route_handler", "env_var", "package"];
    let provenances = ["lsp_resolved", "rwr", "structural"];
    for index in 0..rng.below(12) {
        let score = match rng.below(4) {
            0 => rng.below(101) as f64 / 100.0,
            1 => rng.below(1_001) as f64 / 1_000.0,
            2 => rng.below(1_025) as f64 / 1_024.0,
            _ => rng.below(1 << 30) as f64 / f64::from(1 << 20),
        };
        let name = format!("pkg.größe/{}.s{index}", rng.below(5));
        let symbol = Symbol::new(kinds[rng.below(kinds.len())], name)
            .with_score(score)
            .with_provenance(provenances[rng.below(provenances.len())])
            .with_distance(rng.below(5) as u32);
        payload.symbols.push(symbol);
    }
    let count = payload.symbols.len();
    for _ in 0..if count > 0 { rng.below(12) } else { 0 } {
        let (source, target) = (rng.below(count) as u32, rng.below(count) as u32);
        let edge = Edge::new(source, target, ["calls", "haunts"][rng.below(2)]);
        if !payload.edges.contains(&edge) {
            payload.edges.push(edge);
        }
    }
    payload.rank();
    payload
}

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
        let Between::Delta(delta) = Delta::between(&base, &new, &v3(), &WordPunctuation).unwrap()
        else {
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

/// In a session theirs leaves edges in the order in which they were given; the specification (3.5.3, section 16.1) and
/// ours have them by their ends.
fn with_sorted_edges(text: &str) -> String {
    let (symbols, edges) = text.split_once("## edges").unwrap_or((text, ""));
    let mut lines: Vec<&str> = edges.lines().collect();
    lines.sort_unstable();
    format!("{symbols}## edges{}", lines.join("\n"))
}
