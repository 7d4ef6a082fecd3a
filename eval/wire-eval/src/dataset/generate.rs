//! Dataset from a seed: the same for the same seed and size, on every machine.

use std::collections::BTreeSet;

use goon::{Column, Edge as Relation, GraphResponse, GroupColumn, GroupKind, Node, QueryType};
use oorandom::Rand64;
use serde_json::{Map, Value, json};
use wire_core::{Components, Edge, Payload, Symbol};

use super::{Dataset, Family, Named, Transcript};

/// The dataset of a kind, about `size` large.
pub(crate) fn generate(family: Family, size: usize, seed: u64) -> Vec<Named> {
    // Each kind and size has numbers of its own, so that leaving one out does not change the
    // others.
    let mut random = Random::new(seed, family as u64, size as u64);
    let datasets = match family {
        Family::Packs => vec![("pack", Dataset::Pack(pack(size, &mut random)))],
        Family::Responses => vec![
            ("traversal", Dataset::Response(traversal(size, &mut random))),
            ("paths", Dataset::Response(paths(size, &mut random))),
            ("aggregation", Dataset::Response(aggregation(size, &mut random))),
        ],
        Family::Rows => vec![("rows", rows(size, &mut random))],
        Family::Calls => vec![("calls", calls(size, &mut random))],
        // Only read from files.
        Family::Given => Vec::new(),
    };
    let named =
        |(kind, dataset): (&str, Dataset)| Named { name: format!("{kind}-{size}"), size, dataset };
    datasets.into_iter().map(named).collect()
}

/// Random numbers.
pub(crate) struct Random(Rand64);

impl Random {
    pub(crate) fn new(seed: u64, family: u64, size: u64) -> Self {
        Random(Rand64::new(u128::from(seed) << 64 | u128::from(family) << 48 | u128::from(size)))
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let number = self.0.rand_range(0..bound as u64);
        usize::try_from(number).expect("because it is below a usize")
    }

    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    fn hundredths(&mut self, from: usize, to: usize) -> f64 {
        let number = u32::try_from(from + self.below(to - from)).expect("because it is small");
        f64::from(number) / 100.0
    }
}

const PARTS: [&str; 16] = [
    "auth", "billing", "cache", "catalog", "export", "ingest", "ledger", "mail", "orders",
    "policy", "quota", "report", "search", "session", "storage", "tenant",
];
const NOUNS: [&str; 20] = [
    "Account", "Batch", "Client", "Cursor", "Entry", "Event", "Filter", "Handler", "Index",
    "Invoice", "Job", "Lease", "Policy", "Queue", "Record", "Router", "Shard", "Token", "Window",
    "Worker",
];
const VERBS: [&str; 16] = [
    "Apply", "Build", "Close", "Commit", "Decode", "Expire", "Fetch", "Flush", "Grant", "Merge",
    "Open", "Refresh", "Resolve", "Revoke", "Scan", "Validate",
];

/// A name that was not given before.
fn name(random: &mut Random, given: &mut BTreeSet<String>) -> (String, &'static str) {
    loop {
        let (part, noun, verb) = (random.pick(&PARTS), random.pick(&NOUNS), random.pick(&VERBS));
        let (name, kind) = match random.below(4) {
            0 => (format!("{part}.{verb}{noun}"), "function"),
            1 => (format!("{part}.{noun}{}", random.pick(&["Store", "Pool", "Set"])), "type"),
            2 => (format!("{part}.{noun}.{verb}"), "method"),
            _ => (format!("{part}.{noun}{verb}er"), "interface"),
        };
        if given.insert(name.clone()) {
            return (name, kind);
        }
        // There are some sixteen thousand; from then on they are numbered.
        let numbered = format!("{name}{}", given.len());
        if given.len() > 8000 && given.insert(numbered.clone()) {
            return (numbered, kind);
        }
    }
}

