//! `wirefmt convert` and `auto`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use wire_tokens::Counter;

use super::values::{dialects, goon_versions, losses, sources, specs, targets, text_formats};
use crate::tokens::counters;

/// Where data goes.
#[derive(Debug, Args)]
#[group(id = "destination")]
pub(crate) struct DestinationOptions {
    /// Write to FILE; `-` is standard output. The file is written whole or not at all [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write one file per input into FOLDER, under the input's relative path. Each is written whole
    /// or not at all.
    #[arg(short = 'O', long, value_name = "FOLDER", conflicts_with = "output", value_hint = ValueHint::DirPath)]
    pub(crate) output_dir: Option<PathBuf>,

    /// With --output-dir: skip inputs whose output exists, so that an interrupted run can continue.
    #[arg(long)]
    pub(crate) skip_existing: bool,
}

/// How CSV and TSV are read.
#[derive(Debug, Args)]
pub(crate) struct CsvOptions {
    /// Read cells of CSV and TSV as numbers, booleans and null, column by column, where the text is
    /// exactly how the value is written, and report the types [default: strings].
    #[arg(long, help_heading = "CSV and TSV")]
    pub(crate) infer_types: bool,
}

/// How several files are worked on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Several files")]
pub(crate) struct BatchOptions {
    /// Stop at the first file that fails [default: convert the others, and report the failures].
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// Number of threads, and of files at a time [default: the number of processors].
    #[arg(short, long, value_name = "COUNT", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,
}

fn jobs(text: &str) -> Result<usize, String> {
    let jobs: Option<NonZeroUsize> =
        text.parse().ok().filter(|jobs: &NonZeroUsize| jobs.get() <= 1024);
    jobs.map(NonZeroUsize::get).ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = "\
Examples:
  wirefmt convert pack.json --to gcf
  wirefmt convert pack.json --to gcf --dialect v1.4 -o pack.gcf
  wirefmt convert pack.json --to gcf --budget 2000 --counter o200k_base
  wirefmt convert packs/ --to gcb --output-dir cache/ --skip-existing
  wirefmt convert 'packs/**/*.json' --to gcf -O out/
  wirefmt convert answer.md --recover --to json
  wirefmt convert callers.json --to gcx --tool get_callers
  wirefmt convert callers.gcx --to json
  wirefmt convert response.json --to goon
  wirefmt convert orders.csv --to gcf
  wirefmt convert orders.csv --to json --infer-types
  wirefmt convert config.yaml --to gcf --profile generic
  wirefmt convert log.jsonl --to gcf --stream -o log.gcf
  wirefmt convert log.gcf --to jsonl --stream
  wirefmt convert - --from gcb --to json-pretty < pack.gcb")]
pub(crate) struct ConvertOptions {
    /// Files, folders or patterns: payloads, responses of tools and queries, or any JSON, JSON
    /// lines, YAML, TOML, CSV or TSV. `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// Input format [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) csv: CsvOptions,

    /// Output format [default: from the extension of --output].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = targets(), required_unless_present = "output")]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) destination: DestinationOptions,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    /// Profile of GCF: `graph` for payloads of symbols and edges, `generic` for any other value
    /// [default: from the input].
    #[arg(long, value_name = "PROFILE", value_enum, help_heading = "GCF")]
    pub(crate) profile: Option<Profile>,

    /// Version of the specification for the generic profile [default: 3.5].
    #[arg(long, value_name = "VERSION", value_parser = specs(), help_heading = "GCF")]
    pub(crate) spec: Option<String>,

    /// Convert value by value, in memory that does not grow with the input: JSON lines, a JSON
    /// array or the generic profile of GCF, to GCF, JSON or JSON lines. The counts of GCF are in a
    /// trailer. Payloads are read whole, and written line by line (dialects v1.4 and v3).
    /// `--stream` is `--stream=rows`.
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "rows", help_heading = "GCF")]
    pub(crate) stream: Option<StreamForm>,

    /// With --stream: label the counts of the trailer, for weaker readers.
    #[arg(long, requires = "stream", help_heading = "GCF")]
    pub(crate) labeled_counts: bool,

    /// Write only the highest-ranked symbols that fit into TOKENS, with the edges among them.
    #[arg(
        long,
        value_name = "TOKENS",
        conflicts_with = "stream",
        help_heading = "Losses and limits"
    )]
    pub(crate) budget: Option<u64>,

    /// Token counter of --budget [default: word-punctuation].
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), requires = "budget", help_heading = "Losses and limits")]
    pub(crate) counter: Option<Counter>,

    /// Find GCF in a model's answer and repair it; every repair is a warning.
    #[arg(long, help_heading = "Losses and limits")]
    pub(crate) recover: bool,

    /// Drop edges of a JSON payload whose source or target is not among its symbols [default: an
    /// error].
    #[arg(long, conflicts_with_all = ["recover", "tool"], help_heading = "Losses and limits")]
    pub(crate) drop_dangling_edges: bool,

    /// Write the input as the response of tool NAME [default: `rows`, for an array of objects].
    #[arg(long, value_name = "NAME", help_heading = "GCX1")]
    pub(crate) tool: Option<String>,

    /// Write the types of the columns, so that the output decodes to the same JSON.
    #[arg(long, help_heading = "GCX1")]
    pub(crate) typed: bool,

    /// Use the tool's layout even where the response does not fit it, and drop members outside the
    /// layout [default: write such a response whole, as with --typed].
    #[arg(long, conflicts_with = "typed", requires = "tool", help_heading = "GCX1")]
    pub(crate) layout_only: bool,

    /// Write members outside the tool's layout after it, as extra columns, metadata and sections
    /// [default: write such a response whole, as with --typed].
    #[arg(long, conflicts_with = "typed", requires = "tool", help_heading = "GCX1")]
    pub(crate) extra_columns: bool,

    #[command(flatten)]
    pub(crate) goon: GoonOptions,

    /// How to treat integers beyond the 64 bits of GCF and GOON: fail, or write strings of their
    /// digits.
    #[arg(long, value_name = "AS", value_enum, default_value_t = BigIntegers::Error, help_heading = "Losses and limits")]
    pub(crate) big_integers: BigIntegers,

    /// Fail if the output format or --recover would lose data [default: a warning].
    #[arg(long, help_heading = "Losses and limits")]
    pub(crate) deny_loss: bool,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

