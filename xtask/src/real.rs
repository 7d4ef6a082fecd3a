//! `cargo xtask real-data`: collects what package managers and MCP servers print, and counts it;
//! or records a session with a server.
//! And the inputs of this kind that the repository makes itself.

mod dice;
mod github;
pub(crate) mod inputs;
mod kubernetes;
mod rows;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Args;

use crate::tools::{Outcome, root, run_in, target};

/// The npm packages that are installed, with versions: later ones may answer otherwise.
const NODE: [&str; 4] = [
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "vega-datasets@3.2.1",
];
/// Where the counts are kept.
const RECORD: &str = "crates/wire-scorecards/src/real/fetched.json";
/// The frames of a session with an MCP server.
const TRANSCRIPT: &str = "fixtures/payloads/transcripts/server-memory.jsonl";
/// The folder of the page with them.
const PAGES: &str = "docs/scorecards";

#[derive(Args)]
pub(crate) struct Options {
    /// Only collect, into `real-data` in the target folder.
    #[arg(long)]
    collect: bool,
    /// Record a session with server-memory instead, for `wire-eval conversation`.
    #[arg(long, conflicts_with = "collect")]
    transcript: bool,
}

/// Collects the documents, counts them, and writes the counts and their page.
pub(crate) fn run(options: &Options) -> Outcome {
    let folder = target().join("real-data");
    let (node, documents) = (folder.join("node"), folder.join("documents"));
    install(&node)?;
    if options.transcript {
        let script = root().join("xtask/src/real/transcript.py");
        let [script, node] = [&script, &node].map(|path| path.to_string_lossy().into_owned());
        return run_in(&root(), "python3", &[&script, TRANSCRIPT, &node], &[]);
    }
    let script = root().join("xtask/src/real/collect.py");
    let [script, node, documents] =
        [&script, &node, &documents].map(|path| path.to_string_lossy().into_owned());
    run_in(&root(), "python3", &[&script, &documents, &node], &[])?;
    if options.collect {
        println!("{documents}");
        return Ok(());
    }
    let count = ["run", "--release", "--quiet", "--locked", "--package", "wire-cli", "--"];
    let card = ["scorecard", "real", &documents, "--record", RECORD, "--write", PAGES];
    run_in(&root(), "cargo", &[&count[..], &card[..]].concat(), &[])?;
    println!("{RECORD} and {PAGES}/real.md are written; `cargo xtask generate real` follows");
    Ok(())
}

fn install(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--prefix"]).arg(folder).args(NODE);
    match npm.stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`npm` can't install {} here", NODE.join(", "))),
        Err(_) => Err("`npm` is not installed, expected Node 20 or later".to_owned()),
    }
}
