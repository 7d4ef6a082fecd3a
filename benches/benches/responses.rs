//! GOON and `serde_json` on the same response of a graph query, in one run. Throughput is in nodes.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use goon::GraphResponse;
use wire_benches::rows::traversal;

fn responses(c: &mut Criterion) {
    for count in [1_000, 100_000] {
        let response = GraphResponse::from_value(&traversal(count, 1)).unwrap();
        let text = goon::to_string(&response).unwrap();
        let json = serde_json::to_string(&response).unwrap();
        let mut group = c.benchmark_group("responses encode");
        group.throughput(Throughput::Elements(response.nodes.len() as u64));
        if count > 1_000 {
            group.sample_size(10);
        }
        group.bench_function(BenchmarkId::new("goon", count), |b| {
            b.iter(|| goon::to_string(black_box(&response)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::to_string(black_box(&response)).unwrap());
        });
        group.finish();
        let mut group = c.benchmark_group("responses decode");
        group.throughput(Throughput::Elements(response.nodes.len() as u64));
        if count > 1_000 {
            group.sample_size(10);
        }
        group.bench_function(BenchmarkId::new("goon", count), |b| {
            b.iter(|| goon::from_str(black_box(&text)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::from_str::<GraphResponse>(black_box(&json)).unwrap());
        });
    }
}

criterion_group!(benches, responses);
criterion_main!(benches);
