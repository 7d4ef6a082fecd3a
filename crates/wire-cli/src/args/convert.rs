//! `wirefmt convert` and `auto`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use wire_tokens::Counter;

use super::values::{dialects, goon_versions, losses, sources, specs, targets, text_formats};
use crate::failure::Failure;
use crate::source::{GCF, GCX, GOON, JSON, JSON_LINES, JSON_PRETTY};
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

/// How CSV, TSV and YAML are read.
#[derive(Debug, Args)]
pub(crate) struct ReadOptions {
    /// Read cells of CSV and TSV as numbers, booleans and null, column by column, where the text is
    /// exactly how the value is written, and report the types. With =unquoted, a column with a
    /// quoted cell is one of strings [default: strings; without a value: all].
    #[arg(
        long,
        value_name = "CELLS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        hide_possible_values = true,
        help_heading = "CSV and TSV"
    )]
    pub(crate) infer_types: Option<Inferred>,

    /// What is between cells: a character, or `tab` [default: found in the text].
    #[arg(long, value_name = "CHAR", value_parser = delimiter, help_heading = "CSV and TSV")]
    pub(crate) delimiter: Option<u8>,

    /// Tell columns with one name apart: `name`, `name_2` [default: an error].
    #[arg(long, help_heading = "CSV and TSV")]
    pub(crate) rename_duplicates: bool,

    /// What becomes of tags that JSON does not have, such as `!Sub` [default: an error].
    #[arg(long, value_name = "HOW", help_heading = "YAML")]
    pub(crate) yaml_tags: Option<YamlTags>,
}

/// The cells that may be other values than strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Inferred {
    /// All cells.
    All,
    /// Cells without quotes.
    Unquoted,
}

/// What becomes of a tag of YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum YamlTags {
    /// `!Sub a` is `"a"`.
    Drop,
    /// `!Sub a` is `{"!Sub": "a"}`.
    Keep,
}

impl ReadOptions {
    /// The first option that is given, of those that CSV has or not.
    pub(crate) fn first(&self, of_csv: bool) -> Option<&'static str> {
        [
            ("--infer-types", self.infer_types.is_some(), true),
            ("--delimiter", self.delimiter.is_some(), true),
            ("--rename-duplicates", self.rename_duplicates, true),
            ("--yaml-tags", self.yaml_tags.is_some(), false),
        ]
        .into_iter()
        .find_map(|(flag, is_given, is_of_csv)| (is_given && is_of_csv == of_csv).then_some(flag))
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if *byte == b'\t' || (byte.is_ascii_graphic() && *byte != b'"') => Ok(*byte),
        _ => Err("expected one character of ASCII, or `tab`".to_owned()),
    }
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
    pub(crate) reading: ReadOptions,

    /// Output format [default: from the extension of --output].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = targets(), required_unless_present = "output")]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) destination: DestinationOptions,

    #[command(flatten)]
    pub(crate) gcf: GcfOptions,

    /// Profile of GCF: `graph` for payloads of symbols and edges, `generic` for any other value
    /// [default: from the input].
    #[arg(long, value_name = "PROFILE", value_enum, conflicts_with_all = ["rows", "query"], help_heading = "GCF")]
    pub(crate) profile: Option<Profile>,

    /// Version of the specification for the generic profile [default: 3.5].
    #[arg(long, value_name = "VERSION", value_parser = specs(), conflicts_with_all = ["graph", "rows", "query"], help_heading = "GCF")]
    pub(crate) spec: Option<String>,

    /// Convert value by value, in memory that does not grow with the input: JSON lines, a JSON
    /// array or the generic profile of GCF, to GCF, JSON or JSON lines. The counts of GCF are in a
    /// trailer. Payloads are read whole, and written line by line (dialects v1.4 and v3).
    /// `--stream` is `--stream=rows` if the first value is an object of scalars, else
    /// `--stream=items`.
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, help_heading = "GCF")]
    #[expect(clippy::option_option, reason = "an option whose value is optional")]
    pub(crate) stream: Option<Option<StreamForm>>,

    /// Write only the highest-ranked symbols that fit into TOKENS, with the edges among them.
    #[arg(
        long,
        value_name = "TOKENS",
        conflicts_with_all = ["stream", "spec", "rows", "query"],
        help_heading = "Losses and limits"
    )]
    pub(crate) budget: Option<u64>,

    /// Token counter of --budget [default: word-punctuation].
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), requires = "budget", help_heading = "Losses and limits")]
    pub(crate) counter: Option<Counter>,

    /// Find GCF in a model's answer and repair it; every repair is a warning.
    #[arg(long, conflicts_with_all = ["rows", "query"], help_heading = "Losses and limits")]
    pub(crate) recover: bool,

    /// Change what the output format can't represent, and count it [default: an error].
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', conflicts_with_all = ["recover", "rows"], help_heading = "Losses and limits")]
    pub(crate) lossy: Vec<Lossy>,

    #[command(flatten)]
    pub(crate) rows: RowsOptions,

    #[command(flatten)]
    pub(crate) query: QueryOptions,

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

