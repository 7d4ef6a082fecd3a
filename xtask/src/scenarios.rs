//! `cargo xtask scenarios`: what newcomers do, each in a fresh copy of the repository.
//!
//! A scenario is a script in `scenarios/`. It finds itself in the copy, with `SCRATCH` as an empty folder outside of it and `XTASK` as this program, and fails where
//! anything that the documentation says does not work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::tools::{Outcome, root, run_in};

#[derive(Args)]
pub(crate) struct Options {
    /// Only the scenario of this name.
    name: Option<String>,
}

impl Options {
    /// As CI does.
    pub(crate) fn all() -> Self {
        Options { name: None }
    }
}

pub(crate) fn run(options: &Options) -> Outcome {
    let root = root();
    let base = root.join("target/scenarios");
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let this = this.to_string_lossy();
    for script in scripts(&root)? {
        let name = script.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        if options.name.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        println!("\n--- {name}");
        // Cargo would take a new package inside of the repository for a part of it.
        let scratch = std::env::temp_dir().join("wire-scenarios");
        let copy = base.join("copy");
        for folder in [&copy, &scratch] {
            let gone = if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) };
            gone.and_then(|()| fs::create_dir_all(folder))
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        copy_of(&root, &copy)?;
        let script = copy.join("scenarios").join(format!("{name}.sh"));
        let [script, scratch, built] = [&script, &scratch, &base.join("target")]
            .map(|path| path.to_string_lossy().into_owned());
        // The copies are built into one folder, so that dependencies are built once.
        let environment =
            [("SCRATCH", &*scratch), ("CARGO_TARGET_DIR", &*built), ("XTASK", &*this)];
        run_in(&copy, "sh", &["-eu", &script], &environment)?;
    }
    Ok(())
}

fn scripts(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = root.join("scenarios");
    let entries = fs::read_dir(&folder).map_err(|error| format!("scenarios: {error}"))?;
    let mut scripts: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "sh"))
        .collect();
    scripts.sort();
    Ok(scripts)
}

/// Copies what a clone would have, and what is not committed yet.
fn copy_of(root: &Path, copy: &Path) -> Outcome {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("`git ls-files` can't be run: {error}"))?;
    if !output.status.success() {
        return Err("`git ls-files` failed".to_owned());
    }
    for name in String::from_utf8_lossy(&output.stdout).split_terminator('\0') {
        let (from, to) = (root.join(name), copy.join(name));
        // What was removed, and not committed, is listed.
        if !from.is_file() {
            continue;
        }
        let folder = to.parent().unwrap_or(copy);
        fs::create_dir_all(folder)
            .and_then(|()| fs::copy(&from, &to))
            .map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}
