//! The formats of values, and the names of all.

/// The format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// One value of JSON.
    Json,
    /// A value on each line.
    JsonLines,
    /// Values one after the other, on any lines, as `jq .` writes them.
    JsonValues,
    /// YAML: a document, or several, which are an array. A tag that JSON does not have is an error,
    /// unless it is said what becomes of it.
    Yaml(Option<Tags>),
    /// TOML.
    Toml,
    /// CSV or TSV, with a header.
    Csv(Csv),
    /// GCF in its generic profile.
    Generic,
}

/// What becomes of the tags of YAML that JSON does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tags {
    /// They are left out: `!Sub a` is `"a"`.
    Drop,
    /// A value with one is an object: `!Sub a` is `{"!Sub": "a"}`.
    Keep,
}

/// The cells of CSV that may be other values than texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// All cells.
    All,
    /// Cells without quotes: a column with a quoted cell is one of texts.
    Unquoted,
}

/// How CSV is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Csv {
    /// The delimiter of cells unless the text shows another byte.
    pub usual: u8,
    /// The delimiter of cells, if that is named.
    pub delimiter: Option<u8>,
    /// Which cells are read as numbers, truth values and null, column by column, where nothing of a
    /// text is lost; `None` for none.
    pub types: Option<Types>,
    /// `true` if columns with one name are told apart by numbers.
    pub renames: bool,
}

impl Csv {
    /// The delimiter of cells is found, or this.
    pub const fn new(usual: u8) -> Self {
        Csv { usual, delimiter: None, types: None, renames: false }
    }
}

/// A source that is not a format of payloads: its name, its aliases, its description, and its
/// value. Aliases are also extensions.
pub type Named = (&'static str, &'static [&'static str], &'static str, Source);

impl Source {
    /// Those that are not formats of payloads, and that are compiled in.
    pub const NAMED: &'static [Named] = &[
        (
            JSON_LINES,
            &["ndjson"],
            "JSON lines: a value on each line, or values one after the other, as an array.",
            Source::JsonLines,
        ),
        #[cfg(feature = "yaml")]
        (
            YAML,
            &["yml"],
            "YAML. Keys that are not strings become strings; several documents become an array.",
            Source::Yaml(None),
        ),
        #[cfg(feature = "toml")]
        ("toml", &[], "TOML. Dates become strings.", Source::Toml),
        #[cfg(feature = "csv")]
        (
            "csv",
            &[],
            "CSV with a header: an array of objects. Its cells are strings; --infer-types reads numbers, booleans and null. Commas, semicolons, bars or tabs are between cells.",
            Source::Csv(Csv::new(b',')),
        ),
        #[cfg(feature = "csv")]
        ("tsv", &["tab"], "CSV with tabs instead of commas.", Source::Csv(Csv::new(b'\t'))),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Source::Json => JSON,
            Source::JsonLines | Source::JsonValues => JSON_LINES,
            Source::Yaml(_) => YAML,
            Source::Toml => "toml",
            Source::Csv(Csv { usual: b'\t', .. }) => "tsv",
            Source::Csv(_) => "csv",
            Source::Generic => GCF,
        }
    }

    /// The source of this name or extension.
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |known: &str, aliases: &[&str]| {
            known.eq_ignore_ascii_case(name)
                || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        };
        let found = Source::NAMED.iter().find(|(known, aliases, ..)| is_named(known, aliases));
        found.map(|(.., source)| *source)
    }

    /// The format of a text without a name: JSON, JSON lines if the first line is a value by
    /// itself and more follows (scalars only if the next line is one, too), or YAML with a marker.
    pub(crate) fn of_first_line(bytes: &[u8]) -> Option<Self> {
        match bytes.trim_ascii_start().first() {
            Some(b'{' | b'[') => {}
            Some(b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') if is_value(bytes) => {
                return Some(Source::Json);
            }
            Some(b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') if are_lines(bytes) => {
                return Some(Source::JsonLines);
            }
            _ => {
                let says_yaml = ["---\n", "---\r\n", "--- ", "%YAML "]
                    .iter()
                    .any(|mark| bytes.starts_with(mark.as_bytes()));
                return Source::named(YAML).filter(|_| says_yaml);
            }
        }
        let (first, rest) = first_line(bytes);
        let is_lines = !rest.trim_ascii().is_empty() && is_value(first);
        Some(if is_lines { Source::JsonLines } else { Source::Json })
    }

    /// Of a text that has values one after the other, whether each has a line. A line that is none
    /// is an error of JSON lines, unless it begins a value of several lines.
    pub(crate) fn of_values(bytes: &[u8]) -> Self {
        let mut end = 0;
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
            end += line.len();
            (line.trim_ascii(), end)
        });
        let wrong = lines.find(|(line, _)| !line.is_empty() && !is_value(line));
        let Some((line, end)) = wrong else { return Source::JsonLines };
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let is_begun = matches!(line.last(), Some(b'{' | b'[' | b','));
        let reads = crate::value::values_end(text);
        if reads == text.len() || is_begun && reads >= end {
            Source::JsonValues
        } else {
            Source::JsonLines
        }
    }
}

/// The first line that is not blank, and what follows.
fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut lines = bytes.trim_ascii_start().splitn(2, |byte| *byte == b'\n');
    (lines.next().unwrap_or_default(), lines.next().unwrap_or_default())
}

/// Returns `true` if the first line is a value by itself, and the second is one or begins one.
fn are_lines(bytes: &[u8]) -> bool {
    let (first, rest) = first_line(bytes);
    let (second, _) = first_line(rest);
    is_value(first) && (is_value(second) || matches!(second.trim_ascii(), b"{" | b"["))
}

/// Returns `true` if a text is a JSON value.
fn is_value(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| crate::value::checked(text).is_some())
}

/// The name of GCF, of both profiles.
pub const GCF: &str = "gcf";
/// The name of GCX1.
pub const GCX: &str = "gcx";
/// The name of GOON.
pub const GOON: &str = "goon";
/// The name of JSON without white space.
pub const JSON: &str = "json";
/// The name of JSON lines.
pub const JSON_LINES: &str = "jsonl";
const YAML: &str = "yaml";
/// The name of JSON with line breaks.
pub const JSON_PRETTY: &str = "json-pretty";
