//! Times and memory of the proxy, beside their bars.

use std::fmt::Write as _;
use std::thread;

use serde_json::Value;

/// What begins the section of the page.
pub(crate) const HEADING: &str = "## Time and memory";
/// Bytes of a result, and the most milliseconds of CPU that the proxy may add to a call of it.
const TIMES: [(&str, f64); 2] = [("1000", 0.2), ("40000", 4.0)];
/// When memory is looked at, in words, and the most MiB of its own.
const MEMORY: [(&str, &str, f64); 2] =
    [("before", "before the first result", 12.0), ("after", "after 100 results", 64.0)];

/// What a run measured.
#[derive(Debug)]
pub(crate) struct Measured(pub(crate) Value);

impl Measured {
    /// Milliseconds at the median: direct, through the proxy, and of CPU that the proxy adds.
    fn times(&self, size: &str) -> [f64; 3] {
        let times = &self.0["milliseconds"][size];
        ["direct", "through", "added"].map(|name| times[name].as_f64().unwrap_or(f64::MAX))
    }

    /// MiB of its own, and with what is in memory of the program's file.
    fn memory(&self, when: &str) -> [f64; 2] {
        let kilobytes = |at: usize| self.0["memory"][when][at].as_f64().unwrap_or(f64::MAX);
        [kilobytes(0) / 1024.0, kilobytes(1) / 1024.0]
    }

    /// What of memory is above its bar. Times are printed beside theirs, and decide nothing: they
    /// are the machine's.
    pub(crate) fn missed(&self) -> Vec<String> {
        for (size, most) in TIMES {
            let [direct, through, added] = self.times(size);
            let holds = if added > most { "more than" } else { "at most" };
            println!(
                "a call of {size} bytes at the median: {direct:.2} ms direct, {through:.2} ms through; added CPU {added:.2} ms, {holds} {most} ms"
            );
        }
        let mut missed = Vec::new();
        for (when, name, most) in MEMORY {
            let [own, all] = self.memory(when);
            println!(
                "memory {name}: {own:.1} MiB, at most {most} MiB; {all:.1} MiB with the program's file"
            );
            if own > most {
                missed.push(format!("{own:.1} MiB {name}, expected at most {most} MiB"));
            }
        }
        missed
    }

    /// The section of the page.
    pub(crate) fn section(&self) -> String {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let mut text = format!(
            "{HEADING}\n\n\
             Measured by an optimized build over stdio, on the machine that wrote this page ({cores} cores). CPU is that of all threads of the proxy, at the\n\
             median of 100 calls after 40; the direct calls are made in the same run. [Decision 16](../decisions.md#decision-16) says which\n\
             bars are met.\n\n\
             | result | direct | through the proxy | added CPU | bar |\n\
             |---|--:|--:|--:|--:|\n"
        );
        for (size, most) in TIMES {
            let [direct, through, added] = self.times(size);
            let _ = writeln!(
                text,
                "| {size} bytes | {direct:.2} ms | {through:.2} ms | {added:.2} ms | {most} ms |"
            );
        }
        text.push_str(
            "\nMemory of its own (`RssAnon`) is held against a bar. All memory (`VmRSS`) has the pages of the program's file, too, most of which are its\n\
             vocabularies; the system can drop these at any time.\n\n\
             | memory | of its own | bar | all |\n\
             |---|--:|--:|--:|\n",
        );
        for (when, name, most) in MEMORY {
            let [own, all] = self.memory(when);
            let _ = writeln!(text, "| {name} | {own:.1} MiB | {most} MiB | {all:.1} MiB |");
        }
        text
    }
}
