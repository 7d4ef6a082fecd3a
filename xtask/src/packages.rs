//! The packages of the workspaces: which are published, where they are, and packaging them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;
use xshell::{Shell, cmd};
use xtask::tools::{Outcome, root, shell, target};

use crate::follow::follow;

/// The libraries that depend on wire-core and on nothing else of ours.
pub(crate) const LIBRARIES: [&str; 6] =
    ["wire-gcf", "wire-gcb", "wire-gcx", "wire-goon", "wire-registry", "wire-tokens"];

/// What cargo says of a package.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) description: Option<String>,
    pub(crate) keywords: Vec<String>,
    pub(crate) features: Value,
    pub(crate) metadata: Value,
    manifest_path: PathBuf,
    /// The registries; null is any.
    publish: Option<Vec<String>>,
}

impl Package {
    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().expect("because a manifest is in a folder")
    }

    pub(crate) fn is_published(&self) -> bool {
        self.publish.is_none()
    }
}

/// The packages of a workspace: that of the product, or the folder `eval`.
pub(crate) fn packages(workspace: &str) -> Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let sh = shell()?;
    sh.change_dir(workspace);
    let metadata = cmd!(sh, "cargo metadata --format-version 1 --no-deps --locked").quiet();
    Ok(serde_json::from_str::<Metadata>(&metadata.read()?)?.packages)
}

/// What is published, and the workspace of each.
pub(crate) fn published() -> Result<Vec<(&'static str, Package)>> {
    let mut published = Vec::new();
    for workspace in [".", "eval"] {
        let own = packages(workspace)?.into_iter().filter(Package::is_published);
        published.extend(own.map(|package| (workspace, package)));
    }
    Ok(published)
}

/// Packages everything that is published. Cargo builds each package from what its archive has, with
/// its default features and with the archives of the others in place of the registry: a build of the
/// whole workspace unifies features, and can hide a missing one. Last, somebody else's format is
/// written against the packages.
pub(crate) fn package() -> Outcome {
    let (sh, target) = (shell()?, target());
    let (members, others): (Vec<Package>, Vec<Package>) =
        packages(".")?.into_iter().partition(Package::is_published);
    let excluded = others.iter().flat_map(|package| ["--exclude", &package.name]);
    let package = ["package", "--workspace", "--locked", "--allow-dirty", "--quiet"];
    cmd!(sh, "cargo {package...} --target-dir {target} {excluded...}").run()?;
    package_evaluation(&sh, &members)?;
    foreign_format(&sh, &target.join("package"), &members)
}

/// Packages the evaluation, and verifies it; the repository's crates stand for those of the
/// registry.
fn package_evaluation(sh: &Shell, members: &[Package]) -> Outcome {
    let workspace = sh.read_file("eval/Cargo.toml")?;
    let mut patches = String::from("[patch.crates-io]\n");
    for package in members {
        // One that the workspace does not need would be noted in its lock file.
        if workspace.contains(&format!("\n{} = ", package.name)) {
            writeln!(patches, "{}.path = '{}'", package.name, package.folder().display())?;
        }
    }
    let target = target();
    let config = target.join("patch.toml");
    sh.write_file(&config, patches)?;
    let _folder = sh.push_dir("eval");
    let package = ["package", "--allow-dirty", "--quiet", "--package", "wire-eval"];
    Ok(cmd!(sh, "cargo {package...} --config {config} --target-dir {target}").run()?)
}

/// Follows the page on how to write a format, against packages and outside of every workspace.
fn foreign_format(sh: &Shell, archives: &Path, members: &[Package]) -> Outcome {
    let scratch = sh.create_temp_dir()?;
    let scratch = scratch.path();
    let crates = scratch.join("wire/crates");
    for name in ["wire-core", "wire-registry"] {
        let package = members.iter().find(|package| package.name == name);
        let version = &package.context("wire-core and wire-registry are published")?.version;
        let (archive, folder) =
            (archives.join(format!("{name}-{version}.crate")), crates.join(name));
        sh.create_dir(&folder)?;
        cmd!(sh, "tar -xmzf {archive} -C {folder} --strip-components=1").run()?;
    }
    let core = crates.join("wire-core");
    let patch = format!("[patch.crates-io]\nwire-core.path = '{}'\n", core.display());
    sh.write_file(scratch.join(".cargo/config.toml"), patch)?;
    let _wire = sh.push_env("WIRE", scratch.join("wire"));
    let _target = sh.push_env("CARGO_TARGET_DIR", target().join("guides"));
    follow(sh, &root().join("docs/adding-a-format.md"), scratch)
}
