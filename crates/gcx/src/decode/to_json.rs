//! The response of a tool as JSON text.

use wire_core::json;

use super::decoder::Decoder;
use crate::{Error, response};

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
}
