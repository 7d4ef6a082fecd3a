//! The texts of sets with a key and of their deltas: header fields, and sections of rows (section
//! 10a).

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use wire_core::text::shown;
use wire_core::{Limits, PackRoot};

use super::columns::{Columns, ONE_FIELD};
use super::de::Value;
use super::document::{Document, Kind, NO_KEY};
use super::head::{Count, Head, begins_section, count_of_map, section};
use super::lines::{Lines, check_length};
use super::parse::{Body, Parser};
use super::{finish, header};
use crate::generic::keyed::{Row, hashed};
use crate::generic::problem::Problem;
use crate::generic::scalar::read_scalar;
use crate::header::Field;
use crate::lines::{Diagnosis, Lines as RawLines, in_header};
use crate::{Error, ErrorKind};

/// The lines of a text of this kind.
#[derive(Debug)]
pub(in crate::generic) struct KeyedText<'de> {
    text: &'de str,
    header: Vec<Field<'de>>,
    pub(in crate::generic) sections: Vec<KeyedRows<'de>>,
}

#[derive(Debug)]
pub(in crate::generic) struct KeyedRows<'de> {
    at: usize,
    pub(in crate::generic) name: Option<Cow<'de, str>>,
    pub(in crate::generic) is_map: bool,
    pub(in crate::generic) fields: Vec<Cow<'de, str>>,
    /// The index of the field with the mark.
    pub(in crate::generic) key: usize,
    /// The scalars of each row, as they are hashed.
    pub(in crate::generic) rows: Vec<Row>,
}

impl<'de> KeyedText<'de> {
    pub(in crate::generic) fn read(
        text: &'de str,
        limits: &Limits,
        final_newline_required: bool,
    ) -> Result<Self, Error> {
        let wrong = |problem: Problem| problem.in_text(text);
        let mut lines = RawLines::new(text);
        let first = lines.next();
        if let Some(first) = first {
            check_length(first, limits).map_err(wrong)?;
        }
        let header = header(first.map_or("", |first| first.text))
            .map_err(|problem| in_header(text, problem))?;
        let mut read = KeyedText { text, header, sections: Vec::new() };
        let lines = Lines::new(text, lines, limits).map_err(wrong)?;
        let mut parser = Parser::new(Document::new(text), lines, usize::MAX);
        while parser.at < parser.lines.len() {
            read.sections.push(KeyedText::section(&mut parser).map_err(wrong)?);
        }
        finish(&parser, final_newline_required).map_err(wrong)?;
        Ok(read)
    }

    fn section(parser: &mut Parser<'de>) -> Result<KeyedRows<'de>, Problem> {
        let line = parser.at;
        if parser.lines.get(line).is_some_and(|line| line.indent > 0) {
            let message = "a line is indented, expected no indentation";
            return Err(parser.error(line, ErrorKind::InvalidIndent, message));
        }
        let (name, count, list, is_map) = match section(parser.lines.of(line))? {
            Some((name, Head::Array(count, Some(list)))) => (name, count, list, false),
            Some((name, Head::KeyedMap(count, list))) => (name, count, list, true),
            _ => return Err(parser.unrecognized(line, "a table: `## name [N]{@key,…}`")),
        };
        if count == Count::Deferred {
            let message = "a count is `?`, expected a number";
            return Err(parser.error(line, ErrorKind::InvalidCount, message));
        }
        let (columns, key) = Columns::of_keyed_set(parser, list)?;
        let fields = columns.members().map(|column| parser.document.key_text(column.key)).collect();
        let body = Body { head: line, indent: 0, is_whole: true };
        parser.at += 1;
        let mut rows: Vec<Row> = Vec::new();
        let follows = |parser: &Parser<'_>| {
            let is_section = |line| begins_section(parser.lines.of(line));
            Ok::<_, Problem>(parser.has_line(&body)? && !is_section(parser.at))
        };
        while count.allows(rows.len() as u64) && follows(parser)? {
            let (cells, _) = parser.cells(rows.len() as u64, &columns)?;
            let scalars = cells.iter().map(|cell| Ok(hashed(&read_scalar(cell)?)));
            rows.push(scalars.collect::<Result<_, Problem>>()?);
            parser.cells = cells;
            parser.at += 1;
        }
        let found = rows.len() as u64;
        parser.end_count(line, count, 0, found, "rows")?;
        if follows(parser)? {
            parser.end_body(&body, count, found, "rows")?;
        }
        parser.counted = Some(parser.at - 1);
        Ok(KeyedRows { at: parser.lines.offset(line), name, is_map, fields, key, rows })
    }

