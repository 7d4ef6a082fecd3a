//! The pull parser over a reader.

use std::io::Read;

use wire_core::lines::LineReader;

use crate::Error;
use crate::graph::decode::{Decoder, Event, LineScanner};

/// The lines of a payload one by one from a [`Read`], holding no more than one line and a buffer
/// in memory.
///
/// As [`Events`](super::super::Events), each line is checked on its own; ids and counts, which hold
/// between lines, are the caller's.
///
/// ```
/// use gcf::graph::{Event, Reader};
///
/// let text = "GCF tool=t\n## targets\n@0 fn a 0.50 structural\n@1 fn b 0.25 structural\n";
/// let mut reader = Reader::new(text.as_bytes());
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
pub struct Reader<R> {
    lines: LineReader<R>,
    scanner: LineScanner,
    ended: bool,
}

impl Decoder {
    /// The lines of a payload one by one as `reader` gives them: see [`Reader`]. Of the options only
    /// [`Limits::line_bytes`](wire_core::Limits::line_bytes) is applied.
    pub fn reader<R: Read>(&self, reader: R) -> Reader<R> {
        Reader {
            lines: LineReader::new(reader, self.limits.line_bytes),
            scanner: LineScanner::new(self.limits),
            ended: false,
        }
    }
}

impl<R: Read> Reader<R> {
    /// Reads from `reader` with the default limits. The reader is buffered here; there is no need to wrap it.
    pub fn new(reader: R) -> Self {
        Decoder::new().reader(reader)
    }

    /// The next event; `None` at the end. After an error of a line the next call goes on with the next
    /// line; after an error of the header, a line that is too long, or of the reader nothing comes.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with a line, with its place, and `io` when the reader fails.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        loop {
            if self.ended {
                return Ok(None);
            }
            let is_line = self.lines.advance().inspect_err(|_| self.ended = true)?;
            self.ended = !is_line;
            // An empty input has no header, which is an error; so the scanner sees its one empty line.
            if !is_line && self.lines.number() > 0 {
                return Ok(None);
            }
            if !self.lines.line().is_empty() || self.lines.number() <= 1 {
                break;
            }
        }
        let is_header = self.lines.number() <= 1;
        let text = self.lines.text().inspect_err(|_| self.ended = is_header)?;
        let scanned =
            if is_header { self.scanner.header(text).map(Some) } else { self.scanner.line(text) };
        match scanned {
            Ok(event) => Ok(event),
            Err(problem) => {
                self.ended |= is_header;
                let position = self.lines.place(problem.at);
                Err(Error::at(problem.kind, position, problem.into_message()))
            }
        }
    }
}
