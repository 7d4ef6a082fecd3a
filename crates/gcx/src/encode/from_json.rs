//! JSON text as the response of a tool.

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
}
