//! `wirefmt check`, `view` and `stats`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use wire_tokens::Counter;

use super::convert::{BatchOptions, ReadOptions};
use super::values::sources;
use crate::tokens::counters;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt check pack.gcf
  wirefmt check --message-format json packs/*.json
  wirefmt check packs/ --require-final-newline
  wirefmt check --recover answers/*.md")]
pub(crate) struct CheckOptions {
    /// Files, folders or patterns: payloads, responses, or any JSON, JSON lines, YAML, TOML, CSV or
    /// TSV. `-` is standard input.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// Input format [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadOptions,

    /// Check JSON as this [default: a payload if it has a member `tool` or `symbols`, a response if
    /// it has `query_type`, else a value].
    #[arg(long = "as", value_name = "WHAT", value_enum, conflicts_with = "recover")]
    pub(crate) judged_as: Option<Judged>,

    /// Reject text whose last line has no line ending.
    #[arg(long)]
    pub(crate) require_final_newline: bool,

    /// Find GCF in a model's answer, and list the repairs that it needs.
    #[arg(long, conflicts_with = "require_final_newline")]
    pub(crate) recover: bool,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt view callers.gcx
  wirefmt view orders.csv --columns id,total --max-rows 20
  wirefmt view orders.csv --infer-types
  wirefmt view pack.gcb --width 0 | less -S

A table shows as many columns as fit; `…` marks a cut cell, and a line names the
hidden columns. In a terminal, long output opens in the program that PAGER
names, or in less.")]
pub(crate) struct ViewOptions {
    /// Payload, response or value; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Input format [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadOptions,

    /// Columns to show, in this order, with commas between their names [default: as many as fit].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,

    /// Show at most COUNT rows of each table [default: all].
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_rows: Option<usize>,

    /// Width of tables in characters; 0 for all columns, uncut [default: COLUMNS, then that of the
    /// terminal, then 100].
    #[arg(long, value_name = "CHARACTERS")]
    pub(crate) width: Option<usize>,

    /// Print directly, however long the output is.
    #[arg(long)]
    pub(crate) no_pager: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt stats pack.json
  wirefmt stats packs/ --total --counter cl100k_base,o200k_base
  wirefmt stats orders.csv --infer-types
  wirefmt stats callers.json --tool get_callers --format csv > callers.csv

The row `input` is the unchanged input. The row `toon` is TOON, written by
toon-format, for comparison only: wirefmt does not write TOON.")]
pub(crate) struct StatsOptions {
    /// Files, folders or patterns: payloads, responses, or any JSON, JSON lines, YAML, TOML, CSV or
    /// TSV. `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// Input format [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadOptions,

    /// Treat the input as the response of tool NAME, which may have a GCX1 layout.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    /// Token counters, with commas between them.
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), value_delimiter = ',', default_value = "o200k_base")]
    pub(crate) counter: Vec<Counter>,

    /// Output of the figures.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = StatsFormat::Table)]
    pub(crate) format: StatsFormat,

    /// Print one table for all files, instead of one per file.
    #[arg(long)]
    pub(crate) total: bool,

    /// Print bytes, too, and what each format loses.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

/// What JSON is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Judged {
    /// Symbols and edges.
    Payload,
    /// The response of a graph query.
    Response,
    /// Any JSON.
    Value,
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
