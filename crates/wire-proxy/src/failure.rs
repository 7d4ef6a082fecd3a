//! The reasons why a run could not start, and what commands print.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use crate::text;

/// The error that prevented a run.
pub(crate) enum Failure {
    /// Options, or a file of them, that can't be read.
    Usage(String),
    /// Input or output.
    Io(String),
    /// The server can't be started.
    NotStarted(String),
}

/// Writes a message to standard error, if anybody reads that: it may be closed, or a full disk.
pub(crate) fn say(message: impl Display) {
    let message = text::message(&format!("wire-proxy: {message}"));
    let _ = writeln!(io::stderr(), "{}", message.trim_end());
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
