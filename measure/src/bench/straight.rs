//! JSON text straight to a format's text and back, beside `serde_json` by way of a `Value`. Each is
//! measured in a process of its own, because freeing a tree is charged to whoever runs next.

use std::path::{Path, PathBuf};
use std::process::Command;

use wire_tokens::measure::median;

use super::bars::Bar;
use super::report::{Line, Report};
use xtask::tools::{Outcome, run_in};

/// A piece of work on a document of some shape, both as the example `straight` calls them.
struct Straight {
    work: &'static str,
    shape: &'static str,
    name: &'static str,
    /// The ending of the file that it reads.
    input: &'static str,
    time: Bar,
    /// The most memory that it may take beside its input, as a multiple of the JSON text.
    memory: Option<f64>,
}

const PEER: &str = "serde_json";

/// The example that makes the documents and does the work.
pub(super) const EXAMPLE: &str = "straight";

const fn straight(
    work: &'static str,
    shape: &'static str,
    name: &'static str,
    input: &'static str,
    time: Bar,
    memory: Option<f64>,
) -> Straight {
    Straight { work, shape, name, input, time, memory }
}

use Bar::{Shown, Time};

const TO_GCF: &str = "JSON text to GCF generic";
const FROM_GCF: &str = "GCF generic to JSON text";
const TO_GCX: &str = "JSON text to GCX rows";
const TO_TYPED: &str = "JSON text to GCX rows, typed";

const ROWS: &[Straight] = &[
    straight(TO_GCF, "orders", "to-gcf", "", Time(0.30), Some(1.9)),
    straight(TO_GCF, "table", "to-gcf", "", Time(0.30), Some(1.9)),
    straight(TO_GCF, "logs", "to-gcf", "", Time(0.30), Some(1.9)),
    straight(TO_GCF, "issues", "to-gcf", "", Time(0.30), Some(1.9)),
    straight(TO_GCF, "keyed", "to-gcf", "", Time(0.7), None),
    straight(FROM_GCF, "orders", "from-gcf", ".gcf", Time(0.45), None),
    straight(FROM_GCF, "table", "from-gcf", ".gcf", Time(0.45), None),
    straight(FROM_GCF, "logs", "from-gcf", ".gcf", Time(0.45), None),
    straight(FROM_GCF, "issues", "from-gcf", ".gcf", Time(0.45), None),
    straight(FROM_GCF, "keyed", "from-gcf", ".gcf", Time(0.6), None),
    straight(TO_GCX, "orders", "to-gcx", "", Time(0.42), None),
    straight(TO_GCX, "table", "to-gcx", "", Time(0.42), None),
    straight(TO_GCX, "issues", "to-gcx", "", Time(0.42), None),
    straight(TO_TYPED, "orders", "to-gcx-typed", "", Shown, None),
    straight(TO_TYPED, "table", "to-gcx-typed", "", Shown, None),
    straight(TO_TYPED, "issues", "to-gcx-typed", "", Shown, None),
];

/// What a process measured.
struct Measured {
    nanoseconds: f64,
    memory: f64,
    input: f64,
}

/// Adds the rows whose work has `filter` in its name, of documents of so many megabytes.
pub(super) fn add(
    report: &mut Report,
    benches: &Path,
    target: &Path,
    filter: &str,
    megabytes: u32,
    rounds: usize,
) -> Outcome {
    let rows: Vec<&Straight> = ROWS.iter().filter(|row| row.work.contains(filter)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let build = ["build", "--release", "--quiet", "--locked", "--example", EXAMPLE];
    run_in(benches, "cargo", &build, &[])?;
    let example = of_example(target);
    let mut shapes: Vec<&str> = rows.iter().map(|row| row.shape).collect();
    shapes.sort_unstable();
    shapes.dedup();
    for (shape, json) in documents(target, &shapes, megabytes)? {
        let file = json.display().to_string();
        for row in rows.iter().filter(|row| row.shape == shape) {
            println!("{}, {shape}", row.work);
            let input = PathBuf::from(format!("{file}{}", row.input));
            add_row(report, &example, row, &json, &input, rounds)?;
        }
    }
    Ok(())
}

fn of_example(target: &Path) -> PathBuf {
    target.join("release/examples").join(EXAMPLE)
}

/// Makes documents of these shapes and of so many megabytes with the example, which is built: the
/// file of each, beside which its texts are.
pub(super) fn documents<'s>(
    target: &Path,
    shapes: &[&'s str],
    megabytes: u32,
) -> Result<Vec<(&'s str, PathBuf)>, String> {
    let folder = target.join("straight");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let make = |shape: &&'s str| {
        let json = folder.join(format!("{shape}.json"));
        let file = json.display().to_string();
        ask(&of_example(target), &["make", shape, &megabytes.to_string(), &file])?;
        Ok((*shape, json))
    };
    shapes.iter().map(make).collect()
}

fn add_row(
    report: &mut Report,
    example: &Path,
    row: &Straight,
    json: &Path,
    input: &Path,
    rounds: usize,
) -> Outcome {
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let (mut memory, mut peer_memory) = (Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let peer = measure(example, PEER, json)?;
        let our = measure(example, row.name, input)?;
        ratios.push(our.nanoseconds / peer.nanoseconds);
        memory.push(our.memory / peer.input);
        peer_memory.push(peer.memory / peer.input);
        ours.push(our.nanoseconds);
        theirs.push(peer.nanoseconds);
    }
    let milliseconds = |times| format!("{:.0} ms", median(times) / 1e6);
    let ratio = median(ratios);
    report.lines.push(Line {
        work: format!("{}, {}", row.work, row.shape),
        ours: milliseconds(ours),
        peer: format!("`{PEER}` to `Value` and back {}", milliseconds(theirs)),
        ratio,
        words: row.time.words(ratio),
        bar: row.time,
        bar_words: row.time.to_string(),
    });
    if let Some(limit) = row.memory {
        let work = format!("… its memory, {}", row.shape);
        let peer = format!("`{PEER}` {:.1} × the JSON", median(peer_memory));
        report.single(&work, &peer, (median(memory), limit), ("× the JSON", 1.0));
    }
    Ok(())
}

fn measure(example: &Path, work: &str, file: &Path) -> Result<Measured, String> {
    let output = ask(example, &[work, &file.display().to_string()])?;
    let numbers: Vec<f64> =
        output.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [nanoseconds, memory, input] => Ok(Measured { nanoseconds, memory, input }),
        _ => Err(format!("the example `straight` printed {output:?}, expected three numbers")),
    }
}

/// What the example prints.
fn ask(example: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(example)
        .args(arguments)
        .output()
        .map_err(|error| format!("the example `straight` can't be run: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("straight {}: {message}", arguments.join(" ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
