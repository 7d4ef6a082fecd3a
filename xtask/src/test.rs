//! `cargo xtask test`: the tests of the workspace, and the corpus.

use crate::conformance;
use crate::steps::{Options, Steps};
use crate::tools::{Outcome, root, run_in};

pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::new("test");
    // The format's description wants these before anything else.
    steps.run("the goldens of GCX1's workspace shapes", || {
        conformance::run(&conformance::Options::filtered("gcx/responses/envelopes.json"))
    })?;
    steps.run("tests of the workspace", || {
        run_in(&root(), "cargo", &["test", "--workspace", "--all-features", "--locked"], &[])
    })?;
    steps.run("conformance", || conformance::run(&conformance::Options::with_coverage()))?;
    steps.finish(options)
}
