//! What was measured, held against the bars.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use wire_tokens::measure::median;

use super::bars::{self, Bar};
use super::measure::Medians;
use xtask::numbers::thousands;
use xtask::tools::Outcome;

/// A row as it was measured.
pub(super) struct Line {
    pub(super) work: String,
    pub(super) ours: String,
    pub(super) peer: String,
    /// Our time as a multiple of the peer's, or of the bar.
    pub(super) ratio: f64,
    pub(super) words: String,
    pub(super) bar: Bar,
    pub(super) bar_words: String,
}

impl Line {
    pub(super) fn is_met(&self) -> bool {
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

/// All rows.
#[derive(Default)]
pub(super) struct Report {
    pub(super) lines: Vec<Line>,
}

impl Report {
    pub(super) fn row(&mut self, row: &bars::Row, rounds: &[Medians]) -> Outcome {
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
        let ratio = median(ratios);
        #[allow(clippy::cast_precision_loss)] // a number of items is small
        let each = |times| format!("{:.0} ns", median(times) / row.items as f64);
        self.lines.push(Line {
            work: format!("{}, {} items", row.work, thousands(row.items)),
            ours: each(ours),
            peer: format!("`{}` {}", row.peer, each(theirs)),
            ratio,
            words: row.bar.words(ratio),
            bar: row.bar,
            bar_words: row.bar.to_string(),
        });
        Ok(())
    }

    /// A row whose bar is an amount: what was found and the limit are in the same unit, of which the
    /// unit that is shown is so many.
    pub(super) fn single(
        &mut self,
        work: &str,
        peer: &str,
        (found, limit): (f64, f64),
        (unit, in_unit): (&str, f64),
    ) {
        self.lines.push(Line {
            work: work.to_owned(),
            ours: format!("{:.1} {unit}", found / in_unit),
            peer: peer.to_owned(),
            ratio: found / limit,
            words: format!("{:.2} of the bar", found / limit),
            bar: Bar::Time(1.0),
            bar_words: format!("≤ {} {unit}", limit / in_unit),
        });
    }

    pub(super) fn markdown(&self, rounds: usize) -> String {
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
