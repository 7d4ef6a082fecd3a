//! Encoding and decoding payloads whose size is not known in advance (ruling G13).

mod writer;

use std::io::Read;

use wire_core::__private::lines::LineReader;

pub use self::writer::Writer;
use crate::Error;
use crate::graph::decode::{Decoder, Event, LineScanner};

/// The lines of a payload, one by one, from a [`Read`]. It keeps at most one line and a buffer in
/// memory.
///
/// Each line is checked on its own. The caller has to check ids and counts, which span lines.
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
    /// Reads a payload line by line from `reader`: see [`Reader`]. Of the options only
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
    /// Reads from `reader` with the default limits. The reader is buffered internally and need not
    /// be wrapped.
    pub fn new(reader: R) -> Self {
        Decoder::new().reader(reader)
    }

    /// The next event; `None` at the end. After the error of a line, the next call continues with
    /// the next line. After an error of the header, a line that is too long, or an error of the
    /// reader, there are no more events.
    ///
    /// # Errors
    ///
    /// The error of a line, with its position, and `io` when the reader fails.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        loop {
            if self.ended {
                return Ok(None);
            }
            let is_line = self.lines.advance().inspect_err(|_| self.ended = true)?;
            self.ended = !is_line;
            // An empty input is an error, since it has no header. So the scanner gets one empty
            // line.
            if !is_line && self.lines.number() > 0 {
                return Ok(None);
            }
            if !self.lines.line().is_empty() || self.lines.number() <= 1 {
                break;
            }
        }
        let is_header = self.lines.number() <= 1;
        let text = self.lines.text().inspect_err(|_| self.ended = is_header)?;
        let scanned = if is_header {
            self.scanner.header(text, Err).map(|header| Some(Event::Header(header)))
        } else {
            self.scanner.line(text)
        };
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
