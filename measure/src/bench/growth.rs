//! Instructions an item, of small inputs and of large ones: what grows faster than its input shows
//! here.

use std::path::Path;
use std::process::Command;

use super::measure::target_folder;
use xtask::tools::{Outcome, run_in};

/// Every codec in each direction, as the example `profile` calls it.
const WORKS: &[&str] = &[
    "gcf-encode",
    "gcf-decode",
    "gcb-encode",
    "gcb-decode",
    "gcb-view",
    "gcx-write",
    "gcx-read",
    "gcx-to-string",
    "gcx-from-str",
    "goon-encode",
    "goon-decode",
    "generic-encode",
    "generic-decode",
    "generic-value-encode",
    "generic-value-decode",
    "generic-wide-encode",
    "generic-wide-decode",
    "generic-keys-encode",
    "generic-keys-decode",
    "json-encode",
    "json-decode",
];
const FEW: u64 = 1_000;
const MANY: u64 = 100_000;
/// How many times as many instructions an item of the large input may take.
const MOST: f64 = 1.2;

pub(super) fn run(benches: &Path) -> Outcome {
    let build = ["build", "--release", "--quiet", "--locked", "--example", "profile"];
    run_in(benches, "cargo", &build, &[])?;
    let profile = target_folder(benches)?.join("release/examples/profile");
    let mut missed = 0;
    for work in WORKS {
        let few = instructions(&profile, work, FEW)?;
        let keys = if work.contains("keys") { 10 } else { 1 };
        let many = instructions(&profile, work, keys * MANY)?;
        let ratio = many / few;
        let verdict = if ratio <= MOST { "met" } else { "missed" };
        missed += usize::from(ratio > MOST);
        println!("{work:24} {few:8.0} {many:8.0} {ratio:.2} {verdict}");
    }
    if missed > 0 {
        return Err(format!("{missed} works take more than {MOST} times the instructions an item"));
    }
    Ok(())
}

/// Instructions an item, as callgrind counts them.
fn instructions(profile: &Path, work: &str, items: u64) -> Result<f64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=profile::work*")
        .arg(profile)
        .args([work, &items.to_string(), "1"])
        .output()
        .map_err(|error| format!("`valgrind` can't be run: {error}; install valgrind"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse::<f64>().ok())
        .ok_or_else(|| format!("callgrind counted nothing of {work}:\n{text}"))?;
    #[allow(clippy::cast_precision_loss)] // a number of items is small
    let items = items as f64;
    Ok(collected / items)
}
