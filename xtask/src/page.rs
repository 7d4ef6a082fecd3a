//! `cargo xtask page`: builds the site with the playground, and tests it in a browser. The scripts
//! are in `playground/scripts`, since they need Node only.

use xtask::tools::{Outcome, root, run_in};

pub(crate) fn run() -> Outcome {
    run_in(&root(), "node", &["playground/scripts/check.mjs"], &[])
}
