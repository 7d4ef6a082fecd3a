//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use wire_core::CodecInfo;

use crate::counter::Counter;
use crate::formats::registry;

/// Convert and check graph payloads in JSON, GCF and GCB1.
#[derive(Debug, Parser)]
#[command(name = "wirefmt", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours in messages (`NO_COLOR` is respected).
    #[arg(long, global = true, help_heading = "Messages", value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// How to write messages, on standard error.
    #[arg(long, global = true, help_heading = "Messages", value_enum, value_name = "FORMAT", default_value_t = MessageFormat::Human)]
    pub(crate) message_format: MessageFormat,

    /// Don't warn; errors are still written.
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub(crate) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  wirefmt convert pack.json --to gcf            print a JSON payload as GCF
  wirefmt convert pack.json -o pack.gcb         the extension says what to write
  cat pack.gcb | wirefmt convert --to json      the first bytes say what it is
  wirefmt check packs/*.gcf                     say what is wrong, and where

Exit codes: 0 fine, 1 the data is wrong, 2 usage, 3 input or output.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Convert a payload to another format.
    Convert(ConvertOptions),
    /// Check payloads, and say what is wrong and where.
    Check(CheckOptions),
    /// List the formats: whom each is for, and what it loses.
    Formats,
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, for `man -l -`.
    Man,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = "\
Examples:
  wirefmt convert pack.json --to gcf
  wirefmt convert pack.json --to gcf --dialect v1.4 -o pack.gcf
  wirefmt convert pack.json --to gcf --budget 2000 --counter o200k_base
  wirefmt convert answer.md --recover --to json
  wirefmt convert - --from gcb --to json-pretty < pack.gcb")]
pub(crate) struct ConvertOptions {
    /// The payload; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// What the payload is [default: what its first bytes, or else its extension, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
    pub(crate) from: Option<String>,

    /// What to write [default: what the extension of --output says].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats(), required_unless_present = "output")]
    pub(crate) to: Option<String>,

    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// The dialect of GCF to write [default: v1, with --stream v3].
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    pub(crate) dialect: Option<String>,

    /// Write GCF line by line, with the counts in a trailer.
    #[arg(long)]
    pub(crate) stream: bool,

    /// Name the counts of the trailer, for weaker readers.
    #[arg(long, requires = "stream")]
    pub(crate) labeled_counts: bool,

    /// Write the highest-ranked symbols, and the edges among them, that cost at most TOKENS.
    #[arg(long, value_name = "TOKENS", conflicts_with = "stream")]
    pub(crate) budget: Option<u64>,

    /// What counts the tokens of --budget [default: word-punctuation].
    #[arg(long, value_name = "COUNTER", requires = "budget")]
    pub(crate) counter: Option<Counter>,

    /// Find the GCF payload in a model's answer, and mend it; every repair is a warning.
    #[arg(long)]
    pub(crate) recover: bool,

    /// Write CHAR for white space in names, which GCF can't write [default: an error].
    #[arg(long, value_name = "CHAR")]
    pub(crate) replace_white_space: Option<char>,

    /// Fail when the target format would lose something [default: a warning].
    #[arg(long)]
    pub(crate) deny_loss: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt check pack.gcf
  wirefmt check --message-format json packs/*.json
  wirefmt check --recover answers/*.md")]
pub(crate) struct CheckOptions {
    /// The payloads; `-` is standard input.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// What they are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
    pub(crate) from: Option<String>,

    /// Refuse text whose last line has no line ending (binary formats have none).
    #[arg(long)]
    pub(crate) require_final_newline: bool,

    /// Find the GCF payload in a model's answer, and list what would have to be mended.
    #[arg(long, conflicts_with = "require_final_newline")]
    pub(crate) recover: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

/// Names and aliases of the registered formats, with their descriptions for completions.
fn formats() -> PossibleValuesParser {
    let registry = registry(gcf::graph::Encoder::new());
    let value = |info: &CodecInfo| {
        PossibleValue::new(info.name())
            .aliases(info.aliases().iter().copied())
            .help(info.description())
    };
    PossibleValuesParser::new(registry.list().map(value).collect::<Vec<_>>())
}

fn dialects() -> PossibleValuesParser {
    PossibleValuesParser::new(gcf::graph::Dialect::ALL.iter().map(|dialect| dialect.name()))
}
