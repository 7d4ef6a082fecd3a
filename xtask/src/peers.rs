//! What runs our programs with other people's: a gateway, clients of MCP, stores, and one door
//! beside the other.

use std::env;

use anyhow::ensure;
use clap::Args;
use xshell::cmd;
use xtask::tools::{
    Outcome, emptied, install, is_installed, of_the_tests, programs, root, shell, target,
};

use crate::{differential, python};

/// The newest LiteLLM that pip can resolve with its proxy. It is a gigabyte, and so not cached.
const RESOLVED: [&str; 2] = ["--no-cache-dir", "litellm[proxy]==1.108.7"];
/// A newer one, in front of the packages of the other: one that its extra names was never published.
const NEWER: [&str; 4] = ["--no-cache-dir", "--no-deps", "litellm==1.110.2", "semver==3.1.2"];

#[derive(Args)]
pub(crate) struct Gateway {
    /// Install what is the newest today instead of the versions that are known.
    #[arg(long)]
    pub(crate) newest: bool,
}

/// `wire-proxy serve` behind proxies of LiteLLM, which are real, in front of a model's API that is
/// not.
pub(crate) fn gateway(newest: bool) -> Outcome {
    let sh = shell()?;
    let folder =
        root().join("target/peers").join(if newest { "gateway-newest" } else { "gateway" });
    let unpinned = |package: &'static str| match package.split_once("==") {
        Some((package, _)) if newest => package,
        _ => package,
    };
    let [resolved, newer] = ["resolved", "newer"].map(|name| folder.join(name));
    install(&resolved, &RESOLVED.map(unpinned), &[])?;
    install(&newer, &NEWER.map(unpinned), &[])?;
    let state = folder.join("run");
    emptied(&sh, &state)?;
    let proxy = programs()?.join("wire-proxy");
    let [resolved, newer] = [resolved, newer].map(|folder| folder.join("python"));
    let both = format!("{}:{}", newer.display(), resolved.display());
    let clients = root().join("crates/wire-proxy/tests/clients");
    sh.set_var("PYTHONPATH", env::join_paths([clients.join("agents"), clients.join("proxy")])?);
    sh.set_var("PYTHONDONTWRITEBYTECODE", "1");
    let script = clients.join("gateway.py");
    Ok(cmd!(sh, "python3 {script} {proxy} {state} docs/gateways.md {resolved} {both}").run()?)
}

/// The same where the disk is small: LiteLLM has a gigabyte of packages.
pub(crate) fn gateway_once() -> Outcome {
    gateway(false)?;
    Ok(shell()?.remove_path("target/peers/gateway")?)
}

const PYTHON: [&str; 1] = ["mcp==2.3.0"];
const NODE: [&str; 1] = ["@modelcontextprotocol/sdk@1.32.2"];

#[derive(Args, Default)]
pub(crate) struct Graph {
    /// Test nothing; print what answers about this repository cost, at a commit.
    #[arg(long, value_name = "COMMIT")]
    scorecard: Option<String>,
}

/// wire-graph, which is a workspace of its own, with the official MCP clients.
pub(crate) fn graph(options: &Graph) -> Outcome {
    let sh = shell()?;
    sh.change_dir("crates/wire-graph");
    let repository = root();
    if let Some(commit) = &options.scorecard {
        cmd!(sh, "cargo build --release --locked --quiet").run()?;
        let wheels = python::wheels(&sh)?;
        let python = python::environment(&sh, &target().join("peers/scorecard"))?;
        python::install_wheels(&sh, &python, &wheels)?;
        let graph = target().join("release/wire-graph");
        cmd!(sh, "{python} tests/clients/scorecard.py {graph} {repository} {commit}").run()?;
        return Ok(());
    }
    cmd!(sh, "cargo test --locked --quiet").run()?;
    let [proxy, wirefmt] = of_the_tests(["wire-proxy", "wirefmt"])?;
    let peers = target().join("peers/graph");
    install(&peers, &PYTHON, &NODE)?;
    let (graph, node) = (target().join("debug/wire-graph"), peers.join("node"));
    sh.set_var("PYTHONPATH", peers.join("python"));
    cmd!(sh, "python3 tests/clients/client.py {graph} {proxy} {wirefmt} {repository}").run()?;
    cmd!(sh, "python3 tests/clients/replicas.py {graph} {repository}").run()?;
    cmd!(sh, "node tests/clients/client.mjs {graph} tests/trees {node}").run()?;
    Ok(())
}

const INSTALL_REDIS: &str = "on Debian and Ubuntu `apt-get install redis-server`";

/// Replicas of wire-graph behind a store that is slow, gone, full and changed: two with Valkey, too,
/// where it is installed.
pub(crate) fn store() -> Outcome {
    let servers = ["redis-server", "valkey-server"].into_iter().filter(|name| is_installed(name));
    let servers: Vec<&str> = servers.collect();
    ensure!(!servers.is_empty(), "there is no redis-server, and no valkey-server: {INSTALL_REDIS}");
    let (script, target) = ("crates/wire-graph/tests/clients/store.py", target());
    let sh = shell()?;
    Ok(cmd!(sh, "python3 {script} {target} {servers...}").run()?)
}

/// The same in `cargo xtask ci`, where a server is installed, as on the forge.
pub(crate) fn store_if_installed() -> Outcome {
    if is_installed("redis-server") {
        return store();
    }
    println!("skipped: there is no redis-server: {INSTALL_REDIS}");
    Ok(())
}

/// Every door takes the same form of the same value: the packages that were built and installed
/// before, and so many values.
pub(crate) fn doors() -> Outcome {
    let (sh, folder) = (shell()?, target().join("doors"));
    emptied(&sh, &folder)?;
    let peers = target().join("peers/doors");
    install(&peers, &[differential::PYTHON], &[])?;
    sh.set_var("PYTHONPATH", peers.join("python"));
    let programs = programs()?;
    let script = "crates/wire-proxy/tests/clients/doors.py";
    let python = root().join("target/python/test/bin/python");
    Ok(cmd!(sh, "{python} {script} {folder} {programs} target/js/test 400").run()?)
}
