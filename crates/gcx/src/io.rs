//! Reading sections from a reader.

use std::io::Read;

use serde::de::DeserializeOwned;
use wire_core::text::LineReader;
use wire_core::{Limits, Position};

use crate::Error;
use crate::decode::{Event, LastLine, Row, Scanner, Sections, Walk, place_of, rows};
use crate::header::Header;
use crate::limits::LIMITS;

/// Reads sections from a [`Read`]. It keeps at most one line and a buffer in memory.
///
/// ```
/// let text = "GCX1 tool=t fields=id rows=2\na\nb\n";
/// let mut reader = gcx::Reader::new(text.as_bytes());
/// let header = reader.next_section()?.expect("there is a section");
/// let mut rows = 0;
/// while let Some(row) = reader.next_row()? {
///     assert!(row.get(&header, "id").is_some());
///     rows += 1;
/// }
/// assert_eq!(rows, 2);
/// # Ok::<(), gcx::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    lines: LineReader<R>,
    scanner: Scanner,
    require_final_newline: bool,
    walk: Walk<'static>,
}

impl<R: Read> Reader<R> {
    /// Reads from `reader` with the default options. The reader is buffered internally and need not
    /// be wrapped.
    pub fn new(reader: R) -> Self {
        Reader::with(reader, LIMITS, false)
    }

    /// Reads from `reader` with these options.
    pub(crate) fn with(reader: R, limits: Limits, require_final_newline: bool) -> Self {
        Reader {
            lines: LineReader::new(reader, limits.line_bytes),
            scanner: Scanner::new(limits),
            require_final_newline,
            walk: Walk::default(),
        }
    }

    /// The header of the next section: see
    /// [`SliceReader::next_section`](crate::SliceReader::next_section).
    ///
    /// # Errors
    ///
    /// As there, `invalid_utf8`, and `io` when the reader fails.
    pub fn next_section(&mut self) -> Result<Option<Header<'static>>, Error> {
        while self.next_row()?.is_some() {}
        Ok(self.walk.header())
    }

    /// The next row of the section; `None` at its end.
    ///
    /// # Errors
    ///
    /// As [`Reader::next_section`].
    pub fn next_row(&mut self) -> Result<Option<Row<'static>>, Error> {
        if self.walk.is_between_sections() {
            return Ok(None);
        }
        let event = self.advance();
        self.walk.row(event)
    }

    /// Deserializes the next row of the section: see
    /// [`SliceReader::next_record`](crate::SliceReader::next_record).
    ///
    /// # Errors
    ///
    /// As there, `invalid_utf8`, and `io` when the reader fails.
    pub fn next_record<T: DeserializeOwned>(
        &mut self,
        header: &Header<'_>,
    ) -> Result<Option<T>, Error> {
        rows::next(self, header)
    }

    fn advance(&mut self) -> Result<Option<Event<'static>>, Error> {
        loop {
            if !self.lines.advance()? {
                self.check_end()?;
                return Ok(None);
            }
            let event = match self.scanner.line(self.lines.text()?, self.lines.position(0))? {
                Some(Event::Header(header)) => Some(Event::Header(header.into_owned())),
                Some(Event::Row(row)) => Some(Event::Row(row.into_owned())),
                None => None,
            };
            if !self.lines.is_terminated() {
                self.check_end()?;
            }
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    fn check_end(&self) -> Result<(), Error> {
        let last_line =
            if self.lines.is_terminated() { LastLine::Terminated } else { LastLine::Open };
        self.scanner.end(|| self.lines.end(), last_line, !self.require_final_newline)
    }
}

impl<'a, R: Read> Sections<'a> for Reader<R> {
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
            return self.lines.end();
        }
        self.lines.position(0)
    }

    fn cell_place(&self, column: usize) -> Position {
        let line = self.lines.text().expect("because the line was read as text");
        self.lines.position(place_of(line, column))
    }
}
