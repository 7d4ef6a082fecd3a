//! Reading: a parser adds the value of a text to a document, which serde and JSON text read.

mod cells;
mod columns;
mod de;
mod document;
mod head;
#[cfg(feature = "json")]
mod json;
mod keyed;
mod lines;
mod parse;
mod row_by_row;
mod table;

use std::collections::BTreeSet;
use std::io::Read;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use wire_core::Limits;
use wire_core::text::shown;

use self::de::Value;
use self::document::Document;
use self::head::exact_count;
pub(super) use self::head::{begins_section, is_member_on_one_line, miscounted};
pub(super) use self::keyed::{KeyedRows, KeyedText, typed_rows};
pub(super) use self::lines::{AFTER_TRAILER, End, NOT_WHOLE};
use self::lines::{Lines, check_length};
use self::parse::{Parser, Tables};
pub(super) use self::row_by_row::{ReadRow, RowByRow, check_indentation};
pub(super) use self::table::key_twice;
use crate::generic::LIMITS;
use crate::generic::grammar::HEADER;
use crate::generic::problem::Problem;
use crate::header::{Field, fields, header_start, number};
use crate::lines::{Diagnosis, Lines as RawLines, SUMMARY, in_header};
use crate::{Error, ErrorKind};

/// How many bytes of names and constants rows may repeat: this many times the bytes of the text,
/// and at least this many bytes. Tables with long names and short cells stay far below.
const MOST_TIMES: usize = 256;
const MOST_BYTES: usize = 64 << 20;

/// Decodes values. The functions [`from_str`](crate::from_str) and its siblings do so with
/// the default options.
///
/// It reads texts of specifications 3.0 to 3.6.
///
/// ```
/// use gcf::Decoder;
///
/// let text = "GCF profile=generic\nports[2]: 8080,8443";
/// let value: serde_json::Value = Decoder::new().from_str(text)?;
/// assert_eq!(value["ports"][1], 8443);
/// let error = Decoder::new()
///     .require_final_newline(true)
///     .from_str::<serde_json::Value>(text)
///     .unwrap_err();
/// assert_eq!(error.code(), "missing_final_newline");
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    pub(in crate::generic) limits: Limits,
    pub(in crate::generic) final_newline_required: bool,
    /// None for as many bytes as are in proportion to the text.
    repeatable: Option<usize>,
    #[cfg(feature = "json")]
    layout: wire_core::json::Layout,
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

impl Decoder {
    /// The default options.
    pub const fn new() -> Self {
        Decoder {
            limits: LIMITS,
            final_newline_required: false,
            repeatable: None,
            #[cfg(feature = "json")]
            layout: wire_core::json::Layout::Compact,
        }
    }

    /// Sets the limits (default [`LIMITS`]). `items` bounds the lines of the text. How deep a value
    /// may be nested is fixed: 127 levels, as in `serde_json`.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how many bytes of names and constants the rows of tables may repeat in all (default
    /// `None`: 256 times the bytes of the text, and 64 MiB in any case). A table names its fields
    /// once, and each row that is read has them, so that a small text could be a huge value.
    #[must_use]
    pub const fn repeated_bytes(mut self, bytes: Option<usize>) -> Self {
        self.repeatable = bytes;
        self
    }

    /// Sets whether a text whose last line has no line ending is an error. By default (`false`) it
    /// is accepted if a count shows that the text is complete; a cut inside its last token is then
    /// not detected.
    #[must_use]
    pub const fn require_final_newline(mut self, required: bool) -> Self {
        self.final_newline_required = required;
        self
    }

    /// Sets whether the JSON of [`gcf_to_json`](Decoder::gcf_to_json) is indented by two spaces
    /// (default `false`: it has no white space).
    #[cfg(feature = "json")]
    #[must_use]
    pub const fn pretty(mut self, pretty: bool) -> Self {
        self.layout = wire_core::json::Layout::of(pretty);
        self
    }

    /// The value of a text. Texts without escapes can be borrowed from it.
    ///
    /// # Errors
    ///
    /// The problem of the text and where, by the codes of [`ErrorKind`]; `invalid_value` where a
    /// value is not what the type asks for.
    pub fn from_str<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<T, Error> {
        let mut parser = self.open(text)?;
        if let Err(error) = self.parse(&mut parser) {
            // A decimal out of range comes before the error.
            return Err(parser.document.check_infinite().err().unwrap_or(error));
        }
        let Parser { document, lines, .. } = parser;
        drop(lines);
        T::deserialize(Value { document: &document, node: document.node(0) })
    }

