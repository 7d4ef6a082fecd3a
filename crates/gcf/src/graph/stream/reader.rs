//! The pull parser over a reader.

use std::io::{BufRead, ErrorKind as IoErrorKind};

use wire_core::{Limits, Position};

use crate::graph::decode::{Event, LineScanner};
use crate::{Error, ErrorKind};

/// The lines of a payload one by one from a [`BufRead`], holding no more than one line in memory.
///
/// As [`Events`](super::super::Events), each line is checked on its own; ids and counts, which hold
/// between lines, are the caller's.
///
/// ```
/// use gcf::graph::{Event, EventReader};
///
/// let text = "GCF tool=t\n## targets\n@0 fn a 0.50 structural\n@1 fn b 0.25 structural\n";
/// let mut reader = EventReader::new(text.as_bytes());
/// let mut symbols = 0;
/// while let Some(event) = reader.next_event()? {
///     if let Event::Symbol(_) = event {
///         symbols += 1;
///     }
/// }
/// assert_eq!(symbols, 2);
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Debug)]
pub struct EventReader<R> {
    reader: R,
    scanner: LineScanner,
    limits: Limits,
    line: Vec<u8>,
    /// Lines taken so far.
    taken: u64,
    /// Offset of the next line.
    offset: u64,
    ended: bool,
}

impl<R: BufRead> EventReader<R> {
    /// Reads from `reader` with the default limits.
    pub fn new(reader: R) -> Self {
        EventReader {
            reader,
            scanner: LineScanner::new(Limits::DEFAULT),
            limits: Limits::DEFAULT,
            line: Vec::new(),
            taken: 0,
            offset: 0,
            ended: false,
        }
    }

    /// Sets the limits (default [`Limits::DEFAULT`]); only [`Limits::line_bytes`] is applied.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.scanner = LineScanner::new(limits);
        self
    }

    /// The next event; `None` at the end. After an error of a line the next call goes on with the next
    /// line; after an error of the header, a line that is too long, or of the reader nothing comes.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with a line, with its place, and `io` when the reader fails.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        let start = loop {
            if self.ended {
                return Ok(None);
            }
            let start = self.offset;
            let read = self.read_line().inspect_err(|_| self.ended = true)?;
            // An empty input has no header, which is an error; so the scanner sees its one empty line.
            if read == 0 && self.taken > 0 {
                self.ended = true;
                return Ok(None);
            }
            self.offset += read as u64;
            self.taken += 1;
            if !self.line.is_empty() || self.taken == 1 {
                break start;
            }
        };
        let number = self.taken;
        let text = match std::str::from_utf8(&self.line) {
            Ok(text) => text,
            Err(error) => {
                self.ended = number == 1;
                let at = error.valid_up_to();
                let message =
                    format!("the byte 0x{:02x} is not UTF-8, expected UTF-8 text", self.line[at]);
                let position = Position::in_line(&self.line, number, start, at);
                return Err(Error::at(ErrorKind::InvalidUtf8, position, message));
            }
        };
        let scanned =
            if number == 1 { self.scanner.header(text).map(Some) } else { self.scanner.line(text) };
        match scanned {
            Ok(event) => Ok(event),
            Err(problem) => {
                self.ended = number == 1;
                let position = Position::in_line(text.as_bytes(), number, start, problem.at);
                Err(Error::at(problem.kind, position, problem.into_message()))
            }
        }
    }

    /// Reads a line into `line`, without its line ending, and returns the bytes that it takes.
    fn read_line(&mut self) -> Result<usize, Error> {
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
            // One byte more than the limit, for a CR that belongs to the line ending.
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
                if self.line.last() == Some(&b'\r') {
                    self.line.pop();
                }
                return Ok(read);
            }
        }
    }
}