/// One symbol has the highest score, by enough that two decimals show it; its position is random.
fn pack(size: usize, random: &mut Random) -> Payload<'static> {
    let mut payload = Payload {
        tool: "context_for_task".into(),
        tokens_used: 1000 + random.below(3000) as u64,
        token_budget: 5000,
        ..Payload::default()
    };
    let mut given = BTreeSet::new();
    for index in 0..size {
        let (name, kind) = name(random, &mut given);
        let distance = match index * 10 / size {
            0..=2 => 0,
            3..=6 => 1,
            _ => 2,
        };
        let provenance = *random.pick(&["lsp_resolved", "ast_inferred", "rwr"]);
        let signature = format!("func {}(ctx Context)", name.rsplit('.').next().unwrap_or(&name));
        payload.symbols.push(
            Symbol::new(kind, name)
                .with_score(random.hundredths(5, 90))
                .with_provenance(provenance)
                .with_distance(distance)
                .with_signature(signature)
                .with_components(Components {
                    blast_radius: random.hundredths(0, 100),
                    confidence: random.hundredths(0, 100),
                    recency: random.hundredths(0, 100),
                    distance: random.hundredths(0, 100),
                }),
        );
    }
    if size > 0 {
        payload.symbols[random.below(size)].score = 0.96;
    }
    let mut known = BTreeSet::new();
    while size > 1 && payload.edges.len() < size * 6 / 5 {
        let (source, target) = (random.below(size), random.below(size));
        let edge_type = *random.pick(&["calls", "calls", "references", "implements", "tests"]);
        if source == target || !known.insert((source, target, edge_type)) {
            continue;
        }
        let ends = [source, target].map(|end| u32::try_from(end).expect("because it is small"));
        let status = *random.pick(&["", "", "", "", "", "", "", "added", "added", "removed"]);
        payload.edges.push(Edge::new(ends[0], ends[1], edge_type).with_status(status));
    }
    payload
}

fn id(random: &mut Random, given: &mut BTreeSet<i64>) -> i64 {
    loop {
        let id = 1000 + i64::try_from(random.below(1_000_000)).expect("because it is small");
        if given.insert(id) {
            return id;
        }
    }
}

fn node(entity: &str, random: &mut Random, given: &mut BTreeSet<i64>) -> Node {
    let id = id(random, given);
    let (part, noun, verb) = (random.pick(&PARTS), random.pick(&NOUNS), random.pick(&VERBS));
    let day = 1 + random.below(28);
    let node = Node::new(entity, id);
    match entity {
        "User" => node
            .with("username", format!("{part}{id}"))
            .with("state", *random.pick(&["active", "blocked"])),
        "MergeRequest" => node
            .with("title", format!("{verb} the {} of {part} {id}", noun.to_lowercase()))
            .with("state", *random.pick(&["opened", "merged", "closed"]))
            .with("created_at", format!("2026-04-{day:02}T17:31:40Z")),
        _ => node
            .with("full_path", format!("{part}/{}-{id}", noun.to_lowercase()))
            .with("visibility_level", *random.pick(&["public", "internal", "private"])),
    }
}

fn relation(from: &Node, to: &Node, edge_type: &str) -> Relation {
    Relation::new((&*from.entity_type, from.id), edge_type, (&*to.entity_type, to.id))
}

/// Users, their merge requests, and the projects of these.
fn nodes(size: usize, random: &mut Random) -> [Vec<Node>; 3] {
    let mut given = BTreeSet::new();
    let users = (size / 4).max(1);
    let projects = (size / 8).max(1);
    let requests = size.saturating_sub(users + projects).max(1);
    [("User", users), ("MergeRequest", requests), ("Project", projects)]
        .map(|(entity, count)| (0..count).map(|_| node(entity, random, &mut given)).collect())
}

fn traversal(size: usize, random: &mut Random) -> GraphResponse {
    let [users, requests, projects] = nodes(size, random);
    let mut response = GraphResponse::new(QueryType::Traversal);
    for request in &requests {
        response.edges.push(relation(random.pick(&users), request, "AUTHORED"));
        response.edges.push(relation(request, random.pick(&projects), "IN_PROJECT"));
    }
    response.nodes = [users, requests, projects].concat();
    response
}

/// Paths of a user to a merge request, and most of them on to its project.
fn paths(size: usize, random: &mut Random) -> GraphResponse {
    let [users, requests, projects] = nodes(size, random);
    let mut response = GraphResponse::new(QueryType::PathFinding);
    for (path, request) in requests.iter().enumerate() {
        let mut steps = vec![relation(random.pick(&users), request, "AUTHORED")];
        if random.below(4) > 0 {
            steps.push(relation(request, random.pick(&projects), "IN_PROJECT"));
        }
        for (step, mut edge) in steps.into_iter().enumerate() {
            (edge.path_id, edge.step) = (Some(path as u64), Some(step as u64));
            response.edges.push(edge);
        }
    }
    response.nodes = [users, requests, projects].concat();
    response
}

