//! Decoding: the lines of a text, and the payload that is built from them.

mod counts;
mod edge;
mod fast;
mod group;
mod header;
mod ids;
mod line;
mod payload;
mod policy;
mod symbol;

use std::io::Read;

use wire_core::{Limits, Payload};

pub(super) use edge::edge_line;
pub(super) use group::{Group, OtherLine, group_of_line, other_line};
pub(super) use ids::{Ids, duplicate_id, unresolved};
pub(super) use line::too_many;
pub(super) use payload::Decoding;
use policy::Lenient;
pub(super) use policy::{Policy, Strict};
pub use policy::{Report, Skipped};
pub(super) use symbol::{SymbolLine, reference_line, symbol_line};

use crate::Error;

/// Decodes payloads, with options.
///
/// ```
/// let text = "GCF tool=t symbols=1\n## targets\n@0 fn pkg.Auth 0.78 lsp_resolved";
/// let decoder = gcf::graph::Decoder::new();
/// assert_eq!(decoder.from_str(text)?.symbols.len(), 1);
/// let error = decoder.require_final_newline(true).from_str(text).unwrap_err();
/// assert_eq!(error.code(), "missing_final_newline");
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoder {
    pub(super) limits: Limits,
    /// `true` if the last line needs a line ending; else a count may show that the payload is complete
    /// (ruling A2).
    final_newline_required: bool,
}

impl Decoder {
    /// A strict decoder of every dialect, with the default limits. It accepts a missing final
    /// newline when a declared count shows that the payload is complete.
    pub const fn new() -> Self {
        Decoder { limits: Limits::DEFAULT, final_newline_required: false }
    }

    /// Sets the limits (default [`Limits::DEFAULT`]).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether input is an error when its last line has no line ending (default `false`: it is
    /// accepted when a declared count shows that the payload is complete). With `true`, every
    /// truncation of a payload with counts is detected.
    #[must_use]
    pub const fn require_final_newline(mut self, required: bool) -> Self {
        self.final_newline_required = required;
        self
    }

    /// Decodes a payload, borrowing its text from `text`.
    ///
    /// # Errors
    ///
    /// Every [`ErrorKind`](crate::ErrorKind) from the header to the limits, with the position.
    pub fn from_str<'a>(&self, text: &'a str) -> Result<Payload<'a>, Error> {
        let mut decoding = Decoding::new(text, self.limits);
        decoding.run(&mut Strict)?;
        decoding.check(self)?;
        Ok(decoding.payload)
    }

    /// Decodes a payload from bytes, borrowing its text from them.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str`], and `invalid_utf8`.
    pub fn from_slice<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, Error> {
        self.from_str(Error::utf8(input)?)
    }

    /// Decodes what can be decoded, and reports everything that was left out (ruling G8).
    ///
    /// Lines that the strict decoder rejects are left out, as are references to symbols of earlier
    /// payloads and edges that use them. Declared counts are compared but not enforced.
    ///
    /// # Errors
    ///
    /// When decoding is impossible: no header line, a header of another version or profile, a
    /// delta, a limit exceeded, or bytes that are not UTF-8.
    pub fn decode_lenient<'a>(
        &self,
        input: &'a (impl AsRef<[u8]> + ?Sized),
    ) -> Result<(Payload<'a>, Report), Error> {
        let (decoding, report) = self.lenient(Error::utf8(input.as_ref())?, false)?;
        Ok((decoding.payload, report))
    }

    /// Decodes what can be decoded of a text, which may have been repaired.
    pub(super) fn lenient<'a>(
        &self,
        text: &'a str,
        is_repaired: bool,
    ) -> Result<(Decoding<'a>, Report), Error> {
        let mut policy = Lenient::new(text, self.limits, is_repaired);
        let mut decoding = Decoding::new(text, self.limits);
        decoding.run(&mut policy)?;
        let report = policy.into_report();
        let report = Report {
            strictly_valid: report.skipped.is_empty() && decoding.check(self).is_ok(),
            declared_symbols: decoding.counts.declared_symbols(),
            found_symbols: decoding.payload.symbols.len() as u64,
            declared_edges: decoding.counts.declared_edges(),
            found_edges: decoding.payload.edges.len() as u64,
            ends_in_newline: text.ends_with('\n'),
            ..report
        };
        Ok((decoding, report))
    }

    /// Reads `reader` to its end and decodes a payload.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`], and `io` when the reader fails.
    pub fn from_reader<R: Read>(&self, mut reader: R) -> Result<Payload<'static>, Error> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input)?;
        Ok(self.from_slice(&input)?.into_owned())
    }
}
