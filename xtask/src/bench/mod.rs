//! `cargo xtask bench`: the speed of every codec beside its peers', held against the bars.

mod bars;
mod chart;
mod growth;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;
use serde::Deserialize;

use self::bars::{Bar, ROWS};
use crate::tools::{Outcome, root, run_in};

#[derive(Args)]
pub(crate) struct Options {
    /// How often everything is measured, each time shortly; a ratio is the median of those of the rounds.
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Only rows whose work has this in its name.
    #[arg(long, default_value = "")]
    filter: String,
    /// Write nothing into the documentation.
    #[arg(long)]
    dry_run: bool,
    /// Count instructions of small and large inputs instead, with callgrind.
    #[arg(long)]
    growth: bool,
}

const DOCUMENT: &str = "docs/performance.md";
const CHART: &str = "docs/performance.svg";
const BEGIN: &str = "<!-- written by `cargo xtask bench` -->\n";
const END: &str = "<!-- end of the bars -->\n";

/// The bar of a single encoding of the pack of 30 symbols, in nanoseconds.
const TAIL: f64 = 5_000.0;
/// The bar of starting the command line, in milliseconds.
const START: f64 = 10.0;

/// Tells the allocator of glibc to keep what is freed. Otherwise it hands the memory of a payload back
/// and fetches it again with every iteration, or not, by what else happens to stand behind it, and the
/// page faults of that take as long as the decoding itself.
const KEEP_MEMORY: &[(&str, &str)] = &[
    ("MALLOC_TRIM_THRESHOLD_", "1073741824"),
    ("MALLOC_MMAP_THRESHOLD_", "1073741824"),
    ("MALLOC_TOP_PAD_", "67108864"),
];

pub(crate) fn run(options: &Options) -> Outcome {
    let benches = root().join("benches");
    if options.growth {
        return growth::run(&benches, options.dry_run);
    }
    let target = target_folder(&benches)?;
    let mut rounds = Vec::new();
    for round in 1..=options.rounds.max(1) {
        println!("round {round} of {}", options.rounds.max(1));
        rounds.push(measure(&benches, &target, &options.filter)?);
    }
    let mut report = Report::default();
    for row in ROWS.iter().filter(|row| row.work.contains(&options.filter)) {
        report.row(row, &rounds)?;
    }
    if options.filter.is_empty() {
        report.single("GCF encode of 30 symbols, p99", tail(&benches, &target)?, TAIL, "µs", 1e3);
        report.single("`wirefmt --version`, median", start(&target)?, START, "ms", 1.0);
    }
    print!("{}", report.plain());
    if !options.dry_run && options.filter.is_empty() {
        write(&report.markdown(options.rounds))?;
        fs::write(root().join(CHART), chart::svg(&report.lines))
            .map_err(|error| format!("{CHART}: {error}"))?;
    }
    let missed = report.lines.iter().filter(|line| !line.is_met()).count();
    if missed > 0 {
        return Err(format!("{missed} bars are missed; {DOCUMENT} says what is known of each"));
    }
    Ok(())
}

/// Medians of one round in nanoseconds, by group, codec and number of items.
type Medians = BTreeMap<(String, String, String), f64>;

