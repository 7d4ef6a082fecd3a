//! Reads lines one at a time, up to the maximum length.

use std::io::{BufRead, ErrorKind as IoErrorKind};

use wire_core::text::from_utf8;
use wire_core::{Limits, Position};

use crate::{Error, ErrorKind};

/// Reads lines from a reader, with one line in memory.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    reader: R,
    pub(crate) limits: Limits,
    pub(crate) line: Vec<u8>,
    /// The number of lines read so far.
    pub(crate) taken: u64,
    /// Offset of the next line.
    pub(crate) offset: u64,
    /// Whether the last line had a line ending.
    pub(crate) ended_in_newline: bool,
}

impl<R: BufRead> LineReader<R> {
    pub(crate) fn new(reader: R, limits: Limits) -> Self {
        LineReader {
            reader,
            limits,
            line: Vec::new(),
            taken: 0,
            offset: 0,
            ended_in_newline: false,
        }
    }

    /// Counts a line of this many bytes as read.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.offset += bytes as u64;
        self.taken += 1;
    }

    /// The line that was read last, as text. It begins at offset `start`.
    ///
    /// # Errors
    ///
    /// `invalid_utf8`, with the position.
    pub(crate) fn text(&self, start: u64) -> Result<&str, Error> {
        from_utf8(&self.line).map_err(|(at, message)| {
            let position = Position::in_line(&self.line, self.taken, start, at);
            Error::at(ErrorKind::InvalidUtf8, position, message)
        })
    }

    /// Reads a line into `line` without its line ending, and returns the number of bytes read.
    pub(crate) fn read_line(&mut self) -> Result<usize, Error> {
        self.line.clear();
        let mut read = 0;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == IoErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let (part, ends) = match memchr::memchr(b'\n', available) {
                Some(end) => (&available[..end], true),
                None => (available, false),
            };
            // One byte more than the limit, for a CR of the line ending.
            if self.line.len() + part.len() > self.limits.line_bytes.saturating_add(1) {
                let position = Position { offset: self.offset, line: self.taken + 1, column: 1 };
                let message = format!(
                    "the line has more than {} bytes, expected at most as many",
                    self.limits.line_bytes
                );
                return Err(Error::at(ErrorKind::LineTooLong, position, message));
            }
            self.line.extend_from_slice(part);
            let used = part.len() + usize::from(ends);
            let at_end = available.is_empty();
            self.reader.consume(used);
            read += used;
            if ends || at_end {
                self.ended_in_newline = ends;
                if self.line.last() == Some(&b'\r') {
                    self.line.pop();
                }
                return Ok(read);
            }
        }
    }
}
