//! Documents of JSON as services and programs write them, in six shapes.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::rng::Rng;

/// An order: a nested customer, and now and then items.
#[derive(Serialize, Deserialize)]
pub struct Order {
    id: u64,
    total: f64,
    status: String,
    customer: Customer,
    note: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    items: Vec<Item>,
}

#[derive(Serialize, Deserialize)]
struct Customer {
    name: String,
    email: String,
}

#[derive(Serialize, Deserialize)]
struct Item {
    sku: String,
    quantity: u32,
}

const NAMES: [&str; 4] = ["Alice Chen", "Bob Martinez", "Carol Wu", "Dave Ünal"];
const LEVELS: [&str; 4] = ["debug", "info", "warn", "error"];
const SERVICES: [&str; 5] = ["billing", "gateway", "ledger", "search", "sessions"];

/// So many orders.
pub fn orders(count: usize, seed: u64) -> Vec<Order> {
    let mut rng = Rng::new(seed);
    let item = |rng: &mut Rng| Item {
        sku: format!("SKU-{:05}", rng.below(100_000)),
        quantity: 1 + rng.below(9) as u32,
    };
    let order = |id: usize| Order {
        id: 1_000 + id as u64,
        total: rng.below(100_000) as f64 / 100.0,
        status: rng.pick(&["pending", "shipped", "delivered"]).to_owned(),
        customer: Customer {
            name: rng.pick(&NAMES).to_owned(),
            email: format!("user{}@example.com", rng.below(1_000)),
        },
        note: (rng.below(4) == 0).then(|| "leave at the door, ring twice".to_owned()),
        items: if rng.below(10) == 0 {
            (0..1 + rng.below(3)).map(|_| item(&mut rng)).collect()
        } else {
            Vec::new()
        },
    };
    (0..count).map(order).collect()
}

/// Makes a document of about so many records from a seed.
pub type Make = fn(usize, u64) -> Value;

/// The kinds of documents, by the names of their shapes.
pub const SHAPES: [(&str, Make); 6] = [
    ("table", table),
    ("orders", nested),
    ("logs", logs),
    ("issues", issues),
    ("keyed", keyed),
    ("deep", deep),
];

/// Records with the same six scalar members.
fn table(count: usize, seed: u64) -> Value {
    let mut rng = Rng::new(seed);
    let record = |id: usize| {
        json!({
            "id": id,
            "name": rng.pick(&NAMES),
            "service": rng.pick(&SERVICES),
            "amount": rng.below(1_000_000) as f64 / 100.0,
            "active": rng.below(3) > 0,
            "visits": rng.below(5_000),
        })
    };
    (0..count).map(record).collect()
}

fn nested(count: usize, seed: u64) -> Value {
    serde_json::to_value(orders(count, seed)).expect("because orders are plain data")
}

/// Records that share some members and have others of their own.
fn logs(count: usize, seed: u64) -> Value {
    let mut rng = Rng::new(seed);
    let record = |number: usize| {
        let mut record = json!({
            "time": format!("2026-03-{:02}T{:02}:{:02}:{:02}.{:03}Z", 1 + number % 28, rng.below(24), rng.below(60), rng.below(60), rng.below(1_000)),
            "level": rng.pick(&LEVELS),
            "service": rng.pick(&SERVICES),
            "message": format!("request {} took {} ms, {}", rng.below(100_000), rng.below(900), rng.pick(&["ok", "retried", "gave up"])),
        });
        if rng.below(3) == 0 {
            record["status"] = rng.pick(&[200, 404, 500]).into();
        }
        if rng.below(8) == 0 {
            record["error"] = json!({ "code": "E_TIMEOUT", "after": rng.below(10_000) });
        }
        record
    };
    json!({ "stream": "production", "entries": (0..count).map(record).collect::<Vec<_>>() })
}

/// Issues of a project, as the REST interfaces of forges list them: many members, nested users, lists of labels, long texts.
fn issues(count: usize, seed: u64) -> Value {
    let mut rng = Rng::new(seed);
    let user = |rng: &mut Rng| {
        let id = rng.below(5_000);
        json!({
            "login": format!("user{id}"),
            "id": id,
            "avatar_url": format!("https://avatars.example.com/u/{id}?v=4"),
            "type": "User",
            "site_admin": false,
        })
    };
    let text = |rng: &mut Rng| {
        let sentence = |rng: &mut Rng| {
            rng.pick(&[
                "After the update the job fails on the second run.",
                "Steps:\n\n1. open the page\n2. press \"save\"",
                "```rust\nlet x = load(path)?;\n```",
                "I expected the old value to be kept, see C:\\temp\\log.txt.",
            ])
            .to_owned()
        };
        (0..1 + rng.below(4)).map(|_| sentence(rng)).collect::<Vec<_>>().join("\n\n")
    };
    let issue = |number: usize| {
        let labels: Vec<Value> = (0..rng.below(3))
            .map(|_| {
                let name = rng.pick(&["bug", "docs", "good first issue", "help wanted"]);
                json!({ "id": 1_000 + rng.below(40), "name": name, "color": "d73a4a", "default": true })
            })
            .collect();
        let closed = rng.below(2) == 0;
        json!({
            "url": format!("https://api.example.com/repos/acme/app/issues/{number}"),
            "id": 1_200_000_000 + number,
            "number": number,
            "title": format!("{} in {}", rng.pick(&["Panic", "Wrong result", "Slow start"]), rng.pick(&SERVICES)),
            "user": user(&mut rng),
            "labels": labels,
            "state": if closed { "closed" } else { "open" },
            "locked": false,
            "assignee": if rng.below(3) == 0 { user(&mut rng) } else { Value::Null },
            "milestone": Value::Null,
            "comments": rng.below(30),
            "created_at": format!("2026-02-{:02}T{:02}:00:00Z", 1 + number % 28, rng.below(24)),
            "closed_at": if closed { json!(format!("2026-03-{:02}T12:00:00Z", 1 + number % 28)) } else { Value::Null },
            "body": if rng.below(20) == 0 { Value::Null } else { text(&mut rng).into() },
            "reactions": { "total_count": rng.below(9), "+1": rng.below(9), "-1": 0 },
        })
    };
    (0..count).map(issue).collect()
}

/// Records by their names.
fn keyed(count: usize, seed: u64) -> Value {
    let mut rng = Rng::new(seed);
    let record = |number: usize| {
        let record = json!({
            "owner": rng.pick(&SERVICES),
            "replicas": 1 + rng.below(9),
            "image": format!("registry/app:{}", rng.below(400)),
            "ready": rng.below(10) > 0,
        });
        (format!("service-{number}"), record)
    };
    json!({ "services": (0..count).map(record).collect::<serde_json::Map<_, _>>() })
}

/// Chains of nested objects, eight deep, a record a level.
fn deep(count: usize, seed: u64) -> Value {
    let mut rng = Rng::new(seed);
    let chain = |_| {
        (0..8).fold(Value::Null, |inner, depth| {
            json!({ "level": depth, "name": rng.pick(&NAMES), "weight": rng.below(100), "inner": inner })
        })
    };
    json!({ "roots": (0..count.div_ceil(8)).map(chain).collect::<Vec<_>>() })
}
