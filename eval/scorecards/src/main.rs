//! `cargo xtask scorecard`: the tokens of each format on the repository's payloads, beside the
//! figures that the formats' authors state; and of what package managers and MCP servers print.

#![allow(clippy::print_stdout)] // printing is what it is for

mod part;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use wire_scorecards::{Card, Inputs, Real};
use wire_tokens::{Counter, Counts};
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
    /// What counts the tokens: word-punctuation, cl100k, o200k, opus47 (an estimate), or `both` for
    /// cl100k and opus47 [default: by the card].
    #[arg(long, value_name = "COUNTER", value_delimiter = ',', value_parser = counters)]
    tokenizer: Vec<Both>,
    /// A file of exact counts, as that of `wire-eval cost`, in place of estimates.
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
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

/// What a name of the option stands for.
type Both = (Counter, Option<Counter>);

fn counters(name: &str) -> Result<Both, String> {
    match name {
        "both" => Ok((Counter::Cl100kBase, Some(Counter::ClaudeOpus47))),
        name => Ok((name.parse()?, None)),
    }
}

fn run(options: &Options) -> Outcome {
    if let Some(part) = options.part {
        print!("{}", part.text()?);
        return Ok(());
    }
    let counts = match &options.counts {
        None => Counts::default(),
        Some(file) => {
            let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
            let text = fs::read(file).map_err(|error| failed(&error))?;
            Counts::from_json(&text).map_err(|error| failed(&error))?
        }
    };
    let is_wanted = |name: &str| options.name.as_deref().is_none_or(|wanted| wanted == name);
    for (name, card) in Card::ALL.into_iter().filter(|(name, _)| is_wanted(name)) {
        let mut counters: Vec<Counter> = options
            .tokenizer
            .iter()
            .flat_map(|(one, other)| [Some(*one), *other])
            .flatten()
            .collect();
        if counters.is_empty() {
            counters = card.counters().to_vec();
        }
        let inputs = Inputs { fixtures: root().join("fixtures"), counters, counts: counts.clone() };
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
