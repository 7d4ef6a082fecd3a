//! Reading lines from an `io::Read`: one line is in memory, and a line longer than a limit is an
//! error.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use crate::Position;
use crate::text::from_utf8;

/// Reads lines, and keeps one in memory. A line ends with LF or CR LF, which are not part of it.
/// The last line may have no line ending.
///
/// ```
/// use wire_core::text::LineReader;
///
/// let mut lines = LineReader::new("GCF tool=t\r\n## targets".as_bytes(), 80);
/// assert!(lines.advance().is_ok_and(|is_line| is_line));
/// assert_eq!(
///     (lines.line(), lines.number(), lines.start()),
///     (&b"GCF tool=t"[..], 1, 0)
/// );
/// assert!(lines.advance().is_ok_and(|is_line| is_line));
/// assert!(!lines.is_terminated());
/// assert!(lines.advance().is_ok_and(|is_line| !is_line));
/// assert_eq!(lines.end().to_string(), "line 2, column 11");
///
/// let error = LineReader::new("a line".as_bytes(), 4).advance().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1, column 1: the line has more than 4 bytes, expected at most that \
///      many"
/// );
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    reader: BufReader<R>,
    line_bytes: usize,
    line: Vec<u8>,
    number: u64,
    start: u64,
    offset: u64,
    is_terminated: bool,
}

/// Why a [`LineReader`] can't return a line or its text.
#[derive(Debug)]
pub enum LineError {
    /// The reader failed.
    Io(io::Error),
    /// The line is longer than the limit. The position is the beginning of the line; the text is
    /// the message.
    TooLong(Position, String),
    /// The line is not UTF-8. The position is the first invalid byte; the text is the message.
    InvalidUtf8(Position, String),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Io(error) => error.fmt(f),
            LineError::TooLong(position, message) | LineError::InvalidUtf8(position, message) => {
                write!(f, "{position}: {message}")
            }
        }
    }
}

impl std::error::Error for LineError {}

impl<R: Read> LineReader<R> {
    /// Reads from `reader`, and buffers it. `line_bytes` is the longest line to accept, in bytes
    /// without the line ending.
    pub fn new(reader: R, line_bytes: usize) -> Self {
        LineReader {
            reader: BufReader::new(reader),
            line_bytes,
            line: Vec::new(),
            number: 0,
            start: 0,
            offset: 0,
            is_terminated: true,
        }
    }

    /// Reads the next line. Returns false at the end of the input; [`line`](Self::line) is then
    /// still the last line.
    ///
    /// # Errors
    ///
    /// [`LineError::Io`] and [`LineError::TooLong`]. Reading can't continue after an error.
    pub fn advance(&mut self) -> Result<bool, LineError> {
        // `read_until` tries interrupted reads again, `fill_buf` does not.
        let is_at_end = loop {
            match self.reader.fill_buf() {
                Ok(available) => break available.is_empty(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(LineError::Io(error)),
            }
        };
        if is_at_end {
            return Ok(false);
        }
        self.line.clear();
        // Two bytes more than the limit, for a line ending of CR and LF.
        let most = (self.line_bytes as u64).saturating_add(2);
        let mut part = self.reader.by_ref().take(most);
        let read = part.read_until(b'\n', &mut self.line).map_err(LineError::Io)?;
        self.is_terminated = self.line.pop_if(|byte| *byte == b'\n').is_some();
        if self.line.len() > self.line_bytes.saturating_add(1) {
            let position = Position { offset: self.offset, line: self.number + 1, column: 1 };
            let most = self.line_bytes;
            let message =
                format!("the line has more than {most} bytes, expected at most that many");
            return Err(LineError::TooLong(position, message));
        }
        self.line.pop_if(|byte| *byte == b'\r');
        self.number += 1;
        self.start = self.offset;
        self.offset += read as u64;
        Ok(true)
    }

    /// The current line (the one that was read last), without its line ending.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// The current line as text.
    ///
    /// # Errors
    ///
    /// [`LineError::InvalidUtf8`] if the line is not UTF-8.
    pub fn text(&self) -> Result<&str, LineError> {
        from_utf8(&self.line)
            .map_err(|(at, message)| LineError::InvalidUtf8(self.position(at), message))
    }

    /// The number of the current line, from 1. It is 0 before the first line is read.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The offset of the current line in the input, in bytes from 0.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The number of bytes up to the end of the current line, line endings included.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns `true` if the current line has a line ending.
    pub fn is_terminated(&self) -> bool {
        self.is_terminated
    }

    /// The position of a byte of the current line. `at` is its offset in the line.
    pub fn position(&self, at: usize) -> Position {
        Position::in_line(&self.line, self.number.max(1), self.start, at)
    }

    /// The position after the current line and its line ending.
    pub fn end(&self) -> Position {
        if self.is_terminated {
            return Position { offset: self.offset, line: self.number + 1, column: 1 };
        }
        let end = self.position(self.line.len());
        // A CR at the end of the input does not belong to the line.
        let more = self.offset - end.offset;
        Position { offset: self.offset, column: end.column + more, ..end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time, and is interrupted before each.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let length = self.0.len().min(1);
            (&self.0[..length]).read(buffer).inspect(|read| self.0 = &self.0[*read..])
        }
    }

    fn lines_of(input: &[u8], line_bytes: usize) -> Result<Vec<(Vec<u8>, u64, u64)>, LineError> {
        let mut lines = LineReader::new(Slow(input, false), line_bytes);
        let mut found = Vec::new();
        while lines.advance()? {
            found.push((lines.line().to_vec(), lines.number(), lines.start()));
        }
        Ok(found)
    }

    #[test]
    fn lines_end_after_lf_and_keep_other_crs() {
        let found = lines_of(b"a\r\r\n\nb\rc\r", 9).unwrap();
        let expected = [(b"a\r".to_vec(), 1, 0), (Vec::new(), 2, 4), (b"b\rc".to_vec(), 3, 5)];
        assert_eq!(found, expected);
        assert!(lines_of(b"", 9).unwrap().is_empty());
    }

    #[test]
    fn the_limit_leaves_out_the_line_ending() {
        for input in ["abc", "abc\n", "abc\r\n", "\nabc\r"] {
            assert!(lines_of(input.as_bytes(), 3).is_ok(), "{input:?}");
        }
        for input in ["abcd\r\n", "\nabcd\r", "abcdef", "\nabcde\n"] {
            let error = lines_of(input.as_bytes(), 3).unwrap_err();
            let LineError::TooLong(position, _) = error else { panic!("{error:?}") };
            let line = input.bytes().take_while(|byte| *byte == b'\n').count() as u64;
            assert_eq!(position, Position { offset: line, line: line + 1, column: 1 });
        }
    }

    #[test]
    fn a_line_that_is_no_text_has_its_place() {
        let mut lines = LineReader::new(&b"\n\xc3\xb6\xff"[..], 9);
        assert!(lines.advance().unwrap() && lines.text().is_ok() && lines.advance().unwrap());
        let error = lines.text().unwrap_err();
        let LineError::InvalidUtf8(position, _) = error else { panic!("{error:?}") };
        assert_eq!(position, Position { offset: 3, line: 2, column: 2 });
    }
}
