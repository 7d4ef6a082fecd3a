//! Runs one codec in one direction a number of times, for profilers.
//!
//! ```text
//! cargo build --release --example profile
//! valgrind --tool=callgrind ../target/release/examples/profile gcf-decode 20
//! ```

use std::hint::black_box;
use wire_benches::pack;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let work = arguments.next().unwrap_or_default();
    let times: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(20);
    let payload = pack(1_000, 1);
    let text = gcf::graph::to_string(&payload).unwrap();
    let bytes = gcb::to_vec(&payload).unwrap();
    for _ in 0..times {
        match work.as_str() {
            "gcf-encode" => drop(black_box(gcf::graph::to_vec(black_box(&payload)).unwrap())),
            "gcf-decode" => drop(black_box(gcf::graph::from_str(black_box(&text)).unwrap())),
            "gcb-encode" => drop(black_box(gcb::to_vec(black_box(&payload)).unwrap())),
            "gcb-decode" => drop(black_box(gcb::from_slice(black_box(&bytes)).unwrap())),
            "gcb-view" => drop(black_box(gcb::View::new(black_box(&bytes)).unwrap())),
            _ => panic!("expected gcf-encode, gcf-decode, gcb-encode, gcb-decode or gcb-view"),
        }
    }
}
