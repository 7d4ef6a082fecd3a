//! The graph codecs and their peers on the same packs, in one run.
//!
//! Throughput is in symbols (with 1.2 edges each), so that the time of one element is the time of a
//! symbol.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wire_benches::{IndexedPayload, PlainPayload, for_gcf_peer, for_postcard, for_serde_json, pack};

fn encode(c: &mut Criterion) {
    let mut group = c.benchmark_group("encode");
    for count in [1_000, 100_000] {
        let payload = pack(count, 1);
        let (peer, plain, indexed) = (for_gcf_peer(&payload), for_serde_json(&payload), for_postcard(&payload));
        group.throughput(Throughput::Elements(count as u64));
        if count > 1_000 {
            group.sample_size(20);
        }
        group.bench_function(BenchmarkId::new("gcf", count), |b| {
            b.iter(|| gcf::graph::to_vec(black_box(&payload)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcf-peer", count), |b| {
            b.iter(|| gcf_peer::encode(black_box(&peer)));
        });
        group.bench_function(BenchmarkId::new("gcb", count), |b| {
            b.iter(|| gcb::to_vec(black_box(&payload)).unwrap());
        });
        group.bench_function(BenchmarkId::new("postcard", count), |b| {
            b.iter(|| postcard::to_stdvec(black_box(&indexed)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::to_vec(black_box(&plain)).unwrap());
        });
    }
}

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("decode");
    for count in [1_000, 100_000] {
        let payload = pack(count, 1);
        let text = gcf::graph::to_string(&payload).unwrap();
        let peer_text = gcf_peer::encode(&for_gcf_peer(&payload));
        let bytes = gcb::to_vec(&payload).unwrap();
        let json = serde_json::to_vec(&for_serde_json(&payload)).unwrap();
        let indexed = postcard::to_stdvec(&for_postcard(&payload)).unwrap();
        group.throughput(Throughput::Elements(count as u64));
        if count > 1_000 {
            group.sample_size(20);
        }
        group.bench_function(BenchmarkId::new("gcf", count), |b| {
            b.iter(|| gcf::graph::from_str(black_box(&text)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcf-events", count), |b| {
            b.iter(|| gcf::graph::Decoder::new().events(black_box(&text)).map(Result::unwrap).count());
        });
        group.bench_function(BenchmarkId::new("gcf-peer", count), |b| {
            b.iter(|| gcf_peer::decode(black_box(&peer_text)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcb", count), |b| {
            b.iter(|| gcb::from_slice(black_box(&bytes)).unwrap());
        });
        group.bench_function(BenchmarkId::new("gcb-view", count), |b| {
            b.iter(|| {
                let view = gcb::View::new(black_box(&bytes)).unwrap();
                view.symbols().map(|symbol| symbol.score()).fold(0.0, f64::max)
            });
        });
        group.bench_function(BenchmarkId::new("postcard", count), |b| {
            b.iter(|| postcard::from_bytes::<IndexedPayload<'_>>(black_box(&indexed)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::from_slice::<PlainPayload>(black_box(&json)).unwrap());
        });
        group.bench_function(BenchmarkId::new("json", count), |b| {
            b.iter(|| serde_json::from_slice::<wire_core::Payload<'_>>(black_box(&json)));
        });
    }
}

criterion_group!(benches, encode, decode);
criterion_main!(benches);
