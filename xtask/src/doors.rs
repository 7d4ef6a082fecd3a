//! What `crates/wire-proxy/tests/clients/doors.py` checks: every door takes the same form of the same value.

use xtask::folders::emptied;
use xtask::tools::{Outcome, programs, root, run_in, target};

/// How many values are made.
const VALUES: &str = "400";

/// Runs the script with the packages that were built and installed before.
pub(crate) fn run() -> Outcome {
    let folder = target().join("doors");
    emptied(&folder)?;
    let python = root().join("target/python/test/bin/python");
    let [python, script, folder, programs, package] = [
        python,
        root().join("crates/wire-proxy/tests/clients/doors.py"),
        folder,
        programs()?,
        root().join("target/js/test"),
    ]
    .map(|path| path.to_string_lossy().into_owned());
    run_in(&root(), &python, &[&script, &folder, &programs, &package, VALUES], &[])
}
