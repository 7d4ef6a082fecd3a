//! JSON text straight to a format's text and back, beside `serde_json` by way of a `Value`: one
//! work on one file, in a process of its own, since whoever runs second pays for what the first one
//! frees.
//!
//! ```text
//! straight make issues 50 target/issues.json      a document of about so many megabytes
//! straight to-gcf target/issues.json              nanoseconds, bytes of memory, bytes of the file
//! ```

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use serde_json::Value;
use wire_benches::documents::SHAPES;

/// How often the work is done. The time is that of the fastest, the memory that of the first.
const TIMES: usize = 3;

type Run = fn(&str) -> usize;

/// Every piece of work, by its name. The length of what comes out keeps it from being optimized
/// away.
const WORKS: &[(&str, Run)] = &[
    ("to-gcf", |json| gcf::json_to_gcf(json).expect("it is JSON").len()),
    ("from-gcf", |text| gcf::gcf_to_json(text).expect("it is a text").len()),
    ("to-gcx", |json| gcx::json_to_layout("list", json).expect("it is JSON").len()),
    ("to-gcx-typed", |json| gcx::json_to_gcx("list", json).expect("it is JSON").len()),
    ("from-gcx", |text| gcx::gcx_to_json(text).expect("it is a text").len()),
    ("serde_json", |json| {
        let value: Value = serde_json::from_str(json).expect("it is JSON");
        value.to_string().len()
    }),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", shape, megabytes, file] => make(shape, megabytes, file),
        [work, file] => measure(work, file),
        _ => panic!("expected `make SHAPE MEGABYTES FILE` or `WORK FILE`"),
    }
}

/// Writes a document, and the texts of it.
fn make(shape: &str, megabytes: &str, file: &str) {
    let (_, document) = SHAPES.iter().find(|(name, _)| *name == shape).expect("the shape is known");
    let wanted = megabytes.parse::<usize>().expect("it is a number") * 1_000_000;
    let few = 1_000;
    let count = few * wanted / document(few, 1).to_string().len();
    let json = document(count, 1).to_string();
    let text = gcf::json_to_gcf(&json).expect("it is JSON");
    let rows = gcx::json_to_gcx("list", &json).expect("it is JSON");
    for (name, text) in
        [(file.to_owned(), &json), (format!("{file}.gcf"), &text), (format!("{file}.gcx"), &rows)]
    {
        fs::write(&name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn measure(work: &str, file: &str) {
    let (_, run) = WORKS.iter().find(|(name, _)| *name == work).expect("the work is known");
    let input = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let before = status("VmRSS:");
    let mut memory = 0;
    let mut fastest = u64::MAX;
    for _ in 0..TIMES {
        let start = Processor::now();
        black_box(run(black_box(&input)));
        fastest = fastest.min(start.elapsed());
        if memory == 0 {
            memory = status("VmHWM:").saturating_sub(before).max(1);
        }
    }
    println!("{fastest} {memory} {}", input.len());
}

/// A field of the status of this process, in bytes; 0 where the system has none.
fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() * 1024
}

/// The time that this thread had a processor, or that has passed where the system does not say.
enum Processor {
    Had(u64),
    Since(Instant),
}

impl Processor {
    fn had() -> Option<u64> {
        fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
    }

    fn now() -> Self {
        Processor::had().map_or_else(|| Processor::Since(Instant::now()), Processor::Had)
    }

    fn elapsed(&self) -> u64 {
        match self {
            Processor::Had(before) => Processor::had().unwrap_or_default() - before,
            Processor::Since(start) => start.elapsed().as_nanos() as u64,
        }
    }
}
