//! GOON and `serde_json` on the same response of a graph query, in one run. An item is a node.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use goon::GraphResponse;
use wire_benches::rows::traversal;
use wire_benches::work::Work;

fn responses(c: &mut Criterion) {
    for count in [1_000, 100_000] {
        let response = GraphResponse::from_value(&traversal(count, 1)).unwrap();
        let text = goon::to_string(&response).unwrap();
        let json = serde_json::to_string(&response).unwrap();
        Work::new(c, "responses encode", count)
            .by("goon", || goon::to_string(black_box(&response)).unwrap())
            .by("serde_json", || serde_json::to_string(black_box(&response)).unwrap())
            .by("memcpy of goon", || black_box(&text).clone());
        Work::new(c, "responses decode", count)
            .by("goon", || goon::from_str(black_box(&text)).unwrap())
            .by("serde_json", || serde_json::from_str::<GraphResponse>(black_box(&json)).unwrap());
    }
}

criterion_group!(benches, responses);
criterion_main!(benches);
