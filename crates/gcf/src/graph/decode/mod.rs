//! Decoding: a scanner of lines, and the payload that is built from them.

mod bounds;
mod counts;
mod diagnosis;
mod edge;
mod fast;
mod group;
mod header;
mod ids;
mod line;
mod options;
mod payload;
mod policy;
mod report;
mod scanner;
mod symbol;

use wire_core::Payload;

pub(super) use bounds::{check_length, too_many};
pub(crate) use diagnosis::Diagnosis;
pub(super) use diagnosis::place;
pub use edge::EdgeLine;
pub(super) use edge::edge_line;
pub use group::Group;
pub(super) use group::{OtherLine, distance_of_line, other_line};
pub(crate) use header::{Field, fields, header_start, number};
pub use header::{Header, Summary};
pub(super) use ids::{Ids, duplicate_id, unresolved};
pub(crate) use line::{Line, Lines};
pub use options::Decoder;
pub(super) use payload::Decoding;
pub(super) use policy::{Policy, Recovering, Strict};
pub use report::{Report, Skipped};
pub use scanner::Event;
pub(super) use scanner::LineScanner;
pub use symbol::SymbolLine;
pub(super) use symbol::{reference_line, symbol_line};

use self::policy::Lenient;
use crate::Error;

impl Decoder {
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
    /// delta, or a limit exceeded.
    pub fn decode_lenient<'a>(&self, text: &'a str) -> Result<(Payload<'a>, Report), Error> {
        let mut policy = Lenient::new(text, self.limits);
        let mut decoding = Decoding::new(text, self.limits);
        decoding.run(&mut policy)?;
        let whole = decoding.check(self).is_ok();
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

    /// Decodes what can be decoded from bytes: see [`Decoder::decode_lenient`].
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode_lenient`], and `invalid_utf8`.
    pub fn decode_lenient<'a>(&self, input: &'a [u8]) -> Result<(Payload<'a>, Report), Error> {
        self.decode_lenient(Error::utf8(input)?)
    }
}
