//! The command line.

pub(crate) mod counter;
pub(crate) mod material;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueHint};

use crate::arm;
use crate::backend::BackendOptions;
use crate::cost::CostOptions;
use crate::count::CountOptions;
use crate::generation;
use crate::report::ReportOptions;
use crate::run::options::RunOptions;
use material::{MaterialOptions, size};

/// Measure whether language models read and write graph formats, and what the formats cost in tokens.
#[derive(Debug, Parser)]
#[command(name = "wire-eval", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  wire-eval cost                                          tokens of generated data in each format
  wire-eval comprehension --command 'claude -p' --dry-run what would be asked, and how much that is
  wire-eval comprehension --backend anthropic --model MODEL --log run.jsonl
  wire-eval comprehension --backend openai --base-url http://localhost:8080/v1 --model MODEL --log run.jsonl
  wire-eval report run.jsonl --write report/
  wire-eval count pack.json --counts counts.json          exact counts, for wirefmt --counts

Keys are read from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY) and written nowhere.
Exit codes: 0 fine, 1 the data is wrong, 2 usage, 3 input, output or provider.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a model questions about data in each format, and score its answers.
    Comprehension(ComprehensionOptions),
    /// Ask a model to write data in each format, and compare what it writes with what was asked for.
    Generation(GenerationOptions),
    /// Print what came of runs, from their logs.
    Report(ReportOptions),
    /// Print what each format costs in tokens, beside JSON.
    Cost(CostOptions),
    /// Count tokens exactly by a provider's endpoint, into a file for `wirefmt stats` and `scorecard`.
    Count(CountOptions),
}

/// How `comprehension` is run.
#[derive(Clone, Debug, Args)]
pub(crate) struct ComprehensionOptions {
    #[command(flatten)]
    pub(crate) material: MaterialOptions,

    /// Formats to compare; several with commas [default: all that are made for the data].
    #[arg(long, value_name = "ARM", value_delimiter = ',', value_parser = PossibleValuesParser::new(arm::names()), help_heading = "Data")]
    pub(crate) arms: Vec<String>,

    /// Compare with a text of the same data that something else wrote; needs one --input, whose content is the truth.
    #[arg(long, value_name = "NAME=FILE", help_heading = "Data", value_parser = named_file)]
    pub(crate) text: Vec<(String, PathBuf)>,

    #[command(flatten)]
    pub(crate) backend: BackendOptions,

    #[command(flatten)]
    pub(crate) run: RunOptions,

    /// Where each call is logged.
    #[arg(long, value_name = "FILE", default_value = "comprehension.jsonl", value_hint = ValueHint::FilePath, help_heading = "How it is run")]
    pub(crate) log: PathBuf,
}

fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_owned(), file.into()))
        }
        _ => Err("expected NAME=FILE".to_owned()),
    }
}

/// How `generation` is run.
#[derive(Clone, Debug, Args)]
pub(crate) struct GenerationOptions {
    /// Formats to ask for; several with commas [default: all].
    #[arg(long, value_name = "ARM", value_delimiter = ',', value_parser = PossibleValuesParser::new(generation::FORMATS), help_heading = "Data")]
    pub(crate) arms: Vec<String>,

    /// Symbols of what is asked for; several with commas.
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [3, 10, 30], value_parser = size(), help_heading = "Data")]
    pub(crate) sizes: Vec<u64>,

    /// Where the random numbers begin.
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = "Data")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) backend: BackendOptions,

    #[command(flatten)]
    pub(crate) run: RunOptions,

    /// Where each call is logged.
    #[arg(long, value_name = "FILE", default_value = "generation.jsonl", value_hint = ValueHint::FilePath, help_heading = "How it is run")]
    pub(crate) log: PathBuf,
}
