//! Small random payloads, for comparing with other implementations.

use wire_core::{Edge, Payload, Symbol};

use crate::rng::Rng;

/// A small payload with scores on and near the midpoints of rounding, kinds outside the table and
/// odd names. Ranked, as the dialect writes it, so that ids are the same however they are given.
pub fn payload(seed: u64) -> Payload<'static> {
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
