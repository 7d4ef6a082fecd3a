//! `cargo xtask scorecard`: the tokens of each format on the repository's payloads, beside the
//! figures that the formats' authors state; and of what package managers and MCP servers print.

#![allow(clippy::print_stdout)] // printing is what it is for

mod part;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use wire_scorecards::{Card, Real};
use xtask::tools::{Outcome, end_with, install, root, run_in, target};

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
    /// The card [default: all].
    #[arg(value_parser = PossibleValuesParser::new(Card::ALL.map(|(name, _)| name)))]
    name: Option<String>,
    /// For `real`: count the JSON files of this folder, and of the folders in it, too.
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// For `real`: collect the documents again, and keep their counts.
    #[arg(long, conflicts_with = "folder")]
    collect: bool,
    /// Print a part of a page that is made of `real`, and nothing else.
    #[arg(long, exclusive = true, value_name = "PART")]
    part: Option<part::Part>,
}

fn main() -> ExitCode {
    end_with(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    if let Some(part) = options.part {
        print!("{}", part.text()?);
        return Ok(());
    }
    let is_wanted = |name: &str| options.name.as_deref().is_none_or(|wanted| wanted == name);
    for (name, card) in Card::ALL.into_iter().filter(|(name, _)| is_wanted(name)) {
        let inputs = card.inputs(root().join("fixtures"));
        let folder = match &options.folder {
            None if options.collect && card == Card::Real => Some(collect()?),
            folder => folder.clone(),
        };
        let page = match folder {
            Some(folder) if card == Card::Real => {
                let real = Real::measure(&inputs, Some(&folder))?;
                if options.collect {
                    fs::write(root().join(RECORD), real.record())
                        .map_err(|error| format!("{RECORD}: {error}"))?;
                }
                real.markdown()
            }
            Some(_) => return Err(format!("only `real` counts a folder, found the card {name}")),
            None => card.measure(&inputs)?,
        };
        println!("{page}");
    }
    Ok(())
}

/// Collects what package managers and MCP servers print into a folder.
fn collect() -> Result<PathBuf, String> {
    let folder = target().join("real-data");
    install(&folder, &[], &NODE)?;
    let (node, documents) = (folder.join("node"), folder.join("documents"));
    let script = root().join("eval/scorecards/collect.py");
    let text = |path: &Path| path.to_string_lossy().into_owned();
    run_in(&root(), "python3", &[&text(&script), &text(&documents), &text(&node)], &[])?;
    Ok(documents)
}
