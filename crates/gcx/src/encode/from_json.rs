//! JSON text as the response of a tool.

use std::io::{Read, Write};

use super::encoder::{Encoded, Encoder};
use crate::Error;
use crate::response::{Form, Origin};

impl Encoder {
    /// Encodes the response of a tool given as JSON text: see [`json_to_layout`](crate::json_to_layout).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn json_to_layout(&self, tool: &str, json: &str) -> Result<String, Error> {
        self.json_to_layout_with_report(tool, json).map(|encoded| encoded.text)
    }

    /// As [`Encoder::json_to_layout`], with what [`Encoder::layout_only`] drops.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn json_to_layout_with_report(&self, tool: &str, json: &str) -> Result<Encoded, Error> {
        self.encode(tool, json, Origin::Caller, Form::Plain)
    }

    /// Encodes any JSON text without loss: see [`json_to_gcx`](crate::json_to_gcx).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn json_to_gcx(&self, tool: &str, json: &str) -> Result<String, Error> {
        self.encode(tool, json, Origin::Caller, Form::Typed).map(|encoded| encoded.text)
    }

    /// Encodes bytes of JSON as bytes.
    ///
    /// # Errors
    ///
    /// As [`json_to_layout`](crate::json_to_layout), and `invalid_utf8`.
    pub fn from_json_slice(&self, tool: &str, json: &[u8]) -> Result<Vec<u8>, Error> {
        self.json_to_layout(tool, Error::utf8(json)?).map(String::into_bytes)
    }

    /// Reads JSON from `reader` and writes it as the response of a tool to `writer`.
    ///
    /// # Errors
    ///
    /// As [`Encoder::from_json_slice`], before anything is written, and `io` when the reader or the
    /// writer fails.
    pub fn from_json_reader<R: Read, W: Write>(
        &self,
        tool: &str,
        mut reader: R,
        mut writer: W,
    ) -> Result<(), Error> {
        let mut json = Vec::new();
        reader.read_to_end(&mut json)?;
        writer.write_all(&self.from_json_slice(tool, &json)?)?;
        Ok(writer.flush()?)
    }
}
