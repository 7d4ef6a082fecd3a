//! A reader that gives little at a time.

use std::io::{self, Read};

/// Gives at most so many bytes at a time, so that lines end between two reads.
pub(crate) struct Pieces<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) most: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.most);
        self.bytes.read(&mut buffer[..most])
    }
}
