//! Reading an input.

use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use wire_core::{CodecError, Position};

use crate::failure::{Failure, called};

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

/// An input whose beginning has been read.
pub(crate) struct Opened {
    /// The beginning, as if it was all.
    pub(crate) head: Input,
    rest: Box<dyn BufRead>,
    /// How many bytes there are, of a file.
    pub(crate) size: Option<u64>,
}

impl Opened {
    /// Opens a file, or standard input for `-`, and reads until there is `enough`, or nothing more.
    /// `enough` is given what has been read, and how much of it is not new.
    pub(crate) fn open(
        path: &Path,
        mut enough: impl FnMut(&[u8], usize) -> bool,
    ) -> Result<Self, Failure> {
        const BUFFER: usize = 64 << 10;
        let unreadable = |error| Failure::input(called(path, STDIN), &error);
        let (mut rest, size): (Box<dyn BufRead>, _) = if path.as_os_str() == "-" {
            (Box::new(stdin()), None)
        } else {
            let file = fs::File::open(path).map_err(unreadable)?;
            let size = file.metadata().ok().filter(fs::Metadata::is_file).map(|found| found.len());
            (Box::new(BufReader::with_capacity(BUFFER, file)), size)
        };
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
        Ok(Opened { head: Input::of(path, head), rest, size })
    }

    /// All of it.
    pub(crate) fn whole(mut self) -> Result<Input, Failure> {
        let read = self.rest.read_to_end(&mut self.head.bytes);
        read.map_err(|error| Failure::input(self.head.name.clone(), &error))?;
        Ok(self.head)
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
    /// Whether these are not the bytes of the file, so that the user can't see positions in them.
    is_derived: bool,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        match bytes {
            Ok(bytes) => Ok(Input::of(path, bytes)),
            Err(source) => Err(Failure::input(called(path, STDIN), &source)),
        }
    }

    fn of(path: &Path, mut bytes: Vec<u8>) -> Self {
        // A mark of the byte order says nothing of UTF-8, and no format begins with one.
        if bytes.starts_with(MARK) {
            bytes.drain(..MARK.len());
        }
        Input { name: called(path, STDIN), path: path.to_owned(), bytes, is_derived: false }
    }

    /// The same input with other content.
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Input { name: self.name.clone(), path: self.path.clone(), bytes, is_derived: true }
    }

    /// The position of an offset, if the user can see it.
    pub(crate) fn position(&self, offset: usize) -> Option<Position> {
        (!self.is_derived).then(|| Position::in_text(&self.bytes, offset))
    }

    /// The failure of a decoder that rejects it.
    pub(crate) fn refused(&self, error: CodecError) -> Failure {
        let failure = Failure::decode(self.name.clone(), self.bytes.clone(), error);
        if self.is_derived { failure.without_place() } else { failure }
    }

    /// The extension of its name.
    pub(crate) fn extension(&self) -> Option<&str> {
        self.path.extension()?.to_str()
    }
}
