//! Readers and writers that fail, stall and dawdle, for tests.

use std::io::{self, Read, Write};

/// A writer without room.
#[derive(Clone, Copy, Debug)]
pub struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that takes a byte at a time, is interrupted in between, and has room for so many.
#[derive(Clone, Debug)]
pub struct Slow {
    /// What was written.
    pub written: Vec<u8>,
    room: usize,
    /// What it says when it is full: an error, or that it took nothing.
    takes_nothing: bool,
    interrupted: bool,
}

impl Slow {
    /// A writer with room for so many bytes, and an error behind them.
    pub fn with_room(room: usize) -> Self {
        Slow { written: Vec::new(), room, takes_nothing: false, interrupted: false }
    }

    /// As [`Slow::with_room`], and where there is none left it says that it took no byte.
    pub fn that_takes_nothing(room: usize) -> Self {
        Slow { takes_nothing: true, ..Slow::with_room(room) }
    }
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some(&first) = bytes.first() else { return Ok(0) };
        if self.written.len() == self.room {
            return if self.takes_nothing { Ok(0) } else { Err(io::ErrorKind::StorageFull.into()) };
        }
        self.written.push(first);
        Ok(1)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a reader does at the end of what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// It ends.
    End,
    /// It fails: `the line went dead`.
    Dies,
    /// It has nothing for now.
    Stalls,
}

/// A reader that gives a byte at a time and is interrupted in between.
#[derive(Clone, Debug)]
pub struct Dribble<'a> {
    bytes: &'a [u8],
    last: Last,
    interrupted: bool,
}

impl<'a> Dribble<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8], last: Last) -> Self {
        Dribble { bytes, last, interrupted: false }
    }
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match (self.bytes, self.last) {
            ([], Last::Dies) => Err(io::Error::other("the line went dead")),
            ([], Last::Stalls) => Err(io::ErrorKind::WouldBlock.into()),
            (mut bytes, _) => {
                let most = buffer.len().min(1);
                let taken = bytes.read(&mut buffer[..most])?;
                self.bytes = bytes;
                Ok(taken)
            }
        }
    }
}
