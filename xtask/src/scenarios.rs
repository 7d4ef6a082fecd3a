//! `cargo xtask scenarios`: what newcomers do, each in a copy of the repository as a clone would
//! be.
//!
//! A scenario is a script in `scenarios/`. It finds itself in the copy, with `SCRATCH` as an empty
//! folder outside of it and `XTASK` as this program, and fails where anything that the
//! documentation says does not work.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::tools::{Outcome, git, root, run_in};

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
        let gone = if scratch.exists() { fs::remove_dir_all(&scratch) } else { Ok(()) };
        gone.and_then(|()| fs::create_dir_all(&scratch))
            .map_err(|error| format!("{}: {error}", scratch.display()))?;
        make_copy(&root, &copy)?;
        let script = copy.join("scenarios").join(format!("{name}.sh"));
        let [script, scratch, built] = [&script, &scratch, &base.join("target")]
            .map(|path| path.to_string_lossy().into_owned());
        // The copies are built into one folder, so that what two scenarios have in common is built
        // once.
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

/// Makes a folder what a clone would be, with what is not committed yet. A file that is right
/// already stays as it is, so that its time tells cargo that what was built of it is, too.
fn make_copy(root: &Path, copy: &Path) -> Outcome {
    let listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let names = git(root, &listed).ok_or("`git ls-files` failed")?;
    // What was removed, and not committed, is listed.
    let names: BTreeSet<PathBuf> = names
        .split_terminator('\0')
        .map(PathBuf::from)
        .filter(|name| root.join(name).is_file())
        .collect();
    remove_others(copy, copy, &names).map_err(|error| format!("{}: {error}", copy.display()))?;
    for name in &names {
        let (from, to) = (root.join(name), copy.join(name));
        update(&from, &to).map_err(|error| format!("{}: {error}", name.display()))?;
    }
    Ok(())
}

/// Removes what an earlier scenario has left in a folder of the copy, but for files of these names.
fn remove_others(copy: &Path, folder: &Path, names: &BTreeSet<PathBuf>) -> io::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            remove_others(copy, &path, names)?;
            // One that still has files stays.
            let _ = fs::remove_dir(&path);
        } else if path.strip_prefix(copy).is_ok_and(|name| !names.contains(name)) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn update(from: &Path, to: &Path) -> io::Result<()> {
    let is_same = fs::read(to).is_ok_and(|there| fs::read(from).is_ok_and(|here| here == there));
    if is_same {
        return Ok(());
    }
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::copy(from, to).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_what_a_clone_would_be_whatever_was_there() {
        let copy = std::env::temp_dir().join(format!("wire-copy-{}", std::process::id()));
        let read = |name: &str| fs::read_to_string(copy.join(name)).unwrap();
        make_copy(&root(), &copy).unwrap();
        let time = fs::metadata(copy.join("Cargo.toml")).unwrap().modified().unwrap();
        assert!(copy.join("xtask/src/main.rs").is_file() && !copy.join("target").exists());

        // As a scenario leaves it.
        fs::write(copy.join("README.md"), "patched").unwrap();
        fs::remove_file(copy.join("deny.toml")).unwrap();
        fs::create_dir_all(copy.join("crates/gcq/src")).unwrap();
        fs::write(copy.join("crates/gcq/src/lib.rs"), "").unwrap();
        make_copy(&root(), &copy).unwrap();
        assert_eq!(read("README.md"), fs::read_to_string(root().join("README.md")).unwrap());
        assert!(copy.join("deny.toml").is_file() && !copy.join("crates/gcq").exists());
        assert_eq!(fs::metadata(copy.join("Cargo.toml")).unwrap().modified().unwrap(), time);
        fs::remove_dir_all(copy).unwrap();
    }
}
