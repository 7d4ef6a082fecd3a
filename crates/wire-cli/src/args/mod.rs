//! The command line.

mod across;
mod convert;
mod inspect;
#[cfg(feature = "scorecard")]
mod scorecard;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Parser, Subcommand, ValueEnum};
use wire_core::{CodecInfo, Directions, Field, Representation};

use crate::formats::registry;

pub(crate) use across::{ApplyOptions, DeltaOptions, DiffOptions, ExchangeOptions, RootOptions};
pub(crate) use convert::{
    AutoOptions, BatchOptions, ConvertOptions, DestinationOptions, FmtOptions, GcfOptions, Profile,
};
pub(crate) use inspect::{CheckOptions, Judged, StatsFormat, StatsOptions, ViewOptions};
#[cfg(feature = "scorecard")]
pub(crate) use scorecard::{Card, ScorecardFormat, ScorecardOptions};

/// Convert, check, view and measure graph payloads in JSON, GCF, GCB1, GCX1, GOON and XML, the responses of tools and queries, and
/// any other JSON.
#[derive(Debug, Parser)]
#[command(name = "wirefmt", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Use colours in messages (`NO_COLOR` is respected).
    #[arg(long, global = true, help_heading = "Messages", value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// Format of messages on standard error.
    #[arg(long, global = true, help_heading = "Messages", value_enum, value_name = "FORMAT", default_value_t = MessageFormat::Human)]
    pub(crate) message_format: MessageFormat,

    /// Print no warnings and notes.
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub(crate) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  wirefmt convert pack.json --to gcf            print a JSON payload as GCF
  wirefmt convert pack.json -o pack.gcb         the extension names the output format
  cat pack.gcb | wirefmt convert --to json      the input format is detected
  wirefmt convert packs/ --to gcf -O out/       a folder of payloads
  wirefmt check packs/*.gcf                     report what is wrong, with line and column
  wirefmt view pack.gcb                         show it as tables
  wirefmt stats pack.json                       count its tokens in each format
  wirefmt auto pack.json                        the smallest lossless format
  wirefmt convert hits.json --to gcx --tool search_symbols
                                                a tool's response as rows

Exit codes: 0 fine, 1 the data is wrong, 2 usage, 3 input or output, 128 and its number after a
signal (130 interrupted).";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Convert payloads, responses and any JSON to another format.
    Convert(ConvertOptions),
    /// Check files, and report what is wrong, with line and column.
    Check(CheckOptions),
    /// Show a file as tables.
    View(ViewOptions),
    /// Convert to the lossless format with the fewest tokens, and give the reason.
    Auto(AutoOptions),
    /// Write files as their format's encoder does.
    Fmt(FmtOptions),
    /// Count the tokens of an input in each format, and show what uses them.
    Stats(StatsOptions),
    /// Print the GCF delta from one payload to another. Graphs only.
    Diff(DiffOptions),
    /// Apply a delta, or another answer of an exchange, to its base payload. Graphs only.
    Apply(ApplyOptions),
    /// Print the pack roots of payloads: hashes that identify their content. Graphs only.
    Root(RootOptions),
    /// Answer a client that has an earlier payload: unchanged, a delta, or the whole payload. Graphs only.
    Exchange(ExchangeOptions),
    /// Print the tokens of each format on the repository's payloads, beside the figures of the formats' authors.
    #[cfg(feature = "scorecard")]
    Scorecard(ScorecardOptions),
    /// List the formats: what each is for, and what it loses.
    #[command(after_help = "\
Examples:
  wirefmt formats
  wirefmt formats --message-format json                        an object a line, with media types")]
    Formats,
    /// Print a completion script for a shell.
    #[command(after_help = "\
Examples:
  wirefmt completions bash > ~/.local/share/bash-completion/completions/wirefmt
  wirefmt completions fish > ~/.config/fish/completions/wirefmt.fish")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, for `man -l -`.
    #[command(after_help = "\
Examples:
  wirefmt man | man -l -
  wirefmt man > ~/.local/share/man/man1/wirefmt.1")]
    Man,
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

/// Names and aliases of the formats that are wanted, with their descriptions for completions.
fn named(is_wanted: fn(&CodecInfo) -> bool) -> Vec<PossibleValue> {
    let registry = registry(gcf::graph::Encoder::new());
    let value = |info: &CodecInfo| {
        PossibleValue::new(info.name())
            .aliases(info.aliases().iter().copied())
            .help(info.description())
            .hide(!is_wanted(info))
    };
    registry.list().map(value).collect()
}

/// The formats of payloads.
fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(named(|_| true))
}

/// Those that are read; of the others it is said that they are not.
fn read_formats() -> PossibleValuesParser {
    PossibleValuesParser::new(named(|info| info.directions() == Directions::Both))
}

/// The formats of inputs: those of payloads, and those of other values.
fn sources() -> PossibleValuesParser {
    let others = crate::value::Source::NAMED.iter().map(|(name, aliases, help, _)| {
        PossibleValue::new(*name).aliases(aliases.iter().copied()).help(*help)
    });
    let of_payloads = named(|info| info.directions() == Directions::Both);
    PossibleValuesParser::new(of_payloads.into_iter().chain(others).collect::<Vec<_>>())
}

/// The formats of payloads and values that cost tokens.
fn text_formats() -> PossibleValuesParser {
    PossibleValuesParser::new(named(|info| info.representation() == Representation::Text))
}

/// What a format may lose.
fn losses() -> PossibleValuesParser {
    let fields = Field::ALL.iter().map(|field| field.name());
    PossibleValuesParser::new(fields.chain(["order", "any"]))
}

fn specs() -> PossibleValuesParser {
    PossibleValuesParser::new(gcf::generic::Spec::ALL.iter().map(|spec| spec.name()))
}

fn threshold(text: &str) -> Result<f64, String> {
    let part: Option<f64> = text.parse().ok().filter(|part: &f64| part.is_finite() && *part >= 0.0);
    part.ok_or_else(|| "expected a number from 0".to_owned())
}

fn root_algorithms() -> PossibleValuesParser {
    let names = gcf::graph::RootAlgorithm::ALL.iter().map(|algorithm| algorithm.name());
    PossibleValuesParser::new(names)
}

fn goon_versions() -> PossibleValuesParser {
    PossibleValuesParser::new(goon::Version::ALL.iter().map(|version| version.as_str()))
}

fn dialects() -> PossibleValuesParser {
    PossibleValuesParser::new(gcf::graph::Dialect::ALL.iter().map(|dialect| dialect.name()))
}
