//! The formats: the registry of those of payloads, the encoder of GCF, and the formats of other
//! values.

use gcf::graph::Dialect;
use wire_registry::Registry;

use crate::args::{CsvOptions, GcfOptions, Lossy};

/// Every codec of the family, GCF with these options.
pub(crate) fn registry(gcf_encoder: gcf::graph::Encoder) -> Registry {
    const DISTINCT: &str = "because the names of the family's codecs are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::new(gcf_encoder, gcf::graph::Decoder::new())).expect(DISTINCT);
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry.register(goon::Goon::default()).expect(DISTINCT);
    registry.register_value(gcf::GcfValues::default()).expect(DISTINCT);
    registry.register_value(gcx::GcxValues::default()).expect(DISTINCT);
    registry
}

/// What white space in names becomes with `--lossy names`.
pub(crate) const REPLACEMENT: char = '_';

/// The encoder of GCF; `by_default` is the dialect if none is named.
pub(crate) fn gcf_encoder(
    options: &GcfOptions,
    lossy: &[Lossy],
    by_default: Dialect,
) -> gcf::graph::Encoder {
    let named = options.dialect.as_deref().and_then(Dialect::from_name);
    let with = lossy.contains(&Lossy::Names).then_some(REPLACEMENT);
    gcf::graph::Encoder::new().dialect(named.unwrap_or(by_default)).replace_white_space(with)
}

/// The message about names in which an encoder replaced white space; `None` if there are no such
/// names.
pub(crate) fn names_changed(changed: usize) -> Option<String> {
    let names = if changed == 1 { "1 name".to_owned() } else { format!("{changed} names") };
    (changed > 0).then(|| format!("white space was replaced in {names}"))
}

/// The format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Json,
    /// A value on each line.
    JsonLines,
    /// Values one after the other, on any lines, as `jq .` writes them.
    JsonValues,
    Yaml,
    Toml,
    Csv(Csv),
    /// GCF in its generic profile.
    Generic,
}

/// How CSV is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Csv {
    /// The delimiter of cells unless the text shows another byte.
    pub(crate) usual: u8,
    /// The delimiter of cells, if that is named.
    pub(crate) delimiter: Option<u8>,
    /// `true` if cells are read as numbers, truth values and null, column by column, where nothing
    /// of a text is lost.
    pub(crate) infers_types: bool,
    /// `true` if columns with one name are told apart by numbers.
    pub(crate) renames: bool,
}

impl Csv {
    /// The delimiter of cells is found, or this.
    pub(crate) const fn new(usual: u8) -> Self {
        Csv { usual, delimiter: None, infers_types: false, renames: false }
    }

    /// As the options say.
    fn with(self, options: &CsvOptions) -> Self {
        Csv {
            usual: self.usual,
            delimiter: options.delimiter,
            infers_types: options.infer_types,
            renames: options.rename_duplicates,
        }
    }
}

/// A source that is not a format of payloads: its name, its aliases, its description, and its
/// value. Aliases are also extensions.
pub(crate) type Named = (&'static str, &'static [&'static str], &'static str, Source);

impl Source {
    /// Those that are not formats of payloads.
    pub(crate) const NAMED: &'static [Named] = &[
        (
            JSON_LINES,
            &["ndjson"],
            "JSON lines: a value on each line, or values one after the other, as an array.",
            Source::JsonLines,
        ),
        (
            "yaml",
            &["yml"],
            "YAML. Keys that are not strings become strings; several documents become an array.",
            Source::Yaml,
        ),
        ("toml", &[], "TOML. Dates become strings.", Source::Toml),
        (
            "csv",
            &[],
            "CSV with a header: an array of objects. Its cells are strings; --infer-types reads numbers, booleans and null. Commas, semicolons, bars or tabs are between cells.",
            Source::Csv(Csv::new(b',')),
        ),
        ("tsv", &["tab"], "CSV with tabs instead of commas.", Source::Csv(Csv::new(b'\t'))),
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let named = Source::NAMED.iter().find(|(.., source)| *source == self.plain());
        match named {
            Some((name, ..)) => name,
            None if self == Source::Generic => GCF,
            None => JSON,
        }
    }

    /// The one of [`Source::NAMED`].
    fn plain(self) -> Self {
        match self {
            Source::JsonValues => Source::JsonLines,
            Source::Csv(csv) => Source::Csv(Csv::new(csv.usual)),
            other => other,
        }
    }

    /// The same, read as these options say; `None` if the format has no cells.
    pub(crate) fn with(self, options: &CsvOptions) -> Option<Self> {
        match self {
            Source::Csv(csv) => Some(Source::Csv(csv.with(options))),
            _ => None,
        }
    }

    /// The source of this name or extension.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let is_named = |known: &str, aliases: &[&str]| {
            known.eq_ignore_ascii_case(name)
                || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        };
        let found = Source::NAMED.iter().find(|(known, aliases, ..)| is_named(known, aliases));
        found.map(|(.., source)| *source)
    }

    /// The format of a text without a name: JSON, JSON lines if the first line is a value by
    /// itself, or YAML with a marker.
    pub(crate) fn of_first_line(bytes: &[u8]) -> Option<Self> {
        match bytes.trim_ascii_start().first() {
            Some(b'{' | b'[') => {}
            Some(b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') if is_value(bytes) => {
                return Some(Source::Json);
            }
            _ => {
                let says_yaml = ["---\n", "---\r\n", "--- ", "%YAML "]
                    .iter()
                    .any(|mark| bytes.starts_with(mark.as_bytes()));
                return says_yaml.then_some(Source::Yaml);
            }
        }
        let (first, rest) = first_line(bytes);
        let is_lines = !rest.trim_ascii().is_empty() && is_value(first);
        Some(if is_lines { Source::JsonLines } else { Source::Json })
    }

    /// Of a text that has values one after the other, whether each has a line.
    pub(crate) fn of_values(bytes: &[u8]) -> Self {
        let (first, _) = first_line(bytes);
        let may_be_whole = first.trim_ascii().is_empty() || is_value(first);
        if may_be_whole { Source::JsonLines } else { Source::JsonValues }
    }
}

/// The first line that is not blank, and what follows.
fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut lines = bytes.trim_ascii_start().splitn(2, |byte| *byte == b'\n');
    (lines.next().unwrap_or_default(), lines.next().unwrap_or_default())
}

/// Returns `true` if a text is a JSON value.
fn is_value(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| crate::value::checked(text).is_some())
}

/// The names of formats that commands know more of than their codecs say.
pub(crate) const GCF: &str = "gcf";
pub(crate) const GCX: &str = "gcx";
pub(crate) const GOON: &str = "goon";
pub(crate) const JSON: &str = "json";
pub(crate) const JSON_LINES: &str = "jsonl";
pub(crate) const JSON_PRETTY: &str = "json-pretty";
/// The name of the unchanged input in the list of formats.
pub(crate) use wire_registry::INPUT;
