//! Errors of scanners, which don't know where their line is in the input.

use std::ops::Deref;

use crate::position::Position;

/// An error in a line, with its offset in the line. It is boxed to keep the results of scanners
/// small: these are moved for every line, and an error is made at most once.
#[derive(Debug)]
pub struct Diagnosis<K>(Box<Fault<K>>);

/// The content of a [`Diagnosis`].
#[derive(Debug)]
pub struct Fault<K> {
    /// The kind of error.
    pub kind: K,
    /// Offset in the line.
    pub at: usize,
    /// The message: what was found and what was expected.
    pub message: String,
}

impl<K> Diagnosis<K> {
    /// An error of this kind at a byte of the line.
    #[cold]
    pub fn new(kind: K, at: usize, message: impl Into<String>) -> Self {
        Diagnosis(Box::new(Fault { kind, at, message: message.into() }))
    }

    /// The message: what was found and what was expected.
    pub fn into_message(self) -> String {
        self.0.message
    }

    /// The position in the input. The line has this `number` and begins at offset `start`.
    #[cold]
    pub fn position(&self, line: &[u8], number: u64, start: u64) -> Position {
        Position::in_line(line, number, start, self.at)
    }
}

impl<K> Deref for Diagnosis<K> {
    type Target = Fault<K>;

    fn deref(&self) -> &Fault<K> {
        &self.0
    }
}
