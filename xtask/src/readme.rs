//! `cargo xtask readme`: the README's commands and its Python, or the examples in Rust of all
//! READMEs; and its figures.

pub(crate) mod figures;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use crate::crate_readmes;
use crate::follow::blocks;
use crate::tools::{Outcome, root, run_in};

/// What commands have for speed alone: whether they work is found out with what other steps have
/// built already.
const SPEED: &str = " --release";
/// How the README installs a program, and how it is installed here.
const INSTALL: &str = "cargo install --locked --path";
/// Where the README puts the Python package.
const PYTHON: &str = "target/venv/bin/python";
/// The lines that the README may have: what doesn't fit is said on a page of the documentation.
const MOST_LINES: usize = 250;

#[derive(Args)]
pub(crate) struct Options {
    /// Check the examples of the libraries' READMEs instead, each with only the dependencies that
    /// the README says to add.
    #[arg(long)]
    crates: bool,
}

impl Options {
    /// The commands of README.md.
    pub(crate) fn commands() -> Self {
        Options { crates: false }
    }

    /// The examples of the libraries' READMEs.
    pub(crate) fn crates() -> Self {
        Options { crates: true }
    }
}

/// Runs the commands of the README's `sh` blocks, or checks the examples of the libraries' READMEs.
pub(crate) fn run(options: &Options) -> Outcome {
    if options.crates {
        return crate_readmes::run();
    }
    let text = fs::read_to_string(root().join("README.md"))
        .map_err(|error| format!("README.md: {error}"))?;
    judged(&text)?;
    commands(&text)
}

/// Fails where the README is too long, or installs other dependencies than those that are tested.
fn judged(text: &str) -> Outcome {
    let lines = text.lines().count();
    if lines > MOST_LINES {
        return Err(format!(
            "README.md has {lines} lines, expected at most {MOST_LINES}; move some to a page of the documentation"
        ));
    }
    let unlocked = |line: &&str| line.starts_with("cargo install") && !line.starts_with(INSTALL);
    if let Some(line) = text.lines().find(unlocked) {
        return Err(format!("README.md: `{line}`, expected `{INSTALL} …`"));
    }
    Ok(())
}

/// Runs the lines of the `sh` blocks but for those that get the repository or would run this again,
/// without optimization; then the `python` blocks, with the package that those lines have
/// installed.
fn commands(text: &str) -> Outcome {
    let folder = root().join("target/readme");
    let path = path_with(folder.join("bin"))?;
    let python = root().join("target/python/target").to_string_lossy().into_owned();
    let has_npx = Command::new("npx").arg("--version").stdout(Stdio::null()).status().is_ok();
    let mut ran = 0;
    for line in
        blocks(text).iter().filter(|(info, _)| *info == "sh").flat_map(|(_, text)| text.lines())
    {
        let elsewhere = ["git clone", "cd ", "cargo xtask", "cargo add"];
        if line.is_empty() || elsewhere.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        println!("$ {line}");
        if line.contains("npx ") && !has_npx {
            println!("skipped: npx is not installed");
            continue;
        }
        let install =
            format!("cargo install --quiet --debug --locked --root {} --path", folder.display());
        let line = line.replace(SPEED, "").replace(INSTALL, &install);
        let mut environment = vec![("PATH", &*path)];
        if line.contains("/pip ") {
            // Built where `cargo xtask python` builds it, and as fast.
            environment.extend([
                ("CARGO_TARGET_DIR", &*python),
                ("MATURIN_PEP517_ARGS", "--profile test-wheel"),
            ]);
        }
        run_in(&root(), "sh", &["-c", &line], &environment)?;
        ran += 1;
    }
    for (_, code) in blocks(text).iter().filter(|(info, _)| *info == "python") {
        run_in(&root(), PYTHON, &["-c", code], &[])?;
        ran += 1;
    }
    if ran == 0 {
        return Err("README.md has no command to run".to_owned());
    }
    Ok(())
}

/// The variable `PATH` with a folder in front.
fn path_with(folder: PathBuf) -> Result<String, String> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder).chain(env::split_paths(&paths));
    let joined = env::join_paths(paths).map_err(|error| error.to_string())?;
    Ok(joined.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_is_short_and_installs_what_is_tested() {
        let text = fs::read_to_string(root().join("README.md")).unwrap();
        assert_eq!(judged(&text), Ok(()));
        assert!(judged(&"\n".repeat(MOST_LINES + 1)).unwrap_err().contains("251 lines"));
        let problem = judged("cargo install --path crates/wire-cli\n").unwrap_err();
        assert!(problem.contains("--locked"), "{problem}");
    }
}