    /// The value of bytes.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str`], and `invalid_utf8`.
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, input: &'de [u8]) -> Result<T, Error> {
        self.from_str(Error::utf8(input)?)
    }

    /// The value of everything that `reader` gives.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`], and `io` when the reader fails.
    pub fn from_reader<R: Read, T: DeserializeOwned>(&self, mut reader: R) -> Result<T, Error> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input)?;
        self.from_slice(&input)
    }

    /// How many bytes the rows of a text of this size may repeat.
    pub(in crate::generic) fn most_repeated(&self, bytes: u64) -> usize {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.repeatable.unwrap_or_else(|| bytes.saturating_mul(MOST_TIMES).max(MOST_BYTES))
    }

    /// Reads the header and splits the text after it into lines.
    fn open<'de>(&self, text: &'de str) -> Result<Parser<'de>, Error> {
        let mut lines = RawLines::new(text);
        let first = lines.next();
        let line = first.map_or("", |first| first.text);
        let wrong = |problem: Problem| problem.in_text(text);
        if let Some(first) = first {
            check_length(first, &self.limits).map_err(wrong)?;
        }
        check_header(line)?;
        let repeatable = self.most_repeated(text.len() as u64);
        let lines = Lines::new(text, lines, &self.limits).map_err(wrong)?;
        Ok(Parser::new(Document::new(text), lines, repeatable))
    }

    fn parse(&self, parser: &mut Parser<'_>) -> Result<(), Error> {
        let read = parser.root().and_then(|()| finish(parser, self.final_newline_required));
        read.map_err(|problem| problem.in_text(parser.lines.text))
    }

    /// The features of specification 3.6 in the tables of a text. The whole text is read.
    pub(crate) fn tables(&self, text: &str) -> Result<Tables, Error> {
        let mut parser = self.open(text)?;
        let read = self.parse(&mut parser);
        parser.document.check_infinite().and(read).map(|()| parser.tables)
    }
}

/// Checks the text after the value: it is empty or a trailer, and something has to show that the
/// text is complete (sections 8.4 and 13.2).
fn finish(parser: &Parser<'_>, final_newline_required: bool) -> Result<(), Problem> {
    if parser.at < parser.lines.len() {
        return Err(parser.unrecognized(parser.at, "the end: the value is complete"));
    }
    let text = parser.lines.text;
    let counted = match parser.lines.summary {
        Some((start, end)) => {
            check_counts(&text[start..end], &parser.deferred).map_err(|wrong| {
                Problem::new(wrong.kind, &text[start + wrong.at..], wrong.into_message())
            })?
        }
        None => parser.counted.is_some_and(|line| line + 1 == parser.lines.len()),
    };
    let end = End { terminated: parser.lines.terminated, counted };
    if end.is_whole(final_newline_required) {
        return Ok(());
    }
    Err(Problem::new(ErrorKind::MissingFinalNewline, &text[text.len()..], NOT_WHOLE))
}

/// The fields of the header line (section 3.3).
fn header(line: &str) -> Result<Vec<Field<'_>>, Diagnosis> {
    let line = line.trim_end_matches([' ', '\t']);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for field in fields(line, header_start(line)?) {
        let field = field?;
        field.check_unique(&mut seen)?;
        match (found.len(), field.key) {
            (0, "profile") if field.value == "generic" => {}
            (0, "profile") => {
                let message = format!("the profile is {}, expected `generic`", shown(field.value));
                return Err(Diagnosis::new(ErrorKind::UnknownProfile, field.value_at(), message));
            }
            (0, _) | (_, "profile") => {
                let message =
                    format!("`profile` is not the first field of the header, expected `{HEADER}`");
                return Err(Diagnosis::new(ErrorKind::MissingProfile, field.at, message));
            }
            (_, "tokens" | "count") => {
                number(field)?;
            }
            (_, "delta" | "unchanged") => {
                field.boolean()?;
            }
            _ => {}
        }
        found.push(field);
    }
    if found.is_empty() {
        let message = format!("the header has no profile, expected `{HEADER}`");
        return Err(Diagnosis::new(ErrorKind::MissingProfile, line.len(), message));
    }
    Ok(found)
}

/// Refuses a header that says that no whole value follows.
fn check_whole(header: &[Field<'_>]) -> Result<(), Diagnosis> {
    let is_other =
        |field: &&Field<'_>| matches!(field.key, "delta" | "unchanged") && field.value == "true";
    header.iter().find(is_other).map_or(Ok(()), |field| {
        let message = format!("the header has `{}=true`, expected a whole value", field.key);
        Err(Diagnosis::new(ErrorKind::UnexpectedDelta, field.at, message))
    })
}

pub(in crate::generic) fn check_header(line: &str) -> Result<(), Error> {
    let checked = header(line).and_then(|header| check_whole(&header));
    checked.map_err(|problem| in_header(line, problem))
}

/// Compares the counts of a trailer with those that were left to it (sections 8.4 and 13.2), and
/// says whether there are any.
pub(in crate::generic) fn check_counts(line: &str, deferred: &[u64]) -> Result<bool, Diagnosis> {
    let mut counts = None;
    let mut seen = BTreeSet::new();
    for field in fields(line, SUMMARY.len()) {
        let field = field?;
        field.check_unique(&mut seen)?;
        if field.key == "counts" {
            counts = Some((field.value, field.value_at()));
        }
    }
    if deferred.is_empty() {
        // If counts are before the rows, the trailer is only informative.
        return Ok(false);
    }
    let (counts, at) = counts.unwrap_or(("", line.len()));
    let mut declared = Vec::new();
    for count in counts.split(',').filter(|_| !counts.is_empty()) {
        let Some(count) = exact_count(count) else {
            let message = format!("a count of the trailer is {}, expected a number", shown(count));
            return Err(Diagnosis::new(ErrorKind::InvalidCount, at, message));
        };
        declared.push(count);
    }
    if declared != deferred {
        let found: Vec<String> = deferred.iter().take(10).map(u64::to_string).collect();
        let (counts, found) = (shown(counts), shown(&found.join(",")));
        let message = format!(
            "the trailer declares the counts {counts}, expected those of what was found: {found}"
        );
        return Err(Diagnosis::new(ErrorKind::CountMismatch, at, message));
    }
    Ok(true)
}
