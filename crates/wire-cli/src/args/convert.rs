//! `wirefmt convert`, `auto` and `fmt`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use wire_tokens::Counter;

use super::{dialects, formats, goon_versions, losses, read_formats, sources, specs, text_formats};
use crate::tokens::counters;

/// Where data goes.
#[derive(Debug, Args)]
#[group(id = "destination")]
pub(crate) struct DestinationOptions {
    /// Where to write, whole or not at all; `-` is standard output [default: -].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write a file for each input, at its own place in FOLDER, whole or not at all.
    #[arg(short = 'O', long, value_name = "FOLDER", conflicts_with = "output", value_hint = ValueHint::DirPath)]
    pub(crate) output_dir: Option<PathBuf>,

    /// With --output-dir: leave what is there already as it is, so that work that was interrupted goes on.
    #[arg(long)]
    pub(crate) skip_existing: bool,
}

/// How several files are worked on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Several files")]
pub(crate) struct BatchOptions {
    /// End at the first file that fails [default: all are worked on, and those that fail are reported].
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// How many files are worked on at a time, from 1 [default: as many as there are processors].
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
  wirefmt convert config.yaml --to gcf --profile generic
  wirefmt convert - --from gcb --to json-pretty < pack.gcb")]
pub(crate) struct ConvertOptions {
    /// Payloads, tools' responses, or any JSON, JSON lines, YAML, TOML or CSV: files, folders, patterns; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// What it is [default: what its first bytes, or else its extension, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    /// What to write [default: what the extension of --output says].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = formats(), required_unless_present = "output")]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) destination: DestinationOptions,

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
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), requires = "budget")]
    pub(crate) counter: Option<Counter>,

    /// Find the GCF payload in a model's answer, and mend it; every repair is a warning.
    #[arg(long)]
    pub(crate) recover: bool,

    /// Drop edges of a JSON payload whose source or target is not among its symbols [default: such an edge is an error].
    #[arg(long, conflicts_with_all = ["recover", "tool"])]
    pub(crate) drop_dangling_edges: bool,

    /// The input is the JSON of a response of tool NAME, to be written as gcx.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    /// Write the response with the types of its columns, so that every value comes back.
    #[arg(long)]
    pub(crate) typed: bool,

    /// Follow the layout of the tool where the response does not fit it, and drop what it has no place for [default: such a
    /// response is written whole, as with --typed].
    #[arg(long, conflicts_with = "typed", requires = "tool")]
    pub(crate) layout_only: bool,

    /// Write what the layout of the tool has no place for behind it, as further columns, metadata and sections [default: the
    /// whole response as with --typed].
    #[arg(long, conflicts_with = "typed", requires = "tool")]
    pub(crate) extra_columns: bool,

    #[command(flatten)]
    pub(crate) goon: GoonOptions,

    /// Fail when the target format, or --recover, would lose something [default: a warning].
    #[arg(long)]
    pub(crate) deny_loss: bool,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
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

    /// Drop what GOON has no place for: pagination that the version does not have, nodes that come again with other properties [default: an error].
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt auto pack.json                                       where JSON is kept, a note says why
  wirefmt auto pack.json --allow-loss signature,components     what the reader does not need may go
  wirefmt auto callers.json --tool get_callers --counter o200k_base
  wirefmt auto packs/ --allow-loss any -O out/")]
pub(crate) struct AutoOptions {
    /// Payloads, responses, or any JSON, JSON lines, YAML, TOML or CSV: files, folders, patterns; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// What it is [default: what its first bytes, or else its extension, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    /// The formats to choose from, besides json [default: all that hold what the input is].
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', ignore_case = true, value_parser = text_formats())]
    pub(crate) among: Vec<String>,

    /// What counts the tokens.
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), default_value_t = Counter::Cl100kBase)]
    pub(crate) counter: Counter,

    /// What the format may lose of a payload [default: nothing].
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = losses())]
    pub(crate) allow_loss: Vec<String>,

    /// The input is the JSON of a response of tool NAME, which gcx has a layout for.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    #[command(flatten)]
    pub(crate) destination: DestinationOptions,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt fmt pack.gcf
  wirefmt fmt --check packs/
  wirefmt fmt - < pack.gcf

What is written is what the encoder of the format writes: the same data in the same dialect or version. JSON that stands
in one line stays in one. A file that has what would not be written again, as comments, is left as it is and reported.")]
pub(crate) struct FmtOptions {
    /// The files to format in place, folders, patterns; `-` is standard input, to standard output.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// What they are [default: what their first bytes, or else their extensions, say].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = read_formats())]
    pub(crate) from: Option<String>,

    /// Write nothing; name the files that are not formatted, and fail if there are any.
    #[arg(long)]
    pub(crate) check: bool,

    /// Leave out comments and other things that carry no data.
    #[arg(long)]
    pub(crate) drop_comments: bool,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}
