//! `cargo xtask bench --cli`: the processor time and the memory of the command line beside `jq`,
//! each run in a process of its own.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use wait4::Wait4 as _;
use wire_tokens::measure::median;
use xshell::{Shell, cmd};
use xtask::tools::{Outcome, programs};

use super::options::Options;
use super::programs::example;
use super::report::machine;
use super::straight::{EXAMPLE, document};

/// The command of ours that is measured.
const COMMAND: [&str; 3] = ["convert", "--to", "gcf"];
/// The shapes of its documents, and what its processor time may be as a multiple of that of
/// `jq -c .`.
const SHAPES: [(&str, f64); 5] =
    [("orders", 0.2), ("table", 0.2), ("logs", 0.2), ("issues", 0.2), ("keyed", 0.4)];
/// What its memory may be, as a multiple of the file.
const MEMORY: f64 = 2.9;

pub(super) fn run(sh: &Shell, options: &Options) -> Outcome {
    let version = cmd!(sh, "jq --version").quiet().read().context("install jq")?;
    let wirefmt = programs()?.join("wirefmt");
    let Options { megabytes, rounds, .. } = options;
    println!(
        "{}, beside {version}, in the median of {rounds} rounds; the documents have {megabytes} MB.\n\n\
         | `wirefmt {}` of | processor time | of `jq -c .` | bar | memory | bar | |\n|---|---|---|---|---|---|---|",
        machine(),
        COMMAND.join(" ")
    );
    let (program, mut missed) = (example(sh, EXAMPLE)?, 0);
    for (shape, bar) in SHAPES.into_iter().filter(|(shape, _)| shape.contains(&options.filter)) {
        let file = document(sh, &program, shape, *megabytes)?;
        #[allow(clippy::cast_precision_loss)] // a size in megabytes is small
        let length = file.metadata()?.len() as f64;
        let (mut seconds, mut ratios, mut memory) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..*rounds {
            let (peer, _) = taken(Command::new("jq").args(["-c", "."]).arg(&file))?;
            let (ours, bytes) = taken(Command::new(&wirefmt).args(COMMAND).arg(&file))?;
            seconds.push(ours);
            ratios.push(ours / peer);
            memory.push(bytes / length);
        }
        let (seconds, ratio, memory) = (median(seconds), median(ratios), median(memory));
        let is_met = ratio <= bar && memory <= MEMORY;
        missed += usize::from(!is_met);
        let verdict = if is_met { "met" } else { "missed" };
        println!(
            "| {shape} | {seconds:.2} s | {ratio:.2} | ≤ {bar} | {memory:.2} × the input | ≤ {MEMORY} | {verdict} |"
        );
    }
    ensure!(missed == 0, "{missed} bars are missed");
    Ok(())
}

/// The seconds of the processor and the bytes that a command takes, without its output.
fn taken(command: &mut Command) -> Result<(f64, f64)> {
    let used = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?.wait4()?;
    ensure!(used.status.success(), "{command:?} failed: {}", used.status);
    #[allow(clippy::cast_precision_loss)] // memory is less than the digits of a double
    let bytes = used.rusage.maxrss as f64;
    Ok(((used.rusage.utime + used.rusage.stime).as_secs_f64(), bytes))
}
