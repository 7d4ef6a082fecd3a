//! `cargo xtask release`: whether what is published is fit to be.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Args;

use crate::packages::{PUBLISHED, folder, package};
use crate::tools::{Outcome, git, registry, root, run_in};
use crate::{book, goon_version};

#[derive(Args)]
pub(crate) struct Options {
    /// The tag that is released, `<package>-v<version>`: only this package is held against it.
    #[arg(long)]
    tag: Option<String>,
    /// Leave out what takes long: packaging, and the comparison of interfaces.
    #[arg(long)]
    quick: bool,
}

impl Options {
    /// As CI does, which packages by itself.
    pub(crate) fn for_ci() -> Self {
        Options { tag: None, quick: true }
    }
}

/// The largest file of a package.
const LARGEST: u64 = 200_000;

pub(crate) fn run(options: &Options) -> Outcome {
    let root = root();
    let mut problems = Vec::new();
    for name in PUBLISHED {
        match check(&root, name, options.tag.as_deref()) {
            Ok(version) => println!("{name} {version}"),
            Err(found) => {
                problems.extend(found.into_iter().map(|found| format!("{name}: {found}")));
            }
        }
    }
    if let Some(tag) = &options.tag
        && !PUBLISHED.iter().any(|name| tag.starts_with(&format!("{name}-v")))
    {
        problems.push(format!("the tag {tag} is of no package, expected <package>-v<version>"));
    }
    if !problems.is_empty() {
        return Err(format!("not fit to be released:\n{}", problems.join("\n")));
    }
    book::run(&book::Options::links())?;
    goon_version::run(&goon_version::Options::default())?;
    if options.quick {
        return Ok(());
    }
    package(&root)?;
    interfaces(&root, options.tag.as_deref())
}

/// Looks at a package, and returns its version.
fn check(root: &Path, name: &str, tag: Option<&str>) -> Result<String, Vec<String>> {
    let folder = root.join("crates").join(folder(name));
    let read = |file: &str| {
        fs::read_to_string(folder.join(file)).map_err(|error| vec![format!("{file}: {error}")])
    };
    let (manifest, changelog, readme) =
        (read("Cargo.toml")?, read("CHANGELOG.md")?, read("README.md")?);
    let mut problems = Vec::new();
    let value = |key: &str| {
        let line = manifest.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
        line.map(|line| line.trim_matches('"').to_owned())
    };
    let version = value("version").unwrap_or_default();
    if !changelog
        .lines()
        .any(|line| line == format!("## {version}") || line.starts_with(&format!("## {version} ")))
    {
        problems.push(format!("CHANGELOG.md has no entry for {version}"));
    }
    for key in ["description", "keywords"] {
        if value(key).is_none_or(|value| value.is_empty()) {
            problems.push(format!("Cargo.toml has no {key}"));
        }
    }
    if !manifest.contains("rust-version.workspace") || !manifest.contains("license.workspace") {
        problems.push(
            "Cargo.toml does not take the licence and rust-version of the workspace".to_owned(),
        );
    }
    let is_library = folder.join("src/lib.rs").exists();
    if is_library
        && !manifest.contains("[package.metadata.docs.rs]")
        && manifest.contains("[features]")
    {
        problems.push("Cargo.toml does not say which features docs.rs shows".to_owned());
    }
    if is_library && !readme.contains("```rust") {
        problems.push("README.md has no example".to_owned());
    }
    for (what, said) in [
        ("which Rust it needs", "| Rust |"),
        ("what its versions promise", "docs/stability.md"),
        ("where its changes are", "CHANGELOG.md"),
        ("its limits", "| limits |"),
        ("its features", "| features |"),
    ] {
        if !readme.contains(said) {
            problems.push(format!("README.md does not say {what}"));
        }
    }
    for words in registry()
        .list()
        .filter(|info| is_of(info.name(), name))
        .flat_map(|info| info.fidelity().in_words())
    {
        if !readme.contains(&words) {
            problems.push(format!("README.md does not say that {words}"));
        }
    }
    if let Some(of_tag) = tag.and_then(|tag| tag.strip_prefix(&format!("{name}-v")))
        && of_tag != version
    {
        problems.push(format!("the tag is of {of_tag}, and Cargo.toml says {version}"));
    }
    if let Some(last) = last_tag(root, name, None)
        && tag.is_none()
        && last == version
        && changed_since(root, name, &last, &folder)
    {
        problems.push(format!("it has changed since {last}, and is still {version}"));
    }
    problems.extend(files(root, name));
    if problems.is_empty() { Ok(version) } else { Err(problems) }
}

/// Whether a codec is one of a package's.
fn is_of(codec: &str, package: &str) -> bool {
    match codec {
        "json" | "json-pretty" | "xml" | "markdown" => package == "wire-registry",
        codec => package.strip_prefix("wire-") == Some(codec),
    }
}

/// The version of the last tag of a package, but for the one that is released.
fn last_tag(root: &Path, name: &str, released: Option<&str>) -> Option<String> {
    let pattern = format!("{name}-v*");
    let mut arguments = vec!["describe", "--tags", "--abbrev=0", "--match", &pattern];
    arguments.extend(released.into_iter().flat_map(|tag| ["--exclude", tag]));
    let tag = git(root, &arguments)?;
    tag.trim().strip_prefix(&format!("{name}-v")).map(str::to_owned)
}

fn changed_since(root: &Path, name: &str, version: &str, folder: &Path) -> bool {
    let (tag, folder) = (format!("{name}-v{version}"), folder.to_string_lossy().into_owned());
    git(root, &["diff", "--name-only", &tag, "--", &folder])
        .is_none_or(|names| !names.trim().is_empty())
}

/// What is wrong with the files of a package.
fn files(root: &Path, name: &str) -> Vec<String> {
    let arguments = ["package", "--list", "--allow-dirty", "--locked", "--package", name];
    let output = Command::new("cargo").args(arguments).current_dir(root).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        return vec!["`cargo package --list` failed".to_owned()];
    };
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut problems: Vec<String> = ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"]
        .iter()
        .filter(|wanted| !list.lines().any(|file| file == **wanted))
        .map(|wanted| format!("its package has no {wanted}"))
        .collect();
    let folder = root.join("crates").join(folder(name));
    for file in list.lines() {
        let size = fs::metadata(folder.join(file)).map_or(0, |metadata| metadata.len());
        if size > LARGEST {
            problems.push(format!("{file} has {size} bytes, expected at most {LARGEST}"));
        }
    }
    problems
}

/// `cargo semver-checks` against the last tags, where there are any and it can be had.
fn interfaces(root: &Path, tag: Option<&str>) -> Outcome {
    for name in PUBLISHED {
        let Some(last) = last_tag(root, name, tag) else {
            println!("skipped: {name} was never released, so that there is no interface to keep");
            continue;
        };
        let installed = Command::new("cargo")
            .args(["semver-checks", "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !installed.is_ok_and(|status| status.success()) {
            println!("skipped: cargo-semver-checks is not installed");
            return Ok(());
        }
        let baseline = format!("{name}-v{last}");
        let arguments = ["semver-checks", "--package", name, "--baseline-rev", &baseline];
        run_in(root, "cargo", &arguments, &[])?;
    }
    Ok(())
}
