//! What negative cases of several families have.

use serde::Deserialize;
use wire_core::Payload;

use crate::failure::ExpectedError;
use crate::payload;
use crate::text::Text;

/// A payload that is refused.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The payload.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// The error to get.
    pub error: ExpectedError,
}

/// A text that can't be read, as whatever the operation says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejected {
    /// The text.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The error to get.
    pub error: ExpectedError,
}
