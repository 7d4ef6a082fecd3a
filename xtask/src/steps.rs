//! Steps that run one after the other, each with its time.

use std::fmt::Write as _;
use std::time::Instant;

use clap::Args;

use crate::tools::{Outcome, write_between};

#[derive(Args)]
pub(crate) struct Options {
    /// Write how long each step took into CONTRIBUTING.md.
    #[arg(long)]
    write_times: bool,
    /// Begin with the step of this name: those before it have passed.
    #[arg(long, value_name = "STEP", conflicts_with = "write_times")]
    from: Option<String>,
}

/// Where the times are kept.
const DOCUMENT: &str = "CONTRIBUTING.md";

/// Steps that have run, with their seconds.
pub(crate) struct Steps {
    command: &'static str,
    times: Vec<(String, f64)>,
    /// The step to begin with, until it has come.
    from: Option<String>,
}

impl Steps {
    /// The steps of this command.
    pub(crate) fn new(command: &'static str) -> Self {
        Steps { command, times: Vec::new(), from: None }
    }

    /// The same, from the step on that the options name.
    pub(crate) fn with_options(command: &'static str, options: &Options) -> Self {
        Steps { from: options.from.clone(), ..Steps::new(command) }
    }

    /// Runs a step, and says which one failed.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Outcome) -> Outcome {
        if self.from.as_ref().is_some_and(|from| from != name) {
            return Ok(());
        }
        self.from = None;
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
        if let Some(from) = &self.from {
            return Err(format!("there is no step {from:?}"));
        }
        self.summary();
        if !options.write_times {
            return Ok(());
        }
        let [begin, end] = self.marks();
        write_between(DOCUMENT, &begin, &end, &self.table())
    }

    fn plain(&self) -> String {
        let mut text = String::new();
        for (name, seconds) in &self.times {
            let _ = writeln!(text, "{seconds:8.1} s  {name}");
        }
        let _ = write!(text, "{:8.1} s  together", self.total());
        text
    }

    /// The lines between which the page has these times.
    fn marks(&self) -> [String; 2] {
        [
            format!("<!-- written by `cargo xtask {} --write-times` -->\n", self.command),
            format!("<!-- end of the times of {} -->\n", self.command),
        ]
    }

    fn table(&self) -> String {
        let mut table =
            format!("| step of `cargo xtask {}` | seconds |\n|---|---|\n", self.command);
        for (name, seconds) in &self.times {
            let _ = writeln!(table, "| {name} | {seconds:.0} |");
        }
        let _ = writeln!(table, "| together | {:.0} |", self.total());
        table
    }

    fn total(&self) -> f64 {
        self.times.iter().map(|(_, seconds)| seconds).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tools::{between, root};

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
    fn steps_before_the_first_are_left_out() {
        let options = Options { write_times: false, from: Some("two".to_owned()) };
        let mut steps = Steps::with_options("test", &options);
        assert_eq!(steps.run("one", || Err("it broke".to_owned())), Ok(()));
        assert!(steps.finish(&options).is_err());
        assert_eq!(steps.run("two", || Ok(())), Ok(()));
        assert_eq!(steps.run("three", || Ok(())), Ok(()));
        let names: Vec<_> = steps.times.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["two", "three"]);
    }

    #[test]
    fn times_have_a_place_in_the_page() {
        for command in ["test", "ci"] {
            let steps = Steps {
                times: vec![("one".to_owned(), 1.26), ("two".to_owned(), 60.0)],
                ..Steps::new(command)
            };
            let page = fs::read_to_string(root().join(DOCUMENT)).unwrap();
            let [begin, end] = steps.marks();
            let page = between(&page, &begin, &end, &steps.table()).unwrap();
            let table = format!(
                "| step of `cargo xtask {command}` | seconds |\n|---|---|\n| one | 1 |\n| two | 60 |\n| together | 61 |\n"
            );
            assert!(page.contains(&table), "{page}");
            assert_eq!(between(&page, &begin, &end, &steps.table()), Ok(page));
            assert!(between("# A page\n", &begin, &end, "").is_err());
        }
    }
}
