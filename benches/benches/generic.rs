//! The generic profile of GCF and its peers on the same documents, in one run. An item is a record.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::Value;
use wire_benches::documents::{Order, SHAPES, orders};
use wire_benches::work::Work;

fn of_structs(c: &mut Criterion) {
    for count in [1_000, 100_000] {
        let orders = orders(count, 1);
        let text = gcf::to_string(&orders).unwrap();
        let json = serde_json::to_string(&orders).unwrap();
        let toon = serde_toon::to_string(&orders).unwrap();
        Work::new(c, "structs encode", count)
            .by("gcf", || gcf::to_string(black_box(&orders)).unwrap())
            .by("serde_json", || serde_json::to_string(black_box(&orders)).unwrap())
            .by("serde_toon", || serde_toon::to_string(black_box(&orders)).unwrap())
            .by("toon-format", || toon_format::encode_default(black_box(&orders)).unwrap())
            .by("rmp-serde", || rmp_serde::to_vec_named(black_box(&orders)).unwrap());
        Work::new(c, "structs decode", count)
            .by("gcf", || gcf::from_str::<Vec<Order>>(black_box(&text)).unwrap())
            .by("serde_json", || serde_json::from_str::<Vec<Order>>(black_box(&json)).unwrap())
            .by("serde_toon", || serde_toon::from_str::<Vec<Order>>(black_box(&toon)).unwrap());
    }
}

fn of_values(c: &mut Criterion) {
    for (shape, document) in SHAPES {
        let value = document(1_000, 1);
        let text = gcf::to_string(&value).unwrap();
        let peer_text = gcf_peer::encode_generic(&value).unwrap();
        let json = serde_json::to_string(&value).unwrap();
        Work::new(c, &format!("{shape} encode"), 1_000)
            .by("gcf", || gcf::to_string(black_box(&value)).unwrap())
            .by("gcf 3.1.0", || gcf_peer::encode_generic(black_box(&value)).unwrap())
            .by("serde_json", || serde_json::to_string(black_box(&value)).unwrap());
        Work::new(c, &format!("{shape} decode"), 1_000)
            .by("gcf", || gcf::from_str::<Value>(black_box(&text)).unwrap())
            .by("gcf 3.1.0", || gcf_peer::decode_generic(black_box(&peer_text)).unwrap())
            .by("serde_json", || serde_json::from_str::<Value>(black_box(&json)).unwrap());
    }
}

criterion_group!(benches, of_structs, of_values);
criterion_main!(benches);
