//! `cargo xtask bench`: the speed of every codec beside its peers', held against the bars. It prints
//! the tables, from which docs/performance.md has the rows that matter.

mod bars;
mod command;
mod growth;
mod measure;
mod report;
mod straight;

use clap::Args;

use self::bars::ROWS;
use self::measure::{measure, start, tail, target_folder};
use self::report::Report;
use xtask::tools::{Outcome, root};

#[derive(Args)]
pub(crate) struct Options {
    /// How often everything is measured, each time shortly; a ratio is the median of those of the
    /// rounds.
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Only rows whose work has this in its name.
    #[arg(long, default_value = "")]
    filter: String,
    /// The size of the JSON texts that go straight through, in megabytes.
    #[arg(long, default_value_t = 50, value_name = "MB")]
    megabytes: u32,
    /// Count instructions of small and large inputs instead, with callgrind.
    #[arg(long)]
    growth: bool,
    /// Measure processor time and memory of the command line beside `jq` instead.
    #[arg(long, conflicts_with = "growth")]
    cli: bool,
}

/// The bar of a single encoding of the pack of 30 symbols, in nanoseconds.
const TAIL: f64 = 5_000.0;
/// The bar of starting the command line, in milliseconds.
const START: f64 = 10.0;

pub(crate) fn run(options: &Options) -> Outcome {
    let benches = root().join("benches");
    if options.growth {
        return growth::run(&benches);
    }
    if options.cli {
        return command::run(&benches, &options.filter, options.megabytes, options.rounds);
    }
    let target = target_folder(&benches)?;
    let mut rounds = Vec::new();
    let has_rows = ROWS.iter().any(|row| row.work.contains(&options.filter));
    for round in (1..=options.rounds.max(1)).take_while(|_| has_rows) {
        println!("round {round} of {}", options.rounds.max(1));
        rounds.push(measure(&benches, &target, &options.filter)?);
    }
    let mut report = Report::default();
    for row in ROWS.iter().filter(|row| row.work.contains(&options.filter)) {
        report.row(row, &rounds)?;
    }
    let (filter, megabytes) = (&options.filter, options.megabytes);
    straight::add(&mut report, &benches, &target, filter, megabytes, options.rounds)?;
    if options.filter.is_empty() {
        let found = tail(&benches, &target)?;
        report.single("GCF encode of 30 symbols, p99", "–", (found, TAIL), ("µs", 1e3));
        report.single("`wirefmt --version`, median", "–", (start()?, START), ("ms", 1.0));
    }
    print!("{}", report.markdown(options.rounds));
    let missed = report.lines.iter().filter(|line| !line.is_met()).count();
    if missed > 0 {
        return Err(format!("{missed} bars are missed"));
    }
    Ok(())
}
