//! `cargo xtask differential`: the same bytes as other people's implementations on random input,
//! and each reads what both write.
//!
//! The crates of `benches/` always run. The packages in other languages are installed into the
//! target folder; where that can't be done, they are skipped by name.

use xshell::cmd;
use xtask::tools::{Outcome, install, root, shell};

/// How many documents are compared; of payloads and deltas a tenth.
const DOCUMENTS: &str = "10000";
/// Packages in other languages. Later versions may write another specification.
pub(crate) const PYTHON: &str = "gcf-python==2.8.0";
const NODE: &str = "@blackwell-systems/gcf@2.5.2";

pub(crate) fn run() -> Outcome {
    let sh = shell()?;
    sh.change_dir("benches");
    sh.set_var("DOCUMENTS", DOCUMENTS);
    cmd!(sh, "cargo test --locked --test differential --test generic").run()?;
    // A program of its own, with an older version of the same crate.
    let older = "gcf-3.0/Cargo.toml";
    cmd!(sh, "cargo test --locked --manifest-path {older} --test generic").run()?;
    for (language, package, [python, node]) in
        [("python", PYTHON, [&[PYTHON][..], &[]]), ("node", NODE, [&[], &[NODE][..]])]
    {
        let folder = root().join("target/peers/differential").join(language);
        if let Err(why) = install(&folder, python, node) {
            println!("skipped: {package}: {why}");
            continue;
        }
        println!("{package}");
        let folder = folder.join(language);
        let others = ["--locked", "--quiet", "--example", "others", "--", language];
        cmd!(sh, "cargo run {others...} {folder} {DOCUMENTS}").run()?;
    }
    Ok(())
}
