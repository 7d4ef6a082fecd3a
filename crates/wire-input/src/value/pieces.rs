//! The values of JSON lines or of a JSON array, one at a time, in memory that does not grow with
//! their number.

use std::io::{self, BufRead, ErrorKind};

use wire_core::{CodecError, Position};

/// Where one value ends and the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// With its line. Blank lines are skipped.
    Lines,
    /// At its end, where another one may follow.
    Values,
    /// At the commas of an array.
    Array,
}

/// Cuts an input into the texts of its values. What is wrong inside one of them is for its reader
/// to say.
#[derive(Debug)]
pub struct Pieces<R> {
    reader: R,
    cut: Cut,
    state: State,
    /// The position of the next byte.
    at: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    Values,
    /// The last item is read, and its bracket follows.
    Last,
    /// The text has ended inside of the array.
    Open,
    End,
}

/// The text of a value, maybe with white space around it.
#[derive(Debug)]
pub struct Piece {
    /// The text.
    pub bytes: Vec<u8>,
    /// Where it begins in the input.
    pub start: Position,
    /// `true` if a comma or bracket of the array follows.
    is_inside: bool,
}

impl Piece {
    /// An error in it, whose position is relative to it, as one of the input. An error without a
    /// position is reported at its beginning.
    pub fn refused(&self, error: &CodecError) -> CodecError {
        let position = match error.position() {
            Some(found) => self.place(found),
            None => {
                let blank = self.bytes.iter().take_while(|byte| is_blank(**byte)).count();
                self.place(Position::in_text(&self.bytes, blank))
            }
        };
        let (code, message) = match error.code() {
            // Only the item ends there.
            "json_unexpected_end" if self.is_inside => {
                ("json_syntax", "the item ends, expected a value".to_owned())
            }
            code => (code, error.message()),
        };
        CodecError::new(code, Some(position), message)
    }

    /// The position in the input of a position in it.
    pub fn place(&self, found: Position) -> Position {
        let Position { offset, line, column } = self.start;
        let column = if found.line == 1 { column + found.column - 1 } else { found.column };
        Position { offset: offset + found.offset, line: line + found.line - 1, column }
    }
}

impl<R: BufRead> Pieces<R> {
    /// The values of an input, which end in this way.
    pub fn new(reader: R, cut: Cut) -> Self {
        let at = Position { offset: 0, line: 1, column: 1 };
        Pieces { reader, cut, state: State::Start, at }
    }

    /// The next value; `None` at the end.
    ///
    /// # Errors
    ///
    /// What is wrong between the values, or `io` if the input can't be read.
    pub fn next_piece(&mut self) -> Result<Option<Piece>, CodecError> {
        match self.cut {
            Cut::Lines => self.next_line(),
            Cut::Values => self.next_value(),
            Cut::Array => self.next_item(),
        }
    }

    fn next_line(&mut self) -> Result<Option<Piece>, CodecError> {
        loop {
            let mut piece = Piece { bytes: Vec::new(), start: self.at, is_inside: false };
            let read = self.reader.read_until(b'\n', &mut piece.bytes);
            if read.map_err(|error| unreadable(&error))? == 0 {
                return Ok(None);
            }
            self.at = moved(self.at, &piece.bytes);
            if !piece.bytes.iter().copied().all(is_blank) {
                return Ok(Some(piece));
            }
        }
    }

    fn next_value(&mut self) -> Result<Option<Piece>, CodecError> {
        if self.peek()?.is_none() {
            return Ok(None);
        }
        let mut piece = Piece { bytes: Vec::new(), start: self.at, is_inside: false };
        let mut brackets = Brackets::default();
        let mut is_whole = false;
        while !is_whole {
            let Some(buffer) = buffer(&mut self.reader)? else { break };
            let mut length = 0;
            for &byte in buffer {
                let is_next = is_blank(byte) || matches!(byte, b'"' | b'[' | b'{');
                if brackets.is_outside() && is_next && piece.bytes.len() + length > 0 {
                    is_whole = true;
                    break;
                }
                brackets.after(byte);
                length += 1;
                if brackets.is_outside() && matches!(byte, b'"' | b']' | b'}') {
                    is_whole = true;
                    break;
                }
            }
            piece.bytes.extend_from_slice(&buffer[..length]);
            self.reader.consume(length);
        }
        self.at = moved(self.at, &piece.bytes);
        Ok(Some(piece))
    }

