//! Lines, and the pieces of a line.

use wire_core::text::shown;
use wire_core::{Limits, Position};

use crate::{Error, ErrorKind};

/// A line without its line ending, and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    /// From 1.
    number: u64,
    offset: usize,
}

impl<'a> Line<'a> {
    /// The position of this byte of the line.
    pub(super) fn place(&self, at: usize) -> Position {
        Position::in_line(self.text.as_bytes(), self.number, self.offset as u64, at)
    }

    /// An error at this byte of the line.
    #[cold]
    pub(super) fn error(&self, kind: ErrorKind, at: usize, message: impl Into<String>) -> Error {
        Error::at(kind, self.place(at), message)
    }

    /// The byte of the line at which `rest` begins; `rest` extends to the line's end.
    pub(super) fn at(&self, rest: &str) -> usize {
        self.text.len() - rest.len()
    }

    /// An error that the line is not of a form.
    #[cold]
    pub(super) fn malformed(&self, kind: ErrorKind, expected: &str) -> Error {
        self.error(kind, 0, format!("the line is {}, expected {expected}", shown(self.text)))
    }

    /// The line, whose pieces live as long as the text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    limits: Limits,
    offset: usize,
    number: u64,
    peeked: Option<Line<'a>>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, limits: Limits) -> Self {
        Lines { text, limits, offset: 0, number: 0, peeked: None }
    }

    /// The next line, which stays the next.
    pub(super) fn peek(&mut self) -> Result<Option<Line<'a>>, Error> {
        if self.peeked.is_none() {
            self.peeked = self.read()?;
        }
        Ok(self.peeked)
    }

    /// The next line.
    pub(super) fn next(&mut self) -> Result<Option<Line<'a>>, Error> {
        self.peek()?;
        Ok(self.peeked.take())
    }

    fn read(&mut self) -> Result<Option<Line<'a>>, Error> {
        let rest = &self.text[self.offset..];
        if rest.is_empty() {
            return Ok(None);
        }
        let end = memchr::memchr(b'\n', rest.as_bytes());
        let text = &rest[..end.unwrap_or(rest.len())];
        let text = if end.is_some() { text.strip_suffix('\r').unwrap_or(text) } else { text };
        self.number += 1;
        let line = Line { text, number: self.number, offset: self.offset };
        if text.len() > self.limits.line_bytes {
            let message = format!(
                "the line has {} bytes, expected at most {}",
                text.len(),
                self.limits.line_bytes
            );
            return Err(line.error(ErrorKind::LineTooLong, 0, message));
        }
        match end {
            Some(end) => self.offset += end + 1,
            None => {
                let message = "the last line has no line ending, expected one";
                return Err(Error::at(ErrorKind::MissingFinalNewline, self.end(), message));
            }
        }
        Ok(Some(line))
    }

    /// The bytes of the text.
    pub(super) fn size(&self) -> usize {
        self.text.len()
    }

    /// The end of the text.
    pub(super) fn end(&self) -> Position {
        Position::in_text(self.text.as_bytes(), self.text.len())
    }

    /// The start of the next line, or the end of the text.
    pub(super) fn place(&mut self) -> Result<Position, Error> {
        Ok(self.peek()?.map_or_else(|| self.end(), |line| line.place(0)))
    }

    /// Reads the line with a section's marker.
    pub(super) fn section(&mut self, marker: &str) -> Result<(), Error> {
        if self.peek()?.is_some_and(|line| line.text == marker) {
            self.next()?;
            return Ok(());
        }
        let message = match self.peek()? {
            Some(line) => format!("the line is {}, expected {marker}", shown(line.text)),
            None => format!("the text ends, expected {marker}"),
        };
        Err(Error::at(ErrorKind::InvalidSection, self.place()?, message))
    }
}
