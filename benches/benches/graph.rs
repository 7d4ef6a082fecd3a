//! The graph codecs and their peers on the same packs, in one run. An item is a symbol with 1.2
//! edges.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wire_benches::work::Work;
use wire_benches::{
    IndexedPayload, PlainPayload, for_gcf_peer, for_postcard, for_serde_json, pack, shuffled,
};

const COUNTS: [usize; 4] = [10, 30, 1_000, 100_000];

fn encode(c: &mut Criterion) {
    for count in COUNTS {
        let payload = pack(count, 1);
        let (peer, plain, indexed) =
            (for_gcf_peer(&payload), for_serde_json(&payload), for_postcard(&payload));
        let text = gcf::graph::to_string(&payload).unwrap();
        let bytes = gcb::to_vec(&payload).unwrap();
        Work::new(c, "graph encode", count)
            .by("gcf", || gcf::graph::to_vec(black_box(&payload)).unwrap())
            .by("gcf 3.1.0", || gcf_peer::encode(black_box(&peer)))
            .by("memcpy of gcf", || black_box(&text).clone())
            .by("gcb", || gcb::to_vec(black_box(&payload)).unwrap())
            .by("postcard", || postcard::to_stdvec(black_box(&indexed)).unwrap())
            .by("memcpy of gcb", || black_box(&bytes).clone())
            .by("json", || serde_json::to_vec(black_box(&payload)).unwrap())
            .by("serde_json", || serde_json::to_vec(black_box(&plain)).unwrap())
            .by("rmp-serde", || rmp_serde::to_vec(black_box(&plain)).unwrap());
    }
    for count in [1_000, 100_000] {
        let payload = shuffled(&pack(count, 1), 2);
        let peer = for_gcf_peer(&payload);
        Work::new(c, "graph encode shuffled", count)
            .by("gcf", || gcf::graph::to_vec(black_box(&payload)).unwrap())
            .by("gcf 3.1.0", || gcf_peer::encode(black_box(&peer)));
    }
}

fn decode(c: &mut Criterion) {
    for count in COUNTS {
        let payload = pack(count, 1);
        let text = gcf::graph::to_string(&payload).unwrap();
        let peer_text = gcf_peer::encode(&for_gcf_peer(&payload));
        let bytes = gcb::to_vec(&payload).unwrap();
        let indexed = postcard::to_stdvec(&for_postcard(&payload)).unwrap();
        let plain = for_serde_json(&payload);
        let json = serde_json::to_vec(&plain).unwrap();
        let packed = rmp_serde::to_vec(&plain).unwrap();
        Work::new(c, "graph decode", count)
            .by("gcf", || gcf::graph::from_str(black_box(&text)).unwrap())
            .by("gcf 3.1.0", || gcf_peer::decode(black_box(&peer_text)).unwrap())
            .by("gcb", || gcb::from_slice(black_box(&bytes)).unwrap())
            .by("postcard", || {
                postcard::from_bytes::<IndexedPayload<'_>>(black_box(&indexed)).unwrap()
            })
            .by("gcb, view", || {
                let view = gcb::View::new(black_box(&bytes)).unwrap();
                view.symbols().map(|symbol| symbol.score()).fold(0.0, f64::max)
            })
            .by("json", || {
                serde_json::from_slice::<wire_core::Payload<'_>>(black_box(&json)).unwrap()
            })
            .by("serde_json", || serde_json::from_slice::<PlainPayload>(black_box(&json)).unwrap())
            .by("rmp-serde", || rmp_serde::from_slice::<PlainPayload>(black_box(&packed)).unwrap());
    }
}

criterion_group!(benches, encode, decode);
criterion_main!(benches);
