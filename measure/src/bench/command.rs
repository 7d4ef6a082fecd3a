//! `cargo xtask bench --cli`: the processor time and the memory of the command line beside `jq`,
//! each run in a process of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use wait4::Wait4;
use wire_tokens::measure::median;

use super::measure::target_folder;
use super::report::machine;
use super::straight::{EXAMPLE, documents};
use xtask::tools::{Outcome, programs, run_in};

/// The command of ours that is measured.
const COMMAND: [&str; 3] = ["convert", "--to", "gcf"];
/// The shapes of its documents, and what its processor time may be as a multiple of that of
/// `jq -c .`.
const SHAPES: [(&str, f64); 5] =
    [("orders", 0.2), ("table", 0.2), ("logs", 0.2), ("issues", 0.2), ("keyed", 0.4)];
/// What its memory may be, as a multiple of the file.
const MEMORY: f64 = 2.9;

/// What a run took.
#[derive(Clone, Copy)]
struct Taken {
    seconds: f64,
    bytes: f64,
}

pub(super) fn run(benches: &Path, filter: &str, megabytes: u32, rounds: usize) -> Outcome {
    let version = jq_version()?;
    let wirefmt = programs()?.join("wirefmt");
    let build = ["build", "--release", "--quiet", "--locked", "--example", EXAMPLE];
    run_in(benches, "cargo", &build, &[])?;
    println!(
        "{}, beside {version}, in the median of {rounds} rounds; the documents have {megabytes} MB.\n\n\
         | `wirefmt {}` of | processor time | of `jq -c .` | bar | memory | bar | |\n|---|---|---|---|---|---|---|",
        machine(),
        COMMAND.join(" ")
    );
    let shapes = SHAPES.into_iter().filter(|(shape, _)| shape.contains(filter));
    let mut missed = 0;
    for (shape, bar) in shapes {
        let files = documents(&target_folder(benches)?, &[shape], megabytes)?;
        for (_, file) in files {
            missed += usize::from(!row(shape, bar, &wirefmt, &file, rounds)?);
        }
    }
    if missed == 0 { Ok(()) } else { Err(format!("{missed} bars are missed")) }
}

/// Prints the row of a document, and says whether its bars are met.
fn row(shape: &str, bar: f64, wirefmt: &Path, file: &Path, rounds: usize) -> Result<bool, String> {
    let length = fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?.len();
    #[allow(clippy::cast_precision_loss)] // a size in megabytes is small
    let length = length as f64;
    let (mut seconds, mut ratios, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let peer = taken(Command::new("jq").args(["-c", "."]).arg(file))?;
        let ours = taken(Command::new(wirefmt).args(COMMAND).arg(file))?;
        seconds.push(ours.seconds);
        ratios.push(ours.seconds / peer.seconds);
        memory.push(ours.bytes / length);
    }
    let (seconds, ratio, memory) = (median(seconds), median(ratios), median(memory));
    let is_met = ratio <= bar && memory <= MEMORY;
    let verdict = if is_met { "met" } else { "missed" };
    println!(
        "| {shape} | {seconds:.2} s | {ratio:.2} | ≤ {bar} | {memory:.2} × the input | ≤ {MEMORY} | {verdict} |"
    );
    Ok(is_met)
}

/// Runs a command without its output.
fn taken(command: &mut Command) -> Result<Taken, String> {
    let name = format!("`{}`", command.get_program().display());
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| format!("{name} can't be run: {error}"))?;
    let used = child.wait4().map_err(|error| format!("{name}: {error}"))?;
    if !used.status.success() {
        return Err(format!("{name} failed: {}", used.status));
    }
    let seconds = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    #[allow(clippy::cast_precision_loss)] // memory is less than the digits of a double
    let bytes = used.rusage.maxrss as f64;
    Ok(Taken { seconds, bytes })
}

/// What the `jq` of this machine calls itself.
fn jq_version() -> Result<String, String> {
    let output = Command::new("jq")
        .arg("--version")
        .output()
        .map_err(|error| format!("`jq` can't be run: {error}; install jq"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
