//! `wirefmt check`, `view` and `stats`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use wire_tokens::Counter;

use super::{BatchOptions, sources};
use crate::tokens::counters;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt check pack.gcf
  wirefmt check --message-format json packs/*.json
  wirefmt check packs/ --require-final-newline
  wirefmt check --recover answers/*.md")]
pub(crate) struct CheckOptions {
    /// Payloads, responses, or values in YAML, TOML, CSV or JSON lines: files, folders, patterns; `-` is standard input.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// What they are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    /// Refuse text whose last line has no line ending (binary formats have none).
    #[arg(long)]
    pub(crate) require_final_newline: bool,

    /// Find the GCF payload in a model's answer, and list what would have to be mended.
    #[arg(long, conflicts_with = "require_final_newline")]
    pub(crate) recover: bool,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt view callers.gcx
  wirefmt view orders.csv
  wirefmt view pack.gcb | less -S

In a terminal the tables are as wide as it is, and what is longer than it is shown by the program that PAGER names, or less.")]
pub(crate) struct ViewOptions {
    /// The payload, response or value; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// What it is [default: what its first bytes, or else its extension, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    /// Print, however long it is.
    #[arg(long)]
    pub(crate) no_pager: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt stats pack.json
  wirefmt stats packs/ --total --counter cl100k_base,o200k_base
  wirefmt stats callers.json --tool get_callers --format csv > callers.csv
  wirefmt stats pack.json --counter claude-opus-4.7 --counts counts.json

A file of exact counts, for --counts, is JSON: {\"claude-opus-4.7\": {SHA-256 of the text: tokens, …}}. The output of
--format json has the SHA-256 of each text.")]
pub(crate) struct StatsOptions {
    /// Payloads, responses, or any JSON, JSON lines, YAML, TOML or CSV: files, folders, patterns; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// What they are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    /// The input is the JSON of a response of tool NAME, which gcx has a layout for.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    /// What counts the tokens; several with commas [default: word-punctuation,cl100k_base,o200k_base].
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), value_delimiter = ',')]
    pub(crate) counter: Vec<Counter>,

    /// Exact counts, by the SHA-256 of a text, for counters that estimate.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) counts: Option<PathBuf>,

    /// How to print the figures.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = StatsFormat::Table)]
    pub(crate) format: StatsFormat,

    /// Print the table of all files together, and not one for each.
    #[arg(long)]
    pub(crate) total: bool,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsFormat {
    /// Tables for people.
    Table,
    /// An object for each file, a line each.
    Json,
    /// A row for each file, format and counter.
    Csv,
}
