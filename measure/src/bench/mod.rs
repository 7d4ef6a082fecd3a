//! `cargo xtask bench`: the speed of every codec beside its peers', held against the bars. It prints
//! the tables, from which docs/performance.md has the rows that matter.

mod bars;
mod command;
mod criterion;
mod growth;
mod options;
mod programs;
mod report;
mod straight;

use std::time::Instant;

use anyhow::{Context as _, Result};
use wire_tokens::measure::median;
use xshell::{Shell, cmd};
use xtask::tools::{Outcome, programs, shell};

pub(crate) use self::options::Options;

use self::bars::ROWS;
use self::programs::{example, numbers, target_folder};
use self::report::Report;

/// The bar of a single encoding of the pack of 30 symbols, in microseconds.
const TAIL: f64 = 5.0;
/// The bar of starting the command line, in milliseconds.
const START: f64 = 10.0;

pub(crate) fn run(options: &Options) -> Outcome {
    let sh = shell()?;
    sh.change_dir("benches");
    if options.growth {
        return growth::run(&sh);
    }
    if options.cli {
        return command::run(&sh, options);
    }
    let target = target_folder(&sh)?;
    let mut rounds = Vec::new();
    let rows: Vec<_> = ROWS.iter().filter(|(work, ..)| work.contains(&options.filter)).collect();
    if !rows.is_empty() {
        for round in 1..=options.rounds {
            println!("round {round} of {}", options.rounds);
            rounds.push(criterion::measure(&sh, &target, &rows)?);
        }
    }
    let mut report = Report::default();
    for row in rows {
        report.row(row, &rounds)?;
    }
    straight::add(&mut report, &sh, options)?;
    if options.filter.is_empty() {
        report.single("GCF encode of 30 symbols, p99", "–", tail(&sh)?, TAIL, "µs");
        report.single("`wirefmt --version`, median", "–", start(&sh)?, START, "ms");
    }
    report.print(options.rounds);
    report.judge()
}

/// The 99th percentile of single encodings of the pack of 30 symbols, in microseconds.
fn tail(sh: &Shell) -> Result<f64> {
    let numbers = numbers(sh, &example(sh, "latency")?, &[])?;
    Ok(numbers.get(1).context("the example `latency` prints two numbers")? / 1e3)
}

/// How long `wirefmt --version` takes, in milliseconds.
fn start(sh: &Shell) -> Result<f64> {
    let wirefmt = programs()?.join("wirefmt");
    let mut times = Vec::new();
    for _ in 0..101 {
        let start = Instant::now();
        cmd!(sh, "{wirefmt} --version").quiet().read()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}
