//! The reasons why a run could not start, and what a command prints.

use std::io::{self, ErrorKind, Write};

/// The error that prevented a run.
pub(crate) enum Failure {
    /// Options, or a file of them, that can't be read.
    Usage(String),
    /// Input or output.
    Io(String),
    /// The server can't be started.
    NotStarted(String),
}

/// Prints what a command was asked for. Whoever reads it may have enough of it, as `head` has.
pub(crate) fn print(bytes: &[u8]) -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Io(format!("standard output can't be written: {error}")))
        }
        _ => Ok(0),
    }
}