/// Runs the benches whose groups the rows need.
fn measure(benches: &Path, target: &Path, filter: &str) -> Result<Medians, String> {
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

fn target_folder(benches: &Path) -> Result<PathBuf, String> {
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
fn tail(benches: &Path, target: &Path) -> Result<f64, String> {
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
fn start(target: &Path) -> Result<f64, String> {
    run_in(
        &root(),
        "cargo",
        &["build", "--release", "--quiet", "--locked", "-p", "wire-cli"],
        &[],
    )?;
    let wirefmt = target.join("release/wirefmt");
    let mut times = Vec::new();
    for _ in 0..101 {
        let start = Instant::now();
        let output = Command::new(&wirefmt).arg("--version").output();
        output.map_err(|error| format!("{}: {error}", wirefmt.display()))?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(&mut times))
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// A row as it was measured.
struct Line {
    work: String,
    ours: String,
    peer: String,
    /// Our time as a multiple of the peer's, or of the bar.
    ratio: f64,
    words: String,
    bar: Bar,
    bar_words: String,
}

impl Line {
    fn is_met(&self) -> bool {
        self.bar.is_met(self.ratio)
    }

    fn verdict(&self) -> &'static str {
        match self.bar {
            Bar::Shown => "",
            _ if self.is_met() => "met",
            _ => "missed",
        }
    }
}

#[derive(Default)]
struct Report {
    lines: Vec<Line>,
}

impl Report {
    fn row(&mut self, row: &bars::Row, rounds: &[Medians]) -> Outcome {
        let of = |round: &Medians, codec: &str| {
            let key = (row.group.to_owned(), codec.to_owned(), row.items.to_string());
            let missing = || format!("the benches have no {}/{codec}/{}", row.group, row.items);
            round.get(&key).copied().ok_or_else(missing)
        };
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in rounds {
            let (our, their) = (of(round, row.ours)?, of(round, row.peer)?);
            ours.push(our);
            theirs.push(their);
            ratios.push(our / their);
        }
        let ratio = median(&mut ratios);
        #[allow(clippy::cast_precision_loss)] // a number of items is small
        let each = |times: &mut Vec<f64>| format!("{:.0} ns", median(times) / row.items as f64);
        self.lines.push(Line {
            work: format!("{}, {}", row.work, items(row.items)),
            ours: each(&mut ours),
            peer: format!("`{}` {}", row.peer, each(&mut theirs)),
            ratio,
            words: row.bar.words(ratio),
            bar: row.bar,
            bar_words: row.bar.to_string(),
        });
        Ok(())
    }

    /// A row without a peer: `found` and `limit` are in the same unit, of which `unit` is so many.
    fn single(&mut self, work: &str, found: f64, limit: f64, unit: &str, in_unit: f64) {
        self.lines.push(Line {
            work: work.to_owned(),
            ours: format!("{:.1} {unit}", found / in_unit),
            peer: "–".to_owned(),
            ratio: found / limit,
            words: format!("{:.2} of the bar", found / limit),
            bar: Bar::Time(1.0),
            bar_words: format!("≤ {} {unit}", limit / in_unit),
        });
    }

    fn plain(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let Line { work, ours, peer, words, bar_words, .. } = line;
            let verdict = line.verdict();
            let _ = writeln!(
                text,
                "{work:44} {ours:>9}  {peer:28} {words:18} {bar_words:18} {verdict}"
            );
        }
        text
    }

    fn markdown(&self, rounds: usize) -> String {
        let mut text = format!(
            "{}, in the median of {rounds} rounds; times are of one item.\n\n\
             | work | ours | peer | ratio | bar | |\n|---|---|---|---|---|---|\n",
            machine()
        );
        for line in &self.lines {
            let Line { work, ours, peer, words, bar_words, .. } = line;
            let verdict = line.verdict();
            let _ =
                writeln!(text, "| {work} | {ours} | {peer} | {words} | {bar_words} | {verdict} |");
        }
        text
    }
}

/// The number with a comma before its thousands.
fn items(count: usize) -> String {
    match count {
        1_000.. => format!("{},{:03} items", count / 1_000, count % 1_000),
        _ => format!("{count} items"),
    }
}

/// What this runs on.
fn machine() -> String {
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let processor = processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler = Command::new("rustc").arg("--version").output().ok();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!(
        "Measured on {processor}, {threads} threads, {}, with {}",
        std::env::consts::OS,
        compiler.unwrap_or_else(|| "an unknown compiler".to_owned()),
    )
}

/// Writes the table into the documentation.
fn write(table: &str) -> Outcome {
    let path = root().join(DOCUMENT);
    let text = fs::read_to_string(&path).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    let (before, rest) = text.split_once(BEGIN).ok_or("the bars have no place")?;
    let (_, after) = rest.split_once(END).ok_or("the bars have no end")?;
    fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}"))
        .map_err(|error| format!("{DOCUMENT}: {error}"))
}
