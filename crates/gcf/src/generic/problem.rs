//! The problem of a piece of the text, before its position is known.

use wire_core::text::offset_in;

use crate::{Error, ErrorKind};

/// An error, and the byte of the input at which it is.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) kind: ErrorKind,
    /// The address of the byte, from which a caller that has the input computes the position.
    pub(super) at: *const u8,
    pub(super) message: String,
}

impl Problem {
    #[cold]
    pub(super) fn new(kind: ErrorKind, piece: &str, message: impl Into<String>) -> Self {
        Problem { kind, at: piece.as_ptr(), message: message.into() }
    }

    /// The error with the position of the piece in the whole text.
    #[cold]
    pub(super) fn in_text(self, text: &str) -> Error {
        let offset = offset_in(text.as_bytes(), self.at);
        Error::decode(self.kind, text.as_bytes(), offset.unwrap_or_default(), self.message)
    }
}
