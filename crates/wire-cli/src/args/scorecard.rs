//! `wirefmt scorecard`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use wire_tokens::Counter;

use crate::tokens::counters;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt scorecard all
  wirefmt scorecard tools --tokenizer cl100k_base,claude-opus-4.7
  wirefmt scorecard packs --format json
  wirefmt scorecard all --write docs/scorecards
  wirefmt scorecard all --check docs/scorecards
  wirefmt scorecard real my-data/                              your own JSON files, in every form

The tables are measured on the payloads of the repository. Next to them are the
figures that other implementations state.")]
pub(crate) struct ScorecardOptions {
    /// The scorecard.
    #[arg(value_name = "CARD", value_enum)]
    pub(crate) card: Card,

    /// For `real`: count the JSON files in DIR and in the folders in it, each folder a kind of its
    /// own [default: the saved counts of the files that `cargo xtask real-data` collected].
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,

    /// For `real` with DIR: save its counts in FILE.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "folder", conflicts_with = "check")]
    pub(crate) record: Option<PathBuf>,

    /// Token counters, with commas between them [default:
    /// word-punctuation,cl100k_base,o200k_base; for tools cl100k_base,claude-opus-4.7; for real
    /// `o200k_base,cl100k_base`].
    #[arg(long, alias = "counter", value_name = "COUNTER", value_parser = counters(), value_delimiter = ',')]
    pub(crate) tokenizer: Vec<Counter>,

    /// Exact counts, by the SHA-256 of a text, for counters that estimate.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) counts: Option<PathBuf>,

    /// Output format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ScorecardFormat::Markdown)]
    pub(crate) format: ScorecardFormat,

    /// Skip the timings, which depend on this machine and its load.
    #[arg(long)]
    pub(crate) no_timings: bool,

    /// The folder `fixtures` of the repository.
    #[arg(long, value_name = "FOLDER", default_value = "fixtures", value_hint = ValueHint::DirPath)]
    pub(crate) fixtures: PathBuf,

    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["write", "check"])]
    pub(crate) output: Option<PathBuf>,

    /// Write the card as Markdown, JSON and SVG, each in a file of its name in FOLDER, and timings
    /// in one of their own.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with_all = ["check", "format"])]
    pub(crate) write: Option<PathBuf>,

    /// Write nothing; fail if the files in FOLDER differ from what --write would write, except
    /// timings.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "format")]
    pub(crate) check: Option<PathBuf>,
}

/// A scorecard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Card {
    /// Six context packs in every format of payloads.
    Packs,
    /// Twenty responses of tools, as GCX and as JSON.
    Tools,
    /// Responses of graph queries, as GOON and as JSON.
    Queries,
    /// What sessions and deltas save when an agent asks again.
    Delta,
    /// What package managers, servers and log services print, in our forms and in other people's.
    Real,
    /// All of these.
    All,
}

/// How a card is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScorecardFormat {
    /// Tables.
    Markdown,
    /// One object.
    Json,
    /// A chart.
    Svg,
}
