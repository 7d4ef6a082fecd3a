//! The texts of sets with a key and of their deltas: header fields, and sections of rows (section 10a).

use std::borrow::Cow;

use wire_core::text::shown;
use wire_core::{Limits, PackRoot, Position};

use super::columns::keyed_fields;
use super::head::{Count, Head, head, id};
use super::lines::{Lines, check_length, error_at};
use super::options::header;
use super::reader::Reader;
use super::row::cut;
use crate::generic::key::read_key;
use crate::generic::scalar::{Scalar, read_scalar};
use crate::graph::decode::{Diagnosis, Field, Lines as RawLines};
use crate::{Error, ErrorKind};

/// The lines of a text of this kind.
#[derive(Debug)]
pub(in crate::generic) struct KeyedText<'de> {
    text: &'de str,
    header: Vec<Field<'de>>,
    pub(in crate::generic) sections: Vec<KeyedRows<'de>>,
}

/// A section: its fields, and its rows.
#[derive(Debug)]
pub(in crate::generic) struct KeyedRows<'de> {
    /// Where it begins.
    at: usize,
    pub(in crate::generic) name: Option<Cow<'de, str>>,
    pub(in crate::generic) is_map: bool,
    pub(in crate::generic) fields: Vec<Cow<'de, str>>,
    /// The place of the field with the mark.
    pub(in crate::generic) key: usize,
    pub(in crate::generic) rows: Vec<Vec<Scalar<'de>>>,
}

impl<'de> KeyedText<'de> {
    /// Reads all of a text.
    pub(in crate::generic) fn read(text: &'de str, limits: &Limits) -> Result<Self, Error> {
        let mut lines = RawLines::new(text);
        let first = lines.next();
        if let Some(first) = first {
            check_length(text, first, limits)?;
        }
        let header = header(first.map_or("", |first| first.text)).map_err(|wrong| {
            Error::decode(wrong.kind, text.as_bytes(), wrong.at, wrong.into_message())
        })?;
        let mut read = KeyedText { text, header, sections: Vec::new() };
        let mut reader = Reader::new(Lines::new(text, lines, limits)?, usize::MAX);
        if !reader.lines.terminated && reader.lines.len() == 0 {
            let message = "the last line has no line ending, expected one: nothing shows that the text is whole";
            return Err(error_at(text, text.len(), ErrorKind::MissingFinalNewline, message));
        }
        while reader.at < reader.lines.len() {
            let section = KeyedText::section(&mut reader)?;
            read.sections.push(section);
        }
        Ok(read)
    }

    /// Reads the section that begins at the next line.
    fn section(reader: &mut Reader<'de>) -> Result<KeyedRows<'de>, Error> {
        let line = reader.at;
        let expected = "a table: `## name [N]{@key,…}`";
        if reader.lines.line(line).indent > 0 {
            return Err(reader.error(
                line,
                ErrorKind::InvalidIndent,
                "a line is indented, expected none to be",
            ));
        }
        let Some(rest) = reader.lines.of(line).strip_prefix("## ") else {
            return Err(reader.unrecognized(line, expected));
        };
        let (name, rest) = if rest.starts_with('[') {
            (None, rest)
        } else {
            let found = read_key(rest).map_err(|problem| reader.problem(problem))?;
            let Some((name, length)) = found else {
                return Err(reader.unrecognized(line, expected));
            };
            (Some(name), rest[length..].strip_prefix(' ').unwrap_or_default())
        };
        let (count, list, is_map) = match head(rest).map_err(|problem| reader.problem(problem))? {
            Some(Head::Array(Count::Exact(count), Some(list))) => (count, list, false),
            Some(Head::KeyedMap(Count::Exact(count), list)) => (count, list, true),
            Some(Head::Array(Count::Deferred, _) | Head::KeyedMap(Count::Deferred, _)) => {
                let message = "a count is `?`, expected a number";
                return Err(reader.error(line, ErrorKind::InvalidCount, message));
            }
            _ => return Err(reader.unrecognized(line, expected)),
        };
        let (fields, key) = keyed_fields(list).map_err(|problem| reader.problem(problem))?;
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        reader.at += 1;
        for _ in 0..count {
            let next = reader.at;
            if next >= reader.lines.len() || reader.lines.of(next).starts_with("## ") {
                break;
            }
            if reader.lines.line(next).indent > 0 {
                return Err(reader.error(
                    next,
                    ErrorKind::InvalidIndent,
                    "a row is indented, expected none to be",
                ));
            }
            cells.clear();
            let mut text = reader.lines.of(next);
            if let Some(rest) = text.strip_prefix('@') {
                let found = rest
                    .split_once(' ')
                    .filter(|(digits, _)| id(digits) == Some(rows.len() as u64));
                let Some((_, rest)) = found else {
                    let message = format!(
                        "a row is {}, expected its index: `@{} …`",
                        shown(text),
                        rows.len()
                    );
                    return Err(reader.error(next, ErrorKind::InvalidItemId, message));
                };
                text = rest;
            }
            if text.starts_with('.') {
                let message = format!(
                    "an attachment is {}, expected a row: no cell is its mark",
                    shown(text)
                );
                return Err(reader.error(next, ErrorKind::OrphanAttachment, message));
            }
            cut(text, &mut cells).map_err(|problem| reader.problem(problem))?;
            if cells.len() != fields.len() {
                let message = format!("a row has {} cells, expected {}", cells.len(), fields.len());
                return Err(reader.error(next, ErrorKind::RowWidthMismatch, message));
            }
            let row: Result<Vec<Scalar<'de>>, _> =
                cells.iter().map(|cell| read_scalar(cell)).collect();
            rows.push(row.map_err(|problem| reader.problem(problem))?);
            reader.at += 1;
        }
        let surplus =
            reader.at < reader.lines.len() && !reader.lines.of(reader.at).starts_with("## ");
        let found = rows.len() as u64 + u64::from(surplus);
        reader.check_count(line, Count::Exact(count), found, "rows")?;
        Ok(KeyedRows { at: reader.lines.line(line).start, name, is_map, fields, key, rows })
    }

    /// The value of a field of the header.
    pub(in crate::generic) fn field(&self, key: &str) -> Option<&'de str> {
        self.header.iter().find(|field| field.key == key).map(|field| field.value)
    }

