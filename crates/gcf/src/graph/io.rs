//! Readers and writers, as thin adapters.

use std::io::{Read, Write};

use wire_core::Payload;

use super::decode::Decoder;
use super::encode::Encoder;
use crate::Error;

/// Encodes `payload` in [`Dialect::V1`](super::Dialect::V1) into `writer`.
///
/// # Errors
///
/// As [`Encoder::encode`], before anything is written, and `io` when the writer fails.
pub fn to_writer<W: Write>(writer: W, payload: &Payload<'_>) -> Result<(), Error> {
    Encoder::new().to_writer(writer, payload)
}

/// Reads `reader` to its end and decodes a payload of any dialect.
///
/// # Errors
///
/// As [`Decoder::from_slice`], and `io` when the reader fails.
pub fn from_reader<R: Read>(reader: R) -> Result<Payload<'static>, Error> {
    Decoder::new().from_reader(reader)
}

impl Encoder {
    /// Encodes `payload` into `writer`.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], before anything is written, and `io` when the writer fails.
    pub fn to_writer<W: Write>(&self, mut writer: W, payload: &Payload<'_>) -> Result<(), Error> {
        Ok(writer.write_all(&self.to_vec(payload)?)?)
    }
}

impl Decoder {
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
