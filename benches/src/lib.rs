//! One seeded generator of payloads, and the same payload in the shapes of the peers.

pub mod documents;
pub mod generic;
pub mod json;
pub mod keyed;
pub mod packs;
pub mod process;
pub mod rng;
pub mod rows;
pub mod work;

pub use rng::Rng;
use serde::{Deserialize, Serialize};
use wire_core::{Components, Edge, EdgeType, Kind, Payload, Provenance, Symbol};

/// A context pack of `count` symbols in canonical order: names of 60 to 80 bytes, signatures,
/// components of two decimals, 1.2 edges a symbol.
pub fn pack(count: usize, seed: u64) -> Payload<'static> {
    let mut rng = Rng::new(seed);
    let words = [
        "ledger", "invoice", "retry", "session", "cursor", "lease", "queue", "router", "schema",
        "index", "shard", "token", "policy", "webhook", "tenant", "quota",
    ];
    let mut symbols = Vec::with_capacity(count);
    for i in 0..count {
        let mut name = String::from("github.com/example/platform/internal/");
        let length = 60 + rng.below(21);
        while name.len() + 14 < length {
            name.push_str(rng.pick(&words));
            name.push('/');
        }
        name.push_str(&format!("Sym{i:06}"));
        while name.len() < length {
            name.push('x');
        }
        let distance = match i * 10 / count.max(1) {
            0..=2 => 0,
            3..=6 => 1,
            _ => 2,
        };
        let hundredth = |rng: &mut Rng| rng.below(101) as f64 / 100.0;
        let word = rng.pick(&words);
        let signature = format!("func {word}(ctx context.Context, id string) (*Result, error)");
        let symbol = Symbol::new(Kind::ALL[rng.below(6)].clone(), name)
            .with_signature(signature)
            .with_score(hundredth(&mut rng))
            .with_provenance(Provenance::ALL[rng.below(4)].clone())
            .with_distance(distance)
            .with_components(Components {
                blast_radius: hundredth(&mut rng),
                confidence: hundredth(&mut rng),
                recency: hundredth(&mut rng),
                distance: hundredth(&mut rng),
            });
        symbols.push(symbol);
    }
    let edges = (0..count * 6 / 5)
        .map(|_| {
            let (source, target) = (rng.below(count) as u32, rng.below(count) as u32);
            Edge::new(source, target, EdgeType::ALL[rng.below(8)].clone())
        })
        .collect();
    Payload {
        tool: "context_for_task".into(),
        tokens_used: 1847,
        token_budget: 5000,
        pack_root: None,
        symbols,
        edges,
    }
}

/// The same pack with its symbols in another order, so that an encoder has to sort them.
pub fn shuffled(pack: &Payload<'static>, seed: u64) -> Payload<'static> {
    let mut rng = Rng::new(seed);
    let mut order: Vec<usize> = (0..pack.symbols.len()).collect();
    for end in (1..order.len()).rev() {
        order.swap(end, rng.below(end + 1));
    }
    let mut places = vec![0; order.len()];
    for (place, &index) in order.iter().enumerate() {
        places[index] = place as u32;
    }
    let edge = |edge: &Edge<'static>| {
        let (source, target) = (places[edge.source as usize], places[edge.target as usize]);
        Edge::new(source, target, edge.edge_type.clone()).with_status(edge.status.clone())
    };
    Payload {
        symbols: order.iter().map(|&index| pack.symbols[index].clone()).collect(),
        edges: pack.edges.iter().map(edge).collect(),
        ..pack.clone()
    }
}

/// The payload of the published `gcf` crate: owned strings, edges by name.
pub fn for_gcf_peer(payload: &Payload<'_>) -> gcf_peer::Payload {
    let name = |index: u32| payload.symbols[index as usize].qualified_name.to_string();
    gcf_peer::Payload {
        tool: payload.tool.to_string(),
        token_budget: payload.token_budget as _,
        tokens_used: payload.tokens_used as _,
        pack_root: String::new(),
        symbols: payload
            .symbols
            .iter()
            .map(|symbol| gcf_peer::Symbol {
                qualified_name: symbol.qualified_name.to_string(),
                kind: symbol.kind.to_string(),
                score: symbol.score,
                provenance: symbol.provenance.to_string(),
                distance: symbol.distance as _,
                signature: symbol.signature.to_string(),
                components: Default::default(),
            })
            .collect(),
        edges: payload
            .edges
            .iter()
            .map(|edge| gcf_peer::Edge {
                source: name(edge.source),
                target: name(edge.target),
                edge_type: edge.edge_type.to_string(),
                status: String::new(),
            })
            .collect(),
    }
}

