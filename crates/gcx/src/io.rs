//! Reading sections from a reader.

use std::io::{BufRead, BufReader, Read};

use serde::de::DeserializeOwned;
use wire_core::text::from_utf8;
use wire_core::{Limits, Position};

use crate::decode::{Event, LastLine, Row, Scanner, Sections, Walk, place_of, rows};
use crate::header::Header;
use crate::limits::LIMITS;
use crate::{Error, ErrorKind};

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
    inner: BufReader<R>,
    scanner: Scanner,
    limits: Limits,
    require_final_newline: bool,
    line: Vec<u8>,
    /// The bytes and lines read so far, and where the last line began.
    offset: u64,
    lines: u64,
    line_start: u64,
    /// Whether a line ending follows the last of them.
    ends: bool,
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
            inner: BufReader::new(reader),
            scanner: Scanner::new(limits),
            limits,
            require_final_newline,
            line: Vec::new(),
            offset: 0,
            lines: 0,
            line_start: 0,
            ends: true,
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
            let start = self.offset;
            let (read, ends) = self.read_line()?;
            if read == 0 {
                self.check_end()?;
                return Ok(None);
            }
            self.offset += read;
            self.lines += 1;
            self.line_start = start;
            self.ends = ends;
            let line = from_utf8(&self.line).map_err(|(at, message)| {
                let position = Position::in_line(&self.line, self.lines, start, at);
                Error::at(ErrorKind::InvalidUtf8, position, message)
            })?;
            let position = Position { offset: start, line: self.lines, column: 1 };
            let event = match self.scanner.line(line, position)? {
                Some(Event::Header(header)) => Some(Event::Header(header.into_owned())),
                Some(Event::Row(row)) => Some(Event::Row(row.into_owned())),
                None => None,
            };
            if !ends {
                self.check_end()?;
            }
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    fn check_end(&self) -> Result<(), Error> {
        let last_line = if self.ends { LastLine::Terminated } else { LastLine::Open };
        self.scanner.end(|| self.end(), last_line, !self.require_final_newline)
    }

    /// The end of the input read so far.
    fn end(&self) -> Position {
        if self.ends {
            return Position { offset: self.offset, line: self.lines + 1, column: 1 };
        }
        let at = self.line.len();
        let end = Position::in_line(&self.line, self.lines, self.line_start, at);
        // A CR at the end of the input is not part of the line.
        let more = self.offset - end.offset;
        Position { offset: self.offset, column: end.column + more, ..end }
    }

    /// Reads a line into `line` without its line ending. Returns the number of bytes read, and
    /// whether there was a line ending.
    fn read_line(&mut self) -> Result<(u64, bool), Error> {
        self.line.clear();
        let mut read = 0;
        loop {
            let available = match self.inner.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let (part, ends) = match memchr::memchr(b'\n', available) {
                Some(end) => (&available[..end], true),
                None => (available, false),
            };
            // One byte more than the limit, for a CR of the line ending.
            if self.line.len() + part.len() > self.limits.line_bytes.saturating_add(1) {
                let position = Position { offset: self.offset, line: self.lines + 1, column: 1 };
                let message = format!(
                    "the line has more than {} bytes, expected at most as many",
                    self.limits.line_bytes
                );
                return Err(Error::at(ErrorKind::LineTooLong, position, message));
            }
            self.line.extend_from_slice(part);
            let used = part.len() + usize::from(ends);
            let at_end = available.is_empty();
            self.inner.consume(used);
            read += used as u64;
            if ends || at_end {
                if self.line.last() == Some(&b'\r') {
                    self.line.pop();
                }
                return Ok((read, ends));
            }
        }
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
            return self.end();
        }
        Position { offset: self.line_start, line: self.lines.max(1), column: 1 }
    }

    fn cell_place(&self, column: usize) -> Position {
        let line = std::str::from_utf8(&self.line).expect("because the line was read as text");
        let at = place_of(line, column);
        Position::in_line(&self.line, self.lines.max(1), self.line_start, at)
    }
}
