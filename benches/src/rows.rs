//! Rows of tools' output, and responses of graph queries.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::rng::Rng;

/// A symbol as a search finds it: the six fields of GCX1's `search_symbols`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    pub id: String,
    pub kind: String,
    pub name: String,
    pub path: String,
    pub line: u32,
    pub sig: String,
}

/// So many hits.
pub fn hits(count: usize, seed: u64) -> Vec<Hit> {
    let mut rng = Rng::new(seed);
    let words = ["ledger", "invoice", "retry", "session", "cursor", "lease", "queue", "router"];
    (0..count)
        .map(|number| {
            let (folder, word) = (rng.pick(&words), rng.pick(&words));
            let name = format!("{word}Handler{number}");
            let path = format!("internal/{folder}/{word}_{}.go", rng.below(100));
            Hit {
                id: format!("{path}::{name}"),
                kind: rng.pick(&["function", "method", "type", "interface"]).to_owned(),
                line: 1 + rng.below(2_000) as u32,
                sig: format!(
                    "func {name}(ctx context.Context, id string) (*{folder}.Result, error)"
                ),
                name,
                path,
            }
        })
        .collect()
}

/// The response of a traversal: `count` merge requests of six properties each, one a datetime and
/// one a title with spaces, and an edge for each.
pub fn traversal(count: usize, seed: u64) -> Value {
    let mut rng = Rng::new(seed);
    let words = [
        "Fix", "flaky", "pipeline", "cache", "review", "rotate", "tokens", "for", "runner",
        "timeouts",
    ];
    let users = 1 + count / 4;
    let node = |id: usize, rng: &mut Rng| {
        let title: Vec<&str> = (0..4 + rng.below(4)).map(|_| rng.pick(&words)).collect();
        json!({
            "type": "MergeRequest",
            "id": 480_000_000 + id,
            "iid": 1 + id,
            "state": rng.pick(&["opened", "merged", "closed"]),
            "title": title.join(" "),
            "source_branch": format!("{}-{id}", rng.pick(&words).to_lowercase()),
            "draft": rng.below(5) == 0,
            "created_at": format!("2026-0{}-{:02}T{:02}:{:02}:{:02}Z", 1 + rng.below(9), 1 + rng.below(28), rng.below(24), rng.below(60), rng.below(60)),
        })
    };
    let nodes: Vec<Value> = (0..count)
        .map(|id| node(id, &mut rng))
        .chain((0..users).map(|id| json!({ "type": "User", "id": id, "username": format!("user{id}"), "state": "active" })))
        .collect();
    let edges: Vec<Value> = (0..count)
        .map(|id| {
            json!({ "from": "User", "from_id": rng.below(users), "to": "MergeRequest", "to_id": 480_000_000 + id, "type": "AUTHORED" })
        })
        .collect();
    json!({ "query_type": "traversal", "nodes": nodes, "edges": edges })
}
