//! `cargo xtask differential`: the same bytes as other people's implementations on random input,
//! and each reads what both write.
//!
//! The crates of `benches/` always run. The packages in other languages are installed into the
//! target folder; where that can't be done, they are skipped by name.

use clap::Args;

use xtask::tools::{Outcome, install, root, run_in};

#[derive(Args)]
pub(crate) struct Options {
    /// How many documents are compared; of payloads and deltas a tenth.
    #[arg(long, default_value_t = 20_000)]
    documents: u64,
}

impl Options {
    /// Few enough for a test.
    pub(crate) fn for_ci() -> Self {
        Options { documents: 10_000 }
    }
}

/// Packages in other languages. Later versions may write another specification.
const PYTHON: &str = "gcf-python==2.8.0";
const NODE: &str = "@blackwell-systems/gcf@2.5.2";

pub(crate) fn run(options: &Options) -> Outcome {
    let benches = root().join("benches");
    let documents = options.documents.to_string();
    let environment = [("DOCUMENTS", documents.as_str())];
    for (folder, tests) in [
        (benches.clone(), &["differential", "generic"][..]),
        (benches.join("gcf-3.0"), &["generic"][..]),
    ] {
        let mut arguments = vec!["test", "--locked"];
        for test in tests {
            arguments.extend(["--test", test]);
        }
        run_in(&folder, "cargo", &arguments, &environment)?;
    }
    let folder = root().join("target/peers/differential");
    for (language, package) in [("python", PYTHON), ("node", NODE)] {
        let folder = folder.join(language);
        let (python, node): (&[&str], &[&str]) =
            if language == "python" { (&[package], &[]) } else { (&[], &[package]) };
        if let Err(why) = install(&folder, python, node) {
            println!("skipped: {package}: {why}");
            continue;
        }
        println!("{package}");
        let folder = folder.join(language).to_string_lossy().into_owned();
        let run = ["run", "--locked", "--quiet", "--example", "others", "--"];
        run_in(&benches, "cargo", &[&run[..], &[language, &folder, &documents]].concat(), &[])?;
    }
    Ok(())
}
