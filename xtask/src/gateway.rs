//! `cargo xtask gateway`: `wire-proxy serve` behind proxies of LiteLLM, which are real, in front of
//! a model's API that is not.

use std::path::Path;

use clap::Args;

use xtask::folders::{emptied, remove};
use xtask::tools::{Outcome, install, programs, root, run_in};

/// The newest LiteLLM that pip can resolve with its proxy. It is a gigabyte, and so not cached.
const RESOLVED: [&str; 2] = ["--no-cache-dir", "litellm[proxy]==1.108.7"];
/// A newer one, in front of the packages of the other: one that its extra names was never published.
const NEWER: [&str; 4] = ["--no-cache-dir", "--no-deps", "litellm==1.110.2", "semver==3.1.2"];

#[derive(Args)]
pub(crate) struct Options {
    /// Install what is the newest today instead of the versions that are known.
    #[arg(long)]
    newest: bool,
}

impl Options {
    pub(crate) fn for_ci() -> Self {
        Options { newest: false }
    }
}

pub(crate) fn run(options: &Options) -> Outcome {
    let name = if options.newest { "gateway-newest" } else { "gateway" };
    let folder = root().join("target/peers").join(name);
    let unpinned = |package: &'static str| match package.split_once("==") {
        Some((package, _)) if options.newest => package,
        _ => package,
    };
    let (resolved, newer) = (folder.join("resolved"), folder.join("newer"));
    install(&resolved, &RESOLVED.map(unpinned), &[])?;
    install(&newer, &NEWER.map(unpinned), &[])?;
    let state = folder.join("run");
    emptied(&state)?;
    let proxy = programs()?.join("wire-proxy");
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let (resolved, newer) = (path(&resolved.join("python")), path(&newer.join("python")));
    let arguments = [
        "crates/wire-proxy/tests/clients/gateway.py",
        &path(&proxy),
        &path(&state),
        "docs/gateways.md",
        &resolved,
        &format!("{newer}:{resolved}"),
    ];
    run_in(&root(), "python3", &arguments, &[])
}

/// The same where the disk is small: LiteLLM has a gigabyte of packages.
pub(crate) fn run_once() -> Outcome {
    run(&Options::for_ci())?;
    remove(&root().join("target/peers/gateway"))
}
