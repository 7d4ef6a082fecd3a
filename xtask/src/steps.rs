//! Steps that run one after the other, each with its time.

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use clap::Args;

use crate::tools::{Outcome, root};

#[derive(Args)]
pub(crate) struct Options {
    /// Write how long each step took into CONTRIBUTING.md.
    #[arg(long)]
    write_times: bool,
}

/// Where the times are kept.
const DOCUMENT: &str = "CONTRIBUTING.md";

/// Steps that have run, with their seconds.
pub(crate) struct Steps {
    command: &'static str,
    times: Vec<(String, f64)>,
}

impl Steps {
    /// The steps of this command.
    pub(crate) fn new(command: &'static str) -> Self {
        Steps { command, times: Vec::new() }
    }

    /// Runs a step, and says which one failed.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Outcome) -> Outcome {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step();
        self.times.push((name.to_owned(), start.elapsed().as_secs_f64()));
        outcome.map_err(|problem| {
            println!("\n=== failed: {name}\n{}", self.plain());
            format!("{name}: {problem}")
        })
    }

    /// Prints how long each step took.
    pub(crate) fn summary(&self) {
        println!("\n=== all steps passed\n{}", self.plain());
    }

    /// Prints how long each step took, and writes it down if that is asked for.
    pub(crate) fn finish(&self, options: &Options) -> Outcome {
        self.summary();
        if !options.write_times {
            return Ok(());
        }
        let path = root().join(DOCUMENT);
        let failed = |error: std::io::Error| format!("{DOCUMENT}: {error}");
        let page = fs::read_to_string(&path).map_err(failed)?;
        fs::write(&path, self.in_page(&page)?).map_err(failed)
    }

    fn plain(&self) -> String {
        let mut text = String::new();
        for (name, seconds) in &self.times {
            let _ = writeln!(text, "{seconds:8.1} s  {name}");
        }
        let _ = write!(text, "{:8.1} s  together", self.total());
        text
    }

    /// The page with these times in the place that it has for them.
    fn in_page(&self, page: &str) -> Result<String, String> {
        let begin = format!("<!-- written by `cargo xtask {} --write-times` -->\n", self.command);
        let end = format!("<!-- end of the times of {} -->\n", self.command);
        let parts = page.split_once(&begin).and_then(|(before, rest)| {
            let (_, after) = rest.split_once(&end)?;
            Some((before, after))
        });
        let (before, after) =
            parts.ok_or_else(|| format!("{DOCUMENT}: expected {begin}and {end}"))?;
        let mut table =
            format!("| step of `cargo xtask {}` | seconds |\n|---|---|\n", self.command);
        for (name, seconds) in &self.times {
            let _ = writeln!(table, "| {name} | {seconds:.0} |");
        }
        let _ = writeln!(table, "| together | {:.0} |", self.total());
        Ok(format!("{before}{begin}{table}{end}{after}"))
    }

    fn total(&self) -> f64 {
        self.times.iter().map(|(_, seconds)| seconds).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_is_named_and_timed() {
        let mut steps = Steps::new("test");
        assert_eq!(steps.run("one", || Ok(())), Ok(()));
        assert_eq!(
            steps.run("two", || Err("it broke".to_owned())),
            Err("two: it broke".to_owned())
        );
        let names: Vec<_> = steps.times.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
    }

    #[test]
    fn times_have_a_place_in_the_page() {
        for command in ["test", "ci"] {
            let steps =
                Steps { command, times: vec![("one".to_owned(), 1.26), ("two".to_owned(), 60.0)] };
            let page = fs::read_to_string(root().join(DOCUMENT)).unwrap();
            let page = steps.in_page(&page).unwrap();
            let table = format!(
                "| step of `cargo xtask {command}` | seconds |\n|---|---|\n| one | 1 |\n| two | 60 |\n| together | 61 |\n"
            );
            assert!(page.contains(&table), "{page}");
            assert_eq!(steps.in_page(&page), Ok(page));
        }
        assert!(Steps::new("test").in_page("# A page\n").is_err());
    }
}