    fn next_item(&mut self) -> Result<Option<Piece>, CodecError> {
        let first = self.peek()?;
        match self.state {
            State::Start if first == Some(b'[') => {
                self.take();
                self.state = State::Values;
                if self.peek()? == Some(b']') {
                    return self.end();
                }
            }
            State::Start if first.is_none() => {
                return Err(self.wrong("json_unexpected_end", "the text ends, expected a value"));
            }
            State::Start => {
                return Err(self.wrong("json_syntax", "found another value, expected an array"));
            }
            State::Values if first == Some(b']') => {
                return Err(
                    self.wrong("json_syntax", "found `]`, expected an item after the comma")
                );
            }
            State::Values => {}
            State::Open => {
                return Err(self.wrong("json_unexpected_end", "the text ends, expected `,` or `]`"));
            }
            State::Last => return self.end(),
            State::End => return Ok(None),
        }
        if self.peek()? == Some(b',') {
            return Err(self.wrong("json_syntax", "found `,`, expected a value"));
        }
        let mut piece = Piece { bytes: Vec::new(), start: self.at, is_inside: false };
        let end = self.item(&mut piece.bytes)?;
        piece.is_inside = end.is_some();
        self.at = moved(self.at, &piece.bytes);
        match end {
            Some(b',') => self.take(),
            // What is wrong in the item comes before it.
            Some(_) => self.state = State::Last,
            // Where the value itself is whole the array is not.
            None => self.state = State::Open,
        }
        if piece.bytes.is_empty() { self.next_item() } else { Ok(Some(piece)) }
    }

    /// Reads up to the comma or bracket that ends an item; `None` at the end of the input.
    fn item(&mut self, bytes: &mut Vec<u8>) -> Result<Option<u8>, CodecError> {
        let mut brackets = Brackets::default();
        loop {
            let Some(buffer) = buffer(&mut self.reader)? else { return Ok(None) };
            let end = buffer.iter().position(|&byte| {
                let is_outermost = brackets.depth() == 0;
                brackets.after(byte).is_some() && is_outermost && matches!(byte, b',' | b']')
            });
            let length = end.unwrap_or(buffer.len());
            bytes.extend_from_slice(&buffer[..length]);
            let delimiter = end.map(|end| buffer[end]);
            self.reader.consume(length);
            if delimiter.is_some() {
                return Ok(delimiter);
            }
        }
    }

    /// Reads the bracket that ends the array, after which nothing may follow.
    fn end(&mut self) -> Result<Option<Piece>, CodecError> {
        self.take();
        self.state = State::End;
        match self.peek()? {
            None => Ok(None),
            Some(_) => {
                Err(self.wrong("json_syntax", "found more text, expected the end of the text"))
            }
        }
    }

    /// The next byte that is not white space, without consuming it.
    fn peek(&mut self) -> Result<Option<u8>, CodecError> {
        loop {
            let Some(buffer) = buffer(&mut self.reader)? else { return Ok(None) };
            let blank = buffer.iter().take_while(|byte| is_blank(**byte)).count();
            let next = buffer.get(blank).copied();
            self.at = moved(self.at, &buffer[..blank]);
            self.reader.consume(blank);
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Takes the byte that was peeked at.
    fn take(&mut self) {
        self.reader.consume(1);
        self.at.offset += 1;
        self.at.column += 1;
    }

    #[cold]
    fn wrong(&self, code: &'static str, message: &str) -> CodecError {
        CodecError::new(code, Some(self.at), message)
    }
}

/// The bytes that are read and not consumed; `None` at the end of the input.
fn buffer(reader: &mut impl BufRead) -> Result<Option<&[u8]>, CodecError> {
    while let Err(error) = reader.fill_buf() {
        if error.kind() != ErrorKind::Interrupted {
            return Err(unreadable(&error));
        }
    }
    let buffer = reader.fill_buf().map_err(|error| unreadable(&error))?;
    Ok(Some(buffer).filter(|buffer| !buffer.is_empty()))
}

/// The error of a reader, as codecs report it.
#[cold]
fn unreadable(error: &io::Error) -> CodecError {
    CodecError::new("io", None, error.to_string())
}

/// How deep a byte of a JSON text is nested, found byte by byte and without parsing the rest: the
/// arrays and objects around the bytes so far.
#[derive(Default)]
struct Brackets {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Brackets {
    /// Goes on by a byte. It returns how many arrays and objects are open after it; `None` within a
    /// string.
    fn after(&mut self, byte: u8) -> Option<usize> {
        if self.in_string {
            self.in_string = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return None;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                return None;
            }
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Some(self.depth)
    }

    /// Returns `true` if the bytes so far are no part of an array, object or string.
    fn is_outside(&self) -> bool {
        self.depth == 0 && !self.in_string
    }

    /// How many are open.
    fn depth(&self) -> usize {
        self.depth
    }
}

/// Returns `true` if a byte is JSON white space.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The position after these bytes, which begin at this position.
fn moved(at: Position, bytes: &[u8]) -> Position {
    let found = Position::in_text(bytes, bytes.len());
    Piece { bytes: Vec::new(), start: at, is_inside: false }.place(found)
}
