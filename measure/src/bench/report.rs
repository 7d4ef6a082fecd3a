//! What was measured, held against the bars.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, ensure};
use wire_tokens::measure::median;
use xtask::numbers::thousands;
use xtask::tools::Outcome;

use super::bars::{Bar, Row};
use super::criterion::{Medians, names};

/// The cells of each row, and whether its bar is met.
#[derive(Default)]
pub(super) struct Report(Vec<(String, bool)>);

impl Report {
    pub(super) fn row(&mut self, row: &Row, rounds: &[Medians]) -> Outcome {
        let (work, _, items, _, peer, bar) = row;
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in rounds {
            let of = |name: String| round.get(&name).copied().context(name);
            let [our, their] = names(row).map(of);
            let (our, their) = (our?, their?);
            ours.push(our);
            theirs.push(their);
            ratios.push(our / their);
        }
        #[allow(clippy::cast_precision_loss)] // a number of items is small
        let each = |times| format!("{:.0} ns", median(times) / *items as f64);
        let work = format!("{work}, {} items", thousands(*items));
        let peer = format!("`{peer}` {}", each(theirs));
        self.add(&work, &each(ours), &peer, median(ratios), *bar);
        Ok(())
    }

    /// A row with our time as a multiple of the peer's.
    pub(super) fn add(&mut self, work: &str, ours: &str, peer: &str, ratio: f64, bar: Bar) {
        let cells = format!("{work} | {ours} | {peer} | {}", bar.words(ratio));
        self.0.push((cells, bar.is_met(ratio)));
    }

    /// A row whose bar is an amount.
    pub(super) fn single(&mut self, work: &str, peer: &str, found: f64, limit: f64, unit: &str) {
        let part = found / limit;
        let cells = format!(
            "{work} | {found:.1} {unit} | {peer} | {part:.2} of the bar | ≤ {limit} {unit}"
        );
        self.0.push((cells, found <= limit));
    }

    pub(super) fn print(&self, rounds: usize) {
        println!(
            "{}, in the median of {rounds} rounds; times are of one item.\n\n\
             | work | ours | peer | ratio | bar | |\n|---|---|---|---|---|---|",
            machine()
        );
        for (cells, is_met) in &self.0 {
            println!("| {cells} | {} |", if *is_met { "met" } else { "missed" });
        }
    }

    pub(super) fn judge(&self) -> Outcome {
        let missed = self.0.iter().filter(|(_, is_met)| !is_met).count();
        ensure!(missed == 0, "{missed} bars are missed");
        Ok(())
    }
}

/// What this runs on.
pub(super) fn machine() -> String {
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