/// What an input is converted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum As {
    Payload,
    Value,
    /// The response of a tool.
    Response,
    /// The response of a query.
    Query,
}

impl As {
    fn name(self) -> &'static str {
        match self {
            As::Payload => "a payload",
            As::Value => "a value that is not a payload",
            As::Response => "a tool's response",
            As::Query => "the response of a query",
        }
    }
}

/// A flag that belongs to some output formats, or to some kinds of input.
struct Flag {
    name: &'static str,
    is_given: bool,
    /// `None` if it belongs to all.
    formats: Option<&'static [&'static str]>,
    kinds: Option<&'static [As]>,
}

impl ConvertOptions {
    fn flags(&self) -> [Flag; 13] {
        const VALUES: &[&str] = &[GCF, JSON, JSON_PRETTY, JSON_LINES, "csv", "tsv"];
        const STREAMS: &[&str] = &[GCF, JSON, JSON_PRETTY, JSON_LINES];
        let has = |what| self.lossy.contains(&what);
        let flag = |name, is_given, formats, kinds| Flag { name, is_given, formats, kinds };
        let is_items = self.stream == Some(Some(StreamForm::Items));
        let are_strings = self.big_integers == BigIntegers::String;
        let (tool, version) = (self.rows.tool.is_some(), self.query.goon_version.is_some());
        [
            flag("--dialect", self.gcf.dialect.is_some(), Some(&[GCF]), Some(&[As::Payload])),
            flag("--spec", self.spec.is_some(), Some(&[GCF]), Some(&[As::Value])),
            flag("--profile", self.profile.is_some(), Some(VALUES), None),
            flag("--stream", self.stream.is_some(), Some(STREAMS), None),
            flag("--stream=items", is_items, None, Some(&[As::Value])),
            flag("--tool", tool, Some(&[GCX]), Some(&[As::Response])),
            flag("--typed", self.rows.typed, Some(&[GCX]), Some(&[As::Response])),
            flag("--goon-version", version, Some(&[GOON]), Some(&[As::Query])),
            flag("--lossy names", has(Lossy::Names), Some(&[GCF]), Some(&[As::Payload])),
            flag("--lossy nodes", has(Lossy::Nodes), Some(&[GOON]), Some(&[As::Query])),
            flag("--lossy edges", has(Lossy::Edges), None, Some(&[As::Payload])),
            flag("--budget", self.budget.is_some(), None, Some(&[As::Payload])),
            flag("--big-integers", are_strings, Some(&[GCF, GOON]), Some(&[As::Value, As::Query])),
        ]
    }

    /// Checks that the flags which are given belong to an output format.
    ///
    /// # Errors
    ///
    /// The first that does not.
    pub(crate) fn check_format(&self, format: &str) -> Result<(), Failure> {
        for Flag { name, formats, .. } in self.flags().iter().filter(|flag| flag.is_given) {
            if let Some(formats) = formats.filter(|formats| !formats.contains(&format)) {
                let formats = formats.join(", ");
                let message = format!("{name} applies only to {formats}, and --to is {format}");
                return Err(Failure::usage(message));
            }
        }
        Ok(())
    }

