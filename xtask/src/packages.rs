//! The packages of the workspace: which are published, where they are, and packaging them.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::tools::{Outcome, run_in};

/// What is published. Each is also checked alone, with its default features: a build of the whole
/// workspace unifies features and can hide a missing one.
pub(crate) const PUBLISHED: &[&str] = &[
    "wire-core",
    "wire-gcf",
    "wire-gcb",
    "wire-gcx",
    "wire-goon",
    "wire-registry",
    "wire-tokens",
    "wire-scorecards",
    "wire-cli",
    "wire-eval",
];
/// What is not, and so is not packaged.
const UNPUBLISHED: &[&str] = &["wire-conformance", "wire-fuzz-bodies", "xtask"];

/// The folder of a package: the formats' have no prefix.
pub(crate) fn folder(name: &str) -> &str {
    match name {
        "wire-gcf" | "wire-gcb" | "wire-gcx" | "wire-goon" => &name["wire-".len()..],
        name => name,
    }
}

/// The published packages that are libraries, and the names that code calls them by.
pub(crate) fn libraries() -> impl Iterator<Item = (&'static str, String)> {
    let binaries = ["wire-cli", "wire-eval"];
    let packages = PUBLISHED.iter().copied().filter(move |name| !binaries.contains(name));
    // The formats' have no prefix here, either.
    packages.map(|name| (name, folder(name).replace('-', "_")))
}

/// Packages everything that is published, and builds each package from its archive alone.
///
/// Cargo takes a package of a version for the same for ever, also when it unpacked and built it for an
/// earlier verification; so what is left of those goes first, and the build has a folder of its own.
pub(crate) fn package(root: &Path) -> Outcome {
    let target = root.join("target/verify");
    let gone = |folder: &Path| match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(format!("{}: {error}", folder.display()))
        }
        _ => Ok(()),
    };
    gone(&target)?;
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let unpacked =
        home.map(|home| home.join("registry/src")).and_then(|folder| fs::read_dir(folder).ok());
    for registry in unpacked.into_iter().flatten().flatten() {
        // The registries of verifications have no host, so their names begin with the dash.
        if registry.file_name().to_string_lossy().starts_with('-') {
            for unpacked in fs::read_dir(registry.path()).into_iter().flatten().flatten() {
                let name = unpacked.file_name().to_string_lossy().into_owned();
                let ours = |package: &&str| {
                    name.strip_prefix(*package).is_some_and(|rest| rest.starts_with('-'))
                };
                if PUBLISHED.iter().any(ours) {
                    gone(&unpacked.path())?;
                }
            }
        }
    }
    let target = target.to_string_lossy();
    let mut arguments = vec![
        "package",
        "--workspace",
        "--locked",
        "--allow-dirty",
        "--quiet",
        "--target-dir",
        &target,
    ];
    for package in UNPUBLISHED {
        arguments.extend(["--exclude", package]);
    }
    run_in(root, "cargo", &arguments, &[])
}
