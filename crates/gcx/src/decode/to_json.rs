//! The response of a tool as JSON text.

use std::io::{Read, Write};

use wire_core::__private::json;

use super::decoder::Decoder;
use crate::Error;
use crate::response;

impl Decoder {
    /// Decodes a response to JSON text: see [`gcx_to_json`](crate::gcx_to_json).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn gcx_to_json(&self, text: &str) -> Result<String, Error> {
        let mut out = String::new();
        let writer = &mut json::Writer::new(&mut out, self.layout);
        response::decode_text(self.slice_reader(text), writer)?;
        Ok(out)
    }

    /// Decodes a response given as bytes to bytes of JSON.
    ///
    /// # Errors
    ///
    /// As [`gcx_to_json`](crate::gcx_to_json), and `invalid_utf8`.
    pub fn to_json_slice(&self, input: &[u8]) -> Result<Vec<u8>, Error> {
        self.gcx_to_json(Error::utf8(input)?).map(String::into_bytes)
    }

    /// Reads a response from `reader` and writes JSON to `writer`.
    ///
    /// # Errors
    ///
    /// As [`Decoder::to_json_slice`], before anything is written, and `io` when the reader or the
    /// writer fails.
    pub fn to_json_reader<R: Read, W: Write>(
        &self,
        mut reader: R,
        mut writer: W,
    ) -> Result<(), Error> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input)?;
        writer.write_all(&self.to_json_slice(&input)?)?;
        Ok(writer.flush()?)
    }
}
