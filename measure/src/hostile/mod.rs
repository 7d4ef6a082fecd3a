//! `cargo xtask hostile`: what decoders cost on input that is made to hurt, counted and not timed.
//!
//! Every entry point reads every shape of its format at several lengths. The memory in use for a
//! byte of input has a bound, and a shape four times as long may take four times the allocations.

mod entry_points;
mod shapes;

use std::fmt::Write as _;
use std::fs;

use allocation_counter::measure;
use anyhow::{Context as _, ensure};
use clap::Args;

use entry_points::{CONSTANT, ENTRY_POINTS, EntryPoint};
use shapes::{SHAPES, Shape};
use xtask::tools::{Outcome, between, read, root};

#[derive(Args, Default)]
pub(crate) struct Options {
    /// Write the table into the documentation.
    #[arg(long)]
    write: bool,
}

/// About how long a small input is. A long one has four times as much, where the growth of a vector
/// shows.
const SMALL: usize = 10_000;
const TIMES: usize = 4;
/// Lengths between a long input and one of twice its length: a list that doubles takes most just
/// behind a power of two, wherever that is.
const STEPS: usize = 8;
/// Inputs for which more bytes than this are allocated are read at one length.
const MOST_FOR_STEPS: u64 = 16 << 20;
/// What a long input may take more than four times of, since vectors grow by steps.
const MOST_GROWTH: f64 = 1.6;
/// What rows may repeat by default, and twice, where a vector grows.
const MOST_REPEATED: u64 = 128 << 20;
const DOCUMENT: &str = "docs/limits.md";
const BEGIN: &str = "<!-- written by `cargo xtask hostile --write` -->\n";
const END: &str = "<!-- end of the table -->\n";

/// What reading an input takes.
#[derive(Clone, Copy)]
struct Cost {
    bytes: usize,
    /// Bytes of all allocations.
    allocated: u64,
    /// The most bytes in use at once.
    peak: u64,
}

impl Cost {
    /// The most bytes in use at once for a byte of the input.
    fn for_a_byte(&self) -> f64 {
        ratio(self.peak, self.bytes as u64)
    }
}

fn cost(entry_point: &EntryPoint, shape: &Shape, bytes: usize) -> Cost {
    let input = (shape.make)(bytes);
    let counted = measure(|| {
        (entry_point.open)(&input);
    });
    Cost { bytes: input.len(), allocated: counted.bytes_total, peak: counted.bytes_max }
}

/// A ratio of counts.
#[allow(clippy::cast_precision_loss)] // shown with two digits
fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other.max(1) as f64
}

pub(crate) fn run(options: &Options) -> Outcome {
    let mut table = String::from(
        "| entry point | most bytes in use for each byte of input | because | measured input with the most | its bytes in use |\n|---|---|---|---|---|\n",
    );
    let mut wrong = Vec::new();
    for entry_point in ENTRY_POINTS {
        let (bound, repeated) = entry_point.bound;
        let mut nearest: (f64, &str) = (0.0, "–");
        for shape in entry_point.shapes() {
            // A first run may set up what later ones use.
            (entry_point.open)(&(shape.make)(SMALL));
            let small = cost(entry_point, shape, SMALL);
            let long = cost(entry_point, shape, TIMES * SMALL);
            // What is repeated up to a limit takes a while, and that limit is its bound.
            let steps = if long.allocated > MOST_FOR_STEPS { 1 } else { STEPS };
            let mut most = long;
            for step in 1..steps {
                let other = cost(entry_point, shape, TIMES * SMALL * (STEPS + step) / STEPS);
                if other.for_a_byte() > most.for_a_byte() {
                    most = other;
                }
            }
            let constant = repeated.max(CONSTANT);
            let allowed = bound * most.bytes as u64 + constant;
            if most.peak > allowed {
                wrong.push(format!(
                    "{}: {}: {} bytes in use for {} bytes, expected at most {allowed}",
                    entry_point.name, shape.name, most.peak, most.bytes
                ));
            }
            if most.for_a_byte() > nearest.0 {
                nearest = (most.for_a_byte(), shape.name);
            }
            let growth = ratio(long.allocated, small.allocated)
                / ratio(long.bytes as u64, small.bytes as u64);
            // Below the constant it does not matter what the allocations consist of.
            let allowed = if repeated > 0 { MOST_REPEATED } else { CONSTANT };
            if growth > MOST_GROWTH && long.allocated > allowed {
                wrong.push(format!(
                    "{}: {}: {growth:.1} times the allocations for a byte of {} as for a byte of {}",
                    entry_point.name, shape.name, long.bytes, small.bytes
                ));
            }
        }
        println!("{:52} {:8.2} of {:4}  {}", entry_point.name, nearest.0, bound, nearest.1);
        let beside = match repeated {
            0 => String::new(),
            bytes => format!(", and {} MiB", bytes >> 20),
        };
        let _ = writeln!(
            table,
            "| {} | {}{beside} | {} | {} | {:.1} |",
            entry_point.name, bound, entry_point.reason, nearest.1, nearest.0
        );
    }
    if options.write {
        let path = root().join(DOCUMENT);
        let page = between(&read(&path)?, BEGIN, END, &table).context(DOCUMENT)?;
        fs::write(&path, page)?;
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

impl EntryPoint {
    fn shapes(&self) -> impl Iterator<Item = &'static Shape> {
        SHAPES.iter().filter(|shape| self.reads.contains(&shape.format))
    }
}
