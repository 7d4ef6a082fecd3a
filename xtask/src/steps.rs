//! Steps that run one after the other, each with its time.

use std::time::Instant;

use crate::tools::Outcome;

/// Steps that have run, with their seconds.
#[derive(Default)]
pub(crate) struct Steps(Vec<(String, f64)>);

impl Steps {
    /// Runs a step, and says which one failed.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Outcome) -> Outcome {
        println!("\n=== {name}");
        let start = Instant::now();
        step().map_err(|problem| format!("{name}: {problem}"))?;
        self.0.push((name.to_owned(), start.elapsed().as_secs_f64()));
        Ok(())
    }

    /// Prints how long each step took.
    pub(crate) fn summary(&self) {
        println!("\n=== all steps passed");
        for (name, seconds) in &self.0 {
            println!("{seconds:8.1} s  {name}");
        }
    }
}
