//! The README: its commands and its Python; and the guides, which are followed.

use anyhow::{Context as _, ensure};
use xshell::cmd;
use xtask::tools::{Outcome, git, is_installed, path_with, programs, root, shell, target};

use crate::follow::{blocks, can_be_followed, follow};

/// How the README installs a program. Here it is built as `./try` builds it.
const INSTALL: &str = "cargo install --locked --path crates/wire-";
/// Where the README puts the Python package.
const PYTHON: &str = "target/venv/bin/python";
/// The lines that the README may have: what doesn't fit is said on a page of the documentation.
const MOST_LINES: usize = 250;

/// Fails where the README is too long, or installs other dependencies than those that are tested.
fn judged(text: &str) -> Outcome {
    let lines = text.lines().count();
    ensure!(
        lines <= MOST_LINES,
        "README.md has {lines} lines, expected at most {MOST_LINES}; move some to a page of the documentation"
    );
    for line in text.lines().filter(|line| line.starts_with("cargo install")) {
        ensure!(line.starts_with(INSTALL), "README.md: `{line}`, expected `{INSTALL}…`");
    }
    Ok(())
}

/// Runs the lines of the README's `sh` blocks but for those that get the repository or would run
/// this again; then the `python` blocks, with the package that those lines have installed.
pub(crate) fn commands() -> Outcome {
    let sh = shell()?;
    let text = sh.read_file("README.md")?;
    judged(&text)?;
    sh.set_var("PATH", path_with(&programs()?)?);
    let has_npx = is_installed("npx");
    let mut ran = 0;
    for line in
        blocks(&text).iter().filter(|(info, _)| *info == "sh").flat_map(|(_, text)| text.lines())
    {
        let elsewhere =
            ["git clone", "cd ", "cargo xtask", "cargo add", "./test", "./try", INSTALL];
        if line.is_empty() || elsewhere.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        if line.contains("npx ") && !has_npx {
            println!("skipped: npx is not installed: {line}");
            continue;
        }
        let mut command = cmd!(sh, "sh -c {line}");
        if line.contains("/pip ") {
            // Built where `cargo xtask python` builds it, and as fast.
            command = command
                .env("CARGO_TARGET_DIR", root().join("target/python/target"))
                .env("MATURIN_PEP517_ARGS", "--profile test-wheel");
        }
        command.run()?;
        ran += 1;
    }
    for (_, code) in blocks(&text).iter().filter(|(info, _)| *info == "python") {
        cmd!(sh, "{PYTHON} -c {code}").run()?;
        ran += 1;
    }
    ensure!(ran > 0, "README.md has no command to run");
    Ok(())
}

/// Follows every page of `docs/` that says what its commands print, in a folder that has the
/// fixtures and the documentation, as a reader's would.
pub(crate) fn guides() -> Outcome {
    let sh = shell()?;
    sh.set_var("PATH", path_with(&programs()?)?);
    sh.set_var("WIRE", root());
    sh.set_var("CARGO_TARGET_DIR", target().join("guides"));
    let pages = git(&["ls-files", "docs/*.md"]).context("`git ls-files` failed")?;
    let mut followed = 0;
    for page in pages.lines().map(|page| root().join(page)) {
        let is_followed = sh.read_file(&page).is_ok_and(|text| can_be_followed(&text));
        if !is_followed {
            continue;
        }
        println!("--- {}", page.display());
        // Cargo would take a new package inside of the repository for a part of it.
        let scratch = sh.create_temp_dir()?;
        let folder = scratch.path();
        cmd!(sh, "cp -r fixtures docs {folder}").run()?;
        follow(&sh, &page, folder)?;
        followed += 1;
    }
    ensure!(followed > 0, "docs/ has no page to follow");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_is_short_and_installs_what_is_tested() {
        judged(&xtask::tools::read(&root().join("README.md")).unwrap()).unwrap();
        let problem = judged(&"\n".repeat(MOST_LINES + 1)).unwrap_err().to_string();
        assert!(problem.contains("251 lines"), "{problem}");
        let problem = judged("cargo install --path crates/wire-cli\n").unwrap_err().to_string();
        assert!(problem.contains("--locked"), "{problem}");
    }
}
