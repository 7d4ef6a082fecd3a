//! The time of encoding: figures of one machine, at one moment.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::card::{Cell, Scorecard, Section};
use crate::error::Error;
use crate::fixtures::Fixtures;
use crate::formats::Formats;
use crate::packs::pack::packs;

/// How often each payload is encoded: enough for a p99. Without optimizations nobody looks at it.
const RUNS: usize = if cfg!(debug_assertions) { 100 } else { 1000 };

pub(crate) fn card(fixtures: &Fixtures) -> Result<Scorecard, Error> {
    let formats = Formats::new();
    let columns: Vec<&str> = std::iter::once("pack").chain(formats.names.iter().copied()).collect();
    let mut medians = Section::new("p50", &columns);
    let mut tails = Section::new("p99", &columns).with_intro(
        "The documentation of GCF states a p99 of 64 µs for GCF of 30 symbols, on an Apple M4 Pro; ours is `context_for_task_30`, here.",
    );
    for (name, payload) in packs(fixtures)? {
        let (mut p50, mut p99) = (vec![name.into()], vec![name.into()]);
        for codec in formats.registry.codecs() {
            let mut out = Vec::new();
            let mut times: Vec<Duration> = (0..RUNS)
                .map(|_| {
                    out.clear();
                    let start = Instant::now();
                    let encoded = codec.encode(black_box(&payload), black_box(&mut out));
                    let time = start.elapsed();
                    encoded
                        .map(|()| time)
                        .map_err(|error| Error::encode(name.to_owned(), codec.info().name(), error))
                })
                .collect::<Result<_, _>>()?;
            times.sort_unstable();
            let micros = |at: usize| Cell::Micros(times[at].as_secs_f64() * 1e6);
            p50.push(micros(RUNS / 2));
            p99.push(micros(RUNS * 99 / 100));
        }
        medians.row(p50);
        tails.row(p99);
    }
    Ok(Scorecard {
        name: "latency",
        title: "Time of encoding",
        intro: format!(
            "Each of the six context packs is encoded {RUNS} times into an existing buffer, on one thread, in a build {}. The figures are those of\n\
             one machine at one moment, and not a claim. Claims are ratios to other packages in the same run ([benches](https://github.com/wire-formats/wire/tree/main/benches)).",
            if cfg!(debug_assertions) {
                "without optimizations, which is many times slower"
            } else {
                "with optimizations"
            }
        ),
        command: "cargo run --release -q -p wire-cli -- scorecard packs",
        sections: vec![medians, tails],
        chart: None,
    })
}
