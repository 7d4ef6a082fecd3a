//! The report of the lenient decoder: what it found, and what it left out.

use crate::ErrorKind;

/// The report of a lenient decode: the declared counts, the found counts, and every line that was
/// left out (ruling G8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of symbols that the header or the trailer declares.
    pub declared_symbols: Option<u64>,
    /// The number of symbols in the payload that was returned.
    pub found_symbols: u64,
    /// The number of edges that the header, the group line or the trailer declares.
    pub declared_edges: Option<u64>,
    /// The number of edges in the payload that was returned.
    pub found_edges: u64,
    /// The number of the last accepted line, from 1; the header is line 1.
    pub last_good_line: u64,
    /// Whether the text ends with a line ending.
    pub ends_in_newline: bool,
    /// Every line or header field that was left out, in order.
    pub skipped: Vec<Skipped>,
    /// The result of [`Report::is_clean`].
    pub(crate) strictly_valid: bool,
}

/// A line, or a field of the header, that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The number of the line, from 1.
    pub line: u64,
    /// Bytes before the line in the input.
    pub offset: u64,
    /// Why.
    pub reason: ErrorKind,
}

impl Report {
    /// Whether the strict decoder accepts the same text: nothing was left out, every declared count
    /// is right, and the end is complete.
    pub fn is_clean(&self) -> bool {
        self.strictly_valid
    }
}
