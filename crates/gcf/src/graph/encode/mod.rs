//! Encoding: header, groups of symbols, edges.

mod edges;
mod header;
mod options;
mod short;
mod symbols;
mod writer;

use std::io::Write;

use wire_core::Payload;

pub(super) use self::header::Identity;
pub use self::header::StreamHead;
pub use self::options::{EncodeReport, Encoder};
pub(super) use self::symbols::SymbolIds;
pub(super) use self::writer::Writer;
use super::dialect::Dialect;
use crate::Error;

impl Encoder {
    /// Appends the encoded payload to `out`.
    ///
    /// # Errors
    ///
    /// `invalid_name`, `reserved_kind`, `invalid_score` (not finite) or `edge_index_out_of_range`,
    /// with the symbol or edge in the message. Then `out` is what it was before the call.
    pub fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<EncodeReport, Error> {
        self.append(out, |writer| {
            writer.payload(payload, Identity::of(payload), self.written_dialect())
        })
    }

    /// The encoded payload.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`].
    pub fn to_vec(&self, payload: &Payload<'_>) -> Result<Vec<u8>, Error> {
        let mut out = Vec::with_capacity(estimated_size(payload));
        self.encode(payload, &mut out)?;
        Ok(out)
    }

    /// The encoded payload as a string.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`].
    pub fn to_string(&self, payload: &Payload<'_>) -> Result<String, Error> {
        self.to_string_as(payload, Identity::of(payload))
    }

    /// Encodes `payload` into `writer`.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], before anything is written, and `io` when the writer fails.
    pub fn to_writer<W: Write>(&self, mut writer: W, payload: &Payload<'_>) -> Result<(), Error> {
        Ok(writer.write_all(&self.to_vec(payload)?)?)
    }

    /// The text with another tool and pack root in its header.
    pub(in crate::graph) fn to_string_as(
        self,
        payload: &Payload<'_>,
        identity: Identity<'_>,
    ) -> Result<String, Error> {
        self.string_of(estimated_size(payload), |writer| {
            writer.payload(payload, identity, self.written_dialect())
        })
    }

    /// Appends what `write` writes; after an error `out` is what it was before.
    pub(in crate::graph) fn append(
        self,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), Error>,
    ) -> Result<EncodeReport, Error> {
        let start = out.len();
        let mut writer = Writer::new(out, self);
        let written = write(&mut writer);
        let report = writer.report;
        written.map(|()| report).inspect_err(|_| out.truncate(start))
    }

    /// What `write` writes: some `size` bytes.
    pub(in crate::graph) fn string_of(
        self,
        size: usize,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), Error>,
    ) -> Result<String, Error> {
        let mut out = Vec::with_capacity(size);
        self.append(&mut out, write)?;
        Ok(String::from_utf8(out).expect("because it is made of strings and ASCII"))
    }
}

/// The approximate size of the text. When it is too low, the text is reallocated.
fn estimated_size(payload: &Payload<'_>) -> usize {
    let names: usize = payload.symbols.iter().map(|symbol| symbol.qualified_name.len()).sum();
    128 + names + payload.symbols.len() * 40 + payload.edges.len() * 28
}

impl Writer<'_> {
    fn payload(
        &mut self,
        payload: &Payload<'_>,
        identity: Identity<'_>,
        dialect: Dialect,
    ) -> Result<(), Error> {
        let rules = dialect.rules();
        self.header(payload, identity, false, rules)?;
        let ids = self.symbols(payload, rules)?;
        self.edges(payload, &ids, rules)
    }
}
