//! `cargo xtask scorecard`: the tokens of each format on the repository's payloads, beside the
//! figures that the formats' authors state; and of what package managers and MCP servers print.

#![allow(clippy::print_stdout)] // printing is what it is for

mod formats;
mod real;
mod sessions;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use real::{Part, Real};
use xshell::cmd;
use xtask::tools::{Outcome, end_with, install, read, root, shell, target};

/// The npm packages that are installed, with versions: later ones may answer otherwise.
const NODE: [&str; 4] = [
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "vega-datasets@3.2.1",
];
/// Where the counts of what was collected are kept.
const RECORD: &str = "eval/scorecards/src/real/fetched.json";

/// Count the tokens of each format on the repository's payloads.
#[derive(Parser)]
#[command(name = "cargo xtask scorecard")]
struct Options {
    /// The card.
    #[arg(default_value = "formats")]
    card: Card,
    /// For `real`: collect the documents again, and keep their counts.
    #[arg(long)]
    collect: bool,
    /// Print a part of a page that is made of `real`, and nothing else.
    #[arg(long, exclusive = true, value_name = "PART")]
    part: Option<Part>,
}

/// The page of `docs/scorecards` whose figures are counted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Card {
    /// Payloads in every format of graphs, and what sessions and deltas save.
    Formats,
    /// What programs print, in our forms and in other people's.
    Real,
}

fn main() -> ExitCode {
    end_with(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    if let Some(part) = options.part {
        print!("{}", Real::measure(None)?.part(part)?);
        return Ok(());
    }
    if options.card == Card::Formats {
        print!("{}{}", formats::figures()?, sessions::figures()?);
        return Ok(());
    }
    let folder = if options.collect { Some(collect()?) } else { None };
    let real = Real::measure(folder.as_deref())?;
    if options.collect {
        shell()?.write_file(RECORD, real.record())?;
    }
    print!("{}", real.markdown()?);
    Ok(())
}

/// Collects what package managers and MCP servers print into a folder.
fn collect() -> Result<PathBuf> {
    let folder = target().join("real-data");
    install(&folder, &[], &NODE)?;
    let (node, documents) = (folder.join("node"), folder.join("documents"));
    let sh = shell()?;
    cmd!(sh, "python3 eval/scorecards/collect.py {documents} {node}").run()?;
    Ok(documents)
}

/// The text of a payload of the repository, without the last line ending.
fn fixture(path: &str) -> Result<String> {
    Ok(read(&root().join("fixtures").join(path))?.trim_end().to_owned())
}
