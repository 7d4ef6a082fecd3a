//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use wire_core::CodecInfo;

use crate::counter::Counter;
use crate::formats::registry;

/// Convert, check and view graph payloads in JSON, GCF, GCB1, GCX1 and GOON, and the responses of tools and queries.
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
  wirefmt convert hits.json --to gcx --tool search_symbols
                                                a tool's response as rows

Exit codes: 0 fine, 1 the data is wrong, 2 usage, 3 input or output.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Convert a payload to another format.
    Convert(ConvertOptions),
    /// Check payloads, and say what is wrong and where.
    Check(CheckOptions),
    /// Show what a file holds as tables.
    View(ViewOptions),
    /// Print the GCF delta that turns one payload into another, as far as their roots see a difference.
    Diff(DiffOptions),
    /// Apply a delta, or another answer of an exchange, to the payload that it is about.
    Apply(ApplyOptions),
    /// Print the pack roots of payloads.
    Root(RootOptions),
    /// Answer a consumer that holds an earlier payload: unchanged, a delta, or everything.
    Exchange(ExchangeOptions),
    /// Print what formats cost on the payloads of the repository, as Markdown.
    Scorecard(ScorecardOptions),
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
  wirefmt convert callers.json --to gcx --tool get_callers
  wirefmt convert callers.gcx --to json
  wirefmt convert response.json --to goon
  wirefmt convert orders.csv --to gcf
  wirefmt convert config.yaml --to gcf --profile generic
  wirefmt convert - --from gcb --to json-pretty < pack.gcb")]
pub(crate) struct ConvertOptions {
    /// The payload, a tool's response, or any JSON, JSON lines, YAML, TOML or CSV; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// What it is [default: what its first bytes, or else its extension, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    /// What to write [default: what the extension of --output says].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats(), required_unless_present = "output")]
    pub(crate) to: Option<String>,

    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    /// The profile of GCF: graph for payloads, generic for any value [default: what the shape of the input says].
    #[arg(long, value_name = "PROFILE", value_enum)]
    pub(crate) profile: Option<Profile>,

    /// The specification of the generic profile to write [default: 3.5].
    #[arg(long, value_name = "VERSION", value_parser = specs())]
    pub(crate) spec: Option<String>,

    /// Write GCF line by line, with the counts in a trailer (dialects v1.4 and v3).
    #[arg(long)]
    pub(crate) stream: bool,

    /// With --stream: name the counts of the trailer, for weaker readers.
    #[arg(long, requires = "stream")]
    pub(crate) labeled_counts: bool,

    /// Write the highest-ranked symbols, and the edges among them, that cost at most TOKENS, as text.
    #[arg(long, value_name = "TOKENS", conflicts_with = "stream")]
    pub(crate) budget: Option<u64>,

    /// What counts the tokens of --budget [default: word-punctuation].
    #[arg(long, value_name = "COUNTER", requires = "budget")]
    pub(crate) counter: Option<Counter>,

    /// Find the GCF payload in a model's answer, and mend it; every repair is a warning.
    #[arg(long)]
    pub(crate) recover: bool,

    /// The input is the JSON of a response of tool NAME, to be written as gcx.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    /// Write the response with the types of its columns, so that every value comes back.
    #[arg(long)]
    pub(crate) typed: bool,

    #[command(flatten)]
    pub(crate) goon: GoonOptions,

    /// Fail when the target format, or --recover, would lose something [default: a warning].
    #[arg(long)]
    pub(crate) deny_loss: bool,
}

/// A profile of GCF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Payloads of symbols and edges.
    Graph,
    /// Any value.
    Generic,
}

/// How GCF is written.
#[derive(Debug, Args)]
pub(crate) struct GcfOptions {
    /// The dialect of GCF [default: v1, with --stream v3; of `apply` that of its input].
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    pub(crate) dialect: Option<String>,

    /// Write CHAR for white space in names, which GCF can't write [default: an error].
    #[arg(long, value_name = "CHAR")]
    pub(crate) replace_white_space: Option<char>,
}

/// How GOON is written from the response of a graph query.
#[derive(Debug, Args)]
pub(crate) struct GoonOptions {
    /// The version of GOON [default: 1.0.0].
    #[arg(long, value_name = "VERSION", value_parser = goon_versions())]
    pub(crate) goon_version: Option<String>,

    /// Quote texts that would be read as numbers [default: bare].
    #[arg(long)]
    pub(crate) quote_numbers: bool,

    /// Leave out what the version has no place for [default: an error].
    #[arg(long)]
    pub(crate) drop_unrepresentable: bool,

    /// Cut no text [default: long ones are cut, and say how long they were].
    #[arg(long)]
    pub(crate) no_truncation: bool,
}

impl GoonOptions {
    /// Whether any is there.
    pub(crate) fn any(&self) -> bool {
        self.goon_version.is_some()
            || self.quote_numbers
            || self.drop_unrepresentable
            || self.no_truncation
    }
}

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
    #[arg(long, value_name = "COUNTER")]
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
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
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
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
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
    /// The payloads; `-` is standard input.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// What they are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
    pub(crate) from: Option<String>,

    /// How pack roots are computed; identity sees names and edges only [default: as the file says].
    #[arg(long, value_name = "ALGORITHM", value_parser = root_algorithms())]
    pub(crate) root_algorithm: Option<String>,

    /// Take scores and names as they are [default: as GCF writes them].
    #[arg(long, conflicts_with = "replace_white_space")]
    pub(crate) exact: bool,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,
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
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt view callers.gcx
  wirefmt view pack.gcb | less -S")]
pub(crate) struct ViewOptions {
    /// The payload, or a tool's response in gcx; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// What it is [default: what its first bytes, or else its extension, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats())]
    pub(crate) from: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt scorecard tools
  wirefmt scorecard tools --fixtures path/to/wire/fixtures -o tools.md")]
pub(crate) struct ScorecardOptions {
    /// Which one.
    #[arg(value_name = "CARD", value_enum)]
    pub(crate) card: Card,

    /// The folder `fixtures` of the repository.
    #[arg(long, value_name = "FOLDER", default_value = "fixtures", value_hint = ValueHint::DirPath)]
    pub(crate) fixtures: PathBuf,

    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// A scorecard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Card {
    /// Twenty responses of tools, as GCX and as minified JSON.
    Tools,
    /// Responses of graph queries, as GOON and as JSON.
    Queries,
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

/// The formats of inputs: those of payloads, and those of other values.
fn sources() -> PossibleValuesParser {
    let registry = registry(gcf::graph::Encoder::new());
    let value = |info: &CodecInfo| {
        PossibleValue::new(info.name())
            .aliases(info.aliases().iter().copied())
            .help(info.description())
    };
    let others = crate::value::Source::NAMED.iter().map(|(name, aliases, help, _)| {
        PossibleValue::new(*name).aliases(aliases.iter().copied()).help(*help)
    });
    PossibleValuesParser::new(registry.list().map(value).chain(others).collect::<Vec<_>>())
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
