//! Running the benches, and what they measure.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;
use xshell::{Shell, cmd};
use xtask::tools::Outcome;

use super::bars::Row;

/// Tells the allocator of glibc to keep what is freed. Otherwise it hands the memory of a payload
/// back and fetches it again with every iteration, or not, by what else happens to stand behind it,
/// and the page faults of that take as long as the decoding itself.
const KEEP_MEMORY: &[(&str, &str)] = &[
    ("MALLOC_TRIM_THRESHOLD_", "1073741824"),
    ("MALLOC_MMAP_THRESHOLD_", "1073741824"),
    ("MALLOC_TOP_PAD_", "67108864"),
];

/// Medians of one round in nanoseconds, by the name of the bench.
pub(super) type Medians = BTreeMap<String, f64>;

/// What criterion calls the work of ours and that of the peer.
pub(super) fn names(&(_, group, items, ours, peer, _): &Row) -> [String; 2] {
    [ours, peer].map(|codec| format!("{group}/{codec}/{items}"))
}

/// Runs the benches whose groups the rows need.
pub(super) fn measure(sh: &Shell, target: &Path, rows: &[&Row]) -> Result<Medians> {
    let folder = target.join("criterion");
    // What an earlier run left is of another machine or another moment.
    sh.remove_path(&folder)?;
    let names = rows.iter().flat_map(|row| names(row));
    let only = format!("^({})$", names.collect::<Vec<_>>().join("|").replace('.', "\\."));
    let shortly = "--warm-up-time 0.1 --measurement-time 0.3 --nresamples 2000".split(' ');
    cmd!(sh, "cargo bench --benches --quiet --locked -- --noplot --quiet {shortly...} {only}")
        .envs(KEEP_MEMORY.iter().copied())
        .run()?;
    let mut medians = Medians::new();
    collect(sh, &folder, &mut medians)?;
    Ok(medians)
}

fn collect(sh: &Shell, folder: &Path, medians: &mut Medians) -> Outcome {
    for path in sh.read_dir(folder)?.into_iter().filter(|path| path.is_dir()) {
        let json = |file: &str| -> Result<Value> {
            Ok(serde_json::from_str(&sh.read_file(path.join(file))?)?)
        };
        if path.ends_with("new") && path.join("benchmark.json").exists() {
            let (id, estimates) = (json("benchmark.json")?, json("estimates.json")?);
            let name = id["full_id"].as_str().unwrap_or_default().to_owned();
            let median = estimates["median"]["point_estimate"].as_f64();
            medians.insert(name, median.unwrap_or(f64::NAN));
        } else {
            collect(sh, &path, medians)?;
        }
    }
    Ok(())
}