/// A row for each of `size` labels.
fn aggregation(size: usize, random: &mut Random) -> GraphResponse {
    let mut response = GraphResponse::new(QueryType::Aggregation);
    let metric = |name: &str, function: &str, property: Option<&str>| Column {
        name: name.to_owned(),
        function: function.to_owned(),
        target: Some("mr".to_owned()),
        property: property.map(str::to_owned),
    };
    response.columns = vec![
        metric("merged_count", "count", None),
        metric("avg_hours_open", "avg", Some("hours_open")),
    ];
    response.group_columns = vec![GroupColumn {
        name: "label".to_owned(),
        kind: GroupKind::Property,
        node: None,
        entity: None,
        property: None,
    }];
    for index in 0..size {
        let noun = random.pick(&NOUNS).to_lowercase();
        let label = format!("{}::{noun}-{index}", random.pick(&PARTS));
        let row = [
            ("label", Value::from(label)),
            ("merged_count", Value::from(1 + random.below(9000))),
            ("avg_hours_open", Value::from(random.hundredths(100, 20_000))),
        ];
        response.rows.push(row.map(|(name, value)| (name.to_owned(), value)).into_iter().collect());
    }
    response
}

/// The answer of a search for symbols.
fn rows(size: usize, random: &mut Random) -> Dataset {
    let mut given = BTreeSet::new();
    let row = |_| -> Value {
        let (qualified, kind) = name(random, &mut given);
        let (part, short) = qualified.split_once('.').expect("because every name has a part");
        let file = format!("internal/{part}/{}.go", random.pick(&NOUNS).to_lowercase());
        let mut row = Map::new();
        row.insert("id".to_owned(), format!("{file}::{short}").into());
        row.insert("kind".to_owned(), kind.into());
        row.insert("name".to_owned(), short.into());
        row.insert("file_path".to_owned(), file.into());
        row.insert("start_line".to_owned(), (1 + random.below(900)).into());
        row.into()
    };
    let results: Vec<Value> = (0..size).map(row).collect();
    let value = json!({ "results": results, "total": size, "truncated": false });
    Dataset::Rows { tool: "search_symbols".to_owned(), value }
}

/// The answers of a shop's tools, one after the other: each lists entries of another shape.
fn calls(size: usize, random: &mut Random) -> Dataset {
    // Two entries at least, so that there is one to tell from another.
    let size = size.max(2);
    let customers: Vec<Value> = (0..size)
        .map(|index| {
            let (first, last) = (random.pick(&PARTS), random.pick(&NOUNS).to_lowercase());
            json!({
                "id": 7000 + index * 3, "login": format!("{first}.{last}{index}"), "active": random.below(4) > 0,
                "address": { "city": random.pick(&["Bergen", "Oslo", "Tromso", "Hamar"]), "zip": format!("{:04}", random.below(9999)) },
            })
        })
        .collect();
    let orders: Vec<Value> = (0..size)
        .map(|index| {
            let customer = &customers[random.below(size)]["id"];
            json!({
                "number": format!("ORD-{}", 1000 + index), "customer": customer, "total": random.hundredths(500, 90_000),
                "state": random.pick(&["paid", "open", "shipped", "returned"]), "lines": 1 + random.below(40),
                "note": (random.below(3) == 0).then(|| format!("deliver to {}", random.pick(&PARTS))),
            })
        })
        .collect();
    let pods: Vec<Value> = (0..size)
        .map(|index| {
            let app = random.pick(&PARTS);
            json!({
                "metadata": { "name": format!("{app}-{index}"), "labels": { "app": app } },
                "spec": { "node": format!("node-{}", random.below(5)) },
                "status": { "phase": random.pick(&["Running", "Pending", "Failed"]), "restarts": random.below(20) },
            })
        })
        .collect();
    let calls = [
        ("list_customers", Value::from(customers)),
        ("list_orders", json!({ "orders": orders, "total": size, "page": 1 })),
        ("list_pods", json!({ "kind": "PodList", "items": pods })),
    ];
    let calls = calls.map(|(tool, value)| (tool.to_owned(), value)).into();
    Dataset::Calls(Transcript { calls, said: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_payload() {
        for family in Family::ALL {
            for size in [1, 2, 10, 500] {
                let datasets = generate(family, size, 7);
                for (first, again) in datasets.iter().zip(generate(family, size, 7)) {
                    assert_eq!(first.dataset, again.dataset);
                    let found = first.dataset.size();
                    assert!(found == size || size < 3 && found <= 3, "{}: {found}", first.name);
                }
                let others = generate(family, size, 8);
                assert!(datasets[0].dataset != others[0].dataset);
            }
        }
        // The digest would change with the generator, and with it the meaning of every earlier
        // result.
        let Dataset::Pack(payload) = &generate(Family::Packs, 130, 1)[0].dataset else { panic!() };
        assert_eq!(payload.edges.len(), 156);
        let text = gcf::graph::to_string(payload).unwrap();
        assert_eq!(
            wire_tokens::digest(&text),
            "dc6e0375c68a15f06ad4cafa048e40f7324a17e3aa3734604a94a283c0d0fdc6"
        );
    }
}
