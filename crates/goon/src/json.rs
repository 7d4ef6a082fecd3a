//! The JSON text of a response as text, and back.

use crate::Error;
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::response::GraphResponse;

impl Encoder {
    /// Encodes a response given as JSON text.
    ///
    /// # Errors
    ///
    /// As [`json_to_goon`](crate::json_to_goon).
    pub fn json_to_goon(&self, json: &str) -> Result<String, Error> {
        self.to_string(&GraphResponse::read_json(json, self.options.exact)?)
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
}
