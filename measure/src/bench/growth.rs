//! Instructions an item, of small inputs and of large ones: what grows faster than its input shows
//! here.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use xshell::{Shell, cmd};
use xtask::tools::Outcome;

use super::programs::example;

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
const FEW: u32 = 1_000;
const MANY: u32 = 100_000;
/// How many times as many instructions an item of the large input may take.
const MOST: f64 = 1.2;

pub(super) fn run(sh: &Shell) -> Outcome {
    let profile = example(sh, "profile")?;
    let mut missed = 0;
    for work in WORKS {
        let few = instructions(sh, &profile, work, FEW)?;
        let keys = if work.contains("keys") { 10 } else { 1 };
        let many = instructions(sh, &profile, work, keys * MANY)?;
        let ratio = many / few;
        let verdict = if ratio <= MOST { "met" } else { "missed" };
        missed += usize::from(ratio > MOST);
        println!("{work:24} {few:8.0} {many:8.0} {ratio:.2} {verdict}");
    }
    ensure!(missed == 0, "{missed} works take more than {MOST} times the instructions an item");
    Ok(())
}

/// Instructions an item, as callgrind counts them.
fn instructions(sh: &Shell, profile: &Path, work: &str, items: u32) -> Result<f64> {
    let count = items.to_string();
    let options = ["--callgrind-out-file=/dev/null", "--toggle-collect=profile::work*"];
    let output =
        cmd!(sh, "valgrind --tool=callgrind {options...} {profile} {work} {count} 1").quiet();
    let text = String::from_utf8(output.output().context("install valgrind")?.stderr)?;
    let collected = text.split_once("Collected : ").and_then(|(_, rest)| rest.lines().next());
    let collected = collected.with_context(|| format!("callgrind counted nothing:\n{text}"))?;
    Ok(collected.trim().parse::<f64>()? / f64::from(items))
}