/// Owned structs with string edges, as someone who uses `serde_json` writes them.
#[derive(Serialize, Deserialize)]
pub struct PlainPayload {
    tool: String,
    tokens_used: u64,
    token_budget: u64,
    symbols: Vec<PlainSymbol>,
    edges: Vec<PlainEdge>,
}

#[derive(Serialize, Deserialize)]
struct PlainSymbol {
    qualified_name: String,
    kind: String,
    score: f64,
    signature: String,
    provenance: String,
    distance: u32,
    components: PlainComponents,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
struct PlainComponents {
    blast_radius: f64,
    confidence: f64,
    recency: f64,
    distance: f64,
}

#[derive(Serialize, Deserialize)]
struct PlainEdge {
    source: String,
    target: String,
    edge_type: String,
}

pub fn for_serde_json(payload: &Payload<'_>) -> PlainPayload {
    let name = |index: u32| payload.symbols[index as usize].qualified_name.to_string();
    PlainPayload {
        tool: payload.tool.to_string(),
        tokens_used: payload.tokens_used,
        token_budget: payload.token_budget,
        symbols: payload
            .symbols
            .iter()
            .map(|symbol| PlainSymbol {
                qualified_name: symbol.qualified_name.to_string(),
                kind: symbol.kind.to_string(),
                score: symbol.score,
                signature: symbol.signature.to_string(),
                provenance: symbol.provenance.to_string(),
                distance: symbol.distance,
                components: plain_components(symbol.components),
            })
            .collect(),
        edges: payload
            .edges
            .iter()
            .map(|edge| PlainEdge {
                source: name(edge.source),
                target: name(edge.target),
                edge_type: edge.edge_type.to_string(),
            })
            .collect(),
    }
}

fn plain_components(components: Components) -> PlainComponents {
    PlainComponents {
        blast_radius: components.blast_radius,
        confidence: components.confidence,
        recency: components.recency,
        distance: components.distance,
    }
}

/// Borrowed structs with enum bytes, singles and indices: the leanest that a general binary format
/// can be given.
#[derive(Serialize, Deserialize)]
pub struct IndexedPayload<'a> {
    #[serde(borrow)]
    tool: &'a str,
    tokens_used: u64,
    token_budget: u64,
    #[serde(borrow)]
    symbols: Vec<IndexedSymbol<'a>>,
    edges: Vec<IndexedEdge>,
}

#[derive(Serialize, Deserialize)]
struct IndexedSymbol<'a> {
    #[serde(borrow)]
    qualified_name: &'a str,
    kind: u8,
    score: f32,
    provenance: u8,
    distance: u8,
    #[serde(borrow)]
    signature: &'a str,
    components: [f32; 4],
}

#[derive(Serialize, Deserialize)]
struct IndexedEdge {
    source: u32,
    target: u32,
    edge_type: u8,
    status: u8,
}

pub fn for_postcard<'a>(payload: &'a Payload<'_>) -> IndexedPayload<'a> {
    IndexedPayload {
        tool: &payload.tool,
        tokens_used: payload.tokens_used,
        token_budget: payload.token_budget,
        symbols: payload
            .symbols
            .iter()
            .map(|symbol| IndexedSymbol {
                qualified_name: &symbol.qualified_name,
                kind: symbol.kind.gcb_id().unwrap(),
                score: symbol.score as f32,
                provenance: symbol.provenance.gcb_id().unwrap(),
                distance: symbol.distance as u8,
                signature: &symbol.signature,
                components: {
                    let c = symbol.components;
                    [c.blast_radius, c.confidence, c.recency, c.distance].map(|part| part as f32)
                },
            })
            .collect(),
        edges: payload
            .edges
            .iter()
            .map(|edge| IndexedEdge {
                source: edge.source,
                target: edge.target,
                edge_type: edge.edge_type.gcb_id().unwrap(),
                status: edge.status.gcb_id().unwrap(),
            })
            .collect(),
    }
}
