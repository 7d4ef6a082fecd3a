//! `wirefmt diff`, `apply` and `root`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use wire_tokens::Counter;

use super::convert::{BatchOptions, GcfOptions, Lossy};
use super::values::{formats, read_formats, root_algorithms};
use crate::tokens::counters;

/// How deltas are made.
#[derive(Debug, Args)]
pub(crate) struct DeltaOptions {
    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    /// Change what GCF can't represent: white space in names becomes `_` [default: an error].
    #[arg(long, value_name = "WHAT", value_parser = names(), help_heading = "GCF")]
    pub(crate) lossy: Option<Lossy>,

    /// Algorithm of pack roots; identity covers names and edges only [default: identity before v3,
    /// then pack-root-v1].
    #[arg(long, value_name = "ALGORITHM", value_parser = root_algorithms())]
    pub(crate) root_algorithm: Option<String>,

    /// Write the distances of added symbols, as dialect v3 does.
    #[arg(long)]
    pub(crate) distances: bool,

    /// Token counter [default: word-punctuation].
    #[arg(long, value_name = "COUNTER", value_parser = counters())]
    pub(crate) counter: Option<Counter>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt diff before.json after.json
  wirefmt diff before.gcf after.gcf --dialect v3 -o change.gcf")]
pub(crate) struct DiffOptions {
    /// Payload that the client has.
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    pub(crate) base: PathBuf,

    /// Payload that the client shall have.
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub(crate) new: PathBuf,

    /// Input format of both [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// Write to FILE; `-` is standard output. The file is written whole or not at all [default: -].
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
    /// Base payload.
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    pub(crate) base: PathBuf,

    /// Delta or other answer, in GCF; `-` is standard input.
    #[arg(value_name = "ANSWER", value_hint = ValueHint::FilePath)]
    pub(crate) answer: PathBuf,

    /// Format of the base [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// Output format [default: from the extension of --output, else the format of the base].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
    pub(crate) to: Option<String>,

    /// Write to FILE; `-` is standard output. The file is written whole or not at all [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Skip the comparison of roots, for deltas with roots of an unknown algorithm.
    #[arg(long)]
    pub(crate) unverified: bool,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    /// Change what GCF can't represent: white space in names becomes `_` [default: an error].
    #[arg(long, value_name = "WHAT", value_parser = names(), help_heading = "GCF")]
    pub(crate) lossy: Option<Lossy>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt root pack.json
  wirefmt root --root-algorithm pack-root-v1 packs/*.gcf")]
pub(crate) struct RootOptions {
    /// Payloads: files, folders or patterns; `-` is standard input.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// Input format [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// Algorithm of pack roots; identity covers names and edges only [default: the file's].
    #[arg(long, value_name = "ALGORITHM", value_parser = root_algorithms())]
    pub(crate) root_algorithm: Option<String>,

    /// Hash scores and names unrounded [default: as GCF writes them].
    #[arg(long, conflicts_with = "lossy")]
    pub(crate) exact: bool,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    /// Change what GCF can't represent: white space in names becomes `_` [default: an error].
    #[arg(long, value_name = "WHAT", value_parser = names(), help_heading = "GCF")]
    pub(crate) lossy: Option<Lossy>,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

/// Of what may be lost, what deltas and roots know.
fn names() -> impl TypedValueParser<Value = Lossy> {
    PossibleValuesParser::new(["names"]).map(|_| Lossy::Names)
}
