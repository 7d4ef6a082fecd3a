//! The generic profile of GCF and its peers on the same records, in one run.
//!
//! Throughput is in records: orders with a nested customer, and now and then with items.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire_benches::Rng;

#[derive(Serialize, Deserialize)]
struct Order {
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

fn orders(count: usize) -> Vec<Order> {
    let mut rng = Rng::new(1);
    let order = |id: usize| {
        let name = rng.pick(&["Alice Chen", "Bob Martinez", "Carol Wu", "Dave Ünal"]);
        let item = |rng: &mut Rng| Item { sku: format!("SKU-{:05}", rng.below(100_000)), quantity: 1 + rng.below(9) as u32 };
        Order {
            id: 1_000 + id as u64,
            total: rng.below(100_000) as f64 / 100.0,
            status: rng.pick(&["pending", "shipped", "delivered"]).to_owned(),
            customer: Customer { name: name.to_owned(), email: format!("user{}@example.com", rng.below(1_000)) },
            note: (rng.below(4) == 0).then(|| "leave at the door, ring twice".to_owned()),
            items: if rng.below(10) == 0 { (0..1 + rng.below(3)).map(|_| item(&mut rng)).collect() } else { Vec::new() },
        }
    };
    (0..count).map(order).collect()
}

fn encode(c: &mut Criterion) {
    let mut group = c.benchmark_group("generic encode");
    for count in [1_000, 100_000] {
        let orders = orders(count);
        let value = serde_json::to_value(&orders).unwrap();
        group.throughput(Throughput::Elements(count as u64));
        if count > 1_000 {
            group.sample_size(10);
        }
        group.bench_function(BenchmarkId::new("gcf", count), |b| {
            b.iter(|| gcf::generic::to_string(black_box(&orders)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcf of a value", count), |b| {
            b.iter(|| gcf::generic::to_string(black_box(&value)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcf-peer", count), |b| {
            b.iter(|| gcf_peer::encode_generic(black_box(&value)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::to_string(black_box(&orders)).unwrap());
        });
    }
}

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("generic decode");
    for count in [1_000, 100_000] {
        let orders = orders(count);
        let text = gcf::generic::to_string(&orders).unwrap();
        let json = serde_json::to_string(&orders).unwrap();
        group.throughput(Throughput::Elements(count as u64));
        if count > 1_000 {
            group.sample_size(10);
        }
        group.bench_function(BenchmarkId::new("gcf", count), |b| {
            b.iter(|| gcf::generic::from_str::<Vec<Order>>(black_box(&text)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcf to a value", count), |b| {
            b.iter(|| gcf::generic::from_str::<Value>(black_box(&text)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcf-peer", count), |b| {
            b.iter(|| gcf_peer::decode_generic(black_box(&text)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::from_str::<Vec<Order>>(black_box(&json)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json to a value", count), |b| {
            b.iter(|| serde_json::from_str::<Value>(black_box(&json)).unwrap());
        });
    }
}

criterion_group!(benches, encode, decode);
criterion_main!(benches);
