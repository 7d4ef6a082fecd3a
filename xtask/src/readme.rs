//! The README: its commands and its Python; and the guides, which are followed.

use std::fs;
use std::process::Command;

use crate::follow::{blocks, can_be_followed, follow};
use xtask::tools::{Outcome, git, path_with, programs, read, root, run_in, target, works};

/// How the README installs a program. Here it is built as `./try` builds it.
const INSTALL: &str = "cargo install --locked --path crates/wire-";
/// Where the README puts the Python package.
const PYTHON: &str = "target/venv/bin/python";
/// The lines that the README may have: what doesn't fit is said on a page of the documentation.
const MOST_LINES: usize = 250;

/// Fails where the README is too long, or installs other dependencies than those that are tested.
fn judged(text: &str) -> Outcome {
    let lines = text.lines().count();
    if lines > MOST_LINES {
        return Err(format!(
            "README.md has {lines} lines, expected at most {MOST_LINES}; move some to a page of the documentation"
        ));
    }
    let unlocked = |line: &&str| line.starts_with("cargo install") && !line.starts_with(INSTALL);
    match text.lines().find(unlocked) {
        Some(line) => Err(format!("README.md: `{line}`, expected `{INSTALL}…`")),
        None => Ok(()),
    }
}

/// Runs the lines of the README's `sh` blocks but for those that get the repository or would run
/// this again; then the `python` blocks, with the package that those lines have installed.
pub(crate) fn commands() -> Outcome {
    let text = read(&root().join("README.md"))?;
    judged(&text)?;
    let path = path_with(&programs()?)?;
    let python = root().join("target/python/target").to_string_lossy().into_owned();
    let has_npx = works(Command::new("npx").arg("--version"));
    let mut ran = 0;
    for line in
        blocks(&text).iter().filter(|(info, _)| *info == "sh").flat_map(|(_, text)| text.lines())
    {
        let elsewhere =
            ["git clone", "cd ", "cargo xtask", "cargo add", "./test", "./try", INSTALL];
        if line.is_empty() || elsewhere.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        println!("$ {line}");
        if line.contains("npx ") && !has_npx {
            println!("skipped: npx is not installed");
            continue;
        }
        let mut environment = vec![("PATH", &*path)];
        if line.contains("/pip ") {
            // Built where `cargo xtask python` builds it, and as fast.
            environment.extend([
                ("CARGO_TARGET_DIR", &*python),
                ("MATURIN_PEP517_ARGS", "--profile test-wheel"),
            ]);
        }
        run_in(&root(), "sh", &["-c", line], &environment)?;
        ran += 1;
    }
    for (_, code) in blocks(&text).iter().filter(|(info, _)| *info == "python") {
        run_in(&root(), PYTHON, &["-c", code], &[])?;
        ran += 1;
    }
    if ran == 0 { Err("README.md has no command to run".to_owned()) } else { Ok(()) }
}

/// Follows every page of `docs/` that says what its commands print, in a folder that has the
/// fixtures and the documentation, as a reader's would.
pub(crate) fn guides() -> Outcome {
    let root = root();
    // Cargo would take a new package inside of the repository for a part of it.
    let scratch = std::env::temp_dir().join(format!("wire-guides-{}", std::process::id()));
    let path = path_with(&programs()?)?;
    let (wire, built) = (root.to_string_lossy(), target().join("guides"));
    let built = built.to_string_lossy();
    let environment = [("WIRE", &*wire), ("PATH", &*path), ("CARGO_TARGET_DIR", &*built)];
    let pages = git(&root, &["ls-files", "docs/*.md"]).ok_or("`git ls-files` failed")?;
    let mut followed = 0;
    for page in pages.lines().map(|page| root.join(page)) {
        let is_followed = read(&page).is_ok_and(|text| can_be_followed(&text));
        if !is_followed {
            continue;
        }
        println!("--- {}", page.display());
        let gone = if scratch.exists() { fs::remove_dir_all(&scratch) } else { Ok(()) };
        gone.and_then(|()| fs::create_dir_all(&scratch))
            .map_err(|error| format!("{}: {error}", scratch.display()))?;
        let folder = scratch.to_string_lossy();
        run_in(&root, "cp", &["-r", "fixtures", "docs", &folder], &[])?;
        follow(&page, &scratch, &environment)?;
        followed += 1;
    }
    let _ = fs::remove_dir_all(&scratch);
    if followed == 0 { Err("docs/ has no page to follow".to_owned()) } else { Ok(()) }
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
