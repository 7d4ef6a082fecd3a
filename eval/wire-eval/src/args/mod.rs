//! The command line.

pub(crate) mod counter;
pub(crate) mod dataset;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueHint};

use crate::arm;
use crate::backend::BackendOptions;
use crate::cost::CostOptions;
use crate::dataset::Family;
use crate::log::{Measure, of_seed};
use crate::question::templates;
use crate::report::ReportOptions;
use crate::run::options::RunOptions;
use crate::verify::VerifyOptions;
use dataset::{DatasetOptions, size};

/// Measure how well language models read each format, and how many tokens each format uses.
#[derive(Debug, Parser)]
#[command(name = "wire-eval", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  wire-eval cost                                            tokens of generated data in each format
  wire-eval comprehension --command 'claude -p' --dry-run   count prompts and tokens; send nothing
  wire-eval comprehension --backend anthropic --model MODEL --log run.jsonl
  wire-eval comprehension --backend openai --base-url http://localhost:8080/v1 --model MODEL
  wire-eval conversation --backend anthropic --model MODEL --input transcript.jsonl --log run.jsonl
  wire-eval report run.jsonl --write report/

API keys are read from ANTHROPIC_API_KEY and OPENAI_API_KEY, and are never written to a log.
Exit codes: 0 success, 1 invalid data, 2 usage error, 3 input, output or provider error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a model questions about data in each format and score its answers.
    Comprehension(ComprehensionOptions),
    /// Ask a model questions about the answers of several tool calls, all in one conversation.
    Conversation(ConversationOptions),
    /// Print the results of runs from their logs.
    Report(ReportOptions),
    /// Print the token count of each format next to JSON.
    Cost(CostOptions),
    /// Check published runs: digests, scores and pages are computed again from the logs.
    Verify(VerifyOptions),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, for `man -l -`.
    Man,
}

/// How `comprehension` is run.
#[derive(Clone, Debug, Args)]
pub(crate) struct ComprehensionOptions {
    #[command(flatten)]
    pub(crate) dataset: DatasetOptions,

    /// Ask these questions instead: JSON lines of `{"data": …, "question": …, "answer": …, "kind": …}`.
    /// An answer is a text, a number, true or false for yes or no, a list, or `{"number": …,
    /// "tolerance": …}`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["input", "sizes", "families", "seeds", "kinds", "examples", "text"], help_heading = "Data")]
    pub(crate) questions: Option<PathBuf>,

    /// Ask at most so many of --questions of each kind, drawn by --seed.
    #[arg(long, value_name = "N", requires = "questions", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Data")]
    pub(crate) sample: Option<u32>,

    /// Generate other data and other questions from each of these seeds, such as `1..50` (to 50) or
    /// `1,2,7`, instead of --seed.
    #[arg(long, value_name = "SEEDS", value_parser = seeds, conflicts_with_all = ["seed", "input"], help_heading = "Data")]
    pub(crate) seeds: Option<Seeds>,

    /// Kinds of questions to ask, comma-separated, by their names in reports [default: all].
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = PossibleValuesParser::new(kinds()), hide_possible_values = true, help_heading = "Data")]
    pub(crate) kinds: Vec<String>,

    /// Formats to compare, comma-separated [default: all that support the data].
    #[arg(long, value_name = "ARM", value_delimiter = ',', value_parser = PossibleValuesParser::new(arm::names(&Family::REPORTED)), help_heading = "Data")]
    pub(crate) arms: Vec<String>,

    /// Put so many other questions of the same kind with their answers before each, and send it as a
    /// text to go on with: for base models, which know no messages.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=20), conflicts_with = "text", help_heading = "Data")]
    pub(crate) examples: u32,

    /// Add a text that another program wrote from the same data; requires one --input, which is the
    /// reference.
    #[arg(long, value_name = "NAME=FILE", help_heading = "Data", value_parser = named_file)]
    pub(crate) text: Vec<(String, PathBuf)>,

    /// Add an arm that has this text before the data, as a description of the format: `gcx=FILE`
    /// adds `gcx+primer`.
    #[arg(long, value_name = "ARM=FILE", help_heading = "Data", value_parser = named_file)]
    pub(crate) primer: Vec<(String, PathBuf)>,

    #[command(flatten)]
    pub(crate) backend: BackendOptions,

    #[command(flatten)]
    pub(crate) run: RunOptions,

    /// What to measure.
    #[arg(long, value_enum, value_name = "MEASURE", default_value_t = Measure::Answers, help_heading = "Run")]
    pub(crate) measure: Measure,

    /// The log file: one JSON line a call.
    #[arg(long, value_name = "FILE", default_value = "comprehension.jsonl", value_hint = ValueHint::FilePath, help_heading = "Run")]
    pub(crate) log: PathBuf,
}

