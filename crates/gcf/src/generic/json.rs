//! JSON text as text, and back, with the default options.

use std::io::{Read, Write};

use super::{Decoder, Encoder};
use crate::Error;

/// A JSON text as text.
///
/// # Errors
///
/// As [`Encoder::json_to_gcf`].
pub fn json_to_gcf(json: &str) -> Result<String, Error> {
    Encoder::new().json_to_gcf(json)
}

/// JSON bytes as bytes.
///
/// # Errors
///
/// As [`Encoder::from_json_slice`].
pub fn from_json_slice(json: &[u8]) -> Result<Vec<u8>, Error> {
    Encoder::new().from_json_slice(json)
}

/// Writes the JSON that `reader` gives as text.
///
/// # Errors
///
/// As [`Encoder::from_json_reader`].
pub fn from_json_reader<R: Read, W: Write>(reader: R, writer: W) -> Result<(), Error> {
    Encoder::new().from_json_reader(reader, writer)
}

/// A text as minified JSON text.
///
/// # Errors
///
/// As [`Decoder::gcf_to_json`].
pub fn gcf_to_json(text: &str) -> Result<String, Error> {
    Decoder::new().gcf_to_json(text)
}

/// The bytes of a text as minified JSON.
///
/// # Errors
///
/// As [`Decoder::to_json_slice`].
pub fn to_json_slice(input: &[u8]) -> Result<Vec<u8>, Error> {
    Decoder::new().to_json_slice(input)
}

/// Writes the text that `reader` gives as minified JSON.
///
/// # Errors
///
/// As [`Decoder::to_json_reader`].
pub fn to_json_reader<R: Read, W: Write>(reader: R, writer: W) -> Result<(), Error> {
    Decoder::new().to_json_reader(reader, writer)
}
