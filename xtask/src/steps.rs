//! Steps that run one after the other, each with its time.

use std::time::Instant;

/// Steps that have run, with their seconds.
#[derive(Debug, Default)]
pub struct Steps(Vec<(String, f64)>);

impl Steps {
    /// Runs a step, and says which one failed.
    pub fn run<T>(
        &mut self,
        name: &str,
        step: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step();
        self.0.push((name.to_owned(), start.elapsed().as_secs_f64()));
        outcome.map_err(|problem| {
            self.print(&format!("failed: {name}"));
            format!("{name}: {problem}")
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_is_named_and_timed() {
        let mut steps = Steps::default();
        assert_eq!(steps.run("one", || Ok(())), Ok(()));
        let failed: Result<(), _> = steps.run("two", || Err("it broke".to_owned()));
        assert_eq!(failed, Err("two: it broke".to_owned()));
        let names: Vec<_> = steps.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
    }
}