/// How `conversation` is run.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConversationOptions {
    /// Use these files instead of generated data. A file of MCP frames, one a line, is a
    /// conversation; all other files together are the calls of one: JSON, JSON lines, GCF or GCX1,
    /// each named after the tool.
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath, conflicts_with_all = ["sizes", "seeds"], help_heading = "Data")]
    pub(crate) input: Vec<PathBuf>,

    /// Entries that each generated call lists, comma-separated: a conversation each.
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [10, 50], value_parser = size(), help_heading = "Data")]
    pub(crate) sizes: Vec<u64>,

    /// Seed of the random numbers: the same seed gives the same data and questions.
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = "Data")]
    pub(crate) seed: u64,

    /// Generate other data from each of these seeds, such as `1..50` (to 50) or `1,2,7`, instead of
    /// --seed.
    #[arg(long, value_name = "SEEDS", value_parser = seeds, conflicts_with = "seed", help_heading = "Data")]
    pub(crate) seeds: Option<Seeds>,

    /// Formats to compare, comma-separated; `proxy` is what wire-proxy sends on [default: all].
    #[arg(long, value_name = "ARM", value_delimiter = ',', value_parser = PossibleValuesParser::new(arm::names(&[Family::Calls])), help_heading = "Data")]
    pub(crate) arms: Vec<String>,

    /// Add an arm that has this text before the data, as a description of the format: `gcx=FILE`
    /// adds `gcx+primer`.
    #[arg(long, value_name = "ARM=FILE", help_heading = "Data", value_parser = named_file)]
    pub(crate) primer: Vec<(String, PathBuf)>,

    #[command(flatten)]
    pub(crate) backend: BackendOptions,

    #[command(flatten)]
    pub(crate) run: RunOptions,

    /// What to measure.
    #[arg(long, value_enum, value_name = "MEASURE", default_value_t = Measure::Answers, help_heading = "Run")]
    pub(crate) measure: Measure,

    /// The log file: one JSON line a call.
    #[arg(long, value_name = "FILE", default_value = "conversation.jsonl", value_hint = ValueHint::FilePath, help_heading = "Run")]
    pub(crate) log: PathBuf,
}

/// The seeds of `--seeds`, sorted, each once.
#[derive(Clone, Debug)]
pub(crate) struct Seeds(pub(crate) Vec<u64>);

/// The seeds of a run: that of `--seed`, or those of `--seeds`, for which datasets are named.
#[derive(Clone, Debug)]
pub(crate) struct RunSeeds {
    pub(crate) first: u64,
    /// Those of `--seeds`.
    pub(crate) named: Vec<u64>,
}

impl RunSeeds {
    pub(crate) fn new(seed: u64, seeds: Option<&Seeds>) -> Self {
        let named = seeds.map_or_else(Vec::new, |seeds| seeds.0.clone());
        RunSeeds { first: named.first().copied().unwrap_or(seed), named }
    }

    pub(crate) fn all(&self) -> Vec<u64> {
        if self.named.is_empty() { vec![self.first] } else { self.named.clone() }
    }

    /// The name of a dataset of one of them.
    pub(crate) fn name(&self, dataset: &str, seed: u64) -> String {
        if self.named.is_empty() { dataset.to_owned() } else { of_seed(dataset, seed) }
    }
}

fn seeds(text: &str) -> Result<Seeds, String> {
    const MOST: u64 = 10_000;
    let wrong = || format!("expected `1..50` or `1,2,7`, at most {MOST} seeds");
    let seeds: Option<BTreeSet<u64>> = match text.split_once("..") {
        Some((first, last)) => {
            first.parse().ok().zip(last.parse().ok()).and_then(|(first, last): (u64, u64)| {
                (first <= last && last - first < MOST).then(|| (first..=last).collect())
            })
        }
        None => text.split(',').map(|seed| seed.parse().ok()).collect(),
    };
    seeds.map(|seeds| Seeds(seeds.into_iter().collect())).ok_or_else(wrong)
}

/// The kinds of questions about one text.
fn kinds() -> impl Iterator<Item = &'static str> {
    let kinds = templates().filter(|template| template.family != Family::Calls);
    kinds.map(|template| template.id)
}

fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_owned(), file.into()))
        }
        _ => Err("expected NAME=FILE".to_owned()),
    }
}
