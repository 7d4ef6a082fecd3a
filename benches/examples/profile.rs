//! Does one piece of work a number of times, for profilers: what is measured is in `work`.
//!
//! ```text
//! cargo build --release --example profile
//! valgrind --tool=callgrind --toggle-collect='profile::work*' ../target/release/examples/profile gcf-decode 1000 20
//! ```

use std::hint::black_box;

use gcf::graph;
use serde_json::Value;
use wire_benches::documents::{Order, keys, orders, wide};
use wire_benches::rows::{Hit, hits, traversal};
use wire_benches::{PlainPayload, for_serde_json, pack};

/// Makes a piece of work ready for so many items.
type Prepare = fn(usize) -> Box<dyn FnMut()>;

/// Every piece of work.
const WORKS: &[(&str, Prepare)] = &[
    ("gcf-encode", |count| {
        let payload = pack(count, 1);
        Box::new(move || drop(black_box(graph::to_vec(&payload).unwrap())))
    }),
    ("gcf-decode", |count| {
        let text = graph::to_string(&pack(count, 1)).unwrap();
        Box::new(move || drop(black_box(graph::from_str(&text).unwrap())))
    }),
    ("gcf-peer-encode", |count| {
        let payload = wire_benches::for_gcf_peer(&pack(count, 1));
        Box::new(move || drop(black_box(gcf_peer::encode(&payload))))
    }),
    ("gcf-peer-decode", |count| {
        let text = gcf_peer::encode(&wire_benches::for_gcf_peer(&pack(count, 1)));
        Box::new(move || drop(black_box(gcf_peer::decode(&text).unwrap())))
    }),
    ("generic-peer-encode", |count| {
        let value = serde_json::to_value(orders(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcf_peer::encode_generic(&value).unwrap())))
    }),
    ("generic-peer-decode", |count| {
        let value = serde_json::to_value(orders(count, 1)).unwrap();
        let text = gcf_peer::encode_generic(&value).unwrap();
        Box::new(move || drop(black_box(gcf_peer::decode_generic(&text).unwrap())))
    }),
    ("gcb-encode", |count| {
        let payload = pack(count, 1);
        Box::new(move || drop(black_box(gcb::to_vec(&payload).unwrap())))
    }),
    ("gcb-decode", |count| {
        let bytes = gcb::to_vec(&pack(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcb::from_slice(&bytes).unwrap())))
    }),
    ("gcb-view", |count| {
        let bytes = gcb::to_vec(&pack(count, 1)).unwrap();
        Box::new(move || {
            let view = gcb::View::new(&bytes).unwrap();
            black_box(view.symbols().map(|symbol| symbol.score()).fold(0.0, f64::max));
        })
    }),
    ("postcard-encode", |count| {
        let payload: &'static _ = Box::leak(Box::new(pack(count, 1)));
        let indexed = wire_benches::for_postcard(payload);
        Box::new(move || drop(black_box(postcard::to_stdvec(&indexed).unwrap())))
    }),
    ("postcard-decode", |count| {
        let bytes = postcard::to_stdvec(&wire_benches::for_postcard(&pack(count, 1))).unwrap();
        Box::new(move || {
            drop(black_box(
                postcard::from_bytes::<wire_benches::IndexedPayload<'_>>(&bytes).unwrap(),
            ));
        })
    }),
    ("json-encode", |count| {
        let payload = pack(count, 1);
        Box::new(move || drop(black_box(serde_json::to_vec(&payload).unwrap())))
    }),
    ("json-decode", |count| {
        let json = serde_json::to_vec(&for_serde_json(&pack(count, 1))).unwrap();
        Box::new(move || {
            drop(black_box(serde_json::from_slice::<wire_core::Payload<'_>>(&json).unwrap()));
        })
    }),
    ("plain-json-decode", |count| {
        let json = serde_json::to_vec(&for_serde_json(&pack(count, 1))).unwrap();
        Box::new(move || drop(black_box(serde_json::from_slice::<PlainPayload>(&json).unwrap())))
    }),
    ("gcx-write", |count| {
        let rows: Vec<[String; 6]> = hits(count, 1)
            .into_iter()
            .map(|hit| [hit.id, hit.kind, hit.name, hit.path, hit.line.to_string(), hit.sig])
            .collect();
        Box::new(move || {
            let mut writer = gcx::Writer::new(Vec::new());
            let fields = ["id", "kind", "name", "path", "line", "sig"];
            let header = gcx::Header::new("search_symbols", fields).with_rows(count as u64);
            writer.begin(&header).unwrap();
            for row in &rows {
                writer.row(row).unwrap();
            }
            drop(black_box(writer.finish().unwrap()));
        })
    }),
    ("gcx-read", |count| {
        let text = gcx::to_string("search_symbols", hits(count, 1)).unwrap();
        Box::new(move || {
            let mut reader = gcx::SliceReader::new(&text);
            reader.next_section().unwrap();
            let mut row = gcx::Row::default();
            while reader.read_row(&mut row).unwrap() {
                black_box(row.cells().map(str::len).sum::<usize>());
            }
        })
    }),
    ("csv-read", |count| {
        let mut writer = csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
        for hit in hits(count, 1) {
            writer.serialize(hit).unwrap();
        }
        let table = writer.into_inner().unwrap();
        Box::new(move || {
            let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(&table[..]);
            let mut record = csv::StringRecord::new();
            while reader.read_record(&mut record).unwrap() {
                black_box(record.iter().map(str::len).sum::<usize>());
            }
        })
    }),
    ("gcx-to-string", |count| {
        let hits = hits(count, 1);
        Box::new(move || drop(black_box(gcx::to_string("search_symbols", &hits).unwrap())))
    }),
    ("gcx-from-str", |count| {
        let text = gcx::to_string("search_symbols", hits(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcx::from_str::<Vec<Hit>>(&text).unwrap())))
    }),
    ("hits-json-encode", |count| {
        let hits = hits(count, 1);
        Box::new(move || drop(black_box(serde_json::to_string(&hits).unwrap())))
    }),
    ("goon-encode", |count| {
        let response = goon::GraphResponse::from_value(&traversal(count, 1)).unwrap();
        Box::new(move || drop(black_box(goon::to_string(&response).unwrap())))
    }),
    ("goon-decode", |count| {
        let response = goon::GraphResponse::from_value(&traversal(count, 1)).unwrap();
        let text = goon::to_string(&response).unwrap();
        Box::new(move || drop(black_box(goon::from_str(&text).unwrap())))
    }),
    ("response-json-encode", |count| {
        let response = goon::GraphResponse::from_value(&traversal(count, 1)).unwrap();
        Box::new(move || drop(black_box(serde_json::to_string(&response).unwrap())))
    }),
    ("response-json-decode", |count| {
        let response = goon::GraphResponse::from_value(&traversal(count, 1)).unwrap();
        let json = serde_json::to_string(&response).unwrap();
        Box::new(move || {
            drop(black_box(serde_json::from_str::<goon::GraphResponse>(&json).unwrap()))
        })
    }),
    ("generic-encode", |count| {
        let orders = orders(count, 1);
        Box::new(move || drop(black_box(gcf::to_string(&orders).unwrap())))
    }),
    ("generic-decode", |count| {
        let text = gcf::to_string(&orders(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcf::from_str::<Vec<Order>>(&text).unwrap())))
    }),
    ("generic-value-encode", |count| {
        let value = serde_json::to_value(orders(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcf::to_string(&value).unwrap())))
    }),
    ("generic-value-decode", |count| {
        let text = gcf::to_string(&orders(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcf::from_str::<Value>(&text).unwrap())))
    }),
    ("generic-wide-encode", |count| {
        let value = wide(count, 1);
        Box::new(move || drop(black_box(gcf::to_string(&value).unwrap())))
    }),
    ("generic-wide-decode", |count| {
        let text = gcf::to_string(&wide(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcf::gcf_to_json(&text).unwrap())))
    }),
    ("generic-keys-encode", |count| {
        let value = keys(count, 1);
        Box::new(move || drop(black_box(gcf::to_string(&value).unwrap())))
    }),
    ("generic-keys-decode", |count| {
        let text = gcf::to_string(&keys(count, 1)).unwrap();
        Box::new(move || drop(black_box(gcf::gcf_to_json(&text).unwrap())))
    }),
    ("orders-json-encode", |count| {
        let orders = orders(count, 1);
        Box::new(move || drop(black_box(serde_json::to_string(&orders).unwrap())))
    }),
    ("orders-json-value-encode", |count| {
        let value = serde_json::to_value(orders(count, 1)).unwrap();
        Box::new(move || drop(black_box(serde_json::to_string(&value).unwrap())))
    }),
    ("orders-json-value-decode", |count| {
        let json = serde_json::to_string(&orders(count, 1)).unwrap();
        Box::new(move || drop(black_box(serde_json::from_str::<Value>(&json).unwrap())))
    }),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let mut number = || arguments.next().and_then(|number| number.parse().ok());
    let count: usize = number().unwrap_or(1_000);
    let times: usize = number().unwrap_or(20);
    let Some((_, ready)) = WORKS.iter().find(|(work, _)| *work == name) else {
        let names: Vec<&str> = WORKS.iter().map(|(name, _)| *name).collect();
        panic!("there is no work {name:?}, expected one of {}", names.join(", "));
    };
    let mut once = ready(count);
    once(); // so that memory is there
    let start = std::time::Instant::now();
    for _ in 0..times {
        work(&mut once);
    }
    let each = start.elapsed().as_nanos() / (times.max(1) * count) as u128;
    println!("{name}: {each} ns an item");
}

#[inline(never)]
fn work(once: &mut dyn FnMut()) {
    once();
}
