//! Decoding: line scanners, one file for each kind of line; the payload that is built from them, and the
//! pull parser over the same scanners.

mod counts;
mod diagnosis;
mod edge;
mod fast;
mod group;
mod header;
mod ids;
mod line;
mod payload;
mod policy;
mod pull;
mod report;
mod scanner;
mod symbol;

use wire_core::{Limits, Payload};

pub(crate) use diagnosis::Diagnosis;
pub use edge::EdgeLine;
pub(super) use edge::edge_line;
pub use group::Group;
pub(super) use group::{OtherLine, distance_of_line, other_line};
pub(crate) use header::{Field, fields, header_start, number};
pub use header::{Header, Summary};
pub(super) use ids::Ids;
pub(crate) use line::{Line, Lines};
pub(super) use payload::{Decoding, check_length, duplicate_id, too_many, unresolved};
pub(super) use policy::{InSession, Recovering, place};
pub use pull::Events;
pub use report::{Report, Skipped};
pub use scanner::Event;
pub(super) use scanner::LineScanner;
pub use symbol::SymbolLine;
pub(super) use symbol::{reference_line, symbol_line};

use self::policy::{Lenient, Strict};
use crate::{Error, ErrorKind};

/// Options of decoding, and the decoder.
///
/// ```
/// let text = "GCF tool=t symbols=1\n## targets\n@0 fn pkg.Auth 0.78 lsp_resolved";
/// let decoder = gcf::graph::Decoder::new();
/// assert_eq!(decoder.from_str(text)?.symbols.len(), 1);
/// let error = decoder.require_final_newline().from_str(text).unwrap_err();
/// assert_eq!(error.code(), "missing_final_newline");
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoder {
    pub(super) limits: Limits,
    final_newline: FinalNewline,
}

/// What the end of the input must be (ruling A2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FinalNewline {
    /// A missing line ending is fine when a count shows that the payload is whole.
    #[default]
    UnlessCounted,
    Required,
}

impl Decoder {
    /// A strict decoder of every dialect, with the default limits, that takes a missing final
    /// newline where a declared count shows that the payload is whole.
    pub const fn new() -> Self {
        Decoder { limits: Limits::DEFAULT, final_newline: FinalNewline::UnlessCounted }
    }

    /// Sets the limits (default [`Limits::DEFAULT`]).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Refuses input whose last line has no line ending (default: taken when a declared count
    /// shows that the payload is whole). With it no cut of a counted payload goes unnoticed.
    #[must_use]
    pub const fn require_final_newline(mut self) -> Self {
        self.final_newline = FinalNewline::Required;
        self
    }

    /// Decodes a payload, borrowing its text from `text`.
    ///
    /// # Errors
    ///
    /// Everything in [`ErrorKind`] from the header to the limits, with the place.
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
        self.from_str(utf8(input)?)
    }

    /// Decodes what can be decoded, and reports everything that was left out (ruling G8).
    ///
    /// Lines that the strict decoder would refuse are left out, and so are references to symbols
    /// of earlier payloads and edges to them; declared counts are compared, not enforced.
    ///
    /// # Errors
    ///
    /// Where there is nothing to go by: no header line, a header of another version or profile, a
    /// delta, or a limit exceeded.
    pub fn from_str_lenient<'a>(&self, text: &'a str) -> Result<(Payload<'a>, Report), Error> {
        let mut policy = Lenient::new(text, self.limits);
        let mut decoding = Decoding::new(text, self.limits);
        decoding.run(&mut policy)?;
        let whole = decoding.check_end(self.final_newline).is_ok();
        let Decoding { payload, counts, .. } = decoding;
        let report = policy.into_report();
        let report = Report {
            strictly_valid: whole && report.skipped.is_empty(),
            declared_symbols: counts.declared_symbols(),
            found_symbols: payload.symbols.len() as u64,
            declared_edges: counts.declared_edges(),
            found_edges: payload.edges.len() as u64,
            ends_in_newline: text.ends_with('\n'),
            ..report
        };
        Ok((payload, report))
    }

    /// Decodes what can be decoded from bytes: [`Decoder::from_str_lenient`].
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str_lenient`], and `invalid_utf8`.
    pub fn from_slice_lenient<'a>(&self, input: &'a [u8]) -> Result<(Payload<'a>, Report), Error> {
        self.from_str_lenient(utf8(input)?)
    }

    /// The lines of `text` one by one, as they stand: see [`Events`].
    pub fn events<'a>(&self, text: &'a str) -> Events<'a> {
        Events::new(text, self.limits)
    }
}

pub(crate) fn utf8(input: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(input).map_err(|error| {
        let at = error.valid_up_to();
        let message = format!("the byte 0x{:02x} is not UTF-8, expected UTF-8 text", input[at]);
        Error::decode(ErrorKind::InvalidUtf8, input, at, message)
    })
}
