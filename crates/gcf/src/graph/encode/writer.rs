//! Writes the parts of all lines: text, numbers, and names as tokens (ruling G5).

use wire_core::text::is_token;

use super::options::{EncodeReport, Encoder};
use crate::Error;
use crate::graph::refused::{not_a_token, written};

/// The payload's bytes so far, and the options that lines need.
pub(in crate::graph) struct Writer<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(in crate::graph) white_space: Option<char>,
    pub(super) report: EncodeReport,
}

impl<'o> Writer<'o> {
    pub(super) fn new(out: &'o mut Vec<u8>, encoder: Encoder) -> Self {
        Writer { out, white_space: encoder.white_space, report: EncodeReport::default() }
    }
}

impl Writer<'_> {
    pub(in crate::graph) fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    pub(in crate::graph) fn number(&mut self, number: impl itoa::Integer) {
        self.out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }

    /// Writes a name as one token. `what` identifies it in errors.
    #[inline]
    pub(in crate::graph) fn token(
        &mut self,
        text: &str,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        self.word(text, what, |_| false)
    }

    /// Writes a name outside its vocabulary as one token. `listed` tells whether a reader would
    /// read a name as one of the vocabulary, which can happen after white space was replaced.
    #[inline]
    pub(in crate::graph) fn word(
        &mut self,
        text: &str,
        what: impl FnOnce() -> String,
        listed: fn(&str) -> bool,
    ) -> Result<(), Error> {
        if is_token(text) {
            self.text(text);
            return Ok(());
        }
        self.odd_token(text, &what(), listed)
    }

    #[cold]
    fn odd_token(&mut self, text: &str, what: &str, listed: fn(&str) -> bool) -> Result<(), Error> {
        let replaced = written(text, self.white_space);
        if is_token(&replaced) && !listed(&replaced) {
            self.report.names_changed += 1;
            self.text(&replaced);
            return Ok(());
        }
        Err(not_a_token(what, text))
    }
}
