//! `cargo xtask release`: whether what is published is fit to be.

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::packages::{PUBLISHED, folder, package, workspace_of};
use xtask::tools::{Outcome, git, measure, read, root};

#[derive(Args)]
pub(crate) struct Options {
    /// The tag that is released, `<package>-v<version>`: only this package is held against it.
    #[arg(long)]
    tag: Option<String>,
    /// Record the texts of GOON as those of this release, and nothing else.
    #[arg(long)]
    record: bool,
    /// Don't package: CI does it in a step of its own.
    #[arg(long, hide = true)]
    no_packages: bool,
}

impl Options {
    /// As CI does, which packages by itself.
    pub(crate) fn for_ci() -> Self {
        Options { tag: None, record: false, no_packages: true }
    }
}

/// The largest file of a package.
const LARGEST: u64 = 200_000;

pub(crate) fn run(options: &Options) -> Outcome {
    if options.record {
        return measure(&["conformance", "--goon-versions", "record"]);
    }
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
    measure(&["conformance", "--goon-versions"])?;
    if options.no_packages { Ok(()) } else { package(&root) }
}

/// Looks at a package, and returns its version.
fn check(root: &Path, name: &str, tag: Option<&str>) -> Result<String, Vec<String>> {
    let folder = folder(name);
    let read = |file: &str| read(&folder.join(file)).map_err(|problem| vec![problem]);
    let (manifest, readme) = (read("Cargo.toml")?, read("README.md")?);
    let value = |key: &str| {
        let line = manifest.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
        line.map(|line| line.trim_matches('"').to_owned()).unwrap_or_default()
    };
    let version = value("version");
    let is_library = folder.join("src/lib.rs").exists();
    let has = |text: &str| manifest.contains(text);
    let mut problems = Vec::new();
    for (is_wrong, problem) in [
        (value("description").is_empty(), "Cargo.toml has no description"),
        (value("keywords").is_empty(), "Cargo.toml has no keywords"),
        (!has("rust-version.workspace"), "Cargo.toml has no `rust-version.workspace`"),
        (!has("license.workspace"), "Cargo.toml has no `license.workspace`"),
        (
            is_library && has("[features]") && !has("[package.metadata.docs.rs]"),
            "Cargo.toml does not say which features docs.rs shows",
        ),
        (is_library && !readme.contains("```rust"), "README.md has no example"),
    ] {
        problems.extend(is_wrong.then(|| problem.to_owned()));
    }
    if let Some(of_tag) = tag.and_then(|tag| tag.strip_prefix(&format!("{name}-v")))
        && of_tag != version
    {
        problems.push(format!("the tag is of {of_tag}, and Cargo.toml says {version}"));
    }
    if let Some(last) = last_tag(root, name)
        && tag.is_none()
        && last == version
        && changed_since(root, name, &last, &folder)
    {
        problems.push(format!("it has changed since {last}, and is still {version}"));
    }
    problems.extend(files(name));
    if problems.is_empty() { Ok(version) } else { Err(problems) }
}

/// The version of the last tag of a package.
fn last_tag(root: &Path, name: &str) -> Option<String> {
    let tag = git(root, &["describe", "--tags", "--abbrev=0", "--match", &format!("{name}-v*")])?;
    tag.trim().strip_prefix(&format!("{name}-v")).map(str::to_owned)
}

fn changed_since(root: &Path, name: &str, version: &str, folder: &Path) -> bool {
    let (tag, folder) = (format!("{name}-v{version}"), folder.to_string_lossy().into_owned());
    git(root, &["diff", "--name-only", &tag, "--", &folder])
        .is_none_or(|names| !names.trim().is_empty())
}

/// What is wrong with the files of a package.
fn files(name: &str) -> Vec<String> {
    let arguments = ["package", "--list", "--allow-dirty", "--locked", "--package", name];
    let output = Command::new("cargo").args(arguments).current_dir(workspace_of(name)).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        return vec!["`cargo package --list` failed".to_owned()];
    };
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut problems: Vec<String> = ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]
        .iter()
        .filter(|wanted| !list.lines().any(|file| file == **wanted))
        .map(|wanted| format!("its package has no {wanted}"))
        .collect();
    let folder = folder(name);
    for file in list.lines() {
        let size = fs::metadata(folder.join(file)).map_or(0, |metadata| metadata.len());
        if size > LARGEST {
            problems.push(format!("{file} has {size} bytes, expected at most {LARGEST}"));
        }
    }
    problems
}