    /// A field of the header, as the type that `read` returns.
    fn typed<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Field<'de>) -> Result<T, Diagnosis>,
    ) -> Result<Option<T>, Error> {
        let field = self.header.iter().find(|field| field.key == key);
        field.map(read).transpose().map_err(|problem| in_header(self.text, problem))
    }

    pub(in crate::generic) fn field(&self, key: &str) -> Option<&'de str> {
        self.header.iter().find(|field| field.key == key).map(|field| field.value)
    }

    pub(in crate::generic) fn is(&self, key: &str) -> Result<bool, Error> {
        self.typed(key, Field::boolean).map(Option::unwrap_or_default)
    }

    pub(in crate::generic) fn number(&self, key: &str) -> Result<Option<u64>, Error> {
        self.typed(key, |&field| crate::header::number(field))
    }

    pub(in crate::generic) fn root(&self, key: &str) -> Result<PackRoot<'static>, Error> {
        let root = self.typed(key, Field::root)?;
        root.map(PackRoot::into_owned).ok_or_else(|| {
            let message = format!("the header has no `{key}=…`, expected a root");
            self.error(ErrorKind::MissingRoot, message)
        })
    }

    pub(in crate::generic) fn key(&self) -> Result<&'de str, Error> {
        self.field("key").filter(|key| !key.is_empty()).ok_or_else(|| {
            let message = "the header has no `key=…`, expected the name of the key";
            self.error(ErrorKind::MalformedDelta, message.to_owned())
        })
    }

    pub(in crate::generic) fn savings(&self) -> Result<Option<i64>, Error> {
        let Some(text) = self.field("savings") else { return Ok(None) };
        let percent = text.strip_suffix('%').and_then(|percent| percent.parse().ok());
        percent.map(Some).ok_or_else(|| {
            let message =
                format!("`savings` is {}, expected a whole percentage such as `85%`", shown(text));
            self.error(ErrorKind::InvalidHeaderValue, message)
        })
    }

    #[cold]
    pub(in crate::generic) fn error(&self, kind: ErrorKind, message: String) -> Error {
        Error::decode(kind, self.text.as_bytes(), 0, message)
    }

    #[cold]
    pub(in crate::generic) fn error_in(
        &self,
        section: &KeyedRows<'_>,
        kind: ErrorKind,
        message: impl Into<String>,
    ) -> Error {
        Error::decode(kind, self.text.as_bytes(), section.at, message)
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
            let message = "the key of a keyed map is after other fields, expected it first";
            return wrong(ErrorKind::InvalidFieldList, message);
        }
        if section.rows.iter().any(|row| !row[0].starts_with('"')) {
            let message = "the key of a row is not a string, expected one; quote keys that look like other values";
            return wrong(ErrorKind::InvalidKey, message);
        }
        Ok(())
    }

    #[cold]
    pub(in crate::generic) fn wrong_sections(&self, expected: &str) -> Error {
        let message = format!("there are {} sections, expected {expected}", self.sections.len());
        let at = self.sections.last().map_or(0, |section| section.at);
        Error::decode(ErrorKind::MalformedDelta, self.text.as_bytes(), at, message)
    }
}

pub(in crate::generic) fn typed_rows<T: DeserializeOwned>(
    fields: &[String],
    rows: &[Row],
) -> Result<Vec<T>, Error> {
    let source: String = rows.iter().flat_map(|row| row.iter().map(|token| &**token)).collect();
    if u32::try_from(source.len()).is_err() {
        let message = "the rows have 4 GiB or more, expected less";
        return Err(Error::encode(ErrorKind::TooLarge, message));
    }
    let mut document = Document::new(&source);
    let keys: Vec<_> = fields.iter().map_while(|field| document.intern(field)).collect();
    let mut array = document.open(0, Kind::Array, 0);
    let mut rest = &source[..];
    for row in rows {
        let node = document.add(&mut array, NO_KEY);
        let mut object = document.open(node, Kind::Object, 0);
        for (&key, token) in keys.iter().zip(row) {
            let (token, behind) = rest.split_at(token.len());
            rest = behind;
            let member = document.add(&mut object, key);
            document
                .scalar(member, token)
                .map_err(|problem| Error::encode(problem.kind, problem.message))?;
        }
    }
    // The rows have no positions.
    Vec::deserialize(Value { document: &document, node: document.node(0) })
        .map_err(|error| Error::encode(error.kind(), error.message()))
}
