//! Prints how long single encodings of the pack of 30 symbols take, into a buffer that is there:
//! the median and the 99th percentile of many, in nanoseconds.

use std::hint::black_box;
use std::time::Instant;

use wire_benches::pack;

const RUNS: usize = 100_000;

fn main() {
    let payload = pack(30, 1);
    let encoder = gcf::graph::Encoder::new();
    let mut out = Vec::new();
    let mut times: Vec<u128> = (0..RUNS)
        .map(|_| {
            out.clear();
            let start = Instant::now();
            encoder.encode(black_box(&payload), black_box(&mut out)).unwrap();
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    println!("{} {}", times[RUNS / 2], times[RUNS * 99 / 100]);
}
