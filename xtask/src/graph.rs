//! `cargo xtask graph`: wire-graph, which is a workspace of its own, with the official MCP clients.

use clap::Args;

use crate::python;
use xtask::tools::{Outcome, install, of_the_tests, root, run_in, target};

const PYTHON: [&str; 1] = ["mcp==2.3.0"];
const NODE: [&str; 1] = ["@modelcontextprotocol/sdk@1.32.2"];

#[derive(Args)]
pub(crate) struct Options {
    /// Test nothing; print what answers about this repository cost, at a commit.
    #[arg(long, value_name = "COMMIT")]
    scorecard: Option<String>,
}

pub(crate) fn run(options: &Options) -> Outcome {
    options.scorecard.as_deref().map_or_else(test, scorecard)
}

fn scorecard(commit: &str) -> Outcome {
    let folder = root().join("crates/wire-graph");
    run_in(&folder, "cargo", &["build", "--release", "--locked", "--quiet"], &[])?;
    let interpreter = python::interpreter(None)?;
    let python = python::environment(&target().join("peers/scorecard"), &interpreter)?;
    let wheels = python::wheels(&interpreter)?;
    let wheels: Vec<&str> = wheels.iter().map(String::as_str).collect();
    python::pip(&python, &[&["--force-reinstall", "--no-deps"], &wheels[..]].concat())?;
    let graph = target().join("release/wire-graph");
    let [graph, repository] = [graph, root()].map(|path| path.to_string_lossy().into_owned());
    let script = ["tests/clients/scorecard.py", &graph, &repository, commit];
    run_in(&folder, &python, &script, &[])
}

/// The tests of the workspace, and the clients.
pub(crate) fn test() -> Outcome {
    let folder = root().join("crates/wire-graph");
    run_in(&folder, "cargo", &["test", "--locked", "--quiet"], &[])?;
    let path = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
    let [proxy, wirefmt] = of_the_tests(["wire-proxy", "wirefmt"])?.map(path);
    let peers = target().join("peers/graph");
    install(&peers, &PYTHON, &NODE)?;
    let graph = path(target().join("debug/wire-graph"));
    let packages = path(peers.join("python"));
    let client = ["tests/clients/client.py", &graph, &proxy, &wirefmt, &path(root())];
    run_in(&folder, "python3", &client, &[("PYTHONPATH", packages.as_str())])?;
    let replicas = ["tests/clients/replicas.py", &graph, &path(root())];
    run_in(&folder, "python3", &replicas, &[("PYTHONPATH", packages.as_str())])?;
    let client = ["tests/clients/client.mjs", &graph, "tests/trees", &path(peers.join("node"))];
    run_in(&folder, "node", &client, &[])
}
