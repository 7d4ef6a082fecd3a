//! Steps that run one after the other, each with its time.

use std::time::Instant;

use anyhow::{Context as _, Result};

/// Steps that have run, with their seconds.
#[derive(Debug, Default)]
pub struct Steps(Vec<(String, f64)>);

impl Steps {
    /// Runs a step, and says which one failed.
    pub fn run<T>(&mut self, name: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step();
        self.0.push((name.to_owned(), start.elapsed().as_secs_f64()));
        outcome
            .inspect_err(|_| self.print(&format!("failed: {name}")))
            .with_context(|| name.to_owned())
    }

    /// Prints how long each step took.
    pub fn finish(&self) {
        self.print("all steps passed");
    }

    fn print(&self, outcome: &str) {
        println!("\n=== {outcome}");
        for (name, seconds) in &self.0 {
            println!("{seconds:8.1} s  {name}");
        }
        println!("{:8.1} s  together", self.0.iter().map(|(_, seconds)| seconds).sum::<f64>());
    }
}
