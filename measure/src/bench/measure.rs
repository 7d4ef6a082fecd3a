//! Running the benches, and what they measure.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;
use wire_tokens::measure::median;

use super::bars::ROWS;
use xtask::tools::{Outcome, programs, run_in};

/// Tells the allocator of glibc to keep what is freed. Otherwise it hands the memory of a payload
/// back and fetches it again with every iteration, or not, by what else happens to stand behind it,
/// and the page faults of that take as long as the decoding itself.
const KEEP_MEMORY: &[(&str, &str)] = &[
    ("MALLOC_TRIM_THRESHOLD_", "1073741824"),
    ("MALLOC_MMAP_THRESHOLD_", "1073741824"),
    ("MALLOC_TOP_PAD_", "67108864"),
];

/// Medians of one round in nanoseconds, by group, codec and number of items.
pub(super) type Medians = BTreeMap<(String, String, String), f64>;

/// Runs the benches whose groups the rows need.
pub(super) fn measure(benches: &Path, target: &Path, filter: &str) -> Result<Medians, String> {
    let folder = target.join("criterion");
    // What an earlier run left is of another machine or another moment.
    let _ = fs::remove_dir_all(&folder);
    let mut wanted: Vec<String> = ROWS
        .iter()
        .filter(|row| row.work.contains(filter))
        .flat_map(|row| {
            [row.ours, row.peer].map(|codec| format!("{}/{codec}/{}", row.group, row.items))
        })
        .map(|name| name.replace('.', "\\."))
        .collect();
    wanted.sort();
    wanted.dedup();
    let only = format!("^({})$", wanted.join("|"));
    run_in(
        benches,
        "cargo",
        &[
            "bench",
            "--benches",
            "--quiet",
            "--locked",
            "--",
            "--noplot",
            "--quiet",
            "--warm-up-time",
            "0.1",
            "--measurement-time",
            "0.3",
            "--nresamples",
            "2000",
            &only,
        ],
        KEEP_MEMORY,
    )?;
    let mut medians = Medians::new();
    collect(&folder, &mut medians)?;
    Ok(medians)
}

/// What criterion writes of a bench.
#[derive(Deserialize)]
struct Id {
    #[serde(rename = "group_id")]
    group: String,
    #[serde(rename = "function_id")]
    codec: Option<String>,
    #[serde(rename = "value_str")]
    items: Option<String>,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

fn collect(folder: &Path, medians: &mut Medians) -> Outcome {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if !path.is_dir() {
            continue;
        }
        let id = path.join("benchmark.json");
        if path.ends_with("new") && id.exists() {
            let id: Id = json(&id)?;
            let estimates: Estimates = json(&path.join("estimates.json"))?;
            let key = (id.group, id.codec.unwrap_or_default(), id.items.unwrap_or_default());
            medians.insert(key, estimates.median.point_estimate);
        } else {
            collect(&path, medians)?;
        }
    }
    Ok(())
}

fn json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, String> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The folder that the benches are built into.
pub(super) fn target_folder(benches: &Path) -> Result<PathBuf, String> {
    #[derive(Deserialize)]
    struct Metadata {
        target_directory: PathBuf,
    }
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--no-deps", "--locked"])
        .current_dir(benches)
        .output()
        .map_err(|error| format!("`cargo metadata` can't be run: {error}"))?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("`cargo metadata` of the benches: {error}"))?;
    Ok(metadata.target_directory)
}

/// The 99th percentile of single encodings of the pack of 30 symbols, in nanoseconds.
pub(super) fn tail(benches: &Path, target: &Path) -> Result<f64, String> {
    let build = ["build", "--release", "--quiet", "--locked", "--example", "latency"];
    run_in(benches, "cargo", &build, &[])?;
    let output = Command::new(target.join("release/examples/latency"))
        .output()
        .map_err(|error| format!("the example `latency` can't be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let tail = text.split_whitespace().nth(1).and_then(|tail| tail.parse().ok());
    tail.ok_or_else(|| format!("the example `latency` printed {text:?}, expected two numbers"))
}

/// How long `wirefmt --version` takes, in milliseconds.
pub(super) fn start() -> Result<f64, String> {
    let wirefmt = programs()?.join("wirefmt");
    let mut times = Vec::new();
    for _ in 0..101 {
        let start = Instant::now();
        let output = Command::new(&wirefmt).arg("--version").output();
        output.map_err(|error| format!("{}: {error}", wirefmt.display()))?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}
