//! The texts of sets with a key and of their deltas: header fields, and sections of rows (section
//! 10a).

use std::borrow::Cow;
use std::sync::Arc;

use wire_core::text::shown;
use wire_core::{Limits, PackRoot, Position};

use super::columns::{Columns, ONE_FIELD};
use super::form::Body;
use super::head::{Count, Head, begins_section, count_of_map, section};
use super::lines::{Lines, check_length, error_at};
use super::options::{finish, header};
use super::reader::Reader;
use super::table::Table;
use crate::generic::scalar::Scalar;
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
    /// The index of the field with the mark.
    pub(in crate::generic) key: usize,
    pub(in crate::generic) rows: Vec<Vec<Scalar<'de>>>,
}

impl<'de> KeyedText<'de> {
    /// Reads all of a text.
    pub(in crate::generic) fn read(
        text: &'de str,
        limits: &Limits,
        final_newline_required: bool,
    ) -> Result<Self, Error> {
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
        while reader.at < reader.lines.len() {
            let section = KeyedText::section(&mut reader)?;
            read.sections.push(section);
        }
        finish(&mut reader, final_newline_required)?;
        Ok(read)
    }

    /// Reads the section that begins at the next line.
    fn section(reader: &mut Reader<'de>) -> Result<KeyedRows<'de>, Error> {
        let line = reader.at;
        if reader.lines.line(line).indent > 0 {
            return Err(reader.error(
                line,
                ErrorKind::InvalidIndent,
                "a line is indented, expected no indentation",
            ));
        }
        let place = |problem| reader.problem(problem);
        let (name, count, list, is_map) = match section(reader.lines.of(line)).map_err(place)? {
            Some((name, Head::Array(count, Some(list)))) => (name, count, list, false),
            Some((name, Head::KeyedMap(count, list))) => (name, count, list, true),
            _ => return Err(reader.unrecognized(line, "a table: `## name [N]{@key,…}`")),
        };
        if count == Count::Deferred {
            let message = "a count is `?`, expected a number";
            return Err(reader.error(line, ErrorKind::InvalidCount, message));
        }
        let (columns, key) = Columns::of_keyed_set(list).map_err(place)?;
        let fields = columns.member_names().cloned().collect();
        let next = (line + 1..reader.lines.len())
            .find(|&next| begins_section(reader.lines.of(next)))
            .unwrap_or(reader.lines.len());
        let body = Body { head: line, at: line + 1, end: next, indent: 0, whole: true };
        let mut table = Table::new(reader, body, count, Arc::new(columns), false);
        let mut rows = Vec::new();
        while let Some(row) = table.next_scalars(reader)? {
            rows.push(row);
        }
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
            let message =
                format!("`savings` is {}, expected a whole percentage such as `85%`", shown(text));
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

    /// Rejects a table that is not a valid keyed map (section 7.2a.4).
    pub(in crate::generic) fn check_map(&self, section: &KeyedRows<'_>) -> Result<(), Error> {
        let wrong = |kind, message: &str| Err(self.error_in(section, kind, message));
        let count = Count::Exact(section.rows.len() as u64);
        count_of_map(count, &self.text[section.at..])
            .map_err(|problem| problem.in_text(self.text))?;
        if section.fields.len() < 2 {
            return wrong(ErrorKind::InvalidCount, ONE_FIELD);
        }
        if section.key != 0 {
            return wrong(
                ErrorKind::InvalidFieldList,
                "the key of a keyed map is after other fields, expected it first",
            );
        }
        if section.rows.iter().any(|row| !matches!(row.first(), Some(Scalar::Text(_)))) {
            return wrong(
                ErrorKind::InvalidKey,
                "the key of a row is not a string, expected one; quote keys that look like other values",
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

    /// Rejects sections where none are allowed.
    pub(in crate::generic) fn no_sections(&self) -> Result<(), Error> {
        match self.sections.first() {
            None => Ok(()),
            Some(_) => Err(self.wrong_sections("the end after the header")),
        }
    }

    #[cold]
    pub(in crate::generic) fn wrong_sections(&self, expected: &str) -> Error {
        let message = format!("there are {} sections, expected {expected}", self.sections.len());
        let at = self.sections.last().map_or(0, |section| section.at);
        error_at(self.text, at, ErrorKind::MalformedDelta, message)
    }
}
