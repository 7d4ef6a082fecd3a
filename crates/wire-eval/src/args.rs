//! The command line.

use std::path::PathBuf;

use anstream::eprintln;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueHint};
use wire_tokens::Counter;

use crate::arm;
use crate::backend::BackendOptions;
use crate::cost::CostOptions;
use crate::count::CountOptions;
use crate::failure::Failure;
use crate::generation;
use crate::material::{Family, Named, from_file, generate};
use crate::report::ReportOptions;
use crate::run::RunOptions;

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

/// What to ask about.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct MaterialOptions {
    /// Ask about these files instead: payloads, responses of queries, or rows, in any format that is read.
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath, conflicts_with_all = ["sizes", "families"])]
    pub(crate) input: Vec<PathBuf>,

    /// Sizes of what is generated: symbols, nodes or rows.
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [10, 50, 130, 500], value_parser = size())]
    sizes: Vec<u64>,

    /// What to generate: several with commas.
    #[arg(long, value_name = "FAMILY", value_delimiter = ',', value_enum, default_values_t = Family::ALL, hide_possible_values = false)]
    families: Vec<Family>,

    /// Where the random numbers begin: the same seed is the same data, and the same questions.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl MaterialOptions {
    /// The data.
    ///
    /// # Errors
    ///
    /// A file can't be read, or holds nothing to ask about.
    pub(crate) fn materials(&self) -> Result<Vec<Named>, Failure> {
        if !self.input.is_empty() {
            return self.input.iter().map(|path| from_file(path)).collect();
        }
        let sizes = || self.sizes.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX));
        let all = self
            .families
            .iter()
            .flat_map(|family| sizes().flat_map(|size| generate(*family, size, self.seed)));
        Ok(all.collect())
    }

    /// What the data is, for reports.
    pub(crate) fn description(&self) -> String {
        let joined = |items: Vec<String>| items.join(", ");
        if self.input.is_empty() {
            let sizes = joined(self.sizes.iter().map(u64::to_string).collect());
            let families =
                joined(self.families.iter().map(|family| family.name().to_owned()).collect());
            format!(
                "Generated {families} of {sizes} symbols, nodes or rows, from seed {}.",
                self.seed
            )
        } else {
            let files = self.input.iter().map(|path| path.display().to_string()).collect();
            format!("Of {}.", joined(files))
        }
    }
}

/// Symbols, nodes or rows; more would be a prompt that no model takes.
fn size() -> impl TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..=100_000)
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

/// Takes the names of counters.
pub(crate) fn counter() -> impl TypedValueParser<Value = Counter> {
    let value = |counter: Counter| {
        PossibleValue::new(counter.as_str()).alias(counter.alias()).help(counter.description())
    };
    PossibleValuesParser::new(Counter::ALL.map(value))
        .map(|name| Counter::from_name(&name).expect("because it is one of those"))
}

/// Says something on standard error.
pub(crate) fn say(what: &str, text: &str) {
    eprintln!("{what}: {}", wire_core::text::escaped(text));
}
