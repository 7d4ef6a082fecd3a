//! `cargo xtask release`: whether what is published is fit to be.

use std::fs;

use anyhow::{Result, ensure};
use clap::Args;
use xshell::cmd;
use xtask::tools::{Outcome, git, measure, shell};

use crate::packages::{Package, package, published};

#[derive(Args)]
pub(crate) struct Options {
    /// The tag that is released, `<package>-v<version>`: only this package is held against it.
    #[arg(long)]
    tag: Option<String>,
    /// Record the texts of GOON as those of this release, and nothing else.
    #[arg(long)]
    record: bool,
}

/// The largest file of a package.
const LARGEST: u64 = 200_000;

pub(crate) fn run(options: &Options) -> Outcome {
    if options.record {
        return measure(&["conformance", "--goon-versions", "record"]);
    }
    fit(options.tag.as_deref())?;
    package()
}

/// All but the packages themselves, which CI makes in a step of its own.
pub(crate) fn fit(tag: Option<&str>) -> Outcome {
    let mut problems = Vec::new();
    let published = published()?;
    for (workspace, package) in &published {
        println!("{} {}", package.name, package.version);
        let found = check(workspace, package, tag)?;
        problems.extend(found.into_iter().map(|found| format!("{}: {found}", package.name)));
    }
    if let Some(tag) = tag
        && !published.iter().any(|(_, package)| tag.starts_with(&format!("{}-v", package.name)))
    {
        problems.push(format!("the tag {tag} is of no package, expected <package>-v<version>"));
    }
    ensure!(problems.is_empty(), "not fit to be released:\n{}", problems.join("\n"));
    measure(&["conformance", "--goon-versions"])
}

/// What is wrong with a package.
fn check(workspace: &str, package: &Package, tag: Option<&str>) -> Result<Vec<String>> {
    let sh = shell()?;
    let (folder, name, version) = (package.folder(), &package.name, &package.version);
    let manifest = sh.read_file(folder.join("Cargo.toml"))?;
    let readme = sh.read_file(folder.join("README.md"))?;
    let is_library = folder.join("src/lib.rs").exists();
    let has_features = package.features.as_object().is_some_and(|features| !features.is_empty());
    let mut problems = Vec::new();
    for (is_wrong, problem) in [
        (package.description.is_none(), "Cargo.toml has no description"),
        (package.keywords.is_empty(), "Cargo.toml has no keywords"),
        (
            !manifest.contains("rust-version.workspace"),
            "Cargo.toml has no `rust-version.workspace`",
        ),
        (!manifest.contains("license.workspace"), "Cargo.toml has no `license.workspace`"),
        (
            is_library && has_features && package.metadata["docs"]["rs"].is_null(),
            "Cargo.toml does not say which features docs.rs shows",
        ),
        (is_library && !readme.contains("```rust"), "README.md has no example"),
    ] {
        problems.extend(is_wrong.then(|| problem.to_owned()));
    }
    let prefix = format!("{name}-v");
    if let Some(of_tag) = tag.and_then(|tag| tag.strip_prefix(&prefix))
        && of_tag != version
    {
        problems.push(format!("the tag is of {of_tag}, and Cargo.toml says {version}"));
    }
    let last = git(&["describe", "--tags", "--abbrev=0", "--match", &format!("{prefix}*")]);
    if let Some(last) = last
        && tag.is_none()
        && last == format!("{prefix}{version}")
        && git(&["diff", "--name-only", &last, "--", &folder.to_string_lossy()])
            .is_none_or(|names| !names.is_empty())
    {
        problems.push(format!("it has changed since {last}, and is still {version}"));
    }
    sh.change_dir(workspace);
    let listing = ["--list", "--allow-dirty", "--locked", "--package", name];
    let files = cmd!(sh, "cargo package {listing...}").quiet().read()?;
    for wanted in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
        if !files.lines().any(|file| file == wanted) {
            problems.push(format!("its package has no {wanted}"));
        }
    }
    for file in files.lines() {
        let size = fs::metadata(folder.join(file)).map_or(0, |metadata| metadata.len());
        if size > LARGEST {
            problems.push(format!("{file} has {size} bytes, expected at most {LARGEST}"));
        }
    }
    Ok(problems)
}
