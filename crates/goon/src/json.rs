//! The JSON text of a response as text, and back.

use std::io::{Read, Write};

use wire_core::__private::json::{Doubles, Reader};

use crate::Error;
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::response::{GraphResponse, of_json};

impl Encoder {
    /// Encodes a response given as JSON text.
    ///
    /// # Errors
    ///
    /// As [`json_to_goon`](crate::json_to_goon).
    pub fn json_to_goon(&self, json: &str) -> Result<String, Error> {
        let response = GraphResponse::from_json_str(json)?;
        if self.options.exact {
            Doubles::check_exact(Reader::new(json)).map_err(|error| of_json(json, &error))?;
        }
        self.to_string(&response)
    }

    /// Encodes a response given as bytes of JSON, as bytes.
    ///
    /// # Errors
    ///
    /// As [`json_to_goon`](crate::json_to_goon), and `invalid_utf8`.
    pub fn from_json_slice(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        self.json_to_goon(Error::utf8(json)?).map(String::into_bytes)
    }

    /// Reads JSON from `reader` and writes the text to `writer`.
    ///
    /// # Errors
    ///
    /// As [`Encoder::from_json_slice`], before anything is written, and `io` when the reader or the
    /// writer fails.
    pub fn from_json_reader(
        &self,
        mut reader: impl Read,
        mut writer: impl Write,
    ) -> Result<(), Error> {
        let mut json = Vec::new();
        reader.read_to_end(&mut json)?;
        writer.write_all(&self.from_json_slice(&json)?)?;
        Ok(writer.flush()?)
    }
}

impl Decoder {
    /// Decodes a text to JSON text.
    ///
    /// # Errors
    ///
    /// As [`goon_to_json`](crate::goon_to_json).
    pub fn goon_to_json(&self, text: &str) -> Result<String, Error> {
        let response = self.from_str(text)?;
        let json = if self.is_pretty() {
            serde_json::to_string_pretty(&response)
        } else {
            serde_json::to_string(&response)
        };
        Ok(json.expect("because a response is made of what JSON has"))
    }

    /// Decodes a text given as bytes to bytes of JSON.
    ///
    /// # Errors
    ///
    /// As [`goon_to_json`](crate::goon_to_json), and `invalid_utf8`.
    pub fn to_json_slice(&self, input: &[u8]) -> Result<Vec<u8>, Error> {
        self.goon_to_json(Error::utf8(input)?).map(String::into_bytes)
    }

    /// Reads a text from `reader` and writes JSON to `writer`.
    ///
    /// # Errors
    ///
    /// As [`Decoder::to_json_slice`], before anything is written, and `io` when the reader or the
    /// writer fails.
    pub fn to_json_reader(
        &self,
        mut reader: impl Read,
        mut writer: impl Write,
    ) -> Result<(), Error> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input)?;
        writer.write_all(&self.to_json_slice(&input)?)?;
        Ok(writer.flush()?)
    }
}
