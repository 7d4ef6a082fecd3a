//! What the readers of single lines say: they know no other lines, and so no place but the one in their own.

use crate::ErrorKind;

/// What is wrong with a line, and at which byte of it.
#[derive(Debug)]
pub(crate) struct Diagnosis {
    pub(crate) kind: ErrorKind,
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Diagnosis {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, at: usize, message: impl Into<String>) -> Self {
        Diagnosis { kind, at, message: message.into() }
    }
}
