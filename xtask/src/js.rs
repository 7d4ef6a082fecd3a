//! `cargo xtask js`: builds the JavaScript package, and tests it as it is installed. The scripts are
//! in `crates/wire-js/scripts`, since they need Node only.

use std::path::PathBuf;

use clap::Args;

use xtask::tools::{Outcome, root, run_in};

#[derive(Args)]
pub(crate) struct Options {
    /// Measure the speed beside other packages in place of the tests, write it into the
    /// documentation, and fail where a bar is missed.
    #[arg(long)]
    bench: bool,

    /// Build the package alone, and print how it is installed.
    #[arg(long, conflicts_with = "bench")]
    build: bool,
}

impl Options {
    /// All tests, on any machine that has Node.
    pub(crate) fn for_ci() -> Self {
        Options { bench: false, build: false }
    }
}

pub(crate) fn run(options: &Options) -> Outcome {
    let arguments: &[&str] = match (options.build, options.bench) {
        (true, _) => &["crates/wire-js/scripts/build.mjs"],
        (_, true) => &["crates/wire-js/scripts/check.mjs", "--bench"],
        _ => &["crates/wire-js/scripts/check.mjs"],
    };
    run_in(&root(), "node", arguments, &[])
}

/// Builds the package, where cargo finds what is built already.
pub(crate) fn build() -> Outcome {
    run(&Options { bench: false, build: true })
}

/// The folder of the package that [`build`] makes.
pub(crate) fn package() -> PathBuf {
    root().join("target/js/package")
}
