//! Reads lines one at a time, and counts the rows of a section.

use wire_core::{Limits, Position};

use super::diagnosis::Diagnosis;
use super::header::{header, is_header};
use super::plain;
use super::row::{self, Row};
use crate::grammar::COMMENT;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// The content of one line.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Header(Header<'a>),
    Row(Row<'a>),
}

/// A declared number of rows, and its position.
#[derive(Clone, Copy, Debug)]
struct Declared {
    rows: u64,
    position: Position,
}

/// Turns lines into headers and rows, and counts.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    limits: Limits,
    /// The fields of the section; 0 before the first header.
    fields: usize,
    declared: Option<Declared>,
    rows: u64,
    /// `true` if the section has a blank line that is not a row, and whether the section before it
    /// had one.
    blank: bool,
    blank_before: bool,
}

impl Scanner {
    pub(crate) fn new(limits: Limits) -> Self {
        Scanner { limits, fields: 0, declared: None, rows: 0, blank: false, blank_before: false }
    }

    /// The row at the start of `rest` when it is plain, and its length with the line ending.
    #[inline]
    pub(crate) fn plain_row<'a>(&mut self, rest: &'a str, row: &mut Row<'a>) -> Option<usize> {
        // Headers, comments and blank lines are not rows, and before the first header there are no
        // rows.
        if self.fields == 0 || matches!(rest.as_bytes(), [COMMENT | b'\n' | b'G', ..]) {
            return None;
        }
        let fields = self.fields;
        let taken = plain::row(rest, fields, self.limits.line_bytes, row.cells_mut(fields))?;
        self.rows += 1;
        Some(taken)
    }

    /// The header or row of a line; `None` for comments and blank lines. `position` is the start of
    /// the line.
    pub(crate) fn line<'a>(
        &mut self,
        line: &'a str,
        position: Position,
    ) -> Result<Option<Event<'a>>, Error> {
        let scanned = self.scan(line, position)?;
        scanned.map_err(|problem| {
            let place =
                Position::in_line(line.as_bytes(), position.line, position.offset, problem.at);
            Error::at(problem.kind, place, problem.into_message())
        })
    }

    #[allow(clippy::type_complexity)] // an error that has its place, and one that has not yet
    fn scan<'a>(
        &mut self,
        line: &'a str,
        position: Position,
    ) -> Result<Result<Option<Event<'a>>, Diagnosis>, Error> {
        if line.len() > self.limits.line_bytes {
            let message = format!(
                "the line has {} bytes, expected at most {}",
                line.len(),
                self.limits.line_bytes
            );
            return Ok(Err(Diagnosis::new(ErrorKind::LineTooLong, 0, message)));
        }
        if is_header(line) || self.fields == 0 {
            self.end_of_section()?;
            let (header, rows_at) = match header(line, self.limits) {
                Ok(header) => header,
                Err(problem) => return Ok(Err(problem)),
            };
            self.fields = header.fields.len();
            self.rows = 0;
            self.blank_before = std::mem::take(&mut self.blank);
            self.declared = header.rows.map(|rows| Declared {
                rows,
                position: Position::in_line(
                    line.as_bytes(),
                    position.line,
                    position.offset,
                    rows_at,
                ),
            });
            return Ok(Ok(Some(Event::Header(header))));
        }
        let blank_row =
            self.fields == 1 && self.declared.is_some_and(|declared| self.rows < declared.rows);
        if line.as_bytes().first() == Some(&COMMENT) || (line.is_empty() && !blank_row) {
            self.blank |= line.is_empty();
            return Ok(Ok(None));
        }
        self.rows += 1;
        Ok(row::split(line, self.fields).map(|row| Some(Event::Row(row))))
    }

    /// Returns `true` if the section that ended has a blank line that is not a row.
    pub(crate) fn had_blank_line(&self, at_end: bool) -> bool {
        if at_end { self.blank } else { self.blank_before }
    }

    /// Checks the number of rows of the section that ends.
    pub(crate) fn end_of_section(&self) -> Result<(), Error> {
        let Some(Declared { rows, position }) = self.declared else { return Ok(()) };
        if rows == self.rows {
            return Ok(());
        }
        let message = format!(
            "the header declares {rows} rows, found {}, expected as many as declared",
            self.rows
        );
        Err(Error::at(ErrorKind::RowCountMismatch, position, message))
    }

    /// Checks the end of the input: the last section, and whether its last line is complete.
    pub(crate) fn end(
        &self,
        end: impl FnOnce() -> Position,
        last_line: LastLine,
        counted: bool,
    ) -> Result<(), Error> {
        self.end_of_section()?;
        if self.fields == 0 {
            let message = "the input is empty, expected a header line `GCX1 tool=… fields=…`";
            return Err(Error::at(ErrorKind::NotGcx, end(), message));
        }
        // The count matches, which shows that the payload is complete (ruling A2).
        if last_line == LastLine::Terminated || (counted && self.declared.is_some()) {
            return Ok(());
        }
        let message = "the last line has no line ending, expected a line ending, or a count that shows that the payload is complete";
        Err(Error::at(ErrorKind::MissingFinalNewline, end(), message))
    }
}

/// The end of the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastLine {
    Terminated,
    Open,
}
