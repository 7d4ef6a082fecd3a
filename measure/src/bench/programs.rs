//! The programs of `benches/`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use xshell::{Shell, cmd};

/// The folder that the benches are built into.
pub(super) fn target_folder(sh: &Shell) -> Result<PathBuf> {
    let metadata = cmd!(sh, "cargo metadata --format-version 1 --no-deps --locked").quiet();
    let metadata: serde_json::Value = serde_json::from_str(&metadata.read()?)?;
    Ok(metadata["target_directory"].as_str().context("cargo names no target folder")?.into())
}

/// Builds an example of the benches.
pub(super) fn example(sh: &Shell, name: &str) -> Result<PathBuf> {
    cmd!(sh, "cargo build --release --quiet --locked --example {name}").quiet().run()?;
    Ok(target_folder(sh)?.join("release/examples").join(name))
}

/// The numbers that a program prints.
pub(super) fn numbers(sh: &Shell, program: &Path, arguments: &[&str]) -> Result<Vec<f64>> {
    let text = cmd!(sh, "{program} {arguments...}").quiet().read()?;
    text.split_whitespace().map(|word| word.parse().with_context(|| text.clone())).collect()
}
