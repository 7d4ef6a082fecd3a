//! `cargo xtask fuzz`: the fuzz bodies on stable Rust, with a seeded mutator over the corpus.

use std::fs;
use std::panic;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use anyhow::{Result, bail, ensure};
use clap::Args;
use wire_conformance::{Corpus, fixtures_dir};
use wire_core::Payload;
use wire_fuzz_bodies::{BODIES, Body, Mutator};

use crate::figures::registry;
use xtask::tools::{Outcome, root};

/// What a body may use of memory at once: the bounds of [`hostile`](crate::hostile), and what rows
/// may repeat.
const MOST_MEMORY: u64 = 256 << 20;

#[derive(Args)]
pub(crate) struct Options {
    /// Seconds for each body.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Only this body.
    #[arg(long)]
    body: Option<String>,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let seeds = seeds()?;
    let bodies: Vec<&Body> = BODIES
        .iter()
        .filter(|body| options.body.as_ref().is_none_or(|name| name == body.name))
        .collect();
    let known = || BODIES.iter().map(|body| body.name).collect::<Vec<_>>().join(", ");
    ensure!(!bodies.is_empty(), "there is no such body, expected one of: {}", known());
    for body in bodies {
        let mut mutator = Mutator::new(options.seed, &seeds, body.begins);
        let end = Instant::now() + Duration::from_secs(options.seconds);
        let (mut executions, mut peak) = (0u64, 0);
        while Instant::now() < end {
            // The clock is looked at once for a batch.
            for _ in 0..64 {
                let input = mutator.next_input();
                let mut passed = false;
                let memory = measure(|| {
                    passed = panic::catch_unwind(|| (body.check)(&input)).is_ok();
                });
                if !passed {
                    bail!(keep(body, &input, "panicked"));
                }
                peak = peak.max(memory.bytes_max);
                if memory.bytes_max > MOST_MEMORY {
                    bail!(keep(body, &input, &format!("used {} bytes", memory.bytes_max)));
                }
                executions += 1;
            }
        }
        println!(
            "{:<16} {executions:>10} executions, at most {} KiB, seed {}",
            body.name,
            peak >> 10,
            options.seed
        );
    }
    Ok(())
}

/// Every input and encoded payload of the corpus.
fn seeds() -> Result<Vec<Vec<u8>>> {
    let corpus = Corpus::load(&fixtures_dir())?;
    let mut seeds: Vec<Vec<u8>> =
        corpus.cases().iter().filter_map(|case| Some(case.operation.text()?.to_vec())).collect();
    let registry = registry();
    let payloads: Vec<Payload<'_>> =
        corpus.cases().iter().filter_map(|case| case.operation.payload().cloned()).collect();
    for payload in &payloads {
        for info in registry.list() {
            // Not every format holds every payload of the corpus.
            seeds.extend(registry.encode(info.name(), payload));
        }
    }
    Ok(seeds)
}

/// Keeps the input that a body failed on, and says how to run it again.
fn keep(body: &Body, input: &[u8], what: &str) -> String {
    let folder = root().join("fuzz/artifacts");
    let path = folder.join(body.name);
    let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input));
    let place = match kept {
        Ok(()) => format!("the input is in {}", path.display()),
        Err(error) => format!("the input can't be kept ({error}): {input:?}"),
    };
    format!(
        "the body {} {what}; {place}; make it a case of fixtures/ first, then fix the code",
        body.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let seeds = [b"GCF tool=t symbols=0\n".to_vec(), b"GCB1\x01\x00".to_vec()];
        let inputs = |seed| {
            let mut mutator = Mutator::new(seed, &seeds, &["GCF", "GCB1"]);
            (0..100).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
    }
}