    /// Checks that the flags which are given belong to what an input is converted as.
    ///
    /// # Errors
    ///
    /// The first that does not.
    pub(crate) fn check_kind(&self, kind: As) -> Result<(), Failure> {
        let is_other = |flag: &&Flag| flag.kinds.is_some_and(|kinds| !kinds.contains(&kind));
        match self.flags().iter().filter(|flag| flag.is_given).find(is_other) {
            Some(flag) => Err(not_for(flag.name, kind.name())),
            None => Ok(()),
        }
    }
}

/// The failure of a flag that is for another input.
pub(crate) fn not_for(flag: &str, found: &str) -> Failure {
    Failure::usage(format!("{flag} does not apply to {found}"))
}

/// What may be lost so that the rest can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lossy {
    /// In the response of a graph query, a node keeps the properties that came first.
    Nodes,
    /// Edges of a JSON payload whose source or target is not among its symbols are dropped.
    Edges,
    /// White space in names, which GCF does not allow, becomes `_`.
    Names,
}

/// How GCX1 is written.
#[derive(Debug, Default, Args)]
#[group(id = "rows", conflicts_with_all = ["graph", "query", "stream"])]
pub(crate) struct RowsOptions {
    /// Write the input as the response of tool NAME [default: `rows`, for an array of objects].
    #[arg(long, value_name = "NAME", help_heading = "GCX1")]
    pub(crate) tool: Option<String>,

    /// Write the types of the columns, so that the output decodes to the same JSON.
    #[arg(long, help_heading = "GCX1")]
    pub(crate) typed: bool,
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

/// How payloads are written in GCF.
#[derive(Debug, Args)]
#[group(id = "graph")]
pub(crate) struct GcfOptions {
    /// Dialect of GCF [default: v1; with --stream v3; for `apply` the dialect of its input].
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), help_heading = "GCF")]
    pub(crate) dialect: Option<String>,
}

/// How GOON is written from the response of a graph query.
#[derive(Debug, Args)]
#[group(id = "query", conflicts_with_all = ["graph", "stream"])]
pub(crate) struct QueryOptions {
    /// Version of GOON [default: the lowest one that has the members of the pagination].
    #[arg(long, value_name = "VERSION", value_parser = goon_versions(), help_heading = "GOON")]
    pub(crate) goon_version: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt auto pack.json                                       a note says why JSON was kept
  wirefmt auto pack.json --allow-loss signature,components     drop what the reader does not need
  wirefmt auto callers.json --tool get_callers --counter o200k_base
  wirefmt auto orders.csv --infer-types
  gh api repos/OWNER/NAME/issues | wirefmt auto --pass -q
  wirefmt auto packs/ --allow-loss any -O out/

The unchanged input is compared as well: by a vocabulary the output never has
more tokens than the input. Of the forms with at most 3 % more than the fewest
tokens (5 % by an estimate), the first is written: the input, json, gcf, gcx,
goon, others.")]
pub(crate) struct AutoOptions {
    /// Files, folders or patterns: payloads, responses, or any JSON, JSON lines, YAML, TOML, CSV or
    /// TSV. `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// Input format [default: detected from the first bytes, then from the extension].
    #[arg(short, long, value_name = "FORMAT", ignore_case = true, value_parser = sources())]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadOptions,

    /// Formats to choose from, besides json and the input as it is [default: gcf; of payloads, and of
    /// responses with a GCX1 layout, all that can represent the input].
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', ignore_case = true, value_parser = text_formats())]
    pub(crate) among: Vec<String>,

    /// Token counter.
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), default_value_t = Counter::O200kBase)]
    pub(crate) counter: Counter,

    /// Parts of a payload that may be lost [default: nothing].
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = losses())]
    pub(crate) allow_loss: Vec<String>,

    /// Treat the input as the response of tool NAME, which may have a GCX1 layout.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    /// Write what is not data, or can't be read, unchanged: a filter for any text.
    #[arg(long)]
    pub(crate) pass: bool,

    /// Say the tokens of each form that was considered, too.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) destination: DestinationOptions,

    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}
