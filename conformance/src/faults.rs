//! Readers and writers that fail, for tests.

use std::io::{self, Write};

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
