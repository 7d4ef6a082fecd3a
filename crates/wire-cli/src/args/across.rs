//! `wirefmt diff`, `apply`, `root` and `exchange`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use wire_tokens::Counter;

use super::{BatchOptions, GcfOptions, formats, read_formats, root_algorithms, threshold};
use crate::tokens::counters;

/// How deltas are made.
#[derive(Debug, Args)]
pub(crate) struct DeltaOptions {
    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    /// How pack roots are computed; identity sees names and edges only [default: identity before v3, then pack-root-v1].
    #[arg(long, value_name = "ALGORITHM", value_parser = root_algorithms())]
    pub(crate) root_algorithm: Option<String>,

    /// Write the distances of added symbols, as dialect v3 does.
    #[arg(long)]
    pub(crate) distances: bool,

    /// What counts tokens [default: word-punctuation].
    #[arg(long, value_name = "COUNTER", value_parser = counters())]
    pub(crate) counter: Option<Counter>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt diff before.json after.json
  wirefmt diff before.gcf after.gcf --dialect v3 -o change.gcf")]
pub(crate) struct DiffOptions {
    /// The payload that the consumer holds.
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    pub(crate) base: PathBuf,

    /// The payload that it shall have.
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub(crate) new: PathBuf,

    /// What both are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) delta: DeltaOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt apply before.gcf change.gcf
  wirefmt apply before.json change.gcf --to json -o after.json")]
pub(crate) struct ApplyOptions {
    /// The payload that is held.
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    pub(crate) base: PathBuf,

    /// The delta or other answer, in GCF; `-` is standard input.
    #[arg(value_name = "ANSWER", value_hint = ValueHint::FilePath)]
    pub(crate) answer: PathBuf,

    /// What the base is [default: what its first bytes, or else its extension, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// What to write [default: what the extension of --output says, or else what the base is].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
    pub(crate) to: Option<String>,

    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Don't compare roots, for deltas whose roots are of no known algorithm.
    #[arg(long)]
    pub(crate) unverified: bool,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt root pack.json
  wirefmt root --root-algorithm pack-root-v1 packs/*.gcf")]
pub(crate) struct RootOptions {
    /// The payloads: files, folders, patterns; `-` is standard input.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// What they are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// How pack roots are computed; identity sees names and edges only [default: as the file says].
    #[arg(long, value_name = "ALGORITHM", value_parser = root_algorithms())]
    pub(crate) root_algorithm: Option<String>,

    /// Take scores and names as they are [default: as GCF writes them].
    #[arg(long, conflicts_with = "replace_white_space")]
    pub(crate) exact: bool,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt exchange pack.json                                   everything
  wirefmt exchange pack.json --known before.json --held $(wirefmt root before.json)")]
pub(crate) struct ExchangeOptions {
    /// The current payload; `-` is standard input.
    #[arg(value_name = "CURRENT", value_hint = ValueHint::FilePath)]
    pub(crate) current: PathBuf,

    /// The root that the consumer sends [default: it holds nothing].
    #[arg(long, value_name = "ROOT")]
    pub(crate) held: Option<String>,

    /// A payload that was sent before; can be given several times.
    #[arg(long, value_name = "FILE", requires = "held", value_hint = ValueHint::FilePath)]
    pub(crate) known: Vec<PathBuf>,

    /// The part of the full payload's tokens that a delta has to stay under; from 0.
    #[arg(long, value_name = "PART", default_value_t = 0.6, value_parser = threshold, allow_negative_numbers = true)]
    pub(crate) threshold: f64,

    /// What the payloads are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) delta: DeltaOptions,
}