/// What to do with integers that a format can't represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BigIntegers {
    /// Fail with an error that has their position.
    Error,
    /// Write strings with their digits; a note says how many.
    String,
}

/// The form of a stream of values in GCF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StreamForm {
    /// A table, with the fields of the first object. A new field, or a nested value, is an error.
    Rows,
    /// An array of any values.
    Items,
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
    /// Dialect of GCF [default: v1; with --stream v3; for `apply` the dialect of its input].
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), help_heading = "GCF")]
    pub(crate) dialect: Option<String>,

    /// Replace white space in names, which GCF does not allow, with CHAR [default: an error].
    #[arg(long, value_name = "CHAR", help_heading = "GCF")]
    pub(crate) replace_white_space: Option<char>,
}

/// How GOON is written from the response of a graph query.
#[derive(Debug, Args)]
pub(crate) struct GoonOptions {
    /// Version of GOON [default: 1.0.0].
    #[arg(long, value_name = "VERSION", value_parser = goon_versions(), help_heading = "GOON")]
    pub(crate) goon_version: Option<String>,

    /// Quote strings that look like numbers [default: bare].
    #[arg(long, help_heading = "GOON")]
    pub(crate) quote_numbers: bool,

    /// Drop what GOON can't represent: pagination that the version lacks, and repeated nodes with
    /// other properties [default: an error].
    #[arg(long, help_heading = "GOON")]
    pub(crate) drop_unrepresentable: bool,

    /// Keep long strings whole [default: cut them, and write their length].
    #[arg(long, help_heading = "GOON")]
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt auto pack.json                                       a note says why JSON was kept
  wirefmt auto pack.json --allow-loss signature,components     drop what the reader does not need
  wirefmt auto callers.json --tool get_callers --counter o200k_base
  wirefmt auto orders.csv --infer-types
  wirefmt auto packs/ --allow-loss any -O out/

The unchanged input is compared as well, and wins ties: the output never has
more tokens than the input.")]
pub(crate) struct AutoOptions {
    /// Files, folders or patterns: payloads, responses, or any JSON, JSON lines, YAML, TOML, CSV or
    /// TSV. `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// Input format [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) csv: CsvOptions,

    /// Formats to choose from, besides json and the input as it is [default: all that can represent
    /// the input].
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', ignore_case = true, value_parser = text_formats())]
    pub(crate) among: Vec<String>,

    /// Token counter.
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), default_value_t = Counter::Cl100kBase)]
    pub(crate) counter: Counter,

    /// Parts of a payload that may be lost [default: nothing].
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = losses())]
    pub(crate) allow_loss: Vec<String>,

    /// Treat the input as the response of tool NAME, which may have a GCX1 layout.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    #[command(flatten)]
    pub(crate) destination: DestinationOptions,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}
