//! `cargo xtask bench --cli`: the processor time and the memory of the command line beside `jq`,
//! each run in a process of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wait4::Wait4;

use super::measure::{median, target_folder};
use super::report::machine;
use super::straight::{EXAMPLE, documents};
use crate::tools::{Outcome, programs, run_in};

/// A command of ours on a document of some shape.
struct Work {
    /// Its arguments but the file.
    arguments: &'static [&'static str],
    shape: &'static str,
    /// The ending of the file that it reads.
    input: &'static str,
    /// What its processor time may be, as a multiple of that of `jq -c .` on the JSON of the
    /// document.
    time: Option<f64>,
    /// What its memory may be, as a multiple of the file.
    memory: Option<f64>,
    size: Size,
}

/// How large the document is.
#[derive(Clone, Copy, PartialEq)]
enum Size {
    /// As `--megabytes` says.
    Large,
    /// A fifth of it, for what counts tokens.
    Small,
}

const TO_GCF: &[&str] = &["convert", "--to", "gcf"];
const TO_GCX: &[&str] = &["convert", "--to", "gcx", "--quiet"];
const TO_JSON: &[&str] = &["convert", "--to", "json"];
const CHECK: &[&str] = &["check"];
const AUTO: &[&str] = &["auto", "--quiet"];
const STATS: &[&str] = &["stats"];

const fn bar(
    arguments: &'static [&'static str],
    shape: &'static str,
    time: f64,
    memory: f64,
) -> Work {
    let (time, memory) = (Some(time), Some(memory));
    Work { arguments, shape, input: "", time, memory, size: Size::Large }
}

const fn shown(
    arguments: &'static [&'static str],
    shape: &'static str,
    input: &'static str,
    size: Size,
) -> Work {
    Work { arguments, shape, input, time: None, memory: None, size }
}

const WORKS: &[Work] = &[
    bar(TO_GCF, "orders", 0.2, 2.9),
    bar(TO_GCF, "table", 0.2, 2.9),
    bar(TO_GCF, "logs", 0.2, 2.9),
    bar(TO_GCF, "issues", 0.2, 2.9),
    bar(TO_GCF, "keyed", 0.4, 2.9),
    shown(TO_JSON, "orders", ".gcf", Size::Large),
    shown(TO_JSON, "keyed", ".gcf", Size::Large),
    shown(TO_JSON, "orders", "", Size::Large),
    shown(TO_GCX, "orders", "", Size::Large),
    shown(CHECK, "orders", "", Size::Large),
    shown(CHECK, "orders", ".gcf", Size::Large),
    shown(AUTO, "orders", "", Size::Small),
    shown(STATS, "orders", "", Size::Small),
    shown(STATS, "issues", "", Size::Small),
];

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
    let target = target_folder(benches)?;
    let works: Vec<&Work> =
        WORKS.iter().filter(|work| work.arguments.join(" ").contains(filter)).collect();
    println!(
        "{}, beside {version}, in the median of {rounds} rounds; the documents have {megabytes} MB, and {} where tokens are counted.\n\n\
         | command | of | processor time | of `jq -c .` | bar | memory | bar | |\n|---|---|---|---|---|---|---|---|",
        machine(),
        megabytes.div_ceil(5)
    );
    let mut missed = 0;
    for size in [Size::Large, Size::Small] {
        let works: Vec<&&Work> = works.iter().filter(|work| work.size == size).collect();
        let mut shapes: Vec<&str> = works.iter().map(|work| work.shape).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let megabytes = if size == Size::Large { megabytes } else { megabytes.div_ceil(5) };
        let files = documents(&target, &shapes, megabytes)?;
        for work in works {
            let (_, json) =
                files.iter().find(|(shape, _)| *shape == work.shape).expect("because it was made");
            missed += row(work, &wirefmt, json, rounds)?;
        }
    }
    if missed > 0 {
        return Err(format!("{missed} bars are missed"));
    }
    Ok(())
}

/// Prints the row of a work, and gives how many of its bars are missed.
fn row(work: &Work, wirefmt: &Path, json: &Path, rounds: usize) -> Result<usize, String> {
    let file = PathBuf::from(format!("{}{}", json.display(), work.input));
    let length = fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?.len();
    #[allow(clippy::cast_precision_loss)] // a size in megabytes is small
    let length = length as f64;
    let (mut seconds, mut ratios, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let peer = taken(Command::new("jq").args(["-c", "."]).arg(json))?;
        let ours = taken(Command::new(wirefmt).args(work.arguments).arg(&file))?;
        seconds.push(ours.seconds);
        ratios.push(ours.seconds / peer.seconds);
        memory.push(ours.bytes / length);
    }
    let (seconds, ratio, memory) = (median(&mut seconds), median(&mut ratios), median(&mut memory));
    let command = work.arguments.join(" ");
    let bar = |bar: Option<f64>| bar.map_or("–".to_owned(), |bar| format!("≤ {bar}"));
    let is_missed = |found: f64, bar: Option<f64>| bar.is_some_and(|bar| found > bar);
    let missed =
        usize::from(is_missed(ratio, work.time)) + usize::from(is_missed(memory, work.memory));
    let verdict = match (work.time, missed) {
        (None, _) => "",
        (_, 0) => "met",
        _ => "missed",
    };
    let kind = if work.input.is_empty() { "JSON" } else { "GCF" };
    let line = format!(
        "| `wirefmt {command}` | {}, {kind} | {seconds:.2} s | {ratio:.2} | {} | {memory:.2} × the input | {} | {verdict} |",
        work.shape,
        bar(work.time),
        bar(work.memory)
    );
    println!("{line}");
    Ok(missed)
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
