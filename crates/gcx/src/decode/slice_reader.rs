//! Reading the sections of a text.

use serde::Deserialize;
use wire_core::{Limits, Position};

use super::row::{Row, place_of};
use super::rows;
use super::scanner::{Event, LastLine, Scanner};
use super::sections::{Sections, Walk};
use crate::Error;
use crate::header::Header;
use crate::limits::LIMITS;

/// Reads the sections of a text. Cells without escapes are borrowed from it.
/// [`Decoder::slice_reader`](crate::Decoder::slice_reader) has options; [`Reader`](crate::Reader)
/// reads from an [`io::Read`](std::io::Read).
#[derive(Clone, Debug)]
pub struct SliceReader<'a> {
    text: &'a str,
    scanner: Scanner,
    require_final_newline: bool,
    /// The bytes and lines read so far, and where the last line began.
    at: usize,
    lines: u64,
    line_start: usize,
    walk: Walk<'a>,
}

impl<'a> SliceReader<'a> {
    /// Reads `text` with the default options.
    pub fn new(text: &'a str) -> Self {
        SliceReader::with(text, LIMITS, false)
    }

    /// Reads a text given as bytes, with the default options.
    ///
    /// # Errors
    ///
    /// `invalid_utf8`, with its position.
    pub fn from_slice(input: &'a [u8]) -> Result<Self, Error> {
        Error::utf8(input).map(SliceReader::new)
    }

    /// Reads `text` with these options.
    pub(super) fn with(text: &'a str, limits: Limits, require_final_newline: bool) -> Self {
        SliceReader {
            text,
            scanner: Scanner::new(limits),
            require_final_newline,
            at: 0,
            lines: 0,
            line_start: 0,
            walk: Walk::default(),
        }
    }

    /// The header of the next section; `None` at the end. Rows of the current section that have not
    /// been read are skipped.
    ///
    /// # Errors
    ///
    /// The error of a line, with its position; `row_count_mismatch` for the section that ends.
    /// After an error there are no more sections and rows.
    pub fn next_section(&mut self) -> Result<Option<Header<'a>>, Error> {
        let mut row = Row::default();
        while self.read_row(&mut row)? {}
        Ok(self.walk.header())
    }

    /// The next row of the section; `None` at its end.
    ///
    /// # Errors
    ///
    /// As [`SliceReader::next_section`].
    pub fn next_row(&mut self) -> Result<Option<Row<'a>>, Error> {
        let mut row = Row::default();
        Ok(self.read_row(&mut row)?.then_some(row))
    }

    /// Reads the next row of the section into `row`, reusing its memory. Returns `false` at the end
    /// of the section; then the content of `row` is undefined.
    ///
    /// ```
    /// let mut reader =
    ///     gcx::SliceReader::new("GCX1 tool=t fields=id,line rows=2\na\t1\nb\t2\n");
    /// reader.next_section()?;
    /// let mut row = gcx::Row::default();
    /// let mut ids = String::new();
    /// while reader.read_row(&mut row)? {
    ///     ids.push_str(row.cell(0).unwrap_or_default());
    /// }
    /// assert_eq!(ids, "ab");
    /// # Ok::<(), gcx::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`SliceReader::next_section`].
    pub fn read_row(&mut self, row: &mut Row<'a>) -> Result<bool, Error> {
        if self.walk.is_between_sections() {
            return Ok(false);
        }
        if let Some(taken) = self.scanner.plain_row(&self.text[self.at..], row) {
            self.line_start = self.at;
            self.at += taken;
            self.lines += 1;
            return Ok(true);
        }
        let event = self.advance();
        match self.walk.row(event)? {
            Some(found) => {
                *row = found;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Deserializes the next row of the section by the rules of [`from_str`](crate::from_str);
    /// `None` at its end. `header` is the header of the section.
    ///
    /// ```
    /// let mut reader =
    ///     gcx::SliceReader::new("GCX1 tool=t fields=id,line rows=2\na\t1\nb\t2\n");
    /// let header = reader.next_section()?.unwrap();
    /// let mut lines = 0;
    /// while let Some((id, line)) = reader.next_record::<(&str, u64)>(&header)? {
    ///     assert!(id == "a" || id == "b");
    ///     lines += line;
    /// }
    /// assert_eq!(lines, 3);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`SliceReader::next_section`]; `invalid_cell` and `invalid_row`, with their positions.
    pub fn next_record<T: Deserialize<'a>>(
        &mut self,
        header: &Header<'_>,
    ) -> Result<Option<T>, Error> {
        rows::next(self, header)
    }

    fn advance(&mut self) -> Result<Option<Event<'a>>, Error> {
        let mut last_line = LastLine::Terminated;
        while self.at < self.text.len() {
            let start = self.at;
            let rest = &self.text[start..];
            let line = match memchr::memchr(b'\n', rest.as_bytes()) {
                Some(end) => {
                    self.at += end + 1;
                    &rest[..end]
                }
                None => {
                    self.at = self.text.len();
                    last_line = LastLine::Open;
                    rest
                }
            };
            self.lines += 1;
            self.line_start = start;
            let line = line.strip_suffix('\r').unwrap_or(line);
            let position = Position { offset: start as u64, line: self.lines, column: 1 };
            if let Some(event) = self.scanner.line(line, position)? {
                if last_line == LastLine::Open {
                    self.check_end(last_line)?;
                }
                return Ok(Some(event));
            }
        }
        self.check_end(last_line)?;
        Ok(None)
    }

    fn check_end(&self, last_line: LastLine) -> Result<(), Error> {
        let end = || Position::in_text(self.text.as_bytes(), self.text.len());
        self.scanner.end(end, last_line, !self.require_final_newline)
    }
}

impl<'a> Sections<'a> for SliceReader<'a> {
    fn section(&mut self) -> Result<Option<Header<'a>>, Error> {
        self.next_section()
    }

    fn row(&mut self) -> Result<Option<Row<'a>>, Error> {
        self.next_row()
    }

    fn had_blank_line(&self) -> bool {
        self.scanner.had_blank_line(self.walk.is_at_end())
    }

    fn line_place(&self) -> Position {
        if self.walk.is_at_end() {
            return Position::in_text(self.text.as_bytes(), self.text.len());
        }
        Position { offset: self.line_start as u64, line: self.lines.max(1), column: 1 }
    }

    fn cell_place(&self, column: usize) -> Position {
        let line = self.text[self.line_start..].lines().next().unwrap_or_default();
        let at = place_of(line, column);
        Position::in_line(line.as_bytes(), self.lines.max(1), self.line_start as u64, at)
    }
}
