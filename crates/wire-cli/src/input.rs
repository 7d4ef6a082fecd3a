//! Reading an input.

use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use wire_core::{CodecError, Position};

use crate::failure::{Failure, called};
use crate::packed::{is_packed, read_whole, unpacked, unpacked_name};

/// How messages call standard input.
const STDIN: &str = "standard input";
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Standard input. Who has forgotten the file would wait as long.
fn stdin() -> io::StdinLock<'static> {
    if io::stdin().is_terminal() {
        let _ = writeln!(
            anstream::stderr(),
            "reading standard input up to its end (Ctrl-D in a terminal)"
        );
    }
    io::stdin().lock()
}

/// A reader of a file, or of standard input for `-`, and the size of a file.
fn opened(path: &Path) -> io::Result<(Box<dyn BufRead>, Option<u64>)> {
    const BUFFER: usize = 64 << 10;
    if path.as_os_str() == "-" {
        return Ok((Box::new(stdin()), None));
    }
    let file = fs::File::open(path)?;
    let size = file.metadata().ok().filter(fs::Metadata::is_file).map(|found| found.len());
    Ok((Box::new(BufReader::with_capacity(BUFFER, file)), size))
}

/// An input whose beginning has been read.
pub(crate) struct Opened {
    /// The beginning, as if it was all.
    pub(crate) head: Input,
    rest: Box<dyn BufRead>,
    /// How many bytes there are, of a file.
    pub(crate) size: Option<u64>,
    /// Whether it was compressed.
    is_packed: bool,
}

impl Opened {
    /// Opens a file, or standard input for `-`, and reads until there is `enough`, or nothing more.
    /// `enough` is given what has been read, and how much of it is not new.
    pub(crate) fn open(
        path: &Path,
        mut enough: impl FnMut(&[u8], usize) -> bool,
    ) -> Result<Self, Failure> {
        let unreadable = |error| Failure::input(called(path, STDIN), &error);
        let (mut rest, size) = opened(path).map_err(unreadable)?;
        let is_packed;
        (rest, is_packed) = unpacked(rest).map_err(unreadable)?;
        let mut head = Vec::new();
        loop {
            let known = head.len();
            let new = match rest.fill_buf() {
                Ok(new) => new,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(error)),
            };
            head.extend_from_slice(new);
            let read = new.len();
            rest.consume(read);
            if read == 0 || enough(&head, known) {
                break;
            }
        }
        let size = size.filter(|_| !is_packed);
        Ok(Opened { head: Input::of(path, head), rest, size, is_packed })
    }

    /// The same with all of it in the head.
    pub(crate) fn whole(mut self) -> Result<Self, Failure> {
        let read = if self.is_packed {
            read_whole(self.rest, &mut self.head.bytes)
        } else {
            self.rest.read_to_end(&mut self.head.bytes).map(drop)
        };
        read.map_err(|error| Failure::input(self.head.name.clone(), &error))?;
        Ok(Opened { rest: Box::new(io::empty()), ..self })
    }

    /// All of it, piece by piece.
    pub(crate) fn into_reader(self) -> impl BufRead {
        io::Cursor::new(self.head.bytes).chain(self.rest)
    }
}

/// An input that has been read.
pub(crate) struct Input {
    /// How messages call it.
    pub(crate) name: String,
    path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    /// The bytes of the file, if `bytes` were made from them: the user sees positions in these.
    original: Option<Vec<u8>>,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Input::of_raw(path, Input::raw(path)?)
    }

    /// The bytes of a file, or of standard input for `-`.
    pub(crate) fn raw(path: &Path) -> Result<Vec<u8>, Failure> {
        let read = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        read.map_err(|source| Failure::input(called(path, STDIN), &source))
    }

    /// An input of these bytes, unpacked if they are compressed.
    pub(crate) fn of_raw(path: &Path, raw: Vec<u8>) -> Result<Self, Failure> {
        if !is_packed(&raw) {
            return Ok(Input::of(path, raw));
        }
        let mut bytes = Vec::new();
        let read = unpacked(Box::new(io::Cursor::new(raw)))
            .and_then(|(reader, _)| read_whole(reader, &mut bytes));
        read.map_err(|source| Failure::input(called(path, STDIN), &source))?;
        Ok(Input::of(path, bytes))
    }

    fn of(path: &Path, mut bytes: Vec<u8>) -> Self {
        // A mark of the byte order says nothing of UTF-8, and no format begins with one.
        if bytes.starts_with(MARK) {
            bytes.drain(..MARK.len());
        }
        Input { name: called(path, STDIN), path: unpacked_name(path), bytes, original: None }
    }

    /// The same input with other content.
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        let original = Some(self.original.as_ref().unwrap_or(&self.bytes).clone());
        Input { name: self.name.clone(), path: self.path.clone(), bytes, original }
    }

    /// The position of an offset, if the user can see it.
    pub(crate) fn position(&self, offset: usize) -> Option<Position> {
        match &self.original {
            None => Some(Position::in_text(&self.bytes, offset)),
            Some(original) => position_of_number(original, &self.bytes, offset),
        }
    }

    /// The position of the number at an offset of a text that was made from the input.
    pub(crate) fn position_in(&self, text: &str, offset: usize) -> Option<Position> {
        if text.as_bytes() == self.bytes {
            return self.position(offset);
        }
        let original = self.original.as_ref().unwrap_or(&self.bytes);
        position_of_number(original, text.as_bytes(), offset)
    }

    /// The failure of a decoder that rejects it.
    pub(crate) fn refused(&self, error: CodecError) -> Failure {
        let Some(original) = &self.original else {
            return Failure::decode(self.name.clone(), self.bytes.clone(), error);
        };
        let offset = error.position().and_then(|place| usize::try_from(place.offset).ok());
        let position = offset.and_then(|offset| self.position(offset));
        Failure::decode(self.name.clone(), original.clone(), placed(&error, position))
    }

    /// The failure to write a text that was made from it in a format.
    pub(crate) fn not_written(&self, text: &str, format: &str, error: &CodecError) -> Failure {
        let offset = error.position().and_then(|place| usize::try_from(place.offset).ok());
        match offset.and_then(|offset| self.position_in(text, offset)) {
            None => Failure::encode(self.name.clone(), format, placed(error, None)),
            position => {
                let original = self.original.as_ref().unwrap_or(&self.bytes);
                Failure::decode(self.name.clone(), original.clone(), placed(error, position))
            }
        }
    }

    /// The extension of its name.
    pub(crate) fn extension(&self) -> Option<&str> {
        self.path.extension()?.to_str()
    }
}

/// The same error at another position.
pub(crate) fn placed(error: &CodecError, position: Option<Position>) -> CodecError {
    CodecError::new(error.code(), position, error.message())
}

/// The position in a text of a number that is at this offset of another text with the same numbers:
/// its literal is in both, after as many equal ones.
fn position_of_number(original: &[u8], text: &[u8], offset: usize) -> Option<Position> {
    let is_part =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let length = text[offset..].iter().take_while(|byte| is_part(byte)).count();
    let literal = std::str::from_utf8(&text[offset..offset + length]).ok()?;
    let (before, original) =
        (std::str::from_utf8(&text[..offset]).ok()?, std::str::from_utf8(original).ok()?);
    if literal.is_empty() {
        return None;
    }
    let (at, _) = original.match_indices(literal).nth(before.matches(literal).count())?;
    Some(Position::in_text(original.as_bytes(), at))
}
