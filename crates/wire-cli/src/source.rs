//! What values are written in, beside the formats of payloads.

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
    Csv(Cells),
    Tsv(Cells),
    /// GCF in its generic profile.
    Generic,
}

/// How the cells of CSV and TSV are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cells {
    Texts,
    /// Numbers, truth values and null, column by column, where nothing of a text is lost.
    Inferred,
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
            "CSV with a header: an array of objects. Its cells are strings; --infer-types reads numbers, booleans and null.",
            Source::Csv(Cells::Texts),
        ),
        ("tsv", &["tab"], "CSV with tabs instead of commas.", Source::Tsv(Cells::Texts)),
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let named = Source::NAMED.iter().find(|(.., source)| *source == self.of_texts());
        match named {
            Some((name, ..)) => name,
            None if self == Source::Generic => GCF,
            None => JSON,
        }
    }

    /// The one of [`Source::NAMED`].
    fn of_texts(self) -> Self {
        match self {
            Source::JsonValues => Source::JsonLines,
            Source::Csv(_) => Source::Csv(Cells::Texts),
            Source::Tsv(_) => Source::Tsv(Cells::Texts),
            other => other,
        }
    }

    /// The same with the types of its cells inferred; `None` if the format has no such cells.
    pub(crate) fn inferred(self) -> Option<Self> {
        match self {
            Source::Csv(_) => Some(Source::Csv(Cells::Inferred)),
            Source::Tsv(_) => Some(Source::Tsv(Cells::Inferred)),
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

/// Whether a text is a JSON value.
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
pub(crate) const INPUT: &str = "input";
