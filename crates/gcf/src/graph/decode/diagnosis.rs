//! An error inside one line, before it knows where the line is.

use crate::ErrorKind;

/// What is wrong with a line, and at which byte of it.
#[derive(Debug)]
pub(crate) struct Diagnosis {
    pub(crate) kind: ErrorKind,
    /// Offset in the line.
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Diagnosis {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, at: usize, message: impl Into<String>) -> Self {
        Diagnosis { kind, at, message: message.into() }
    }
}

/// `text` for a message: quoted, escaped, and cut where it is long.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return format!("{text:?}");
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{cut:?}…")
}