    fn wrong(&self, wrong: Diagnosis) -> Error {
        Error::decode(wrong.kind, self.text.as_bytes(), wrong.at, wrong.into_message())
    }

    /// Whether a field of the header is `true`.
    pub(in crate::generic) fn is(&self, key: &str) -> Result<bool, Error> {
        let field = self.header.iter().find(|field| field.key == key);
        field.map_or(Ok(false), |field| field.boolean().map_err(|wrong| self.wrong(wrong)))
    }

    /// A number in the header.
    pub(in crate::generic) fn number(&self, key: &str) -> Result<Option<u64>, Error> {
        let field = self.header.iter().find(|field| field.key == key);
        field
            .map(|&field| crate::graph::decode::number(field).map_err(|wrong| self.wrong(wrong)))
            .transpose()
    }

    /// A root in the header.
    pub(in crate::generic) fn root(&self, key: &str) -> Result<PackRoot<'static>, Error> {
        let Some(field) = self.header.iter().find(|field| field.key == key) else {
            let message = format!("the header has no `{key}=…`, expected a root");
            return Err(self.error(ErrorKind::MissingRoot, message));
        };
        field.root().map(PackRoot::into_owned).map_err(|wrong| self.wrong(wrong))
    }

    /// The name of the key in the header.
    pub(in crate::generic) fn key(&self) -> Result<&'de str, Error> {
        self.field("key").filter(|key| !key.is_empty()).ok_or_else(|| {
            self.error(
                ErrorKind::MalformedDelta,
                "the header has no `key=…`, expected the name of the key".to_owned(),
            )
        })
    }

    /// The savings in the header, in percent.
    pub(in crate::generic) fn savings(&self) -> Result<Option<i64>, Error> {
        let Some(text) = self.field("savings") else { return Ok(None) };
        let percent = text.strip_suffix('%').and_then(|percent| percent.parse().ok());
        percent.map(Some).ok_or_else(|| {
            let message = format!("`savings` is {}, expected whole percents as `85%`", shown(text));
            self.error(ErrorKind::InvalidHeaderValue, message)
        })
    }

    /// An error in the header.
    #[cold]
    pub(in crate::generic) fn error(&self, kind: ErrorKind, message: String) -> Error {
        error_at(self.text, 0, kind, message)
    }

    /// An error in a section.
    #[cold]
    pub(in crate::generic) fn error_in(
        &self,
        section: &KeyedRows<'_>,
        kind: ErrorKind,
        message: &str,
    ) -> Error {
        error_at(self.text, section.at, kind, message)
    }

    /// Refuses a keyed map that is none (section 7.2a.4).
    pub(in crate::generic) fn check_map(&self, section: &KeyedRows<'_>) -> Result<(), Error> {
        let wrong = |kind, message: &str| Err(self.error_in(section, kind, message));
        if section.rows.is_empty() {
            return wrong(
                ErrorKind::InvalidCount,
                "zero count: a keyed map has no members, expected one at least",
            );
        }
        if section.fields.len() < 2 {
            return wrong(
                ErrorKind::InvalidCount,
                "a keyed map has one field, expected the key and a value at least",
            );
        }
        if section.key != 0 {
            return wrong(
                ErrorKind::InvalidFieldList,
                "the key of a keyed map stands behind other fields, expected it first",
            );
        }
        if section.rows.iter().any(|row| !matches!(row.first(), Some(Scalar::Text(_)))) {
            return wrong(
                ErrorKind::InvalidKey,
                "the key of a row is no text: others stand in quotes",
            );
        }
        Ok(())
    }

    pub(in crate::generic) fn place(&self, section: &KeyedRows<'_>) -> Position {
        Position::in_text(self.text.as_bytes(), section.at)
    }

    pub(in crate::generic) fn start(&self) -> Position {
        Position::in_text(self.text.as_bytes(), 0)
    }

    /// Refuses sections where there can be none.
    pub(in crate::generic) fn no_sections(&self) -> Result<(), Error> {
        match self.sections.first() {
            None => Ok(()),
            Some(_) => Err(self.wrong_sections("the end behind the header")),
        }
    }

    #[cold]
    pub(in crate::generic) fn wrong_sections(&self, expected: &str) -> Error {
        let message = format!("there are {} sections, expected {expected}", self.sections.len());
        let at = self.sections.last().map_or(0, |section| section.at);
        error_at(self.text, at, ErrorKind::MalformedDelta, message)
    }
}
