//! The packages of the workspace: which are published, where they are, and packaging them.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::follow::follow;
use xtask::folders::emptied;
use xtask::tools::{Outcome, read, root, run_in, target};

/// What is published.
pub(crate) const PUBLISHED: &[&str] = &[
    "wire-core",
    "wire-gcf",
    "wire-gcb",
    "wire-gcx",
    "wire-goon",
    "wire-registry",
    "wire-store",
    "wire-input",
    "wire-tokens",
    "wire-mcp",
    "wire-proxy",
    "wire-cli",
    EVAL,
];
/// The package that is in a workspace of its own.
const EVAL: &str = "wire-eval";
/// What is not, and so is not packaged.
const UNPUBLISHED: &[&str] = &["measure", "wire-conformance", "wire-fuzz-bodies", "xtask"];

/// The folder of a package in the repository: those of the formats have no prefix.
pub(crate) fn folder(name: &str) -> PathBuf {
    root().join(match name {
        EVAL => "eval/wire-eval".to_owned(),
        "wire-gcf" | "wire-gcb" | "wire-gcx" | "wire-goon" => {
            format!("crates/{}", &name["wire-".len()..])
        }
        name => format!("crates/{name}"),
    })
}

/// The folder of a package's workspace.
pub(crate) fn workspace_of(name: &str) -> PathBuf {
    if name == EVAL { root().join("eval") } else { root() }
}

/// The version that a package's manifest states.
pub(crate) fn version(name: &str) -> Result<String, String> {
    let path = folder(name).join("Cargo.toml");
    let manifest = read(&path)?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    let version = version.ok_or_else(|| format!("{} states no version", path.display()))?;
    Ok(version.trim_matches('"').to_owned())
}

/// The libraries that depend on wire-core and on nothing else of ours.
pub(crate) const LIBRARIES: [&str; 6] =
    ["wire-gcf", "wire-gcb", "wire-gcx", "wire-goon", "wire-registry", "wire-tokens"];

/// Packages everything that is published, and checks each package from what its archive has, with
/// its default features: a build of the whole workspace unifies features, and can hide a missing
/// one.
///
/// They are unpacked into one workspace, in which they stand for what they will be in the registry.
/// It has the versions of this one, so that what others have published is not built anew, as
/// cargo's own verification would. A package of another workspace has other versions, and cargo
/// verifies it. Last, somebody else's format is written against the packages.
pub(crate) fn package(root: &Path) -> Outcome {
    let folder = target().join("verify");
    emptied(&folder)?;
    // What is checked offline must be there, on a machine that has built nothing, too.
    for workspace in [root, &workspace_of(EVAL)] {
        run_in(workspace, "cargo", &["fetch", "--locked", "--quiet"], &[])?;
    }
    let text = folder.to_string_lossy();
    let mut arguments =
        vec!["package", "--workspace", "--no-verify", "--locked", "--allow-dirty", "--quiet"];
    arguments.extend(["--target-dir", &text]);
    for package in UNPUBLISHED {
        arguments.extend(["--exclude", package]);
    }
    run_in(root, "cargo", &arguments, &[])?;
    package_alone(EVAL, &folder)?;

    let members = || PUBLISHED.iter().filter(|name| **name != EVAL);
    let unpacked = folder.join("unpacked");
    emptied(&unpacked)?;
    let mut patches = String::from("\n[patch.crates-io]\n");
    for name in members() {
        let archive = archive(&folder.join("package"), name)?;
        // An archive's times are all of one day in the past: with them, cargo would take what it
        // built of an earlier archive for current.
        run_in(&unpacked, "tar", &["-xmzf", &archive.to_string_lossy()], &[])?;
        let stem = archive.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let _ = writeln!(patches, "{name} = {{ path = {stem:?} }}");
    }
    workspace(root, &unpacked, &patches)?;
    members().try_for_each(|name| check(&unpacked, name))?;
    foreign_format(root, &folder.join("package"))
}

/// Packages what is in another workspace, and verifies it; the repository's crates stand for those
/// of the registry.
fn package_alone(name: &str, folder: &Path) -> Outcome {
    let workspace = read(&workspace_of(name).join("Cargo.toml"))?;
    let mut patches = String::from("[patch.crates-io]\n");
    // One that the workspace does not need would be noted in its lock file.
    for other in PUBLISHED.iter().filter(|other| workspace.contains(&format!("\n{other} = "))) {
        let _ = writeln!(patches, "{other}.path = {:?}", self::folder(other).to_string_lossy());
    }
    let config = folder.join("patch.toml");
    fs::write(&config, patches).map_err(|error| format!("{}: {error}", config.display()))?;
    let target = target();
    let (config, target) = (config.to_string_lossy(), target.to_string_lossy());
    let arguments = ["package", "--allow-dirty", "--quiet", "--package", name];
    let more = ["--config", &*config, "--target-dir", &*target];
    run_in(&workspace_of(name), "cargo", &[&arguments[..], &more].concat(), &[])
}

/// Follows the page on how to write a format, against packages and outside of every workspace.
fn foreign_format(root: &Path, archives: &Path) -> Outcome {
    let scratch = std::env::temp_dir().join(format!("wire-format-{}", std::process::id()));
    let wire = scratch.join("wire");
    let (crates, settings) = (wire.join("crates"), scratch.join(".cargo"));
    let failed = |error: io::Error| format!("{}: {error}", scratch.display());
    fs::create_dir_all(&crates).and_then(|()| fs::create_dir_all(&settings)).map_err(failed)?;
    for name in ["wire-core", "wire-registry"] {
        let archive = archive(archives, name)?;
        let folder = crates.join(name);
        fs::create_dir(&folder).map_err(failed)?;
        let arguments = ["-xmzf", &archive.to_string_lossy(), "--strip-components=1"];
        run_in(&folder, "tar", &arguments, &[])?;
    }
    let wire_core = crates.join("wire-core");
    let wire_core = wire_core.to_string_lossy();
    let patch = format!("[patch.crates-io]\nwire-core = {{ path = {wire_core:?} }}\n");
    fs::write(settings.join("config.toml"), patch).map_err(failed)?;
    let (wire, built) = (wire.to_string_lossy(), target().join("guides"));
    let environment = [("WIRE", &*wire), ("CARGO_TARGET_DIR", &*built.to_string_lossy())];
    let followed = follow(&root.join("docs/adding-a-format.md"), &scratch, &environment);
    fs::remove_dir_all(&scratch).map_err(failed).and(followed)
}

/// The archive of a package.
fn archive(folder: &Path, name: &str) -> Result<PathBuf, String> {
    Ok(folder.join(format!("{name}-{}.crate", version(name)?)))
}

/// Makes a folder of packages a workspace with the versions of the repository.
fn workspace(root: &Path, folder: &Path, more: &str) -> Outcome {
    let text = format!("[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n{more}");
    fs::write(folder.join("Cargo.toml"), text)
        .and_then(|()| fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")))
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", folder.display()))
}

/// Checks one package of such a workspace, without the features that others ask for.
fn check(workspace: &Path, package: &str) -> Outcome {
    println!("{package}");
    let target = target();
    let target = target.to_string_lossy();
    let arguments = ["check", "--quiet", "--offline", "--target-dir", &target, "-p", package];
    run_in(workspace, "cargo", &arguments, &[])
}
